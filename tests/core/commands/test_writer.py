"""Which stores are written at all, how long a lock is waited for, and who the log says we are."""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from core.commands.changes import Amend, Retire
from core.commands.commit import commit_one
from core.commands.gate import run_session
from core.commands.ladder import Claim
from core.commands.outcome import Written
from core.commands.retire import retire
from core.errors import ErrorCode, ErrorKind, GenizahError
from core.store.location import locate
from core.store.opening import inspect
from core.store.writer import Writer
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, open_raw, rows_of

_A = uuid_of("a")


async def _refusal(project: Path) -> GenizahError:
    facts = await inspect(locate(project))
    with pytest.raises(GenizahError) as refused:
        await Writer.open(facts)
    return refused.value


async def test_a_newer_schema_is_never_written(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", [Memory("a", "x")], meta={"schema_version": "5"})
    error = await _refusal(project)
    assert (error.code, error.kind) == (ErrorCode.SCHEMA_INCOMPATIBLE, ErrorKind.FAILED)
    assert error.fields == {"found": 5, "supported": 4}


async def test_a_file_that_is_not_in_wal_mode_is_left_as_it_is(project: Path) -> None:
    database = project / ".zikaron" / "memory.db"
    with closing(open_raw(database, "rw")) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
    before = database.read_bytes()
    error = await _refusal(project)
    assert (error.code, error.reason) == (ErrorCode.NOT_WRITABLE, "journal_mode")
    assert database.read_bytes() == before


async def test_a32_a_replaced_file_is_not_written(hand: Hand, project: Path) -> None:
    folder = project / ".zikaron"
    shutil.copy(folder / "memory.db", folder / "other.db")
    before = (folder / "other.db").read_bytes()
    (folder / "other.db").replace(folder / "memory.db")
    with pytest.raises(GenizahError) as refused:
        await commit_one(hand.gate, Retire(_A, 1))
    assert refused.value.code is ErrorCode.STORE_CHANGED
    assert (folder / "memory.db").read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("INSERT INTO meta VALUES ('reindexing', '2026-03-01')", ErrorCode.REINDEXING),
        ("UPDATE meta SET value = '9' WHERE key = 'schema_version'", ErrorCode.SCHEMA_INCOMPATIBLE),
        ("UPDATE meta SET value = 'other' WHERE key = 'embed_model'", ErrorCode.STORE_CHANGED),
        ("DELETE FROM meta WHERE key = 'store_id'", ErrorCode.BAD_META),
    ],
)
async def test_what_became_of_the_store_meanwhile_is_seen_before_a_write(
    hand: Hand, project: Path, statement: str, code: ErrorCode
) -> None:
    with writing(project) as raw:
        raw.execute(statement)
    before = rows_of(project)
    with pytest.raises(GenizahError) as refused:
        await commit_one(hand.gate, Retire(_A, 1))
    assert refused.value.code is code
    assert rows_of(project) == before


async def test_a_static_view_is_not_written(project: Path) -> None:
    from dataclasses import replace

    from core.store.files import Access

    facts = replace(await inspect(locate(project)), access=Access.IMMUTABLE)
    with pytest.raises(GenizahError) as refused:
        await Writer.open(facts)
    assert (refused.value.code, refused.value.reason) == (ErrorCode.NOT_WRITABLE, "static_view")


async def test_a35_a_lock_is_waited_for_while_the_loop_goes_on(project: Path) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=30.0)
    turns = 0
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as other:
        other.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(commit_one(hand.gate, Amend(_A, 1, "gist", "text")))
        while turns < 20:
            await asyncio.sleep(0.01)
            turns += 1
        assert not saving.done()
        other.execute("COMMIT")
    assert await saving == Written(_A, 2)
    await hand.close()


async def test_a35_a_lock_that_stays_is_said_with_the_verb_and_can_be_tried_again(
    hand: Hand, project: Path
) -> None:
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(GenizahError) as busy:
            await retire(hand.gate, Claim(_A, 1))
    assert (busy.value.code, busy.value.kind) == (ErrorCode.STORE_BUSY, ErrorKind.REFUSED)
    assert busy.value.fields == {"verb": "retire"}
    assert isinstance(await commit_one(hand.gate, Retire(_A, 1)), Written)


async def test_a_cancelled_wait_for_the_lock_leaves_nothing_behind(project: Path) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=30.0)
    before = rows_of(project)
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as other:
        other.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(commit_one(hand.gate, Retire(_A, 1)))
        await asyncio.sleep(0.05)
        saving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saving
        other.execute("ROLLBACK")
    assert rows_of(project) == before
    assert isinstance(await commit_one(hand.gate, Retire(_A, 1)), Written)
    await hand.close()


async def test_a_change_that_breaks_in_the_middle_is_rolled_back(
    hand: Hand, project: Path
) -> None:
    with writing(project) as raw:
        raw.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON event "
            "BEGIN SELECT RAISE(ABORT, 'no event today'); END"
        )
    before = rows_of(project)
    with pytest.raises(GenizahError) as failed:
        await commit_one(hand.gate, Retire(_A, 1))
    assert failed.value.code is ErrorCode.STORE_FAILED
    assert "no event today" in failed.value.message
    assert rows_of(project) == before


async def test_the_log_calls_us_cli_where_the_store_knows_that_kind(
    hand: Hand, tmp_path: Path
) -> None:
    assert hand.gate.writer.client_kind == "cli"
    old = build_store(tmp_path / "old", [Memory("a", "x")], meta={"schema_version": "1"})
    with writing(old) as raw:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET sql = replace(sql, ', ''cli'', ''indexer''', '')")
    opened = await Hand.open(old, StubEncoder())
    assert opened.gate.writer.client_kind == "mcp"
    assert isinstance(await commit_one(opened.gate, Retire(_A, 1)), Written)
    await opened.close()
    assert {row[3] for row in rows_of(old)["event"]} == {"mcp"}


def test_a_run_has_a_name_of_its_own() -> None:
    assert run_session(lambda: "u") == "genizah-u"
    assert run_session() != run_session()


async def test_writing_leaves_no_lock_and_no_file(project: Path) -> None:
    hand = await Hand.open(project, StubEncoder())
    await commit_one(hand.gate, Retire(_A, 1))
    await hand.close()
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    assert {p.name for p in (project / ".zikaron").iterdir()} == {"memory.db", "config.toml"}
