"""A read transaction begins with its first statement, and several statements share one visit."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.store.connection import Connection
from core.store.transactions import read_transaction
from tests.support.stores import Memory, build_store, uuid_of, writing

_GISTS = "SELECT gist FROM memory"
_COUNT = "SELECT count(*) FROM memory"
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@asynccontextmanager
async def _reader(project: Path) -> AsyncIterator[Connection]:
    connection = await Connection.open(project / ".zikaron" / "memory.db")
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a store of one memory."""
    return build_store(tmp_path / "project", [Memory("lamp", "the lamp is lit")])


async def test_what_is_committed_before_the_first_statement_is_seen_and_after_it_is_not(
    project: Path,
) -> None:
    async with _reader(project) as connection:
        async with read_transaction(connection):
            with writing(project) as raw:
                raw.execute("UPDATE memory SET gist = 'before'")
            assert await connection.value(_GISTS) == "before"
            with writing(project) as raw:
                raw.execute("UPDATE memory SET gist = 'after'")
            assert await connection.rows_of_each([(_GISTS, ()), (_COUNT, ())]) == [
                [("before",)],
                [(1,)],
            ]
        assert not connection.in_transaction
        assert await connection.value(_GISTS) == "after"


async def test_a_body_without_a_statement_opens_nothing(project: Path) -> None:
    async with _reader(project) as connection:
        async with read_transaction(connection):
            assert not connection.in_transaction
        await connection.value(_GISTS)
        assert not connection.in_transaction


async def test_the_first_statement_that_fails_ends_the_visit_and_the_snapshot_stays(
    project: Path,
) -> None:
    async with _reader(project) as connection, read_transaction(connection):
        with pytest.raises(GenizahError) as refusal:
            await connection.rows_of_each([(_COUNT, ()), ("SELECT nothing", ()), (_ENDLESS, ())])
        assert refusal.value.code is ErrorCode.STORE_FAILED
        assert connection.in_transaction
        assert await connection.rows_of_each([(_COUNT, ())]) == [[(1,)]]


async def test_text_that_is_not_utf8_comes_back_with_the_answers_beside_it(project: Path) -> None:
    with writing(project) as raw:
        raw.execute("UPDATE memory SET gist = CAST(x'6869ff' AS TEXT)")
    async with _reader(project) as connection, read_transaction(connection):
        found = await connection.rows_of_each([("SELECT uuid FROM memory", ()), (_GISTS, ())])
        assert found == [[(uuid_of("lamp"),)], [("hi\udcff",)]]
        assert connection.in_transaction


async def test_a_cancelled_visit_ends_every_statement_of_it(project: Path) -> None:
    async with _reader(project) as connection:
        endless = [(_ENDLESS, ()), (_ENDLESS, ()), (_COUNT, ())]
        visit = asyncio.create_task(connection.rows_of_each(endless))
        await asyncio.sleep(0.05)
        visit.cancel()
        async with asyncio.timeout(10.0):
            with pytest.raises(asyncio.CancelledError):
                await visit
            assert await connection.value(_COUNT) == 1
