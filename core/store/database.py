"""Handles on an open store: a search reader and a browse reader, each with its own connection.

Both are read-only. The search reader is used by one search at a time; a cancelled search leaves
it idle. Nothing here decides what is searched.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from core.errors import ErrorCode, GenizahError
from core.store import files
from core.store.connection import Connection
from core.store.location import StoreLocation
from core.store.opening import StoreFacts, connect_reader, inspect
from core.store.transactions import read_transaction

_SEARCH_CACHE_MIB = 64
_BROWSE_CACHE_MIB = 16


class Reader:
    """One read-only connection and the lock that gives it to one request at a time."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Connection]:
        """Give the connection inside one read transaction; keep the body short."""
        async with self._lock, read_transaction(self.connection):
            yield self.connection

    async def data_version(self) -> int:
        """Return the counter of foreign commits once no request has the connection."""
        async with self._lock:
            return await self.connection.data_version()

    async def forget_cache(self) -> None:
        """Drop the pages kept in memory, for a file that changed without a commit."""
        async with self._lock:
            await self.connection.rows("PRAGMA shrink_memory")

    async def close(self) -> None:
        """Interrupt what runs and close."""
        await self.connection.close()


class Database:
    """An open store: facts found at opening, a reader for searching, a reader for browsing.

    `first_version` is the browse reader's data_version before anything was read through it.
    """

    def __init__(
        self, facts: StoreFacts, search: Reader, browse: Reader, first_version: int
    ) -> None:
        self.facts = facts
        self.search = search
        self.browse = browse
        self.first_version = first_version

    @classmethod
    async def open(cls, location: StoreLocation) -> Self:
        """Check and open a store. Raises GenizahError; a failure leaves nothing open."""
        facts = await inspect(location)
        search, _ = await connect_reader(
            location, facts.access, cache_mib=_SEARCH_CACHE_MIB
        )
        try:
            browse, _ = await connect_reader(
                location, facts.access, cache_mib=_BROWSE_CACHE_MIB
            )
        except BaseException:
            await search.close()
            raise
        try:
            version = await browse.data_version()
        except BaseException:
            await browse.close()
            await search.close()
            raise
        return cls(facts, Reader(search), Reader(browse), version)

    def check_still_there(self) -> None:
        """Refuse to go on with a file that was replaced or a static view that gained a log.

        Raises GenizahError(STORE_CHANGED); the caller reopens the store.
        """
        path = self.facts.location.database
        if files.identity(path) != self.facts.identity:
            raise GenizahError(
                ErrorCode.STORE_CHANGED,
                f"The file {path} was replaced since it was opened; open it again.",
                path=str(path),
            )
        static = self.facts.access is files.Access.IMMUTABLE
        if static and files.choose_access(path) is not files.Access.IMMUTABLE:
            raise GenizahError(
                ErrorCode.STORE_CHANGED,
                f"The store {path} is being written now; open it again.",
                path=str(path),
            )

    async def close(self) -> None:
        """Close both readers; running statements are interrupted."""
        try:
            await self.search.close()
        finally:
            await self.browse.close()
