"""The meaning arm of a search that filters narrow: no row that passes them may be missed.

The ordinary arm gives up after its widest probe; a person who filters expects every row that is
left, however far from the query. So few rows are measured one by one, and many where the ordinary
arm has given up. Distances are the extension's own either way.
"""

import json
from collections.abc import Callable
from math import ceil

from core.retrieval.arms import DenseArm, Probe, ProbeFunction, StopReason, dense_arm
from core.retrieval.eligibility import Scope
from core.retrieval.probes import exact_probe
from core.store import vectors
from core.store.connection import Connection

_FEW = 6  # looking one vector up takes six times as long as measuring it in a pass over all


async def narrowed_arm(
    connection: Connection,
    query: bytes,
    make_probe: Callable[[], ProbeFunction],
    scope: Scope,
    *,
    depth: int,
    overfetch: int,
    chunks: int,
) -> DenseArm:
    """Rank the nearest eligible memories; never stops at a cap. `make_probe` is the ordinary arm's.

    `chunks` is count(*) of memory_chunk in the same snapshot.
    """
    few = await _eligible_chunks(connection, scope, chunks // _FEW)
    if few is None:
        exact = exact_probe(connection, query)
        sizes = {"depth": depth, "overfetch": overfetch, "chunks": chunks}
        arm = await dense_arm(connection, make_probe(), exact, scope, **sizes)
        if arm.report.stop_reason is not StopReason.PROBE_CAP_HIT:
            return arm
        few = await _eligible_chunks(connection, scope, chunks) or []
    return await _every_one(connection, query, scope, depth, few)


async def _eligible_chunks(connection: Connection, scope: Scope, most: int) -> list[int] | None:
    """Return the chunks of the eligible rows, or None where there are more than `most`."""
    rows = await connection.rows(
        "SELECT c.chunk_id FROM memory m CROSS JOIN memory_chunk c ON c.memory_uuid = m.uuid "
        f"WHERE {scope.clause} LIMIT ?",
        (*scope.parameters, most + 1),
    )
    ids = [row[0] for row in rows if isinstance(row[0], int)]
    return None if len(ids) > most else ids


async def _every_one(
    connection: Connection, query: bytes, scope: Scope, depth: int, chunk_ids: list[int]
) -> DenseArm:
    measured = await _distances(connection, query, chunk_ids)
    found = Probe(
        {chunk: distance for chunk, distance in measured if distance is not None},
        frozenset(chunk for chunk, distance in measured if distance is None),
    )

    async def probe(_n: int, _enough: int) -> Probe:
        return found

    # Wide enough to cover all of them at once.
    overfetch = max(1, ceil(len(chunk_ids) / depth))
    sizes = {"depth": depth, "overfetch": overfetch, "chunks": len(chunk_ids)}
    return await dense_arm(connection, probe, probe, scope, **sizes)


async def _distances(
    connection: Connection, query: bytes, chunk_ids: list[int]
) -> list[tuple[int, float | None]]:
    if len(chunk_ids) * _FEW > await vectors.count(connection):
        wanted = set(chunk_ids)
        everything = await vectors.every_distance(connection, query)
        return [pair for pair in everything if pair[0] in wanted]
    rows = await connection.rows(
        "SELECT v.rowid, vec_distance_L2(v.embedding, ?) FROM json_each(?) j "
        "CROSS JOIN memory_vec v ON v.rowid = j.value",
        (query, json.dumps(chunk_ids)),
    )
    return [
        (chunk, distance if isinstance(distance, float) else None)
        for chunk, distance in rows
        if isinstance(chunk, int)
    ]
