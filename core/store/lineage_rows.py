"""Reading all that the lineage is made of: rows without their content, and the events that ended
them. Page by page, each in a short snapshot of its own; what it means is core/lineage/building.
"""

import json

from core.lineage.records import EndEvent, LineageRow, Role, StoreLineage, Verb
from core.progress import Report, unreported
from core.store.connection import Row, SqlValue
from core.store.database import Reader
from core.store.event_log import payload_of
from core.store.memories import text_of

PAGE_ROWS = 5000
_ATTEMPTS = 3

_ROWS_SQL = """
SELECT rowid, uuid, active, superseded_by, tier, created_at, gist, version, session_id
FROM memory WHERE rowid > ? ORDER BY rowid LIMIT ?
"""
# Told by an index on the kind: most of a log is of other kinds.
_EVENT_IDS_SQL = """
SELECT id FROM event
WHERE kind IN (SELECT value FROM json_each(?)) AND memory_uuid IS NOT NULL ORDER BY id
"""
_EVENTS_SQL = """
SELECT e.id, e.kind, e.at, e.session_id, e.op_id, e.memory_uuid, e.detail
FROM json_each(?) j JOIN event e ON e.id = j.value
"""


async def read_lineage(
    reader: Reader, report: Report = unreported, *, page: int = PAGE_ROWS
) -> StoreLineage:
    """Read a whole store's lineage, again where it was written meanwhile, three times at most.

    The answer says where it moved even then: it may hold an edge without its event, or a row twice
    replaced in different pages. `report` is told the memories read and how many there are.
    """
    for _ in range(_ATTEMPTS):
        before = await reader.data_version()
        rows = await _rows(reader, report, page)
        events = await _events(reader, page)
        moved = await reader.data_version() != before
        if not moved:
            break
    return StoreLineage(tuple(rows), tuple(events), moved)


async def _rows(reader: Reader, report: Report, page: int) -> list[LineageRow]:
    found: list[LineageRow] = []
    last = -(1 << 63)
    async with reader.snapshot() as connection:
        total = await connection.count("SELECT count(*) FROM memory")
    while True:
        async with reader.snapshot() as connection:
            read = await connection.rows(_ROWS_SQL, (last, page))
        found += map(_row, read)
        report(len(found), total)
        if len(read) < page:
            return found
        last = _whole(read[-1][0])


async def _events(reader: Reader, page: int) -> list[EndEvent]:
    async with reader.snapshot() as connection:
        rows = await connection.rows(_EVENT_IDS_SQL, (json.dumps(list(Verb)),))
    ids = [_whole(row[0]) for row in rows]
    found: list[EndEvent] = []
    for first in range(0, len(ids), page):
        async with reader.snapshot() as connection:
            some = json.dumps(ids[first : first + page])
            found += map(_event, await connection.rows(_EVENTS_SQL, (some,)))
    return found


def _whole(value: SqlValue) -> int:
    if not isinstance(value, int):
        raise TypeError("rowids are integers")
    return value


def _optional(value: SqlValue) -> str | None:
    return None if value is None else text_of(value)


def _row(row: Row) -> LineageRow:
    _, uuid, active, by, tier, created, gist, version, session = row
    return LineageRow(
        uuid=text_of(uuid),
        active=active == 1,
        superseded_by=_optional(by),
        tier=text_of(tier),
        created_at=text_of(created),
        gist=text_of(gist),
        version=version if isinstance(version, int) and version >= 1 else None,
        session_id=_optional(session),
    )


def _event(row: Row) -> EndEvent:
    number, kind, at, session, op, uuid, detail = row
    told = payload_of(text_of(detail)) or {}
    role, target = told.get("role"), told.get("superseded_by")
    return EndEvent(
        id=_whole(number),
        at=text_of(at),
        session_id=_optional(session),
        op_id=text_of(op),
        verb=Verb(text_of(kind)),
        uuid=text_of(uuid),
        role=Role(role) if isinstance(role, str) and role in set(Role) else None,
        target=target if isinstance(target, str) else None,
    )
