"""Browsing: the memories that filters keep, in the order of a column; heads for the rows in view.

How the order is read is app/browse_order's.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from app.browse_order import Counted, Listed, ListWanted, Unread, read_listed
from app.open_store import OpenStore
from app.search_scope import plain_context
from app.tasks import TaskSet
from core.errors import GenizahError
from core.filters.compiling import FilterContext
from core.filters.filter import Filter
from core.readmodels import MemoryHead, StateCounts
from core.store import memories
from core.store.connection import Connection
from core.store.row_order import RowOrder
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
    """Read the list of some stores once they are open, and pages of it on demand.

    Of n stores the number of a row is rowid * n + the place of its store.
    """

    def __init__(self, target: BrowseTarget) -> None:
        self._target = target
        self._wanted = ListWanted(())
        self._tasks: TaskSet | None = None
        self._place: BrowsePlace | None = None
        self._narrowing: asyncio.Task[bool] | None = None
        self._error: GenizahError | None = None
        self.counted: Callable[[Counted], None] = lambda _counts: None
        """Called with the totals of the stores."""
        self.naming: Callable[[ListWanted, int, bool], None] = lambda _wanted, _total, _all: None
        """Called before a list is shown, with how many memories its stores have, and whether
        those are all stores.
        """
        self.missing: Callable[[Sequence[Unread]], None] = lambda _unread: None
        """Called with the stores that could not be read, none where all could."""
        self.context_of: Callable[[OpenStore], FilterContext] = plain_context
        """Says what filters depend on in a store."""

    @property
    def wanted(self) -> ListWanted:
        """Return what is listed, or is about to be."""
        return self._wanted

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Browse one store from now on, in tasks of its own."""
        self.use_stores((store,), tasks)

    def use_stores(self, stores: Sequence[OpenStore], tasks: TaskSet) -> None:
        """Browse some stores together from now on, in tasks of their own."""
        self._tasks = tasks
        listing = self._want(replace(self._wanted, stores=tuple(stores)))
        self._narrowing = listing if self._wanted.filters else None

    def drop(self) -> None:
        """Browse nothing from now on; the stores' tasks are ended by their owner."""
        self._wanted, self._tasks = replace(self._wanted, stores=()), None
        self._narrowing = None

    def _want(self, wanted: ListWanted) -> asyncio.Task[bool] | None:
        """Read another list; what is read of the one before is dropped."""
        self._wanted = wanted
        if self._narrowing is not None:
            self._narrowing.cancel()
        if not wanted.stores or self._tasks is None:
            return None
        return self._tasks.spawn(self._list(wanted), name="browse list")

    async def narrow(self, filters: tuple[Filter, ...]) -> None:
        """List what some filters keep from now on, and wait for it. Raises GenizahError.

        The list of all is not waited for where it is the first.
        """
        if filters != self._wanted.filters:
            self._narrowing = self._want(replace(self._wanted, filters=filters))
        await self._listed()

    async def sort(self, order: RowOrder) -> None:
        """List in another order from now on, and wait for it. Raises GenizahError."""
        if order != self._wanted.order:
            self._narrowing = self._want(replace(self._wanted, order=order))
        await self._listed()

    async def _listed(self) -> None:
        listing = self._narrowing
        if listing is None:
            return
        try:
            await asyncio.wait({listing})
        except asyncio.CancelledError:
            if listing is self._narrowing and not listing.done():
                listing.cancel()  # its rows never come: the next one asks anew
                self._narrowing = None
                self._wanted = replace(self._wanted, filters=None)
            raise
        if self._error is not None and listing is self._narrowing:
            raise self._error

    def keep_place(self) -> None:
        """Show the next list where this one is read now: it has the same memories, or more."""
        if self._place is None:  # else the list of before was not there yet
            self._place = self._target.place()

    def forget_place(self) -> None:
        """Show the next store from its top."""
        self._place = None

    def page_wanted(self, rowids: Sequence[int]) -> None:
        """Fetch the heads of some rows."""
        if self._wanted.stores and self._tasks is not None:
            self._tasks.spawn(self._page(self._wanted.stores, rowids), name="browse page")

    async def refresh(self) -> bool:
        """Read the list once more, because a store moved; tell whether that went well."""
        return bool(self._wanted.stores) and await self._list(self._wanted, is_refresh=True)

    async def _list(self, wanted: ListWanted, *, is_refresh: bool = False) -> bool:
        async def show_first(connection: Connection, counts: StateCounts) -> None:
            await self._show_first(wanted, connection, counts)

        may_show = not is_refresh and self._place is None
        try:
            listed = await read_listed(wanted, self.context_of, show_first if may_show else None)
        except GenizahError as error:
            if self._wanted is wanted:
                self._error = error
                self._target.show_browse_error(error)
            return False
        if self._wanted is wanted:
            self._error = None
            await self._show(wanted, listed, is_refresh=is_refresh)
        return not listed.unread

    async def _show(self, wanted: ListWanted, listed: Listed, *, is_refresh: bool) -> None:
        self.counted(listed.counts)
        self.missing(listed.unread)
        self.naming(wanted, listed.total.total, not listed.unread)
        show = self._target.refresh_rows if is_refresh else self._target.show_rows
        show(listed.rowids, listed.total)
        for one in listed.unread[:1]:
            self._target.show_browse_error(one.error)
        await self._go_back(wanted.stores)

    async def _show_first(
        self, wanted: ListWanted, connection: Connection, counts: StateCounts
    ) -> None:
        """Show the top of a list whose whole order takes a while."""
        if counts.total <= PAGE:
            return
        heads = await memories.newest_heads(connection, PAGE + 1)
        if heads and self._wanted is wanted:
            self.naming(wanted, counts.total, True)
            self._target.show_first(heads, counts)

    async def _go_back(self, stores: tuple[OpenStore, ...]) -> None:
        place, self._place = self._place, None
        if place is None:
            return
        heads: list[MemoryHead] = []
        for at, store in enumerate(stores):
            try:
                async with store.database.browse.snapshot() as connection:
                    found = await memories.heads_by_uuid(connection, place.uuids)
            except GenizahError as error:
                self._target.show_page_error(error)
                continue
            heads += [_numbered(head, at, len(stores)) for head in found.values()]
        if self._wanted.stores is stores:
            self._target.show_place(place, heads)

    async def _page(self, stores: tuple[OpenStore, ...], rowids: Sequence[int]) -> None:
        heads: list[MemoryHead] = []
        failed: GenizahError | None = None
        for at, store in enumerate(stores):
            mine = [rowid // len(stores) for rowid in rowids if rowid % len(stores) == at]
            if not mine:
                continue
            try:
                async with store.database.browse.snapshot() as connection:
                    found = await memories.heads_by_rowid(connection, mine)
            except GenizahError as error:
                failed = failed or error  # the rows of the others are read all the same
                continue
            heads += [_numbered(head, at, len(stores)) for head in found]
        if self._wanted.stores is stores:  # each is answered, or no further page is asked for
            self._target.put_heads(heads)
            if failed is not None:
                self._target.show_page_error(failed)


def _numbered(head: MemoryHead, at: int, number: int) -> MemoryHead:
    return head if number == 1 else replace(head, rowid=head.rowid * number + at)
