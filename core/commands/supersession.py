"""Walks along superseded_by with a cap: where a chain ends, and whether an edge is allowed.

Reads only.
"""

from core.commands.refusals import EdgeFault, Latest, Refused, bad_supersession
from core.readmodels import MemoryHead, State
from core.store import memories
from core.store.connection import Connection


async def _head(connection: Connection, uuid: str) -> MemoryHead | None:
    return (await memories.heads_by_uuid(connection, (uuid,))).get(uuid)


async def latest(
    connection: Connection, head: MemoryHead, max_depth: int
) -> Latest | Refused | None:
    """Return the end of a row's chain, None for a row that was not replaced.

    At most `max_depth` rows are visited, beginning with its replacement; a longer chain refuses
    the whole call. A missing row ends the chain before it.
    """
    at = head.superseded_by
    found: Latest | None = None
    for _ in range(max_depth):
        row = None if at is None else await _head(connection, at)
        if row is None:
            return found
        found, at = Latest(row.uuid, row.state), row.superseded_by
    if at is None:
        return found
    return bad_supersession(head.uuid, at, EdgeFault.DEPTH_CAP_HIT)


async def check_edge(
    connection: Connection, subject: str, target: MemoryHead, max_depth: int
) -> Refused | None:
    """Refuse an edge to itself, to a retired row, into a circle, or onto too long a chain."""
    if target.uuid == subject:
        return bad_supersession(subject, target.uuid, EdgeFault.SELF_EDGE)
    if target.state is State.RETIRED:
        return bad_supersession(subject, target.uuid, EdgeFault.TARGET_RETIRED_OUTRIGHT)
    at: MemoryHead | None = target
    for _ in range(max_depth):
        if at is None:
            return None
        if at.uuid == subject:
            return bad_supersession(subject, target.uuid, EdgeFault.CYCLE)
        if at.superseded_by is None:
            return None
        at = await _head(connection, at.superseded_by)
    return bad_supersession(subject, target.uuid, EdgeFault.DEPTH_CAP_HIT)
