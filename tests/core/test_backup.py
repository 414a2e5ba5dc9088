"""Backups: whole, checked, private, the last ten kept; nothing of a failed one stays."""

import asyncio
import os
import shutil
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.commands.changes import Amend, Remember, Retire
from core.commands.commit import commit_batch, commit_one
from core.errors import ErrorCode, GenizahError
from core.progress import Report, WorkCancelledError, unreported
from core.store.backup import KEPT, Backup, back_up, backup_folder, kept_backups
from core.store.location import locate
from core.store.opening import inspect
from core.store.private_copy import snapshot_copy
from tests.support.digests import all_digests
from tests.support.stores import STORE_ID, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, open_raw, problems_of, rows_of

_NOON = datetime(2026, 3, 2, 12, 0, 0, 250_000, tzinfo=UTC)
_A = uuid_of("a")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a store of three hundred rows, one of them replaced."""
    rows = [Memory("a", "zarquon lamp"), Memory("b", "lamp", by="a"), *distractors(300)]
    return build_store(tmp_path / "project", rows)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return where the program's own files would lie."""
    return tmp_path / "data"


async def _back_up(
    project: Path, data_dir: Path, now: datetime = _NOON, report: Report = unreported
) -> Backup:
    return await back_up(await inspect(locate(project)), data_dir, now, report)


def _big_store(folder: Path) -> Path:
    """Make a store of 16 MB: more than one step of a copy."""
    project = build_store(folder, [Memory("a", "zarquon lamp"), Memory("b", "lamp")])
    with writing(project) as raw:
        raw.execute("CREATE TABLE padding AS SELECT zeroblob(16000000) AS zeros")
    return project


def _as_project(made: Backup, folder: Path) -> Path:
    """Put a backup where a store would lie, as somebody who needs it does."""
    (folder / ".zikaron").mkdir(parents=True)
    shutil.copy(made.path, folder / ".zikaron" / "memory.db")
    return folder


def _files(folder: Path) -> list[Path]:
    beside = ("-wal", "-shm")  # SQLite's own, empty, beside a store that is read
    found = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path for path in found if not path.name.endswith(beside))


async def test_a_backup_holds_every_row_those_still_in_the_log_too(
    project: Path, data_dir: Path, tmp_path: Path
) -> None:
    hand = await Hand.open(project, StubEncoder())
    await commit_batch(hand.gate, [Amend(_A, 1, "new gist", "new text"), Remember("one", "more")])
    assert (project / ".zikaron" / "memory.db-wal").stat().st_size > 0
    made = await _back_up(project, data_dir)
    expected = rows_of(project)
    await hand.close()
    assert (made.memories, made.size_bytes) == (303, made.path.stat().st_size)
    restored = _as_project(made, tmp_path / "restored")
    assert rows_of(restored) == expected
    (tmp_path / "scratch").mkdir()
    assert problems_of(restored, tmp_path / "scratch") == []


async def test_a34_a_backup_and_its_folders_are_private_and_alone(
    project: Path, data_dir: Path
) -> None:
    before = os.umask(0o022)
    try:
        made = await _back_up(project, data_dir)
    finally:
        os.umask(before)
    assert made.path == data_dir / "backups" / STORE_ID / "memory-20260302T120000.250000Z.db"
    assert _files(data_dir) == [made.path]
    folders = (data_dir, data_dir / "backups", made.path.parent)
    assert [stat.S_IMODE(path.stat().st_mode) for path in folders] == [0o700] * 3
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600


async def test_backing_up_changes_nothing_in_the_store(project: Path, data_dir: Path) -> None:
    before = all_digests(project)
    await _back_up(project, data_dir)
    assert all_digests(project) == before


async def test_the_last_ten_are_kept(project: Path, data_dir: Path) -> None:
    made = [await _back_up(project, data_dir, _NOON + timedelta(hours=n)) for n in range(12)]
    assert KEPT == 10
    assert _files(data_dir) == [backup.path for backup in made[2:]]


async def test_a_clock_that_was_set_back_does_not_cost_the_new_backup(
    project: Path, data_dir: Path
) -> None:
    made = [await _back_up(project, data_dir, _NOON - timedelta(days=n)) for n in range(11)]
    assert made[10].path in _files(data_dir)
    assert set(_files(data_dir)) == {m.path for m in made} - {made[9].path}


async def test_two_backups_of_one_moment_are_two(project: Path, data_dir: Path) -> None:
    made = [await _back_up(project, data_dir) for _ in range(3)]
    assert list(kept_backups(made[0].path.parent)) == sorted(m.path for m in made)
    assert len(set(_files(data_dir))) == 3


async def test_a_backup_that_fails_its_check_costs_none_of_the_older_ones(
    project: Path, data_dir: Path
) -> None:
    made = [await _back_up(project, data_dir, _NOON + timedelta(hours=n)) for n in range(10)]
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as raw:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute(
            "UPDATE sqlite_master SET sql = replace(sql, '(superseded_by)', '(gist)') "
            "WHERE name = 'memory_by_successor'"
        )
    with pytest.raises(GenizahError) as failed:
        await _back_up(project, data_dir, _NOON + timedelta(hours=11))
    assert (failed.value.code, failed.value.reason) == (ErrorCode.DAMAGED, "backup_unsound")
    assert "missing from index memory_by_successor" in failed.value.message
    assert _files(data_dir) == [backup.path for backup in made]


async def test_a_reference_that_was_broken_before_does_not_stop_a_backup(
    project: Path, data_dir: Path
) -> None:
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as raw:
        raw.execute("UPDATE memory SET superseded_by = 'nobody', active = 0 WHERE uuid = ?", [_A])
    assert (await _back_up(project, data_dir)).memories == 302


async def test_progress_is_told_in_bytes_up_to_the_whole(
    tmp_path: Path, data_dir: Path
) -> None:
    project = _big_store(tmp_path / "big")
    told: list[tuple[int, int]] = []
    made = await _back_up(project, data_dir, report=lambda *amount: told.append(amount))
    assert len(told) >= 3, "more than one step of 4 MB"
    assert told == sorted(told)
    assert told[-1] == (made.size_bytes, made.size_bytes)
    assert {total for _, total in told} == {made.size_bytes}


async def test_a_backup_that_is_not_wanted_any_more_leaves_nothing(
    project: Path, data_dir: Path
) -> None:
    def report(_done: int, _total: int) -> None:
        raise WorkCancelledError

    with pytest.raises(WorkCancelledError):
        await _back_up(project, data_dir, report=report)
    assert _files(data_dir) == []


async def test_a_cancelled_backup_leaves_nothing_and_no_lock(
    project: Path, data_dir: Path
) -> None:
    loop, begun = asyncio.get_running_loop(), asyncio.Event()

    def report(_done: int, _total: int) -> None:
        loop.call_soon_threadsafe(begun.set)

    job = asyncio.create_task(_back_up(project, data_dir, report=report))
    await begun.wait()
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert _files(data_dir) == []
    hand = await Hand.open(project, StubEncoder())
    await commit_one(hand.gate, Retire(_A, 1))
    await hand.close()
    assert not list((project / ".zikaron").glob("*-wal")), "no reader held the log open"


async def test_a_commit_meanwhile_neither_waits_nor_shows_in_half(
    tmp_path: Path, data_dir: Path
) -> None:
    project = _big_store(tmp_path / "big")
    before = rows_of(project)
    database = project / ".zikaron" / "memory.db"
    commits: list[int] = []

    def commit_at_each_step(_done: int, _total: int) -> None:
        with closing(open_raw(database, "rw")) as other:
            other.execute("PRAGMA wal_autocheckpoint = 0")
            other.execute("UPDATE memory SET gist = 'late', version = version + 1")
        commits.append(1)

    made = await _back_up(project, data_dir, report=commit_at_each_step)
    assert len(commits) < 10, "a commit does not begin the copy anew"
    assert rows_of(_as_project(made, tmp_path / "restored")) == before
    assert {row[3] for row in rows_of(project)["memory"]} == {"late"}


@pytest.mark.parametrize("inside", [".zikaron", ".zikaron/own", "."])
async def test_no_backup_lies_in_a_store(project: Path, inside: str) -> None:
    if inside == ".":
        shutil.copy(project / ".zikaron" / "memory.db", project / "memory.db")
    before = _files(project)
    with pytest.raises(GenizahError) as refused:
        await _back_up(project, project / inside)
    assert refused.value.reason == "inside_a_store"
    assert _files(project) == before


async def test_a32_a_replaced_file_is_not_backed_up_as_the_one_that_was_opened(
    project: Path, data_dir: Path, tmp_path: Path
) -> None:
    facts = await inspect(locate(project))
    other = build_store(tmp_path / "other", [Memory("a", "another store")])
    (other / ".zikaron" / "memory.db").replace(project / ".zikaron" / "memory.db")
    with pytest.raises(GenizahError) as refused:
        await back_up(facts, data_dir, _NOON)
    assert refused.value.code is ErrorCode.STORE_CHANGED
    assert _files(data_dir) == []


async def test_what_a_killed_program_left_half_made_goes_in_time(
    project: Path, data_dir: Path
) -> None:
    folder = backup_folder(data_dir, STORE_ID)
    folder.mkdir(parents=True)
    old, young = folder / "memory-1.db.part", folder / "memory-2.db.part"
    for path, age in ((old, timedelta(days=2)), (young, timedelta(hours=1))):
        path.write_bytes(b"half")
        at = (_NOON - age).timestamp()
        os.utime(path, (at, at))
    made = await _back_up(project, data_dir)
    assert _files(data_dir) == sorted([made.path, young]), "another window may be making it"


async def test_a_folder_that_cannot_be_made_is_named(project: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file stands here")
    with pytest.raises(GenizahError) as failed:
        await _back_up(project, tmp_path / "data")
    assert (failed.value.code, failed.value.reason) == (ErrorCode.NOT_WRITABLE, "backup_folder")
    assert str(tmp_path / "data") in failed.value.message


async def test_a_cancelled_private_copy_has_ended_before_its_file_is_closed(
    tmp_path: Path,
) -> None:
    project = _big_store(tmp_path / "big")
    facts = await inspect(locate(project))
    copying = asyncio.create_task(snapshot_copy(facts.location, facts.access, tmp_path / "c.db"))
    await asyncio.sleep(0)
    copying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await copying
