"""Reading the event log for audits: sessions, one session's events, what was injected and ignored.

Everything is counted in SQL over the whole log; what it means is core/audit.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.readmodels import EventRow
from core.store import columns
from core.store.connection import Connection, Row, SqlValue
from core.store.event_log import COLUMNS, event_of
from core.store.filter_conditions import was_injected
from core.store.memories import text_of
from core.store.our_sessions import is_ours_sql
from core.store.text import encodings


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session in the log: its first and last event, how many prompts and events it has."""

    session_id: str
    first_at: str
    last_at: str
    prompts: int
    events: int


@dataclass(frozen=True, slots=True)
class InjectedRow:
    """A memory and how often it was injected; `rowid` is None for one that is no more."""

    uuid: str
    rowid: int | None
    is_live: bool
    injected: int
    last_at: str


@dataclass(frozen=True, slots=True)
class ChangedAfterRow:
    """A memory that a session was shown and then amended or retired: the first such change of a
    session, and the last time it was shown before; `is_replaced` as the row is now."""

    uuid: str
    rowid: int | None
    session_id: str
    kind: str
    changed_at: str
    shown_at: str
    is_replaced: bool


async def sessions(connection: Connection) -> list[SessionRow]:
    """Return every session, the one with the latest event first."""
    rows = await connection.rows(
        "WITH s AS (SELECT session_id AS id, min(id) AS first, max(id) AS last, count(*) AS n "
        "FROM event WHERE session_id IS NOT NULL GROUP BY session_id), "
        "p AS (SELECT session_id AS id, count(*) AS n FROM event WHERE kind = 'surface_call' "
        "GROUP BY session_id) "
        "SELECT s.id, a.at, b.at, coalesce(p.n, 0), s.n FROM s JOIN event a ON a.id = s.first "
        "JOIN event b ON b.id = s.last LEFT JOIN p ON p.id = s.id ORDER BY s.last DESC"
    )
    return [
        SessionRow(text_of(session), text_of(first), text_of(last), _count(prompts), _count(n))
        for session, first, last, prompts, n in rows
    ]


async def events_of_session(
    connection: Connection, session_id: str, kinds: Iterable[str]
) -> list[EventRow]:
    """Return a session's events of some kinds in the order they were written."""
    names = encodings(session_id)  # a name that is no valid text cannot be bound as one
    same = ", ".join(["CAST(? AS TEXT)"] * len(names))
    where = f"session_id IN ({same}) AND kind IN (SELECT value FROM json_each(?))"
    return await _events(connection, where, *names, _listed(kinds))


async def injected_never_fetched(connection: Connection, at_least: int) -> list[InjectedRow]:
    """Return the memories injected that often and never fetched by an agent, most often first."""
    ours = is_ours_sql("session_id")
    rows = await connection.rows(
        # Most memories have few events of any kind, and those are counted from an index alone;
        # which events are injections is told by another, so that no event but a fetch is read.
        "WITH often AS MATERIALIZED (SELECT memory_uuid AS uuid FROM event "
        "WHERE memory_uuid IS NOT NULL GROUP BY memory_uuid HAVING count(*) >= ?1), "
        "ignored AS MATERIALIZED (SELECT uuid FROM often WHERE uuid NOT IN (SELECT memory_uuid "
        f"FROM event WHERE kind = 'fetch' AND memory_uuid IS NOT NULL AND NOT {ours.clause})), "
        "shown AS (SELECT i.uuid, count(*) AS n, max(e.at) AS last FROM ignored i "
        "CROSS JOIN event e ON e.memory_uuid = i.uuid "
        "AND +e.id IN (SELECT id FROM event WHERE kind = 'surface') "
        "GROUP BY i.uuid HAVING count(*) >= ?1) "
        "SELECT s.uuid, m.rowid, m.active, s.n, s.last FROM shown s "
        "LEFT JOIN memory m ON m.uuid = s.uuid ORDER BY s.n DESC, s.last DESC, s.uuid",
        (at_least, *ours.parameters),
    )
    return [_injected(row) for row in rows]


async def never_injected(connection: Connection) -> list[int]:
    """Return the rowids of live memories that no prompt was ever shown, the oldest first."""
    injected = was_injected()
    return await columns.numbers(
        connection,
        # The rows are read as they lie: most are live, so an index of these would be a detour.
        f"SELECT m.rowid AS n FROM memory m WHERE +m.active = 1 AND NOT {injected.clause} "
        "ORDER BY m.created_at, m.uuid",
        injected.parameters,
    )


async def changed_after_injection(connection: Connection) -> list[ChangedAfterRow]:
    """Return what sessions amended or retired after they were shown it, the latest first."""
    rows = await connection.rows(
        "WITH changed AS MATERIALIZED (SELECT c.id, c.memory_uuid AS uuid, "
        "c.session_id AS session, c.kind, c.at, (SELECT max(s.id) FROM event s "
        "WHERE s.memory_uuid = c.memory_uuid AND s.session_id = +c.session_id "
        "AND s.kind = 'surface' AND s.id < c.id) AS shown FROM event c "
        "WHERE c.kind IN ('amend', 'retire') AND c.session_id IS NOT NULL), "
        "first AS (SELECT min(id) AS id, uuid, session, kind, at, shown FROM changed "
        "WHERE shown IS NOT NULL GROUP BY uuid, session) "
        "SELECT f.uuid, m.rowid, f.session, f.kind, f.at, s.at, m.superseded_by IS NOT NULL "
        "FROM first f "
        "JOIN event s ON s.id = f.shown LEFT JOIN memory m ON m.uuid = f.uuid ORDER BY f.id DESC"
    )
    return [
        ChangedAfterRow(
            *(text_of(uuid), rowid if isinstance(rowid, int) else None, text_of(session)),
            *(text_of(kind), text_of(at), text_of(shown)),
            is_replaced=is_replaced == 1,
        )
        for uuid, rowid, session, kind, at, shown, is_replaced in rows
    ]


async def maybe_superseded(connection: Connection) -> list[EventRow]:
    """Return the surface events whose payload may say superseded, told by its text alone."""
    # Most of a log are such events: it is read as it lies, in the order that is wanted.
    return await _events(connection, "+kind = 'surface' AND instr(detail, '\"superseded\"')")


async def shown_beside(
    connection: Connection, op_ids: Sequence[str], uuids: Sequence[str]
) -> list[EventRow]:
    """Return the surface events of some prompts for some memories."""
    # Two indexes tell which events are both, so that no other event is read.
    where = (
        "id IN (SELECT id FROM event WHERE op_id IN (SELECT value FROM json_each(?)) "
        "INTERSECT SELECT id FROM event WHERE memory_uuid IN (SELECT value FROM json_each(?))) "
        "AND +kind = 'surface'"
    )
    return await _events(connection, where, _listed(op_ids), _listed(uuids))


async def replacements(connection: Connection, uuids: Sequence[str]) -> dict[str, str]:
    """Return what replaced some memories and, on and on, their replacements: uuid to uuid.

    A circle ends where it closes.
    """
    rows = await connection.rows(
        "WITH RECURSIVE chain(uuid, by) AS ("
        "SELECT m.uuid, m.superseded_by FROM json_each(?) j JOIN memory m ON m.uuid = j.value "
        "WHERE m.superseded_by IS NOT NULL "
        "UNION SELECT m.uuid, m.superseded_by FROM chain c JOIN memory m ON m.uuid = c.by "
        "WHERE m.superseded_by IS NOT NULL) SELECT uuid, by FROM chain",
        (_listed(uuids),),
    )
    return {text_of(uuid): text_of(by) for uuid, by in rows}


async def traces(
    connection: Connection, uuids: Sequence[str], kinds: Iterable[str]
) -> list[EventRow]:
    """Return the events of some kinds filed under some memories, in the order of writing."""
    where = (
        "memory_uuid IN (SELECT value FROM json_each(?)) "
        "AND kind IN (SELECT value FROM json_each(?))"
    )
    return await _events(connection, where, _listed(uuids), _listed(kinds))


async def times_of(
    connection: Connection, uuids: Sequence[str], kinds: Iterable[str]
) -> dict[tuple[str, str], int]:
    """Count the events of some kinds filed under some memories, by uuid and kind; none is 0.

    Fetches are those of agents, not the ones of this program before a change.
    """
    ours = is_ours_sql("e.session_id")
    rows = await connection.rows(
        "SELECT j.value, e.kind, count(*) FROM (SELECT DISTINCT value FROM json_each(?)) j "
        "CROSS JOIN event e ON e.memory_uuid = j.value "
        "WHERE e.kind IN (SELECT value FROM json_each(?)) "
        f"AND NOT (e.kind = 'fetch' AND {ours.clause}) GROUP BY j.value, e.kind",
        (_listed(uuids), _listed(kinds), *ours.parameters),
    )
    return {(text_of(uuid), text_of(kind)): _count(number) for uuid, kind, number in rows}


async def _events(connection: Connection, where: str, *parameters: SqlValue) -> list[EventRow]:
    sql = f"SELECT {COLUMNS} FROM event WHERE {where} ORDER BY id"
    return [event_of(row) for row in await connection.rows(sql, parameters)]


def _listed(texts: Iterable[str]) -> str:
    return json.dumps(list(texts))


def _count(value: SqlValue) -> int:
    return value if isinstance(value, int) else 0


def _injected(row: Row) -> InjectedRow:
    uuid, rowid, active, injected, last = row
    return InjectedRow(
        text_of(uuid),
        rowid if isinstance(rowid, int) else None,
        active == 1,
        _count(injected),
        text_of(last),
    )
