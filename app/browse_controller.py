"""Browsing: all memories newest first, heads fetched for the rows near the viewport."""

from collections.abc import Sequence
from typing import Protocol

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.readmodels import MemoryHead, StateCounts
from core.store import memories
from core.store.connection import Connection
from widgets.browse_model import PAGE
from widgets.browse_view import BrowsePlace


class BrowseTarget(Protocol):
    """What the controller needs of the window."""

    def show_first(self, heads: Sequence[MemoryHead], counts: StateCounts) -> None:
        """Show the top of a long list; the rest of its order follows with `show_rows`."""

    def show_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show a list of this many rows; heads follow when asked for."""

    def refresh_rows(self, rowids: Sequence[int], counts: StateCounts) -> None:
        """Show what the list has become; what a person is looking at stays where it is."""

    def place(self) -> BrowsePlace:
        """Return where somebody reads in the list."""

    def show_place(self, place: BrowsePlace, heads: Sequence[MemoryHead]) -> None:
        """Select and scroll as in `place`; `heads` are those of its memories."""

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
        self._place: BrowsePlace | None = None

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Browse a store from now on, in tasks of its own."""
        self._store, self._tasks = store, tasks
        tasks.spawn(self._list(store), name="browse list")

    def drop(self) -> None:
        """Browse nothing from now on; the store's tasks are ended by their owner."""
        self._store = self._tasks = None

    def keep_place(self) -> None:
        """Show the next store where this one is read now: it is the same one, opened again."""
        if self._place is None:  # else the list of before was not there yet
            self._place = self._target.place()

    def forget_place(self) -> None:
        """Show the next store from its top."""
        self._place = None

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
                counts = await memories.counts(connection)
                if not is_refresh and self._place is None:
                    await self._show_first(store, connection, counts)
                rowids = await memories.rowids_newest_first(connection)
        except GenizahError as error:
            if self._store is store:
                self._target.show_browse_error(error)
            return False
        if self._store is store:
            show = self._target.refresh_rows if is_refresh else self._target.show_rows
            show(rowids, counts)
            await self._go_back(store)
        return True

    async def _show_first(
        self, store: OpenStore, connection: Connection, counts: StateCounts
    ) -> None:
        """Show the top of a list whose whole order takes a while."""
        if counts.total <= PAGE:
            return
        heads = await memories.newest_heads(connection, PAGE + 1)
        if heads and self._store is store:
            self._target.show_first(heads, counts)

    async def _go_back(self, store: OpenStore) -> None:
        place, self._place = self._place, None
        if place is None:
            return
        try:
            async with store.database.browse.snapshot() as connection:
                heads = await memories.heads_by_uuid(connection, place.uuids)
        except GenizahError as error:
            self._target.show_page_error(error)
            return
        if self._store is store:
            self._target.show_place(place, list(heads.values()))

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
