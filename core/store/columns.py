"""Whole columns of many rows, each in one cell: a fraction of the cost of one row after another.

The order of the select given is kept: SQLite drops one only under count, min and max.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.store.connection import Connection, SqlValue


async def numbers(
    connection: Connection, select: str, parameters: Sequence[SqlValue] = ()
) -> list[int]:
    """Return the whole numbers that a select returns as `n`, none of them NULL, in its order."""
    sql = f"SELECT json_group_array(n) FROM ({select})"
    return _listed(await connection.value(sql, parameters))


async def pairs(
    connection: Connection, select: str, parameters: Sequence[SqlValue] = ()
) -> Mapping[int, int | None]:
    """Return what a select returns as `n`, each number once, to what it returns as `other`."""
    sql = f"SELECT json_group_array(n), json_group_array(other) FROM ({select})"
    row = await connection.row(sql, parameters) or (None, None)
    return dict(zip(_listed(row[0]), _listed(row[1]), strict=True))


def numbers_in(cell: SqlValue) -> list[int]:
    """Return the whole numbers of a cell that json_group_array made of such numbers."""
    return _listed(cell)


def _listed(cell: SqlValue) -> list[Any]:
    """Read a cell that json_group_array made."""
    found = json.loads(cell) if isinstance(cell, str) else []
    return found if isinstance(found, list) else []
