"""The only place that begins and ends a transaction."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.errors import ErrorCode, GenizahError
from core.store.connection import Connection


@asynccontextmanager
async def read_transaction(connection: Connection) -> AsyncIterator[None]:
    """Hold one snapshot for the body; reads end it with a rollback, there is nothing to commit.

    The first statement of the body begins it and takes the snapshot, in one visit. Keep bodies
    below one second: an open read transaction holds back the agent's checkpoint.
    """
    connection.opening = "BEGIN DEFERRED"
    try:
        yield
    finally:
        connection.opening = None
        await to_its_end(asyncio.ensure_future(_roll_back(connection)))


async def _roll_back(connection: Connection) -> None:
    """Roll back, again where an interrupt that was meant for a query has hit it."""
    while connection.in_transaction:
        try:
            await connection.rows("ROLLBACK")
        except GenizahError as error:
            if error.code is not ErrorCode.INTERRUPTED:
                raise


async def to_its_end[T](ending: asyncio.Future[T]) -> T:
    """Wait for what no cancellation may stop; the cancellation goes on afterwards."""
    again: asyncio.CancelledError | None = None
    while not ending.done():
        try:
            await asyncio.wait({ending})
        except asyncio.CancelledError as error:
            again = error
    answer = ending.result()
    if again is not None:
        raise again
    return answer


@asynccontextmanager
async def write_transaction(connection: Connection, *, wait_s: float = 0.0) -> AsyncIterator[None]:
    """Hold the write lock for the body: commit what it did, or roll all of it back.

    Begins with BEGIN IMMEDIATE, so that no read is ever upgraded to a write. Raises
    GenizahError(STORE_BUSY) where the lock cannot be had within `wait_s` and one busy timeout of
    the connection. A connection that cannot even roll back is closed.
    """
    try:
        await _begin_immediate(connection, wait_s)
        yield
        # Once begun it is not cancelled: the caller would not know what became of the change.
        await to_its_end(asyncio.ensure_future(_commit(connection)))
    finally:
        await to_its_end(asyncio.ensure_future(_roll_back_or_close(connection)))


async def _begin_immediate(connection: Connection, wait_s: float) -> None:
    """Ask again while the lock is held: many short waits, as SQLite's own cannot be interrupted."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + wait_s
    while True:
        try:
            await connection.rows("BEGIN IMMEDIATE")
        except GenizahError as error:
            if error.code is not ErrorCode.STORE_BUSY or loop.time() >= deadline:
                raise
        else:
            return


async def _roll_back_or_close(connection: Connection) -> None:
    try:
        await _roll_back(connection)
    except GenizahError:
        await connection.close()
        raise


class Savepoint:
    """A point inside a write transaction to which `undo` returns; what came before it stays."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def undo(self) -> None:
        """Take back everything since the point; the transaction goes on."""
        await self._connection.rows("ROLLBACK TO part")


@asynccontextmanager
async def savepoint(connection: Connection) -> AsyncIterator[Savepoint]:
    """Mark a point inside the write transaction that the caller holds; not to be nested.

    An exception of the body leaves through the transaction, which rolls all of it back.
    """
    await connection.rows("SAVEPOINT part")
    yield Savepoint(connection)
    await connection.rows("RELEASE part")


async def _commit(connection: Connection) -> None:
    await connection.rows("COMMIT")
