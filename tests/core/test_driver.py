"""What this program leans on in its SQLite driver, checked on every interpreter it runs on."""

import asyncio
import math
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pysqlite3
import pytest

from core.store import vectors
from core.store.connection import (
    Connection,
    backup,
    explain_driver_error,
    file_uri,
    sqlite_version,
    vec0_path,
)
from tests.support.engine import open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors
from tests.support.stub_encoder import axis, packed, unpacked

_HANG_S = 10.0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small store."""
    return build_store(tmp_path / "project", [Memory("a", "zarquon lamp"), *distractors(50)])


@pytest.fixture
def raw(project: Path) -> Iterator[pysqlite3.Connection]:
    """Give a read-only connection with the extension, as readers have it."""
    uri = file_uri(project / ".zikaron" / "memory.db", mode="ro")
    connection = pysqlite3.connect(uri, uri=True, isolation_level=None)
    library = vec0_path()
    assert library is not None
    connection.enable_load_extension(True)
    connection.load_extension(str(library.with_suffix("")))
    connection.enable_load_extension(False)
    yield connection
    connection.close()


def test_the_sqlite_is_the_packages_own_and_has_what_is_needed(raw: pysqlite3.Connection) -> None:
    assert tuple(map(int, sqlite_version().split("."))) >= (3, 43, 0), "octet_length() is there"
    options = {row[0] for row in raw.execute("PRAGMA compile_options").fetchall()}
    assert "ENABLE_FTS5" in options
    assert raw.execute("SELECT sqlite_version()").fetchone() == (sqlite_version(),)
    assert raw.execute("SELECT vec_version()").fetchone() == ("v0.1.9",)


def test_its_exceptions_are_its_own_and_carry_sqlites_codes(raw: pysqlite3.Connection) -> None:
    assert not issubclass(pysqlite3.OperationalError, sqlite3.Error)
    with pytest.raises(pysqlite3.OperationalError) as syntax:
        raw.execute("SELEKT")
    assert syntax.value.sqlite_errorname == "SQLITE_ERROR"
    with pytest.raises(pysqlite3.OperationalError) as readonly:
        raw.execute("DELETE FROM event")
    assert readonly.value.sqlite_errorname == "SQLITE_READONLY"


def test_fts5_searches_ranks_and_shows_its_vocabulary_on_a_read_only_file(
    raw: pysqlite3.Connection,
) -> None:
    found = raw.execute(
        "SELECT rowid, bm25(memory_fts) < 0 FROM memory_fts WHERE memory_fts MATCH ?",
        ('"zarquon"',),
    ).fetchall()
    assert found == [(1, 1)]
    raw.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memory_fts, row)")
    raw.execute("PRAGMA query_only = ON")
    assert raw.execute("SELECT doc, cnt FROM words WHERE term = 'zarquon'").fetchall() == [(1, 1)]
    with pytest.raises(pysqlite3.OperationalError, match="readonly"):
        raw.execute("CREATE TEMP TABLE t (x)")


async def test_a_measured_distance_equals_the_one_of_a_search_to_the_last_bit(
    tmp_path: Path,
) -> None:
    dice = random.Random(1)
    stored = [packed([dice.gauss(0, 1) for _ in range(384)]) for _ in range(300)]
    rows = [Memory(f"m{n}", f"note {n}", vectors=(v,)) for n, v in enumerate(stored)]
    build_store(tmp_path, rows, width=384)
    query = packed([dice.gauss(0, 1) for _ in range(384)])
    async with open_engine(tmp_path) as engine, engine.database.search.snapshot() as connection:
        searched = dict(await vectors.nearest(connection, query, 300))
        scanned = dict(await vectors.nearest_exact(connection, query))
        measured = await vectors.distances(connection, query, b"".join(stored))
    assert searched == scanned == dict(enumerate(measured, 1))
    by_hand = [math.dist(unpacked(v), unpacked(query)) for v in stored]
    assert [searched[n] for n in range(1, 301)] == pytest.approx(by_hand, rel=1e-5)


def test_the_extension_refuses_more_than_4096_neighbours(raw: pysqlite3.Connection) -> None:
    ask = "SELECT count(*) FROM memory_vec WHERE embedding MATCH ? AND k = ?"
    assert raw.execute(ask, (axis(WIDTH, 0), 4096)).fetchone() == (51,)
    with pytest.raises(pysqlite3.OperationalError, match="4096"):
        raw.execute(ask, (axis(WIDTH, 0), 4097)).fetchone()


def test_the_authorizer_sees_a_write_and_can_forbid_it(project: Path) -> None:
    writer = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    asked: list[tuple[int, str | None]] = []

    def authorize(action: int, first: str | None, *rest: str | None) -> int:
        asked.append((action, first))
        return 1 if action == 9 else 0  # SQLITE_DELETE

    writer.set_authorizer(authorize)
    with pytest.raises(pysqlite3.DatabaseError, match="not authorized"):
        writer.execute("DELETE FROM event")
    writer.close()
    assert (9, "event") in asked


def test_an_interrupt_from_another_thread_stops_a_statement(raw: pysqlite3.Connection) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"
    ended = threading.Event()

    def interrupt_until_ended() -> None:
        deadline = time.monotonic() + _HANG_S
        while not ended.is_set() and time.monotonic() < deadline:
            raw.interrupt()
            ended.wait(0.005)

    thread = threading.Thread(target=interrupt_until_ended)
    thread.start()
    with pytest.raises(pysqlite3.OperationalError) as stopped:
        raw.execute(endless)
    ended.set()
    thread.join()
    assert stopped.value.sqlite_errorname == "SQLITE_INTERRUPT"
    assert raw.execute("SELECT 1").fetchone() == (1,)


async def test_a_backup_is_the_whole_store_also_while_another_program_writes(
    project: Path, tmp_path: Path
) -> None:
    writer = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    source = await Connection.open(project / ".zikaron" / "memory.db", vec0=vec0_path())
    target = tmp_path / "copy.db"
    target.touch()
    copying = asyncio.create_task(backup(source, target))
    writer.execute("INSERT INTO event (at, client_kind, op_id, kind) VALUES ('t','cli','o','call')")
    await copying
    await source.close()
    writer.close()
    copy = await Connection.open(target, vec0=vec0_path())
    assert await copy.value("PRAGMA integrity_check") == "ok"
    assert await copy.count("SELECT count(*) FROM memory_vec") == 51
    assert await copy.count("SELECT count(*) FROM memory WHERE gist = 'zarquon lamp'") == 1
    await copy.close()


async def test_a_file_is_never_created_by_opening_it(tmp_path: Path) -> None:
    from core.errors import GenizahError

    for mode in ("ro", "rw"):
        with pytest.raises(GenizahError):
            await Connection.open(tmp_path / "absent.db", mode=mode)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("said", ["Cannot operate on a closed database.", "no such table: x"])
def test_the_drivers_words_end_a_sentence_once_and_are_kept_as_they_were(said: str) -> None:
    error = explain_driver_error(pysqlite3.ProgrammingError(said), "memory.db")
    assert error.message == f"The store memory.db could not be read: {said.rstrip('.')}."
    assert error.fields["driver"] == said


async def test_a_half_surrogate_in_a_cell_comes_back_as_it_is(project: Path) -> None:
    connection = await Connection.open(project / ".zikaron" / "memory.db")
    assert await connection.value("SELECT CAST(x'61eda0bd62' AS TEXT)") == "a\ud83db"
    assert await connection.value("SELECT CAST(x'61ff62' AS TEXT)") == "a\udcffb"
    assert await connection.value("SELECT 'plain ü'") == "plain ü"
    await connection.close()
