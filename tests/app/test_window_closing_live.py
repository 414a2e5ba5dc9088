"""Closing beside other programs: a store that is locked, gone or written at this moment."""

from pathlib import Path

import pysqlite3
import pytest

from tests.support.child import child, end_of, run_child
from tests.support.stores import uuid_of
from tests.support.window_stores import ferry_store

_APP = "tests.support.closing_window"


def database_of(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


@pytest.mark.parametrize("state", ["at_once", "locked"])
def test_a62_closing_on_a_locked_store_ends_the_process_in_order(
    state: str, tmp_path: Path
) -> None:
    project = ferry_store(tmp_path / "p")
    locker = pysqlite3.connect(str(database_of(project)), isolation_level=None)
    try:
        locker.execute("PRAGMA locking_mode = EXCLUSIVE")
        locker.execute("UPDATE memory SET active = 1 WHERE uuid = ?", [uuid_of("bus")])
        ended = run_child(_APP, state, "window", str(project))
    finally:
        locker.close()
    assert (ended.code, ended.out, ended.err) == (0, "ready\n", "")


@pytest.mark.parametrize("state", ["model_load", "embedding", "slow_search"])
def test_a62_closing_during_work_while_the_agent_writes_ends_the_process_in_order(
    state: str, tmp_path: Path
) -> None:
    project = ferry_store(tmp_path / "p")
    writer = pysqlite3.connect(str(database_of(project)), isolation_level=None)
    try:
        with child(_APP, state, "signal", str(project)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            writer.execute("UPDATE memory SET active = 0 WHERE uuid = ?", [uuid_of("bus")])
            process.terminate()
            ended = end_of(process)
    finally:
        writer.close()
    assert (ended.code, ended.err) == (0, "")


def test_a62_closing_with_an_open_write_of_another_program_ends_the_process_in_order(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    writer = pysqlite3.connect(str(database_of(project)), isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE memory SET active = 0 WHERE uuid = ?", [uuid_of("bus")])
        ended = run_child(_APP, "searched", "window", str(project))
        writer.execute("COMMIT")
    finally:
        writer.close()
    assert (ended.code, ended.out, ended.err) == (0, "ready\n", "")


def test_closing_while_a_file_that_is_gone_is_waited_for_ends_the_process_in_order(
    tmp_path: Path,
) -> None:
    ended = run_child(_APP, "gone", "window", str(ferry_store(tmp_path / "p")))
    assert (ended.code, ended.out, ended.err) == (0, "ready\n", "")
