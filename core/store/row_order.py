"""The rows of a list that nothing ranks, in the order of one column: numbers of rows, no content.

Rows that are equal in the column: by uuid where it is the time of creation, as the list of all
memories has it; else the row that was added last comes first, whichever way the column runs.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.store.conditions import Condition
from core.store.connection import Connection, SqlValue


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
# The rows without an event take their place without being looked up one by one.
_COUNTED = (
    " LEFT JOIN (SELECT e.memory_uuid AS uuid, count(*) AS times FROM event e WHERE e.kind = ? "
    "AND e.memory_uuid IS NOT NULL GROUP BY e.memory_uuid) told ON told.uuid = m.uuid"
)


async def rowids_in_order(connection: Connection, where: Condition, order: RowOrder) -> list[int]:
    """Return the numbers of the rows that a condition holds for, in order."""
    rows = await connection.rows(*_statement("m.rowid", where, order))
    return [row[0] for row in rows if isinstance(row[0], int)]


async def keyed_rowids(
    connection: Connection, where: Condition, order: RowOrder
) -> list[tuple[int, SqlValue]]:
    """Return the same rows with what the column says of each, to merge several stores by."""
    key = _key(order.column)
    rows = await connection.rows(*_statement(f"m.rowid, {key}", where, order))
    return [(rowid, value) for rowid, value in rows if isinstance(rowid, int)]


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


def _statement(columns: str, where: Condition, order: RowOrder) -> tuple[str, tuple[SqlValue, ...]]:
    kind = _EVENTS.get(order.column)
    source = "memory m" if kind is None else f"memory m{_COUNTED}"
    way = "DESC" if order.descending else "ASC"
    then = "m.uuid ASC" if order.column is SortColumn.CREATED else "m.rowid DESC"
    sql = (
        f"SELECT {columns} FROM {source} WHERE {where.clause} "
        f"ORDER BY {_key(order.column)} {way}, {then}"
    )
    return sql, (*(() if kind is None else (kind,)), *where.parameters)


def _key(column: SortColumn) -> str:
    return _PLAIN.get(column, "coalesce(told.times, 0)")
