"""Where the chains of replaced rows lead, for all rows of a list at once; no content is read."""

import json
from collections.abc import Iterable

from core.readmodels import ChainEnd, MemoryHead
from core.store import memories
from core.store.connection import Connection

_LONGEST = 1024


async def chain_ends(connection: Connection, uuids: Iterable[str]) -> dict[str, ChainEnd]:
    """Return where the chain of every named, replaced row leads; in the caller's snapshot."""
    rows = await connection.rows(
        "WITH RECURSIVE walk(start, at, step) AS ("
        "SELECT m.uuid, m.superseded_by, 1 FROM json_each(?) j JOIN memory m ON m.uuid = j.value "
        "WHERE m.active = 0 AND m.superseded_by IS NOT NULL "
        "UNION ALL SELECT w.start, m.superseded_by, w.step + 1 FROM walk w "
        "JOIN memory m ON m.uuid = w.at WHERE m.active = 0 AND m.superseded_by IS NOT NULL "
        "AND w.step < ? AND m.uuid <> w.start) "
        "SELECT start, at, step FROM walk ORDER BY start, step",
        (json.dumps(list(uuids)), _LONGEST),
    )
    walks: dict[str, list[str]] = {}
    for start, at, _step in rows:
        walks.setdefault(str(start), []).append(str(at))
    wanted = {uuid for walk in walks.values() for uuid in (walk[0], walk[-1])}
    heads = await memories.heads_by_uuid(connection, wanted)
    return {start: _end_of(walk, heads) for start, walk in walks.items()}


def _end_of(walk: list[str], heads: dict[str, MemoryHead]) -> ChainEnd:
    end = heads.get(walk[-1])
    if end is not None and not end.active and end.superseded_by is not None:
        end = None  # a circle, or longer than anybody follows
    return ChainEnd(heads.get(walk[0]), end, len(walk))
