"""Saving the readable rows of a damaged store to a new file; the damaged one is only read."""

import json
from pathlib import Path

from core.datadir import write_private
from core.errors import GenizahError
from core.store.connection import Connection, SqlValue
from core.store.files import Access, choose_access
from core.store.location import StoreLocation
from core.store.text import decode

_COLUMNS = (
    "rowid, uuid, tier, gist, content, active, superseded_by, version, created_at, updated_at, "
    "session_id, token_count"
)
# Without the first, SQLite refuses every page of a file that is shorter than its header says. It
# writes nothing by itself, and the second forbids all writing.
_PREPARE = ("PRAGMA writable_schema = ON", "PRAGMA query_only = ON")
_NAMES = [n.strip() for n in _COLUMNS.split(",")]


async def _walk(connection: Connection, *, forwards: bool) -> dict[int, list[SqlValue]]:
    """Read rows one by one until the end or the first damage, from one end of the table."""
    found: dict[int, list[SqlValue]] = {}
    at = -(2**62) if forwards else 2**62
    comparison, order = (">", "ASC") if forwards else ("<", "DESC")
    while True:
        try:
            row = await connection.row(
                f"SELECT {_COLUMNS} FROM memory WHERE rowid {comparison} ? "
                f"ORDER BY rowid {order} LIMIT 1",
                (at,),
            )
        except GenizahError:
            return found  # this is the damage that is walked up to
        if row is None or not isinstance(row[0], int):
            return found
        at = row[0]
        found[at] = [decode(v) if isinstance(v, bytes) else v for v in row]


async def save_readable_rows(location: StoreLocation, target: Path) -> int:
    """Write every row that can still be read as JSON lines (0600); return their number.

    Reads from both ends of the table up to the damage. Raises GenizahError where nothing opens.
    """
    immutable = choose_access(location.database) is Access.IMMUTABLE
    connection = await Connection.open(location.database, immutable=immutable, prepare=_PREPARE)
    try:
        rows = await _walk(connection, forwards=True)
        rows |= await _walk(connection, forwards=False)
    finally:
        await connection.close()
    lines = [
        json.dumps(dict(zip(_NAMES, rows[r], strict=True)), ensure_ascii=True) for r in sorted(rows)
    ]
    write_private(target, "".join(line + "\n" for line in lines).encode("ascii"))
    return len(lines)
