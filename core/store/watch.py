"""Noticing what others do to an open store: commits, and files replaced, rewritten or taken away.

Looks for a moment and holds nothing in between. What follows from the news is the caller's.
"""

import asyncio
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import ErrorCode, GenizahError
from core.store import files
from core.store.database import Database
from core.store.opening import StoreMeta, inspect, parse_meta

_META = "SELECT key, value FROM meta"


class StoreNews(StrEnum):
    """What has happened since the last look."""

    NOTHING = "nothing"
    COMMITTED = "committed"
    REWRITTEN = "rewritten"
    """The file changed without a commit: checkpointed, or restored in place."""
    REPLACED = "replaced"
    """Another file, or another store in the same file."""
    OTHER_META = "other_meta"
    """The same store, made over: another model, width or schema."""
    OUTDATED_VIEW = "outdated_view"
    """A static view of a file that is written now."""
    GONE = "gone"

    @property
    def needs_reopening(self) -> bool:
        """Tell whether the open connections must not be read any more."""
        return self in (StoreNews.REPLACED, StoreNews.OTHER_META, StoreNews.OUTDATED_VIEW)


@dataclass(frozen=True, slots=True)
class _Sight:
    """One look at the file itself, without SQLite."""

    identity: files.FileIdentity
    stamp: tuple[int, int]
    is_static: bool


def _sight(path: Path, *, was_static: bool) -> _Sight | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError:  # a folder that went away with its network: as good as gone
        return None
    identity = files.FileIdentity(found.st_dev, found.st_ino)
    is_static = was_static and _is_still_static(path)
    return _Sight(identity, (found.st_mtime_ns, found.st_size), is_static)


def _is_still_static(path: Path) -> bool:
    try:
        return files.choose_access(path) is files.Access.IMMUTABLE
    except GenizahError:
        return False  # opening it again says what is the matter


class StoreWatch:
    """Compare an open store with what it was at the last look; one look at a time."""

    def __init__(self, database: Database, executor: Executor | None = None) -> None:
        self._database = database
        self._executor = executor
        self._version = database.first_version
        self._stamp: tuple[int, int] | None = None

    async def look(self) -> StoreNews:
        """Return the news. Raises GenizahError where the store cannot be read at this moment.

        REINDEXING and BAD_META among them: such a store must not be read any further.
        """
        facts = self._database.facts
        static = facts.access is files.Access.IMMUTABLE
        loop = asyncio.get_running_loop()
        sight = await loop.run_in_executor(
            self._executor, lambda: _sight(facts.location.database, was_static=static)
        )
        if sight is None:
            return StoreNews.GONE
        if sight.identity != facts.identity:
            return StoreNews.REPLACED
        touched = self._stamp is not None and self._stamp != sight.stamp
        if static:
            news = StoreNews.OUTDATED_VIEW if touched or not sight.is_static else StoreNews.NOTHING
        else:
            news = await self._read(touched=touched)
        self._stamp = sight.stamp  # only now: a look that failed is made again
        return news

    async def _read(self, *, touched: bool) -> StoreNews:
        try:
            return await self._by_version(touched=touched)
        except GenizahError as error:
            if not touched or error.code is ErrorCode.STORE_BUSY:
                raise
            # Damaged, or only at odds with the index of its log that the open connections keep.
            return StoreNews.REPLACED

    async def _by_version(self, *, touched: bool) -> StoreNews:
        version = await self._database.browse.data_version()
        if version != self._version:
            meta = await self._meta()
            self._version = version
            return self._compared(meta, StoreNews.COMMITTED)
        if not touched:
            return StoreNews.NOTHING
        # The open connections may hold pages of before; a fresh one sees what is there.
        facts = await inspect(self._database.facts.location)
        return self._compared(facts.meta, StoreNews.REWRITTEN)

    async def _meta(self) -> StoreMeta:
        async with self._database.browse.snapshot() as connection:
            rows = await connection.rows(_META)
        values = {str(k): str(v) for k, v in rows if k is not None and v is not None}
        return parse_meta(values, str(self._database.facts.location.database))

    def _compared(self, found: StoreMeta, otherwise: StoreNews) -> StoreNews:
        known = self._database.facts.meta
        if found.store_id != known.store_id:
            return StoreNews.REPLACED
        return otherwise if found == known else StoreNews.OTHER_META
