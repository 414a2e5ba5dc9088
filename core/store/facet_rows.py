"""Counting the rows of a store by many conditions in one pass, by month and by session."""

from collections import Counter
from collections.abc import Sequence

from core.store.conditions import Condition
from core.store.connection import Connection, SqlValue
from core.store.memories import text_of

#: A row's number, its session, the month it was created in, and a bit for every kind it is of.
type DescribedRow = tuple[int, str, str, int]

_MONTH = "substr(m.created_at, 1, 7)"


async def count_rows(connection: Connection, where: Condition) -> int:
    """Count the rows that a condition holds for."""
    return await connection.count(
        f"SELECT count(*) FROM memory m WHERE {where.clause}", where.parameters
    )


async def rowids_of(connection: Connection, where: Condition) -> list[int]:
    """Return the numbers of the rows that a condition holds for, in no order."""
    rows = await connection.rows(
        f"SELECT m.rowid FROM memory m WHERE {where.clause}", where.parameters
    )
    return [_whole(row[0]) for row in rows]


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
    rows = await connection.rows(f"SELECT {by}, count(*) FROM memory m GROUP BY 1")
    found: Counter[str] = Counter()
    for name, count in rows:
        found[text_of(name)] += _whole(count)
    return found


async def described_rows(
    connection: Connection, where: Condition, kinds: Sequence[Condition]
) -> list[DescribedRow]:
    """Return the rows that a condition holds for; it may be costly, so this is one pass."""
    bits = " + ".join(f"(({kind.clause} IS TRUE) << {n})" for n, kind in enumerate(kinds))
    rows = await connection.rows(
        f"SELECT m.rowid, m.session_id, {_MONTH}, {bits} FROM memory m WHERE {where.clause}",
        (*(value for kind in kinds for value in kind.parameters), *where.parameters),
    )
    return [
        (_whole(rowid), text_of(session), text_of(month), _whole(bits))
        for rowid, session, month, bits in rows
    ]


def _whole(value: SqlValue) -> int:
    if not isinstance(value, int):
        raise TypeError("counts are integers")
    return value
