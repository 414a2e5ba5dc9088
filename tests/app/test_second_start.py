"""The program started twice, as a person does: one window, the second start ends at once."""

import os
import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.support.child import child, end_of, run_child
from tests.support.wait import until
from tests.support.window_stores import ferry_store

pytestmark = pytest.mark.timeout(180)


def _log() -> str:
    log = Path(os.environ["GENIZAH_DATA_DIR"]) / "genizah.log"
    return log.read_text("utf-8") if log.exists() else ""


def _is_open(project: Path) -> bool:
    return f"open: {project / '.zikaron' / 'memory.db'}" in _log()


def _end(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    return end_of(process).code


async def test_the_second_start_opens_its_stores_in_the_first_window_and_ends(
    tmp_path: Path,
) -> None:
    first, *others = (ferry_store(tmp_path / name) for name in ("first", "second", "third"))
    with child("app", str(first)) as process:
        await until(lambda: _is_open(first), 60)
        ended = run_child("app", *map(str, others))
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        for other in others:
            await until(partial(_is_open, other))
        assert process.poll() is None
        assert _end(process) == 0


async def test_after_a_kill_the_next_start_is_the_first(tmp_path: Path) -> None:
    first, second, third = (ferry_store(tmp_path / name) for name in ("one", "two", "three"))
    with child("app", str(first)) as process:
        await until(lambda: _is_open(first), 60)
        process.kill()
        process.wait()
    with child("app", str(second)) as process:
        await until(lambda: _is_open(second), 60)
        assert run_child("app", str(third)).code == 0
        await until(lambda: _is_open(third))
        assert _end(process) == 0


async def test_files_that_the_desktop_asks_a_running_program_for_are_opened(
    tmp_path: Path,
) -> None:
    projects = [ferry_store(tmp_path / name) for name in ("first", "second")]
    files = [str(project / ".zikaron" / "memory.db") for project in projects]
    with child("tests.support.file_opening_child", *files) as process:
        await until(lambda: _is_open(projects[0]), 60)
        await until(lambda: _is_open(projects[1]), 20)
        assert _end(process) == 0


def test_a_start_that_only_hands_over_imports_no_widgets(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    told = run_child("tests.support.light_start", str(project))
    assert (told.code, told.out, told.err) == (0, "handed over\n", "")


async def test_a_picture_is_taken_beside_an_open_window(tmp_path: Path) -> None:
    project, picture = ferry_store(tmp_path / "p"), tmp_path / "demo.png"
    with child("app", str(project)) as process:
        await until(lambda: _is_open(project), 60)
        ended = run_child("app", "demo", str(tmp_path / "demo"), "--screenshot", str(picture))
        assert ended.code == 0, ended.err
        assert picture.stat().st_size > 10_000
        assert _end(process) == 0
