"""The only place that begins and ends a transaction."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.store.connection import Connection


@asynccontextmanager
async def read_transaction(connection: Connection) -> AsyncIterator[None]:
    """Hold one snapshot for the body; reads end it with a rollback, there is nothing to commit.

    The snapshot is taken by the first statement of the body. Keep bodies below one second: an open
    read transaction holds back the agent's checkpoint.
    """
    await connection.rows("BEGIN DEFERRED")
    try:
        yield
    finally:
        await connection.rows("ROLLBACK")
