"""The two arms of a search, each inside the caller's snapshot: candidates in order, and how far
each looked. Fusion is not here; eligibility comes from core/retrieval/eligibility.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from core.retrieval.eligibility import Scope
from core.store.connection import Connection

MAX_DOUBLINGS = 4
PEER_K_LIMIT = 4096


class StopReason(StrEnum):
    """Why an arm stopped looking."""

    DEPTH_REACHED = "depth_reached"
    INDEX_EXHAUSTED = "index_exhausted"
    PROBE_CAP_HIT = "probe_cap_hit"


@dataclass(frozen=True, slots=True)
class ArmReport:
    """How an arm ran. Where it did not: both report fields None and a reason in words."""

    ran: bool
    depth_reached: int | None = None
    stop_reason: StopReason | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        if self.ran != (self.depth_reached is not None and self.stop_reason is not None):
            raise ValueError("an arm that ran reports depth and stop reason, another does not")
        if self.ran == (self.reason is not None):
            raise ValueError("an arm that did not run says why")


@dataclass(frozen=True, slots=True)
class LexicalCandidate:
    """One memory of the lexical arm; bm25 in FTS5's sign (smaller is better)."""

    uuid: str
    bm25: float


@dataclass(frozen=True, slots=True)
class DenseCandidate:
    """One memory of the dense arm: its nearest chunk and that chunk's L2 distance."""

    uuid: str
    distance: float
    chunk_id: int
    part_index: int


@dataclass(frozen=True, slots=True)
class LexicalArm:
    """At most fusion_depth candidates, in rank order from 1."""

    candidates: tuple[LexicalCandidate, ...]
    report: ArmReport


@dataclass(frozen=True, slots=True)
class DenseArm:
    """At most fusion_depth candidates in rank order, and how the probing went.

    `probes` holds the k of every probe made; `not_ranked` counts the eligible memories met that
    have no distance, because every vector of theirs in the probe holds a NaN.
    """

    candidates: tuple[DenseCandidate, ...]
    report: ArmReport
    probes: tuple[int, ...] = ()
    not_ranked: int = 0

    @property
    def doublings(self) -> int:
        """Return how often the probe was doubled."""
        return max(0, len(self.probes) - 1)


@dataclass(frozen=True, slots=True)
class Probe:
    """The n nearest chunks by the extension's own distance, which may be infinite, and the chunks
    met that have none: their vectors hold a NaN."""

    distances: dict[int, float]
    without: frozenset[int] = frozenset()


type ProbeFunction = Callable[[int], Awaitable[Probe]]


async def lexical_arm(
    connection: Connection, expression: str | None, scope: Scope, depth: int
) -> LexicalArm:
    """Rank the eligible rows that match any term by bm25, then uuid; one statement.

    Returns at most `depth` candidates; one more is read to prove that something was cut.
    """
    if expression is None:
        reason = "The query has no letter or digit: nothing to search by words."
        return LexicalArm((), ArmReport(ran=False, reason=reason))
    rows = await connection.rows(
        "SELECT m.uuid, bm25(memory_fts) FROM memory_fts JOIN memory m ON m.rowid = "
        f"memory_fts.rowid WHERE memory_fts MATCH ? AND {scope.clause} "
        "ORDER BY bm25(memory_fts) ASC, m.uuid ASC LIMIT ?",
        (expression, *scope.parameters, depth + 1),
    )
    found = tuple(
        LexicalCandidate(str(uuid), score) for uuid, score in rows if isinstance(score, float)
    )
    cut = len(rows) > depth
    stop = StopReason.DEPTH_REACHED if cut else StopReason.INDEX_EXHAUSTED
    return LexicalArm(found[:depth], ArmReport(True, len(rows), stop))


async def _resolve(
    connection: Connection, scope: Scope, chunk_ids: list[int]
) -> dict[int, tuple[str, int]]:
    rows = await connection.rows(
        "SELECT c.chunk_id, m.uuid, c.part_index FROM json_each(?) j "
        "JOIN memory_chunk c ON c.chunk_id = j.value JOIN memory m ON m.uuid = c.memory_uuid "
        f"WHERE {scope.clause}",
        (json.dumps(chunk_ids), *scope.parameters),
    )
    return {
        chunk: (str(uuid), part)
        for chunk, uuid, part in rows
        if isinstance(chunk, int) and isinstance(part, int)
    }


def _roll_up(
    distances: dict[int, float], owners: dict[int, tuple[str, int]]
) -> list[DenseCandidate]:
    """Keep each memory's nearest chunk (ties: lowest part), order by distance, then uuid."""
    found = [
        (distances[chunk], uuid, part, chunk)
        for chunk, (uuid, part) in owners.items()
        if chunk in distances
    ]
    found.sort()
    best: dict[str, DenseCandidate] = {}
    for distance, uuid, part, chunk in found:
        if uuid not in best:
            best[uuid] = DenseCandidate(uuid, distance, chunk, part)
    return list(best.values())


async def dense_arm(
    connection: Connection,
    probe: ProbeFunction,
    exact: ProbeFunction,
    scope: Scope,
    *,
    depth: int,
    overfetch: int,
    chunks: int,
) -> DenseArm:
    """Widen the probe until more than `depth` memories are found, all chunks are covered, or
    four doublings are spent.

    `chunks` is count(*) of memory_chunk in the same snapshot. Where the probe meets an eligible
    memory without a distance its set is not to be trusted (the peer fails there): `exact` answers.
    """
    first, sizes = depth * overfetch, (depth, chunks)
    arm = await _widen(connection, probe, scope, first, *sizes)
    if not arm.not_ranked:
        return arm
    again = await _widen(connection, exact, scope, first, *sizes)
    return replace(again, not_ranked=arm.not_ranked)


async def _widen(
    connection: Connection, probe: ProbeFunction, scope: Scope, n: int, depth: int, chunks: int
) -> DenseArm:
    probes: list[int] = []
    owners: dict[int, tuple[str, int]] = {}
    asked: set[int] = set()
    while True:
        probes.append(n)
        found = await probe(n)
        fresh = [c for c in (*found.distances, *found.without) if c not in asked]
        asked.update(fresh)
        owners |= await _resolve(connection, scope, fresh)
        ranked = _roll_up(found.distances, owners)
        covered = n >= chunks
        if len(ranked) > depth or covered or len(probes) > MAX_DOUBLINGS:
            break
        n *= 2
    if len(ranked) > depth:
        stop = StopReason.DEPTH_REACHED
    else:
        stop = StopReason.INDEX_EXHAUSTED if covered else StopReason.PROBE_CAP_HIT
    report = ArmReport(True, min(len(ranked), depth + 1), stop)
    without = {owners[c][0] for c in found.without if c in owners}
    not_ranked = len(without - {c.uuid for c in ranked})
    return DenseArm(tuple(ranked[:depth]), report, tuple(probes), not_ranked)
