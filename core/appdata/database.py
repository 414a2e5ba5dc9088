"""Opening the program's own file: private, versioned, shared by several windows, crash-safe.

A damaged file is set aside, never deleted; one of a newer version is left alone.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from core.appdata.schema import STEPS, VERSION
from core.clock import Clock
from core.datadir import PRIVATE_FILE, private_folder
from core.errors import ErrorCode, GenizahError
from core.store.connection import Connection
from core.store.transactions import read_transaction, write_transaction

FILE_NAME = "genizah.db"
_PREPARE = (
    "PRAGMA busy_timeout = 2000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
)


class AppDatabase:
    """One connection to the program's own file, used by one request at a time."""

    def __init__(self, connection: Connection, set_aside: Path | None) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()
        self.set_aside = set_aside
        """Where a damaged file was moved to when this one was opened, or None."""

    @classmethod
    async def open(cls, folder: Path, clock: Clock) -> Self:
        """Open or create folder/genizah.db (mode 0600) and bring it to this version.

        Raises GenizahError(SCHEMA_INCOMPATIBLE) for a file of a newer program, and what the
        driver reports where the folder cannot be written.
        """
        path = private_folder(folder) / FILE_NAME
        try:
            return cls(await _connect(path), None)
        except GenizahError as error:
            if error.code is not ErrorCode.DAMAGED:
                raise
        stamp = clock.now().strftime("%Y%m%dT%H%M%S%f")
        aside = path.with_name(f"{FILE_NAME}.damaged-{stamp}")
        path.rename(aside)
        for suffix in ("-wal", "-shm"):  # they belong to the file that was set aside
            beside = path.with_name(FILE_NAME + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
        return cls(await _connect(path), aside)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Give the connection inside one snapshot."""
        async with self._lock, read_transaction(self._connection):
            yield self._connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Connection]:
        """Give the connection inside one write transaction."""
        async with self._lock, write_transaction(self._connection):
            yield self._connection

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


async def _connect(path: Path) -> Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    connection = await Connection.open(path, mode="rw", prepare=_PREPARE)
    try:
        await _step_forwards(connection, path)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _step_forwards(connection: Connection, path: Path) -> None:
    """Take the steps that are missing, in one transaction; another window may do it first."""
    async with write_transaction(connection):
        found = await connection.count("PRAGMA user_version")
        if found > VERSION:
            raise GenizahError(
                ErrorCode.SCHEMA_INCOMPATIBLE,
                f"The program's own file {path} was made by a newer version of Genizah; nothing "
                "of it is used and nothing is remembered until that version is installed.",
                path=str(path),
                fields={"found": found, "supported": VERSION},
            )
        for step in STEPS[found:]:
            for statement in step:
                await connection.rows(statement)
        if found < VERSION:
            await connection.rows(f"PRAGMA user_version = {VERSION}")
