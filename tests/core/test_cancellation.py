"""A cancelled search frees its connection at once, and never harms the search after it."""

import asyncio
import threading
from pathlib import Path

import numpy as np
import pytest

from core.errors import ErrorCode, GenizahError
from core.retrieval.outcome import SearchOutcome
from core.store.connection import Connection, vec0_path
from core.store.transactions import read_transaction
from tests.support.engine import Engine, open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis
from tests.support.watch import threads_left

_ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
_HANG_S = 10.0
_HEAVY_ROWS, _HEAVY_WIDTH = 12_000, 384


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store whose one dense probe takes tens of milliseconds."""
    dice = np.random.default_rng(3)
    vectors = dice.standard_normal((_HEAVY_ROWS, _HEAVY_WIDTH)).astype("<f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = (
        Memory(f"m{n}", f"note {n}", f"word{n % 97} common", vectors=(vectors[n].tobytes(),))
        for n in range(_HEAVY_ROWS)
    )
    return build_store(tmp_path_factory.mktemp("heavy"), rows, width=_HEAVY_WIDTH)


def _seen(outcome: SearchOutcome) -> object:
    return (outcome.hits, outcome.dense, outcome.lexical)


async def _cancelled_after(task: asyncio.Task[SearchOutcome], turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(_HANG_S):
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_cancelled_statement_without_end_has_ended_when_the_cancellation_arrives(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(5))
    async with open_engine(tmp_path) as engine:
        connection = engine.database.search.connection
        for wait_s in (0.0, 0.05):
            task = asyncio.create_task(connection.rows(_ENDLESS))
            await asyncio.sleep(wait_s)
            task.cancel()
            async with asyncio.timeout(_HANG_S):
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert await connection.value("SELECT 42") == 42


async def test_closing_ends_a_statement_without_end(tmp_path: Path) -> None:
    build_store(tmp_path, distractors(5))
    async with open_engine(tmp_path) as engine:
        task = asyncio.create_task(engine.database.search.connection.rows(_ENDLESS))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(_HANG_S):
            await engine.database.close()
            with pytest.raises(GenizahError) as refusal:
                await task
    assert refusal.value.code is ErrorCode.INTERRUPTED


@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_the_search_after_a_cancelled_heavy_one_is_right(heavy: Path, matrix: bool) -> None:
    wanted, other = axis(_HEAVY_WIDTH, 5), axis(_HEAVY_WIDTH, 9)
    async with open_engine(heavy) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        expected = await engine.by_vector("word5", wanted)
        for turns in (0, 1, 2, 5, 20, 200):
            task = asyncio.create_task(engine.by_vector("common", other))
            await _cancelled_after(task, turns)
            assert not engine.database.search.connection.in_transaction
            found = await engine.by_vector("word5", wanted)
            assert _seen(found) == _seen(expected)


async def test_five_superseded_searches_leave_the_connection_to_the_newest(heavy: Path) -> None:
    """As while typing: each is cancelled by the next, and only the last one is answered."""
    async with open_engine(heavy) as engine:
        expected = await engine.by_vector("word5", axis(_HEAVY_WIDTH, 5))
        started: list[asyncio.Task[SearchOutcome]] = []
        for n in range(5):
            started.append(asyncio.create_task(engine.by_vector("common", axis(_HEAVY_WIDTH, n))))
            await asyncio.sleep(0.005)
            started[-1].cancel()
        async with asyncio.timeout(_HANG_S):
            found = await engine.by_vector("word5", axis(_HEAVY_WIDTH, 5))
        ended = await asyncio.gather(*started, return_exceptions=True)
    assert _seen(found) == _seen(expected)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended)


async def _round(engine: Engine, turns: int) -> SearchOutcome:
    task = asyncio.create_task(engine.by_vector("remark", axis(WIDTH, 1)))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    # Not awaited first: the innocent one queues while the other is still being stopped.
    found = await engine.by_vector("zarquon", axis(WIDTH, 2))
    await asyncio.gather(task, return_exceptions=True)
    return found


async def test_two_hundred_cancellations_never_hit_the_innocent_search(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "zarquon"), *distractors(150)])
    async with open_engine(tmp_path) as engine:
        expected = await engine.by_vector("zarquon", axis(WIDTH, 2))
        assert expected.hits[0].uuid == uuid_of("a") or expected.hit(uuid_of("a"))
        for number in range(200):
            assert _seen(await _round(engine, number % 23)) == _seen(expected), number


async def test_a_cancellation_while_a_transaction_begins_or_ends_leaves_none_open(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(5))

    async def snapshot(connection: Connection) -> None:
        async with read_transaction(connection):
            await connection.rows("SELECT count(*) FROM memory")

    async with open_engine(tmp_path) as engine:
        connection = engine.database.search.connection
        for number in range(200):
            task = asyncio.create_task(snapshot(connection))
            for _ in range(number % 20):
                await asyncio.sleep(0)
            for _ in range(number % 4 + 1):  # an impatient caller cancels again
                task.cancel()
                await asyncio.sleep(0)
            await asyncio.gather(task, return_exceptions=True)
            assert await connection.value("SELECT 1") == 1
            assert not connection.in_transaction, number


async def test_an_interrupt_that_hits_the_rollback_does_not_keep_the_snapshot(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(5))
    async with open_engine(tmp_path) as engine:
        connection = engine.database.search.connection
        for _ in range(100):
            async with read_transaction(connection):
                await connection.rows("SELECT 1")
                interrupting = asyncio.create_task(connection.interrupt())
            await interrupting
            assert not connection.in_transaction


async def test_a_failed_connect_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        with pytest.raises(GenizahError) as refusal:
            await Connection.open(tmp_path / "absent.db", vec0=vec0_path())
        assert refusal.value.code is ErrorCode.STORE_IO
    assert threads_left(before) == []


def test_a_loop_may_be_closed_right_after_a_failed_connect(tmp_path: Path) -> None:
    """As the command line does; a late report of the thread would be an error in this test."""

    async def fail() -> None:
        await Connection.open(tmp_path / "absent.db")

    for _ in range(50):
        with pytest.raises(GenizahError):
            asyncio.run(fail())


async def test_a_cancelled_connect_leaves_no_thread(tmp_path: Path) -> None:
    project = build_store(tmp_path, distractors(2))
    before = set(threading.enumerate())
    for number in range(30):
        task = asyncio.create_task(Connection.open(project / ".zikaron" / "memory.db"))
        for _ in range(number % 6):
            await asyncio.sleep(0)
        task.cancel()
        (end,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(end, Connection):
            await end.close()
    assert threads_left(before) == []
