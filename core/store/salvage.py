"""Saving the readable rows of a damaged store to a new file; the damaged one is only read."""

import json
import os
from pathlib import Path

from core.datadir import writing_private
from core.errors import GenizahError
from core.progress import Report, unreported
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


async def _readable(connection: Connection, rowid: int) -> list[SqlValue] | None:
    """Ask for one row on its own: damage costs the rows it holds and no others."""
    try:
        row = await connection.row(f"SELECT {_COLUMNS} FROM memory WHERE rowid = ?", (rowid,))
    except GenizahError:
        return None  # this row lies in the damage
    if row is None or row[0] != rowid:
        return None
    return [decode(v) if isinstance(v, bytes) else v for v in row]


def _size_bytes(database: Path) -> int:
    """Return the size of the database and of its log, which may hold most of the rows."""
    log = database.with_name(f"{database.name}-wal")
    try:
        return database.stat().st_size + log.stat().st_size
    except FileNotFoundError:
        return database.stat().st_size


def _line(row: list[SqlValue]) -> bytes:
    text = json.dumps(dict(zip(_NAMES, row, strict=True)), ensure_ascii=True)
    return f"{text}\n".encode("ascii")


async def _save(connection: Connection, last: int, target: Path, report: Report) -> int:
    count = 0
    with writing_private(target) as file:
        for rowid in range(1, last + 1):
            report(rowid - 1, last)
            row = await _readable(connection, rowid)
            if row is not None:
                file.write(_line(row))
                count += 1
        file.flush()
        os.fsync(file.fileno())  # takes long, too: whether it is wanted is asked after it
        report(last, last)
    return count


async def save_readable_rows(
    location: StoreLocation, target: Path, report: Report = unreported
) -> int:
    """Write every row that can still be read as JSON lines (0600); return their number.

    Asks for every rowid on its own, so that damage costs only the rows it holds, and reports the
    rowids asked for. Raises GenizahError where nothing opens, and OSError; whatever it raises, no
    part of the file stays. Files are written between the statements: not for a loop that people
    wait for.
    """
    size_bytes = _size_bytes(location.database)
    immutable = choose_access(location.database) is Access.IMMUTABLE
    connection = await Connection.open(location.database, immutable=immutable, prepare=_PREPARE)
    try:
        last = await _last_rowid(connection, size_bytes)
        return await _save(connection, last, target, report)
    finally:
        await connection.close()
