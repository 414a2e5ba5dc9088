"""Which memories a list without a rank holds, and their order: read of one store or several.

Of n stores the number of a row is rowid * n + the place of its store.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from app.open_store import OpenStore
from core.errors import GenizahError
from core.filters.compiling import FilterContext, condition_of
from core.filters.filter import Filter
from core.readmodels import StateCounts
from core.store import facet_rows, memories
from core.store.connection import Connection, SqlValue
from core.store.row_order import RowOrder, keyed_rowids, merged, rowids_in_order

type Counted = Sequence[tuple[OpenStore, StateCounts]]
type ShowFirst = Callable[[Connection, StateCounts], Awaitable[None]]
type ContextOf = Callable[[OpenStore], FilterContext]


@dataclass(frozen=True, slots=True, eq=False)
class ListWanted:
    """A list to be read; another one is wanted where this is not it any more.

    `filters` is None where it is not settled what is listed.
    """

    stores: tuple[OpenStore, ...]
    filters: tuple[Filter, ...] | None = ()
    order: RowOrder = field(default_factory=RowOrder)


@dataclass(frozen=True, slots=True)
class Unread:
    """A store whose rows are not in a list, and why."""

    store: OpenStore
    error: GenizahError


@dataclass(frozen=True, slots=True)
class Listed:
    """What was read of the stores: how many memories, their order, which stores are missing."""

    counts: Counted
    rowids: Sequence[int]
    unread: tuple[Unread, ...] = ()

    @property
    def total(self) -> StateCounts:
        """Return the counts of all stores together."""
        found = [counts for _, counts in self.counts]
        return StateCounts(
            sum(counts.live for counts in found),
            sum(counts.superseded for counts in found),
            sum(counts.retired for counts in found),
        )


def is_of_all(wanted: ListWanted) -> bool:
    """Tell whether a list is that of all memories, newest first."""
    return not wanted.filters and wanted.order == RowOrder()


async def read_listed(
    wanted: ListWanted, context_of: ContextOf, show_first: ShowFirst | None = None
) -> Listed:
    """Read a list; `show_first` is called in the snapshot of one of all memories of one store.

    Raises GenizahError where no store could be read.
    """
    if len(wanted.stores) > 1:
        return await _of_several(wanted, context_of)
    (store,) = wanted.stores
    async with store.database.browse.snapshot() as connection:
        counts = await memories.counts(connection)
        if is_of_all(wanted):
            if show_first is not None:
                await show_first(connection, counts)
            rowids = await memories.rowids_newest_first(connection)
        else:
            where = condition_of(wanted.filters or (), context_of(store))
            rowids = await rowids_in_order(connection, where, wanted.order)
    return Listed(((store, counts),), rowids)


async def _of_several(wanted: ListWanted, context_of: ContextOf) -> Listed:
    counts: list[tuple[OpenStore, StateCounts]] = []
    parts: list[_Part] = []
    unread: list[Unread] = []
    for store in wanted.stores:
        part = _Part()
        parts.append(part)
        try:
            async with store.database.browse.snapshot() as connection:
                counted = await memories.counts(connection)
                await part.read(connection, wanted, context_of(store))
        except GenizahError as failed:
            unread.append(Unread(store, failed))
            parts[-1] = _Part()  # the half of a store would pass for the whole
            continue
        counts.append((store, counted))
    if unread and not counts:
        raise unread[0].error
    rowids = await asyncio.to_thread(_in_order, parts, wanted.order)
    return Listed(counts, rowids, tuple(unread))


@dataclass(slots=True)
class _Part:
    """The rows of one store: by time as the list of all has them, or with a column's value."""

    by_time: list[tuple[str, str, int]] = field(default_factory=list)
    keyed: list[tuple[int, SqlValue]] = field(default_factory=list)

    async def read(
        self, connection: Connection, wanted: ListWanted, context: FilterContext
    ) -> None:
        """Read the rows that the filters keep. Raises GenizahError."""
        where = condition_of(wanted.filters or (), context)
        if wanted.order != RowOrder():
            self.keyed = await keyed_rowids(connection, where, wanted.order)
            return
        order = await memories.order_newest_first(connection)
        if wanted.filters:
            kept = frozenset(await facet_rows.rowids_of(connection, where))
            order = [row for row in order if row[2] in kept]
        self.by_time = order


def _in_order(parts: Sequence[_Part], order: RowOrder) -> list[int]:
    """Merge the stores; by time equal rows are in the order of their uuids, whatever store."""
    number = len(parts)
    if order != RowOrder():
        pairs = merged([part.keyed for part in parts], order)
        return [rowid * number + at for at, rowid in pairs]
    rows = [
        (created, uuid, rowid * number + at)
        for at, part in enumerate(parts)
        for created, uuid, rowid in part.by_time
    ]
    rows.sort(key=lambda row: row[1])
    rows.sort(key=lambda row: row[0], reverse=True)
    return [rowid for _, _, rowid in rows]
