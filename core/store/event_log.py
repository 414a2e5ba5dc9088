"""Reading the store's event log. Nothing here writes an event."""

from core.readmodels import EventRow
from core.store.connection import Connection, Row, SqlValue


def _text(value: SqlValue) -> str | None:
    return None if value is None else str(value)


def _event(row: Row) -> EventRow:
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


async def events_of(connection: Connection, uuid: str, *, limit: int = 500) -> list[EventRow]:
    """Return the events filed under one memory, newest first."""
    rows = await connection.rows(
        "SELECT id, at, session_id, client_kind, op_id, kind, memory_uuid, detail "
        "FROM event WHERE memory_uuid = ? ORDER BY at DESC, id DESC LIMIT ?",
        (uuid, limit),
    )
    return [_event(r) for r in rows]
