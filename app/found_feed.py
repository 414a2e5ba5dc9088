"""Reading for lists of found memories: the heads near the viewport, and showing what is chosen."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from app.page_host import PageHost
from app.page_scope import PageScope, read_placed
from app.tasks import TaskSet
from core.errors import GenizahError
from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection
from widgets.found_list import FoundList
from widgets.found_rows import FoundHead, FoundRow

type MoreWords = Callable[[Connection, Sequence[str]], Awaitable[Mapping[str, str]]]
"""Reads what else there is to say of some memories, by uuid."""


class FoundFeed:
    """Serve one list; `failed` is called with what keeps its rows from being read."""

    def __init__(
        self, found: FoundList, host: PageHost, failed: Callable[[GenizahError], None]
    ) -> None:
        self._list = found
        self._failed = failed
        self._scope = PageScope()
        self._tasks: TaskSet | None = None
        self._reading: asyncio.Task[None] | None = None
        self.more_words: MoreWords | None = None
        found.heads_wanted.connect(self._wanted)
        found.memory_chosen.connect(host.show_memory)
        found.memory_opened.connect(lambda _store, _uuid: host.read_memory())

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Read from these stores from now on; rows of other ones are gone."""
        is_same = scope.has_same_stores(self._scope)
        self._scope, self._tasks = scope, tasks
        self._list.set_rows(self._list.rows if is_same else (), scope.labels)

    def show(self, rows: Sequence[FoundRow], more_words: MoreWords | None = None) -> None:
        """List these."""
        self.more_words = more_words
        self._list.set_rows(rows, self._scope.labels)

    def _wanted(self, rows: Sequence[FoundRow]) -> None:
        if self._tasks is not None:
            self._reading = self._tasks.spawn(self._read(self._scope, rows), name="found rows")

    @property
    def is_busy(self) -> bool:
        """Tell whether rows are being read."""
        return self._reading is not None and not self._reading.done()

    async def settled(self) -> None:
        """Wait until the rows in view are read."""
        while self._reading is not None and not self._reading.done():
            await asyncio.wait({self._reading})

    async def _read(self, scope: PageScope, rows: Sequence[FoundRow]) -> None:
        of_store: dict[int, list[FoundRow]] = {}
        for row in rows:
            of_store.setdefault(row.place, []).append(row)

        async def read(place: int, connection: Connection) -> list[FoundHead]:
            return await self._heads(connection, of_store[place])

        places = [place for place in of_store if place < len(scope.stores)]
        read_of, unread = await read_placed(scope.stores, places, read)
        found = [head for heads in read_of.values() for head in heads]
        if unread:
            self._failed(unread[0].error)
        if self._scope.has_same_stores(
            scope
        ):  # every request is answered, or none is made any more
            self._list.put_heads(rows, found)

    async def _heads(self, connection: Connection, rows: Sequence[FoundRow]) -> list[FoundHead]:
        numbers = [row.rowid for row in rows if row.rowid is not None]
        named = [row.uuid for row in rows if row.rowid is None and row.uuid is not None]
        by_number: dict[int, MemoryHead] = {}
        if numbers:
            heads = await memories.heads_by_rowid(connection, numbers)
            by_number = {head.rowid: head for head in heads}
        by_name = await memories.heads_by_uuid(connection, named) if named else {}
        found = [
            (row, by_name.get(row.uuid or "") if row.rowid is None else by_number.get(row.rowid))
            for row in rows
        ]
        if self.more_words is None:
            return [FoundHead(row, head) for row, head in found]
        uuids = [row.uuid or "" if head is None else head.uuid for row, head in found]
        words = await self.more_words(connection, uuids)
        return [
            FoundHead(row, head, words.get(uuid, ""))
            for (row, head), uuid in zip(found, uuids, strict=True)
        ]
