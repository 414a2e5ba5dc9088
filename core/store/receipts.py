"""Read receipts: which session has read which memory in which version."""

from dataclasses import dataclass
from enum import StrEnum

from core.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Author:
    """Who reads and writes: the session's name and the kind of client, as the store logs them."""

    session_id: str
    client_kind: str


class ReceiptSource(StrEnum):
    """What a receipt of ours comes from."""

    FETCH = "fetch"
    CONFLICT = "conflict"
    OWN_WRITE = "own_write"


async def holds(connection: Connection, author: Author, uuid: str, version: int) -> bool:
    """Tell whether this author has read that version."""
    found = await connection.value(
        "SELECT 1 FROM read_receipt WHERE session_id = ? AND client_kind = ? "
        "AND memory_uuid = ? AND version = ?",
        (author.session_id, author.client_kind, uuid, version),
    )
    return found is not None


async def write(
    connection: Connection,
    author: Author,
    uuid: str,
    version: int,
    *,
    source: ReceiptSource,
    at: str,
) -> None:
    """Write a receipt, or refresh time and source of the one that is there."""
    await connection.rows(
        "INSERT INTO read_receipt (session_id, client_kind, memory_uuid, version, at, source) "
        "VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (session_id, client_kind, memory_uuid, version) "
        "DO UPDATE SET at = excluded.at, source = excluded.source",
        (author.session_id, author.client_kind, uuid, version, at, source.value),
    )


async def keep_only(connection: Connection, author: Author, uuid: str, version: int) -> None:
    """Delete every receipt of a memory but this author's for that version."""
    await connection.rows(
        "DELETE FROM read_receipt WHERE memory_uuid = ? "
        "AND NOT (session_id = ? AND client_kind = ? AND version = ?)",
        (uuid, author.session_id, author.client_kind, version),
    )
