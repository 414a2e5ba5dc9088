"""The conditions that filters are made of, over alias `m` of memory, each with its bound values.

Times are compared as the stored texts: their order is the order of time. What a row's state says
alone is core/retrieval/eligibility's.
"""

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum

from core.store.conditions import Condition, all_of

INJECTED_KIND = "surface"
# Rows and what replaced them, by number: read from indexes alone.
_LINKS = (
    "link(id, next) AS MATERIALIZED (SELECT r.rowid, o.rowid FROM memory r "
    "CROSS JOIN memory o ON o.uuid = r.superseded_by WHERE r.superseded_by IS NOT NULL)"
)


class TimeColumn(StrEnum):
    """The times of a memory."""

    CREATED = "m.created_at"
    UPDATED = "m.updated_at"


class NumberColumn(StrEnum):
    """The whole numbers of a memory."""

    TOKENS = "m.token_count"
    VERSION = "m.version"


def since(column: TimeColumn, moment: datetime) -> Condition:
    """Hold from a moment in UTC on."""
    return Condition(f"({column} >= ?)", (moment.isoformat(),))


def on_days(column: TimeColumn, first: date | None, last: date | None) -> Condition:
    """Hold on the UTC days from `first` to `last`, both included; None: without that end."""
    bounds = []
    if first is not None:
        bounds.append(Condition(f"({column} >= ?)", (first.isoformat(),)))
    if last is not None and last < date.max:
        after = last + timedelta(days=1)
        bounds.append(Condition(f"({column} < ?)", (after.isoformat(),)))
    return all_of(bounds)


def was_changed() -> Condition:
    """Hold for rows that were written again after they were made."""
    return Condition("(m.updated_at <> m.created_at)")


def between(column: NumberColumn, low: int | None, high: int | None) -> Condition:
    """Hold for numbers from `low` to `high`, both included; None: without that end."""
    bounds = [(">=", low), ("<=", high)]
    return all_of(
        [Condition(f"({column} {sign} ?)", (end,)) for sign, end in bounds if end is not None]
    )


def in_tier(tier: str) -> Condition:
    """Hold for the rows of a tier."""
    return Condition("(m.tier = ?)", (tier,))


def in_session(session_id: str) -> Condition:
    """Hold for the rows of a session; an empty name is that of the rows without one."""
    return Condition("(coalesce(m.session_id, '') = ?)", (session_id,))


def has_uuid(prefix: str) -> Condition:
    """Hold for the rows whose uuid begins like this; capitals do not matter."""
    return _begins("m.uuid", prefix)


def replaced(prefix: str) -> Condition:
    """Hold for the rows that a row of such a uuid was replaced by."""
    begins = _begins("r.uuid", prefix)
    clause = (
        "(m.uuid IN (SELECT r.superseded_by FROM memory r "
        f"WHERE r.superseded_by IS NOT NULL AND {begins.clause}))"
    )
    return Condition(clause, begins.parameters)


def replaced_by(prefix: str) -> Condition:
    """Hold for the rows that were replaced by a row of such a uuid, there or not."""
    return _begins("m.superseded_by", prefix)


def _begins(column: str, prefix: str) -> Condition:
    return Condition(f"(substr({column}, 1, length(?)) = ? COLLATE NOCASE)", (prefix, prefix))


def is_head() -> Condition:
    """Hold for the rows that replaced others and are not replaced themselves."""
    return Condition(
        "(m.superseded_by IS NULL AND m.uuid IN "
        "(SELECT r.superseded_by FROM memory r WHERE r.superseded_by IS NOT NULL))"
    )


def leads_to_dead_head() -> Condition:
    """Hold for the retired rows that replaced others, and for all that lead to them."""
    # A row has one replacement and no circle leads to a dead head: none is found twice.
    return Condition(
        f"(m.rowid IN (WITH RECURSIVE {_LINKS}, dead(id) AS (SELECT h.rowid FROM memory h "
        "WHERE h.active = 0 AND h.superseded_by IS NULL AND h.rowid IN (SELECT next FROM link) "
        "UNION ALL SELECT l.id FROM dead d JOIN link l ON l.next = d.id) SELECT id FROM dead))"
    )


def is_dangling() -> Condition:
    """Hold for the rows whose replacement is not there."""
    return Condition(
        "(m.superseded_by IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM memory o WHERE o.uuid = m.superseded_by))"
    )


def leads_to_circle() -> Condition:
    """Hold for the rows whose chain of replacements never ends."""
    # Only a row whose replacement is itself replaced can be one; most chains end before that.
    return Condition(
        f"(m.rowid IN (WITH RECURSIVE {_LINKS}, linked(id, next) AS MATERIALIZED "
        "(SELECT id, next FROM link WHERE next IN (SELECT id FROM link)), "
        "ended(id) AS (SELECT l.id FROM linked l WHERE l.next NOT IN (SELECT id FROM linked) "
        "UNION ALL SELECT l.id FROM ended e JOIN linked l ON l.next = e.id) "
        "SELECT id FROM linked WHERE id NOT IN (SELECT id FROM ended)))"
    )


def has_odd_version() -> Condition:
    """Hold for the rows whose version is no whole number from 1 on."""
    return Condition("(typeof(m.version) <> 'integer' OR m.version < 1)")


def has_no_chunk() -> Condition:
    """Hold for the rows that the meaning search cannot find."""
    return Condition("(NOT EXISTS (SELECT 1 FROM memory_chunk c WHERE c.memory_uuid = m.uuid))")


def was_injected() -> Condition:
    """Hold for the rows that the agent was shown with a prompt; read once for all rows.

    Which events are injections and which row each is of are both told by indexes alone.
    """
    return Condition(
        "(m.rowid IN (SELECT o.rowid FROM (SELECT DISTINCT e.memory_uuid AS uuid FROM event e "
        "WHERE e.memory_uuid IS NOT NULL AND +e.id IN (SELECT i.id FROM event i WHERE i.kind = ?)) "
        "shown CROSS JOIN memory o ON o.uuid = shown.uuid))",
        (INJECTED_KIND,),
    )


def among(rowids: Sequence[int]) -> Condition:
    """Hold for the rows of these numbers, as a list on screen has them."""
    return Condition("(m.rowid IN (SELECT value FROM json_each(?)))", (json.dumps(list(rowids)),))
