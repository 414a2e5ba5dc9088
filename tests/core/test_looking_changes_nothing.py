"""Looking changes no row and no byte, takes no lock that another program could meet."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pysqlite3
import pytest

from core.errors import ErrorCode, GenizahError
from core.retrieval.outcome import SearchOutcome
from core.store.database import Database
from core.store.location import locate
from tests.support.child import child
from tests.support.digests import all_digests
from tests.support.engine import Engine, open_engine
from tests.support.oracle import DEMO_BUNDLE, copy_project
from tests.support.stores import WIDTH, build_store, distractors
from tests.support.stub_encoder import axis
from tests.support.tour import browse, full_tour, search

_QUERY = "why does the integration test hang"
_NORTH = axis(384, 0)

# SQLite's codes of the actions that change something.
_WRITES = {
    9: "DELETE",
    18: "INSERT",
    23: "UPDATE",
    24: "ATTACH",
    26: "ALTER TABLE",
    27: "REINDEX",
    28: "ANALYZE",
    **dict.fromkeys((1, 2, 7, 8, 29), "CREATE"),
    **dict.fromkeys((3, 4, 5, 6), "CREATE TEMP"),
    **dict.fromkeys((10, 11, 16, 17, 30), "DROP"),
    **dict.fromkeys((12, 13, 14, 15), "DROP TEMP"),
}
_OK, _DENY = 0, 1


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a private copy of the demo store: all states, chains, an event log."""
    return copy_project(DEMO_BUNDLE, tmp_path / "project")


async def test_a_full_tour_changes_no_row_no_byte_and_no_mode(
    project: Path, tmp_path: Path
) -> None:
    (project / ".zikaron" / "memory.db").chmod(0o640)
    before = all_digests(project)
    names = {p.name for p in (project / ".zikaron").iterdir()}
    await full_tour(project, tmp_path, _QUERY, _NORTH)
    assert all_digests(project) == before
    assert {p.name for p in (project / ".zikaron").iterdir()} <= {
        *names,
        "memory.db-wal",
        "memory.db-shm",
    }


def _watching(project: Path, seen: list[str]) -> Callable[..., pysqlite3.Connection]:
    """Return a connect() whose connections to the store itself deny every write."""
    connect = pysqlite3.connect
    database = str(project / ".zikaron" / "memory.db")

    def authorize(
        action: int, first: str | None, second: str | None, where: str | None, by: str | None
    ) -> int:
        # Declaring a virtual table's columns runs a CREATE TABLE that reaches no file.
        declared = action == 18 and first in ("sqlite_master", "sqlite_temp_master")
        if action in _WRITES and not declared:
            seen.append(f"{_WRITES[action]} {first} {second} in {where} by {by}")
            return _DENY
        return _OK

    def watched(target: str, **rest: object) -> pysqlite3.Connection:
        connection: pysqlite3.Connection = connect(target, **rest)  # type: ignore[arg-type]
        if database in target:
            connection.set_authorizer(authorize)
        return connection

    return watched


async def test_a_full_tour_asks_for_no_write_at_all(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(pysqlite3, "connect", _watching(project, seen))
    await full_tour(project, tmp_path, _QUERY, _NORTH)
    assert seen == []


async def test_the_authorizer_of_that_test_would_stop_a_write(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    connect = _watching(project, seen)
    connection = connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    for statement in ("DELETE FROM event", "CREATE TABLE x (y)", "UPDATE meta SET value = 1"):
        with pytest.raises(pysqlite3.DatabaseError, match="not authorized"):
            connection.execute(statement)
    connection.close()
    assert len(seen) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory SET gist = 'x'",
        "DELETE FROM event",
        "INSERT INTO meta VALUES ('a', 'b')",
        "CREATE TEMP TABLE t (x)",
        "PRAGMA user_version = 7",
        "INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')",
    ],
)
async def test_both_readers_refuse_to_write(statement: str, project: Path) -> None:
    before = all_digests(project)
    async with open_engine(project) as engine:
        for reader in (engine.database.search, engine.database.browse):
            assert await reader.connection.value("PRAGMA query_only") == 1
            if "PRAGMA" not in statement:
                with pytest.raises(GenizahError) as refusal:
                    await reader.connection.rows(statement)
                assert refusal.value.code is ErrorCode.NOT_WRITABLE
    assert all_digests(project) == before


def _checkpoint(project: Path) -> tuple[object, ...]:
    """Truncate the log as the agent does; the first number is 1 where a reader stood in the way."""
    connection = pysqlite3.connect(
        str(project / ".zikaron" / "memory.db"), timeout=0, isolation_level=None
    )
    row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.close()
    return tuple(row or ())


async def _cancelled_search(engine: Engine) -> None:
    task = asyncio.create_task(engine.by_vector(_QUERY, _NORTH))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _gists(outcome: SearchOutcome) -> set[str]:
    return {h.head.gist for h in outcome.hits}


async def test_no_read_transaction_is_left_behind(project: Path) -> None:
    """After searches, browsing, a failed look-up and a cancelled search the log can be emptied."""
    async with open_engine(project) as engine:
        await browse(engine)
        await search(engine, _QUERY, _NORTH)
        with pytest.raises(GenizahError, match="There is no"):
            await engine.searcher.similar("no-such-memory")
        await _cancelled_search(engine)
        with child("tests.support.writer_child", str(project), "3") as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "3 written\n"
        assert _checkpoint(project) == (0, 0, 0)
        found = await engine.by_words("written")
    assert {f"written {n}" for n in range(3)} <= _gists(found)


async def test_two_instances_and_a_writer_never_meet_a_lock_a36(tmp_path: Path) -> None:
    """Both browse and search without pause while another process commits 200 times at once."""
    project = build_store(tmp_path, distractors(80))
    async with open_engine(project) as one, open_engine(project) as two:
        with child("tests.support.writer_child", str(project), "200") as writer:
            assert writer.stdout is not None
            done = asyncio.create_task(asyncio.to_thread(writer.stdout.readline))
            rounds = 0
            while not done.done():
                for engine in (one, two):
                    assert await browse(engine) >= 80
                    await engine.by_vector("written remark", axis(WIDTH, 0))
                rounds += 1
            assert await done == "200 written\n"
        assert rounds > 0
        for engine in (one, two):
            assert await browse(engine) == 280
            assert _gists(await engine.by_words("199")) >= {"written 199"}


async def test_a_store_replaced_while_open_is_noticed(tmp_path: Path) -> None:
    build_store(tmp_path / "one", distractors(2))
    build_store(tmp_path / "two", distractors(3))
    database = await Database.open(locate(tmp_path / "one"))
    database.check_still_there()
    (tmp_path / "two" / ".zikaron" / "memory.db").rename(
        tmp_path / "one" / ".zikaron" / "memory.db"
    )
    with pytest.raises(GenizahError) as refusal:
        database.check_still_there()
    await database.close()
    assert refusal.value.code is ErrorCode.STORE_CHANGED
    assert str(tmp_path / "one" / ".zikaron" / "memory.db") in refusal.value.message
