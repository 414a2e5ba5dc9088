"""A glance at a store that is not open: how many memories it holds, told without a trace.

Opening a store in a writable folder may leave SQLite's -wal and -shm files beside it; a glance
makes neither, so that a hundred stores can be looked over.
"""

import asyncio
from pathlib import Path

from core.errors import ErrorCode, GenizahError
from core.store.connection import Connection
from core.store.files import read_header, uses_log

_LIMIT_S = 1.0
_COUNT = "SELECT count(*) FROM memory"
_OWN_TABLES = ("memory", "memory_fts", "meta")


async def count_memories(database: Path, limit_s: float = _LIMIT_S) -> int:
    """Count the memories of a store that this process has not open.

    Raises GenizahError with why they cannot be counted, or not within the limit.
    """
    before = _content(database)
    keeps_log = uses_log(read_header(database))
    has_log = keeps_log and _has_log(database)
    try:
        number = await _counted(database, keeps_log and not has_log, has_log, limit_s)
    except GenizahError as error:
        if _content(database) == before:
            raise
        raise _changed(database) from error
    if _content(database) != before:
        raise _changed(database)
    return number


async def _counted(database: Path, immutable: bool, leaves_shm: bool, limit_s: float) -> int:
    connection = await Connection.open(database, immutable=immutable, leaves_shm=leaves_shm)
    try:
        async with asyncio.timeout(limit_s):
            await _check_tables(connection)
            return await connection.count(_COUNT)
    except TimeoutError as error:
        raise GenizahError(
            ErrorCode.INTERRUPTED,
            f"The memories of {database} could not be counted at a glance; open the store.",
            path=str(database),
        ) from error
    finally:
        await connection.close()


async def _check_tables(connection: Connection) -> None:
    found = await connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    missing = [name for name in _OWN_TABLES if (name,) not in found]
    if missing:
        raise GenizahError(
            ErrorCode.NOT_A_STORE,
            f"{connection.path} is a SQLite database but not a memory store: it has no table "
            f"{missing[0]}.",
            path=connection.path,
            reason=f"table {missing[0]}",
        )


def _has_log(database: Path) -> bool:
    """Tell whether changes lie in the write-ahead log. Raises GenizahError where it has no index:
    reading it would make one.
    """
    real = database.resolve()
    log, index = (real.with_name(real.name + suffix) for suffix in ("-wal", "-shm"))
    if not (log.exists() and log.stat().st_size):
        return False
    if not index.exists():
        raise GenizahError(
            ErrorCode.WAL_NEEDS_COPY,
            f"{database} has changes in {log.name} that nobody has taken over; they are read, and "
            "the memories counted, when the store is opened.",
            path=str(database),
        )
    return True


def _content(database: Path) -> tuple[int, int] | None:
    """Return what changes with the file's content, None where the file is gone."""
    try:
        found = database.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _changed(database: Path) -> GenizahError:
    return GenizahError(
        ErrorCode.STORE_BUSY,
        f"{database} is being written just now; its memories are counted when it is opened.",
        path=str(database),
    )
