"""A hybrid search in a child without any network: no socket, nothing written outside our folder."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracle import DEMO_BUNDLE, ROOT, copy_project

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")

_WRITES = re.compile(r'"([^"]+)", O_(?:WRONLY|RDWR)[^)]*\) = \d|(?:mkdir|rename)\("([^"]+)"')
_HANG_S = 60


def _without_network(command: list[str]) -> list[str]:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-n", "true"], check=False).returncode:
        pytest.skip("no rights to make a network namespace here (unshare -n)")
    return [unshare, "-n", *command]


def _traced(command: list[str], trace: Path) -> list[str]:
    strace = shutil.which("strace")
    if strace is None:
        return command
    calls = "trace=socket,connect,bind,sendmsg,openat,creat,mkdir,mkdirat,rename,renameat"
    return [strace, "-f", "-qq", "-o", str(trace), "-e", calls, *command]


def _written(trace: str) -> set[Path]:
    return {Path(m[0] or m[1]) for m in _WRITES.findall(trace)}


@dataclass(frozen=True, slots=True)
class _Places:
    """The folders of one run: an empty home, our data, the temporary one."""

    home: Path
    data: Path
    temporary: Path

    def environment(self) -> dict[str, str]:
        """Return what the child sees, and nothing else."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "GENIZAH_DATA_DIR": str(self.data),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
        }


@pytest.fixture
def places(tmp_path: Path) -> _Places:
    """Make the folders."""
    places = _Places(*(tmp_path / name for name in ("home", "data", "tmp")))
    for folder in (places.home, places.data, places.temporary):
        folder.mkdir()
    return places


def _searched(project: Path, places: _Places, trace: Path) -> dict[str, Any]:
    search = ["search", str(project), "--query", "test hang", "--json"]
    ended = subprocess.run(
        _without_network(_traced([sys.executable, "-m", "app", *search], trace)),
        cwd=trace.parent,
        env=places.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_HANG_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


@pytest.mark.timeout(120)
@pytest.mark.parametrize("model_cached", [True, False], ids=["embedded model", "absent model"])
def test_a_search_needs_no_network_and_leaves_no_trace_a66(
    tmp_path: Path, places: _Places, model_cached: bool
) -> None:
    project = copy_project(DEMO_BUNDLE, tmp_path / "project")
    if not model_cached:
        _name_an_absent_model(project)
    trace = tmp_path / "trace"
    answer = _searched(project, places, trace)
    assert answer["arms"]["lexical"]["ran"]
    assert answer["arms"]["dense"]["ran"] == model_cached
    assert list(places.home.iterdir()) == []
    assert list(places.temporary.iterdir()) == []
    assert not any(places.data.rglob("*.onnx"))
    if trace.exists():
        calls = trace.read_text(errors="replace")
        assert "AF_INET" not in calls
        store = project / ".zikaron"
        beside = {store / "memory.db-wal", store / "memory.db-shm", Path("/dev/null")}
        strange = {p for p in _written(calls) - beside if not p.is_relative_to(places.data)}
        assert strange == set()


def _name_an_absent_model(project: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(project / ".zikaron" / "memory.db")
    connection.execute(
        "UPDATE meta SET value = 'BAAI/bge-small-en-v1.5' WHERE key = 'embed_model'"
    )
    connection.commit()
    connection.close()
