"""A store that may not be written is refused with the reason, and not one byte changes.

The body runs in a child as `nobody`: a test run by root could write anything.
"""

import json
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.child import run_child
from tests.support.digests import all_digests
from tests.support.stores import Memory, build_store, uuid_of
from tests.support.writing import rows_of

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="drops root's rights the Linux way; modes are POSIX"
)


@pytest.fixture
def shared(private_home: Path) -> Iterator[Path]:
    """Give a folder that every user may enter; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="genizah-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _retire_as_nobody(
    shared: Path, folder_mode: int, file_mode: int
) -> tuple[dict[str, object], bool]:
    """Return what came of it, and whether the store is as it was."""
    warm_up = build_store(shared / "warm", [Memory("a", "zarquon")])
    project = build_store(shared / "project", [Memory("a", "zarquon")])
    project.chmod(0o755)
    store = project / ".zikaron"
    for file in store.iterdir():
        file.chmod(file_mode)
    store.chmod(folder_mode)
    before = all_digests(project)
    ended = run_child(
        "tests.support.nobody_writes_child", str(warm_up), str(project), uuid_of("a")
    )
    assert ended.code == 0, ended
    found: dict[str, object] = json.loads(ended.out)
    return found, all_digests(project) == before


def test_a_file_that_may_only_be_read_is_refused_by_name(shared: Path) -> None:
    found, is_unchanged = _retire_as_nobody(shared, 0o777, 0o444)
    assert is_unchanged
    assert (found["code"], found["reason"]) == ("not_writable", "read_only_file")
    assert f"{shared / 'project'}" in str(found["message"])


def test_a_folder_that_may_only_be_read_is_a_static_view(shared: Path) -> None:
    found, is_unchanged = _retire_as_nobody(shared, 0o555, 0o666)
    assert is_unchanged
    assert (found["code"], found["reason"]) == ("not_writable", "static_view")


def test_a34_a_store_that_may_be_written_keeps_its_mode(shared: Path) -> None:
    assert _retire_as_nobody(shared, 0o777, 0o666) == ({"code": "Written"}, False)
    database = shared / "project" / ".zikaron" / "memory.db"
    assert stat.S_IMODE(database.stat().st_mode) == 0o666
    assert [row[5] for row in rows_of(shared / "project")["memory"]] == [0]
