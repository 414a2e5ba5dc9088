"""Opening the program's own file: private, versioned, shared by several windows, crash-safe.

A damaged file is set aside, never deleted; one of a newer version is left as it is.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Self

from core.appdata.schema import STEPS, TABLES, VERSION
from core.clock import Clock
from core.datadir import PRIVATE_FILE, private_folder
from core.errors import ErrorCode, GenizahError
from core.store.connection import Connection
from core.store.location import STORE_FOLDER
from core.store.transactions import read_transaction, write_transaction

FILE_NAME = "genizah.db"
# A wait inside SQLite cannot be interrupted: many short ones, so that a window can close.
_BUSY_TIMEOUT = ("PRAGMA busy_timeout = 50",)
_GLANCE = ("PRAGMA busy_timeout = 20",)
_TRIES = 30
_PAUSE_S = 0.02


class AppDatabase:
    """One connection to the program's own file, used by one request at a time."""

    def __init__(self, connection: Connection, set_aside: Path | None = None) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()
        self.set_aside = set_aside
        """Where a damaged file was moved to when this one was opened, or None."""

    @classmethod
    async def open(cls, folder: Path, clock: Clock) -> Self:
        """Open or create folder/genizah.db (mode 0600) and bring it to this version.

        Raises GenizahError(SCHEMA_INCOMPATIBLE) for a file of a newer program, USAGE for a folder
        inside a store, and STORE_IO or what the driver reports where the file cannot be used.
        """
        path = _path_in(folder)
        try:
            return cls(await _connect(path))
        except GenizahError as error:
            if error.code is not ErrorCode.DAMAGED:
                raise
        return cls(*await _begin_anew(path, clock))

    @classmethod
    async def in_memory(cls) -> Self:
        """Return a database that is forgotten when it is closed."""
        connection = await Connection.open(Path("/genizah"), mode="memory")
        await _step_forwards(connection)
        return cls(connection)

    @classmethod
    async def glance(cls, folder: Path) -> Self:
        """Open an existing file for reading only; nothing is created, mended or stepped forwards.

        A file of an earlier version lacks the later tables.

        Raises GenizahError where there is none or another process holds it for long.
        """
        connection = await Connection.open(folder / FILE_NAME, prepare=_GLANCE)
        try:
            version = await connection.count("PRAGMA user_version")
            if not 1 <= version <= VERSION:
                raise _newer(connection.path, version)
        except BaseException:
            await connection.close()
            raise
        return cls(connection)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Give the connection inside one snapshot."""
        async with self._lock, read_transaction(self._connection):
            yield self._connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Connection]:
        """Give the connection inside one write transaction."""
        async with self._lock, AsyncExitStack() as stack:
            await _patiently(
                lambda: stack.enter_async_context(write_transaction(self._connection))
            )
            yield self._connection

    async def flush(self, *, shrink: bool = False) -> None:
        """Write the log into the file and empty it, so that nothing forgotten is left in it.

        `shrink` gives free room back before that. What another window is in the way of is left
        undone; the log goes with the last window at the latest.
        """
        async with self._lock:
            if shrink:
                try:
                    await self._connection.rows("VACUUM")
                except GenizahError as error:
                    if error.code is not ErrorCode.STORE_BUSY:
                        raise
            await self._connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


def _path_in(folder: Path) -> Path:
    if STORE_FOLDER in folder.resolve().parts:
        raise GenizahError(
            ErrorCode.USAGE,
            f"The data folder {folder} lies inside a store; name another one.",
            path=str(folder),
        )
    try:
        return private_folder(folder) / FILE_NAME
    except OSError as error:
        raise _unusable(folder, error) from error


def _make(path: Path) -> None:
    """Create the file if need be; SQLite gives what it puts beside it the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    except OSError as error:
        raise _unusable(path, error) from error


def _make_private(path: Path) -> None:
    with suppress(PermissionError):  # another user's file that we may write
        path.chmod(PRIVATE_FILE)


async def _connect(path: Path) -> Connection:
    """Open the file, made if need be.

    Another window may set a damaged one aside just while this one opens it: then it is done again.
    """
    for _ in range(_TRIES):
        try:
            return await _connect_once(path)
        except GenizahError as error:
            if error.code is not ErrorCode.STORE_IO or "sqlite_code" not in error.fields:
                raise
            await asyncio.sleep(_PAUSE_S)
    return await _connect_once(path)


async def _connect_once(path: Path) -> Connection:
    _make(path)
    connection = await Connection.open(path, mode="rw", prepare=_BUSY_TIMEOUT)
    try:
        await _patiently(lambda: _prepare(connection, path))
    except BaseException:
        await connection.close()
        raise
    return connection


async def _prepare(connection: Connection, path: Path) -> None:
    version = await connection.count("PRAGMA user_version")
    if version > VERSION:  # before anything is written to it
        raise _newer(str(path), version)
    if await connection.value("PRAGMA quick_check(1)") != "ok":
        raise _damaged(path)
    _make_private(path)
    await connection.rows("PRAGMA journal_mode = WAL")
    # A killed process loses nothing; a power cut at most the last notes.
    await connection.rows("PRAGMA synchronous = NORMAL")
    # What is forgotten is overwritten; the moves of a page's rows leave nothing behind either.
    await connection.rows("PRAGMA secure_delete = ON")
    await _step_forwards(connection)
    found = await connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    if not {str(row[0]) for row in found} >= TABLES:
        raise _damaged(path)


async def _patiently(attempt: Callable[[], Awaitable[None]]) -> None:
    """Do something again while another window is in the way, for two seconds."""
    for _ in range(_TRIES):
        try:
            await attempt()
        except GenizahError as error:
            if error.code is not ErrorCode.STORE_BUSY:
                raise
            await asyncio.sleep(_PAUSE_S)
        else:
            return
    await attempt()


async def _step_forwards(connection: Connection) -> None:
    """Take the steps that are missing, in one transaction; another window may do it first."""
    async with write_transaction(connection):
        found = await connection.count("PRAGMA user_version")
        if found > VERSION:
            raise _newer(connection.path, found)
        for step in STEPS[max(0, found) :]:
            for statement in step:
                await connection.rows(statement)
        if found < VERSION:
            await connection.rows(f"PRAGMA user_version = {VERSION}")


async def _begin_anew(path: Path, clock: Clock) -> tuple[Connection, Path | None]:
    """Set a damaged file aside and make a new one, unless another window has just done so."""
    damaged = _identity(path)
    try:
        return await _connect(path), None
    except GenizahError as error:
        if error.code is not ErrorCode.DAMAGED:
            raise
    aside = None
    if _identity(path) == damaged:
        aside = _set_aside(path, clock)
    return await _connect(path), aside


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _set_aside(path: Path, clock: Clock) -> Path:
    stamp = clock.now().strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{FILE_NAME}.damaged-{stamp}")
    # The file itself last: what lies beside a new one is never taken for that of the old one.
    for suffix in ("-wal", "-shm", ""):
        try:
            path.with_name(FILE_NAME + suffix).rename(aside.with_name(aside.name + suffix))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _unusable(path, error) from error
    return aside


def _unusable(path: Path, error: OSError) -> GenizahError:
    return GenizahError(
        ErrorCode.STORE_IO,
        f"{path} cannot be used ({error.strerror}).",
        path=str(path),
        fields={"system": str(error)},
    )


def _newer(path: str, found: int) -> GenizahError:
    return GenizahError(
        ErrorCode.SCHEMA_INCOMPATIBLE,
        f"{path} was made by another version of Genizah (format {found}, this one uses "
        f"{VERSION}); it is left as it is.",
        path=path,
        fields={"found": found, "supported": VERSION},
    )


def _damaged(path: Path) -> GenizahError:
    return GenizahError(ErrorCode.DAMAGED, f"The file {path} is damaged.", path=str(path))
