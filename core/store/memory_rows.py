"""Writing rows of `memory`: insert, and changes that hold only for the version that was seen.

The word index, the chunks and the events are written beside it, in the caller's transaction.
"""

from dataclasses import dataclass

from core.store.connection import Connection


@dataclass(frozen=True, slots=True)
class NewRow:
    """A memory to be: live, version 1, tier journal; `at` is both of its times."""

    uuid: str
    gist: str
    content: str
    at: str
    session_id: str
    token_count: int


async def insert(connection: Connection, row: NewRow) -> int:
    """Insert the row and return its rowid."""
    return await connection.count(
        "INSERT INTO memory (uuid, tier, gist, content, active, superseded_by, version, "
        "created_at, updated_at, session_id, token_count) "
        "VALUES (?, 'journal', ?, ?, 1, NULL, 1, ?, ?, ?, ?) RETURNING rowid",
        (row.uuid, row.gist, row.content, row.at, row.at, row.session_id, row.token_count),
    )


async def rewrite(
    connection: Connection,
    uuid: str,
    version: int,
    *,
    gist: str,
    content: str,
    token_count: int,
    at: str,
) -> bool:
    """Put new texts into the row if it still has that version; tell whether it had."""
    changed = await connection.rows(
        "UPDATE memory SET gist = ?, content = ?, token_count = ?, version = version + 1, "
        "updated_at = ? WHERE uuid = ? AND version = ? RETURNING rowid",
        (gist, content, token_count, at, uuid, version),
    )
    return len(changed) == 1


async def make_inactive(
    connection: Connection, uuid: str, version: int, *, superseded_by: str | None, at: str
) -> bool:
    """Retire the row, for another one where given, if it still has that version; tell whether."""
    changed = await connection.rows(
        "UPDATE memory SET active = 0, superseded_by = ?, version = version + 1, updated_at = ? "
        "WHERE uuid = ? AND version = ? RETURNING rowid",
        (superseded_by, at, uuid, version),
    )
    return len(changed) == 1
