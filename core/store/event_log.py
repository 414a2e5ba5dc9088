"""Reading the store's event log. Nothing here writes an event."""

import json
from collections.abc import Sequence

from core.readmodels import EventRow
from core.store.connection import Connection, Row, SqlValue

COLUMNS = "id, at, session_id, client_kind, op_id, kind, memory_uuid, detail"


def _text(value: SqlValue) -> str | None:
    return None if value is None else str(value)


def event_of(row: Row) -> EventRow:
    """Build an event from the columns COLUMNS."""
    number, at, session, client, op, kind, memory, detail = row
    return EventRow(
        id=number if isinstance(number, int) else 0,
        at=str(at),
        session_id=_text(session),
        client_kind=str(client),
        op_id=str(op),
        kind=str(kind),
        memory_uuid=_text(memory),
        detail=_text(detail),
    )


def payload_of(detail: str | None) -> dict[str, object] | None:
    """Return the object that a detail holds, None for anything else."""
    try:
        told: object = json.loads(detail or "")
    except (ValueError, RecursionError):
        return None
    return {str(k): v for k, v in told.items()} if isinstance(told, dict) else None


async def events_of(connection: Connection, uuid: str, *, limit: int = 500) -> list[EventRow]:
    """Return the events filed under one memory, newest first."""
    rows = await connection.rows(
        f"SELECT {COLUMNS} FROM event WHERE memory_uuid = ? ORDER BY at DESC, id DESC LIMIT ?",
        (uuid, limit),
    )
    return [event_of(r) for r in rows]


async def events_of_kinds(
    connection: Connection, uuid: str, kinds: Sequence[str]
) -> list[EventRow]:
    """Return all events of some kinds filed under one memory, newest first."""
    rows = await connection.rows(
        f"SELECT {COLUMNS} FROM event WHERE memory_uuid = ? "
        "AND kind IN (SELECT value FROM json_each(?)) ORDER BY at DESC, id DESC",
        (uuid, json.dumps(list(kinds))),
    )
    return [event_of(r) for r in rows]


async def last_event_id(connection: Connection) -> int:
    """Return the id of the newest event, 0 where the log is empty."""
    return await connection.count("SELECT coalesce(max(id), 0) FROM event")


async def events_after(
    connection: Connection,
    event_id: int,
    kinds: Sequence[str],
    *,
    except_sessions: str,
    limit: int,
) -> tuple[list[EventRow], int]:
    """Return the events of some kinds after an id, newest first, and how many there are in all.

    Left out are those of sessions whose name begins with `except_sessions`.
    """
    where = (
        "id > ?1 AND kind IN (SELECT value FROM json_each(?2)) AND memory_uuid IS NOT NULL "
        "AND (session_id IS NULL OR substr(session_id, 1, length(?3)) <> ?3)"
    )
    asked = (event_id, json.dumps(list(kinds)), except_sessions)
    total = await connection.count(f"SELECT count(*) FROM event WHERE {where}", asked)
    rows = await connection.rows(
        f"SELECT {COLUMNS} FROM event WHERE {where} ORDER BY id DESC LIMIT ?4", (*asked, limit)
    )
    return [event_of(r) for r in rows], total
