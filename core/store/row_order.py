"""The rows of a list that nothing ranks, in the order of one column: numbers of rows, no content.

Rows that are equal in the column: by uuid where it is the time of creation, as the list of all
memories has it; else the row that was added last comes first, whichever way the column runs.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.store import columns
from core.store.conditions import Condition
from core.store.connection import Connection, SqlValue
from core.store.our_sessions import is_ours_sql


class SortColumn(StrEnum):
    """What a list can be sorted by."""

    CREATED = "created"
    EDITED = "edited"
    TOKENS = "tokens"
    VERSION = "version"
    TIER = "tier"
    STATE = "state"
    INJECTED = "injected"
    FETCHED = "fetched"


@dataclass(frozen=True, slots=True)
class RowOrder:
    """A column and a direction; the newest first by default."""

    column: SortColumn = SortColumn.CREATED
    descending: bool = True


_PLAIN: Mapping[SortColumn, str] = MappingProxyType(
    {
        SortColumn.CREATED: "m.created_at",
        SortColumn.EDITED: "m.updated_at",
        SortColumn.TOKENS: "m.token_count",
        SortColumn.VERSION: "m.version",
        SortColumn.TIER: "m.tier",
        # Live, superseded, retired, in this order.
        SortColumn.STATE: "iif(m.active = 1, 0, iif(m.superseded_by IS NOT NULL, 1, 2))",
    }
)
_EVENTS: Mapping[SortColumn, str] = MappingProxyType(
    {SortColumn.INJECTED: "surface", SortColumn.FETCHED: "fetch"}
)
# Which events are of the kind, which are ours and which memory each is of: told by indexes alone.
# Ours are no agent's; of injections there is none of ours.
_OURS = is_ours_sql("o.session_id")
_TIMES = (
    "SELECT m.rowid AS n, t.times AS other FROM (SELECT e.memory_uuid AS uuid, count(*) AS times "
    "FROM event e WHERE e.memory_uuid IS NOT NULL AND +e.id IN (SELECT i.id FROM event i "
    f"WHERE i.kind = ? AND +i.id NOT IN (SELECT o.id FROM event o WHERE {_OURS.clause})) "
    "GROUP BY e.memory_uuid) t CROSS JOIN memory m ON m.uuid = t.uuid"
)


async def rowids_in_order(connection: Connection, where: Condition, order: RowOrder) -> list[int]:
    """Return the numbers of the rows that a condition holds for, in order."""
    if order.column in _EVENTS:
        return await _by_times(connection, where, order, await _times(connection, order.column))
    return await columns.numbers(connection, *_statement("m.rowid AS n", where, order))


async def keyed_rowids(
    connection: Connection, where: Condition, order: RowOrder
) -> list[tuple[int, SqlValue]]:
    """Return the same rows with what the column says of each, to merge several stores by."""
    if order.column in _EVENTS:
        times = await _times(connection, order.column)
        ordered = await _by_times(connection, where, order, times)
        return [(rowid, times.get(rowid, 0)) for rowid in ordered]
    key = _PLAIN[order.column]
    rows = await connection.rows(*_statement(f"m.rowid, {key}", where, order))
    return [(rowid, value) for rowid, value in rows if isinstance(rowid, int)]


async def _times(connection: Connection, column: SortColumn) -> dict[int, int]:
    """Return the rows that have events of the column's kind, and how many."""
    found = await columns.pairs(connection, _TIMES, (_EVENTS[column], *_OURS.parameters))
    return {rowid: times for rowid, times in found.items() if times}


async def _by_times(
    connection: Connection, where: Condition, order: RowOrder, times: Mapping[int, int]
) -> list[int]:
    """Return the rows in order: those without an event stay as they come, which spares a sort."""
    sql = f"SELECT m.rowid AS n FROM memory m WHERE {where.clause} ORDER BY m.rowid DESC"
    rowids = await columns.numbers(connection, sql, where.parameters)
    without = [rowid for rowid in rowids if rowid not in times]
    told = [rowid for rowid in rowids if rowid in times]
    told.sort(key=times.__getitem__, reverse=order.descending)
    return told + without if order.descending else without + told


def merged(
    stores: Sequence[Sequence[tuple[int, SqlValue]]], order: RowOrder
) -> list[tuple[int, int]]:
    """Merge the lists of several stores into one of (store, rowid); equals in the stores' order."""
    lists = [
        [(_comparable(value), store, rowid) for rowid, value in rows]
        for store, rows in enumerate(stores)
    ]
    joined = heapq.merge(*lists, key=lambda row: row[0], reverse=order.descending)
    return [(store, rowid) for _, store, rowid in joined]


def _comparable(value: SqlValue) -> tuple[int, float, bytes]:
    """Order values of any type as SQLite does: nothing, numbers, texts, blobs."""
    match value:
        case None:
            return 0, 0.0, b""
        case int() | float():
            return 1, value, b""
        case str():
            return 2, 0.0, value.encode("utf-8", "surrogatepass")
        case bytes():
            return 3, 0.0, value


def _statement(shown: str, where: Condition, order: RowOrder) -> tuple[str, tuple[SqlValue, ...]]:
    way = "DESC" if order.descending else "ASC"
    then = "m.uuid ASC" if order.column is SortColumn.CREATED else "m.rowid DESC"
    sql = (
        f"SELECT {shown} FROM memory m WHERE {where.clause} "
        f"ORDER BY {_PLAIN[order.column]} {way}, {then}"
    )
    return sql, where.parameters
