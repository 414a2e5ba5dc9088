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
_UPPER_BOUNDS = (
    "SELECT max(rowid) FROM memory",
    "SELECT max(id) FROM memory_fts_docsize",
    "SELECT max(chunk_id) FROM memory_chunk",
)
_SMALLEST_ROW_BYTES = 100
_NAMES = [n.strip() for n in _COLUMNS.split(",")]


async def _last_rowid(connection: Connection, size_bytes: int) -> int:
    """Return an upper bound of the rowids, from whatever part of the file still tells, and never
    more than fit into its size: a damaged number could have us count for ever."""
    most = size_bytes // _SMALLEST_ROW_BYTES
    for sql in _UPPER_BOUNDS:
        try:
            found = await connection.value(sql)
        except GenizahError:
            continue  # that part is damaged too
        if isinstance(found, int) and found > 0:
            return min(found, most)
    return most


async def _readable(connection: Connection, size_bytes: int) -> dict[int, list[SqlValue]]:
    """Ask for every rowid on its own: damage costs the rows it holds and no others."""
    found: dict[int, list[SqlValue]] = {}
    last = await _last_rowid(connection, size_bytes)
    for rowid in range(1, last + 1):
        try:
            row = await connection.row(f"SELECT {_COLUMNS} FROM memory WHERE rowid = ?", (rowid,))
        except GenizahError:
            continue  # this row lies in the damage
        if row is not None and row[0] == rowid:
            found[rowid] = [decode(v) if isinstance(v, bytes) else v for v in row]
    return found


def _size_bytes(database: Path) -> int:
    """Return the size of the database and of its log, which may hold most of the rows."""
    log = database.with_name(f"{database.name}-wal")
    try:
        return database.stat().st_size + log.stat().st_size
    except FileNotFoundError:
        return database.stat().st_size


async def save_readable_rows(location: StoreLocation, target: Path) -> int:
    """Write every row that can still be read as JSON lines (0600); return their number.

    Asks for every rowid on its own, so that damage costs only the rows it holds. Raises
    GenizahError where nothing opens.
    """
    size_bytes = _size_bytes(location.database)
    immutable = choose_access(location.database) is Access.IMMUTABLE
    connection = await Connection.open(location.database, immutable=immutable, prepare=_PREPARE)
    try:
        rows = await _readable(connection, size_bytes)
    finally:
        await connection.close()
    lines = [
        json.dumps(dict(zip(_NAMES, rows[r], strict=True)), ensure_ascii=True) for r in sorted(rows)
    ]
    write_private(target, "".join(line + "\n" for line in lines).encode("ascii"))
    return len(lines)
