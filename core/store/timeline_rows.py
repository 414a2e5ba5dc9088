"""Memories and events by time: counted by the hour, and listed. Bins: core/audit/timeline.

Times are compared as texts, which is their order as stores write them: UTC, ending in +00:00. Any
other text has no hour here and is counted apart.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.store.conditions import EVERY_ROW, Condition, all_of
from core.store.connection import Connection, Row
from core.store.memories import text_of


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment on and before another one, as stored texts; None is no bound."""

    since: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class HourCount:
    """How many of one label there are in an hour such as 2026-03-01T12; None: no such time."""

    hour: str | None
    label: str
    count: int


_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:*+00:00"


def _hour(column: str) -> str:
    return f"CASE WHEN {column} GLOB '{_DAY}' THEN substr({column}, 1, 13) END"


def _inside(column: str) -> str:
    return (
        f"(?1 IS NULL OR ({column} >= ?1 AND {column} GLOB '{_DAY}')) "
        f"AND (?2 IS NULL OR ({column} < ?2 AND {column} GLOB '{_DAY}'))"
    )


def _created_inside(span: Span) -> Condition:
    bounds = [(">=", span.since), ("<", span.before)]
    return all_of(
        [
            Condition(f"(m.created_at {sign} ? AND m.created_at GLOB '{_DAY}')", (end,))
            for sign, end in bounds
            if end is not None
        ]
    )


@dataclass(frozen=True, slots=True)
class MomentRow:
    """A memory or an event at its time: the label is the state or the kind.

    `rowid` is a memory's own number, None for an event; `uuid` None for an event about no memory.
    """

    at: str
    label: str
    rowid: int | None
    uuid: str | None


_STATE = (
    "CASE WHEN m.active = 1 THEN 'live' WHEN m.superseded_by IS NULL THEN 'retired' "
    "ELSE 'superseded' END"
)


async def memories_by_hour(
    connection: Connection, span: Span, kept: Condition = EVERY_ROW
) -> list[HourCount]:
    """Count the memories that are kept by the hour of their creation; the label is the state."""
    where = all_of([_created_inside(span), kept])
    rows = await connection.rows(
        f"SELECT {_hour('m.created_at')} AS hour, {_STATE} AS state, count(*) "
        f"FROM memory m WHERE {where.clause} GROUP BY hour, state",
        where.parameters,
    )
    return [_counted(row) for row in rows]


async def events_by_hour(
    connection: Connection, span: Span, kinds: Sequence[str] | None
) -> list[HourCount]:
    """Count events of some kinds, or of all, by the hour; the label is the kind."""
    rows = await connection.rows(
        f"SELECT {_hour('at')} AS hour, kind, count(*) FROM event WHERE {_inside('at')} "
        "AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3))) GROUP BY kind, hour",
        (span.since, span.before, None if kinds is None else json.dumps(list(kinds))),
    )
    return [_counted(row) for row in rows]


async def memories_within(
    connection: Connection, span: Span, states: Sequence[str], kept: Condition = EVERY_ROW
) -> list[MomentRow]:
    """Return the memories of some states that are kept and were created in a span.

    The first one comes first.
    """
    where = all_of([_created_inside(span), kept])
    rows = await connection.rows(
        f"SELECT m.created_at, {_STATE} AS state, m.rowid, m.uuid FROM memory m "
        f"WHERE {where.clause} AND m.created_at GLOB '{_DAY}' "
        "AND state IN (SELECT value FROM json_each(?)) ORDER BY m.created_at, m.uuid",
        (*where.parameters, json.dumps(list(states))),
    )
    return [_moment_row(row) for row in rows]


async def events_within(
    connection: Connection, span: Span, kinds: Sequence[str], most: int
) -> list[MomentRow]:
    """Return at most so many events of some kinds in a span, in the order of writing."""
    rows = await connection.rows(
        "SELECT at, kind, NULL, memory_uuid FROM event "
        f"WHERE {_inside('at')} AND at GLOB '{_DAY}' "
        "AND kind IN (SELECT value FROM json_each(?3)) ORDER BY id LIMIT ?4",
        (span.since, span.before, json.dumps(list(kinds)), most),
    )
    return [_moment_row(row) for row in rows]


def _moment_row(row: Row) -> MomentRow:
    at, label, rowid, uuid = row
    return MomentRow(
        text_of(at),
        text_of(label),
        rowid if isinstance(rowid, int) else None,
        None if uuid is None else text_of(uuid),
    )


def _counted(row: Row) -> HourCount:
    hour, label, count = row
    number = count if isinstance(count, int) else 0
    return HourCount(None if hour is None else text_of(hour), text_of(label), number)
