"""How often a memory stands in the event log, and for what: counted over all of it."""

from core.readmodels import LogCounts
from core.store.connection import Connection
from core.store.our_sessions import is_ours_sql


async def log_counts(connection: Connection, uuid: str) -> LogCounts:
    """Count the events filed under one memory.

    An amendment is one after an injection where the same session was shown the memory before;
    fetches are those of agents, not the ones of this program before a change.
    """
    ours = is_ours_sql("own.session_id")
    row = await connection.row(
        "WITH own AS MATERIALIZED (SELECT id, kind, session_id FROM event WHERE memory_uuid = ?), "
        "shown AS (SELECT session_id AS session, min(id) AS id FROM own "
        "WHERE kind = 'surface' AND session_id IS NOT NULL GROUP BY session_id) "
        "SELECT count(*), count(*) FILTER (WHERE kind = 'surface'), "
        f"count(*) FILTER (WHERE kind = 'fetch' AND NOT {ours.clause}), "
        "count(*) FILTER (WHERE kind = 'amend' AND own.id > shown.id) "
        "FROM own LEFT JOIN shown ON shown.session = own.session_id",
        (uuid, *ours.parameters),
    )
    return LogCounts(*(n if isinstance(n, int) else 0 for n in row or ()))
