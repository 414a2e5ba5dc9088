"""Browsing: all memories newest first, heads fetched for the rows near the viewport."""

from collections.abc import Sequence
from typing import Protocol

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.readmodels import MemoryHead, StateCounts
from core.store import memories


class BrowseTarget(Protocol):
    """What the controller needs of the window."""

    def show_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show a list of this many rows; heads follow when asked for."""

    def refresh_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show what the list has become; what a person is looking at stays where it is."""

    def put_heads(self, heads: Sequence[MemoryHead]) -> None:
        """Fill rows in."""

    def show_browse_error(self, error: GenizahError) -> None:
        """Say that the list could not be read."""

    def show_page_error(self, error: GenizahError) -> None:
        """Say that some rows of the list could not be read."""


class BrowseController:
    """Read the list once a store is open, and pages of it on demand."""

    def __init__(self, target: BrowseTarget) -> None:
        self._target = target
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Browse a store from now on, in tasks of its own."""
        self._store, self._tasks = store, tasks
        tasks.spawn(self._list(store), name="browse list")

    def drop(self) -> None:
        """Browse nothing from now on; the store's tasks are ended by their owner."""
        self._store = self._tasks = None

    def page_wanted(self, rowids: Sequence[int]) -> None:
        """Fetch the heads of some rows."""
        if self._store is not None and self._tasks is not None:
            self._tasks.spawn(self._page(self._store, rowids), name="browse page")

    async def refresh(self) -> bool:
        """Read the list once more, because the store moved; tell whether that went well."""
        store = self._store
        return store is not None and await self._list(store, is_refresh=True)

    async def _list(self, store: OpenStore, *, is_refresh: bool = False) -> bool:
        try:
            async with store.database.browse.snapshot() as connection:
                rowids = await memories.rowids_newest_first(connection)
                counts = await memories.counts(connection)
        except GenizahError as error:
            if self._store is store:
                self._target.show_browse_error(error)
            return False
        if self._store is store:
            show = self._target.refresh_rows if is_refresh else self._target.show_rows
            show(rowids, counts)
        return True

    async def _page(self, store: OpenStore, rowids: Sequence[int]) -> None:
        try:
            async with store.database.browse.snapshot() as connection:
                heads = await memories.heads_by_rowid(connection, rowids)
        except GenizahError as error:
            heads = []  # every request is answered, or no further page is asked for
            if self._store is store:
                self._target.show_page_error(error)
        if self._store is store:
            self._target.put_heads(heads)
