"""Counting the rows of a store by many conditions in one pass, by month and by session."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.store import columns
from core.store.conditions import Condition
from core.store.connection import Connection, Row, SqlValue
from core.store.memories import text_of

_MONTH = "substr(m.created_at, 1, 7)"


@dataclass(frozen=True, slots=True)
class RowCounts:
    """The numbers of some rows, and how many there are of each session and month (of rows without
    one under an empty name) and of each set of kinds: a bit for every kind."""

    rowids: Sequence[int]
    sessions: Mapping[str, int]
    months: Mapping[str, int]
    kinds: Mapping[int, int]


async def count_rows(connection: Connection, where: Condition) -> int:
    """Count the rows that a condition holds for."""
    return await connection.count(
        f"SELECT count(*) FROM memory m WHERE {where.clause}", where.parameters
    )


async def rowids_of(connection: Connection, where: Condition) -> list[int]:
    """Return the numbers of the rows that a condition holds for, in no order."""
    sql = f"SELECT m.rowid AS n FROM memory m WHERE {where.clause}"
    return await columns.numbers(connection, sql, where.parameters)


async def links(connection: Connection) -> Mapping[int, int | None]:
    """Return the replaced rows and their replacements; None for one that is not there."""
    sql = (
        "SELECT r.rowid AS n, o.rowid AS other FROM memory r "
        "LEFT JOIN memory o ON o.uuid = r.superseded_by WHERE r.superseded_by IS NOT NULL"
    )
    return await columns.pairs(connection, sql)


async def ended_rowids(connection: Connection) -> list[int]:
    """Return the numbers of the rows that are neither live nor replaced, in no order."""
    sql = "SELECT m.rowid AS n FROM memory m WHERE m.active = 0 AND m.superseded_by IS NULL"
    return await columns.numbers(connection, sql)


async def chunkless_rowids(connection: Connection) -> list[int]:
    """Return the numbers of the rows without a chunk, in no order: two indexes side by side."""
    sql = (
        "SELECT m.rowid AS n FROM memory m WHERE m.uuid IN "
        "(SELECT uuid FROM memory EXCEPT SELECT memory_uuid FROM memory_chunk)"
    )
    return await columns.numbers(connection, sql)


async def count_each(connection: Connection, kinds: Sequence[Condition]) -> list[int]:
    """Count all rows, then those of each kind among them; one pass."""
    counted = "".join(f", count(*) FILTER (WHERE {kind.clause})" for kind in kinds)
    values = tuple(value for kind in kinds for value in kind.parameters)
    row = await connection.row(f"SELECT count(*){counted} FROM memory m", values)
    return [_whole(value) for value in row or ()]


async def count_by_month(connection: Connection) -> dict[str, int]:
    """Count all rows by the first seven characters of when they were created."""
    return await _grouped(connection, _MONTH)


async def count_by_session(connection: Connection) -> dict[str, int]:
    """Count all rows by session; those without one under an empty name."""
    return await _grouped(connection, "m.session_id")


async def _grouped(connection: Connection, by: str) -> dict[str, int]:
    return _added(await connection.rows(f"SELECT {by}, count(*) FROM memory m GROUP BY 1"))


async def counts_of_rows(
    connection: Connection, where: Condition, kinds: Sequence[Condition]
) -> RowCounts:
    """Count the rows that a condition holds for; it may be costly, so this is one pass."""
    bits = " + ".join(f"(({kind.clause} IS TRUE) << {n})" for n, kind in enumerate(kinds)) or "0"
    rows = await connection.rows(
        "WITH kept AS MATERIALIZED (SELECT m.rowid AS id, m.session_id AS session, "
        f"{_MONTH} AS month, {bits} AS kinds FROM memory m WHERE {where.clause}) "
        "SELECT 0, json_group_array(id), count(*) FROM kept "
        "UNION ALL SELECT 1, session, count(*) FROM kept GROUP BY session "
        "UNION ALL SELECT 2, month, count(*) FROM kept GROUP BY month "
        "UNION ALL SELECT 3, kinds, count(*) FROM kept GROUP BY kinds",
        (*(value for kind in kinds for value in kind.parameters), *where.parameters),
    )
    parts: list[list[Row]] = [[], [], [], []]
    for part, *counted in rows:
        parts[_whole(part)].append(tuple(counted))
    return RowCounts(
        rowids=columns.numbers_in(parts[0][0][0]),
        sessions=_added(parts[1]),
        months=_added(parts[2]),
        kinds={_whole(kind): _whole(count) for kind, count in parts[3]},
    )


def _added(rows: Sequence[Row]) -> dict[str, int]:
    """Add up what is shown as one text."""
    found: Counter[str] = Counter()
    for name, count in rows:
        found[text_of(name)] += _whole(count)
    return dict(found)


def _whole(value: SqlValue) -> int:
    if not isinstance(value, int):
        raise TypeError("counts are integers")
    return value
