"""Telling the sessions of this program from the agent's in the event log, by their names.

What a person commits here is logged as the agent's own calls are, a fetch before the change: asked
what the agent did, those are left out.
"""

from core.store.conditions import Condition

#: How the name of every session of this program begins.
OUR_SESSIONS = "genizah-"
_AFTER_OURS = OUR_SESSIONS[:-1] + chr(ord(OUR_SESSIONS[-1]) + 1)
"""The first text after all that begin so: an index of sessions tells ours as one range."""


def is_ours(session_id: str | None) -> bool:
    """Tell whether a session was one of this program."""
    return session_id is not None and session_id.startswith(OUR_SESSIONS)


def is_ours_sql(column: str) -> Condition:
    """Hold for the events whose session, in this column, was one of this program; never unknown."""
    return Condition(
        f"({column} IS NOT NULL AND {column} >= ? AND {column} < ?)", (OUR_SESSIONS, _AFTER_OURS)
    )
