"""The log file: private, small, and without a word of what people search or agents remember."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.log_file import LOG_NAME, MOST_BYTES, start_log
from tests.support.child import run_child
from tests.support.window_stores import ferry_store


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before = list(root.handlers)
    yield
    for handler in root.handlers[:]:
        if handler not in before:
            root.removeHandler(handler)
            handler.close()
    for name in ("app", "core", "widgets"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_is_private_and_begins_with_the_program_and_the_machine(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    path = start_log(folder, "genizah 1.2.3, here")
    assert path == folder / LOG_NAME
    assert mode_of(path) == 0o600
    assert mode_of(folder) == 0o700
    (line,) = path.read_text().splitlines()
    assert line.endswith("INFO app.log_file: genizah 1.2.3, here")
    assert f" {os.getpid()} " in line


def test_a_file_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).touch(mode=0o644)
    (tmp_path / LOG_NAME).chmod(0o644)
    path = start_log(tmp_path, "here")
    assert path is not None
    assert mode_of(path) == 0o600


def test_the_file_stays_small_and_the_older_ones_are_private_too(tmp_path: Path) -> None:
    start_log(tmp_path, "here")
    for _ in range(60):
        logging.getLogger("app.test").info("%s", "x" * (MOST_BYTES // 10))
    files = sorted(tmp_path.glob(f"{LOG_NAME}*"))
    assert [f.name for f in files] == [LOG_NAME, f"{LOG_NAME}.1", f"{LOG_NAME}.2"]
    assert all(f.stat().st_size <= MOST_BYTES for f in files)
    assert all(mode_of(f) == 0o600 for f in files)


def test_a_folder_that_cannot_be_written_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    assert start_log(tmp_path / "data", "here") is None


def test_a_run_of_the_window_logs_the_store_and_no_text_of_it(private_home: Path) -> None:
    project = ferry_store(private_home / "p")
    ended = run_child("tests.support.closing_window", "searched", "window", str(project))
    assert (ended.code, ended.err) == (0, "")
    written = (private_home / "genizah" / LOG_NAME).read_text()
    assert f"open: {project / '.zikaron' / 'memory.db'}" in written
    for text in ("tide tables", "harbour", "ferry waits"):
        assert text not in written
