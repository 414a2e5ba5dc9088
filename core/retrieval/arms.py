"""The two arms of a search, each inside the caller's snapshot: candidates in order, and how far
each looked. Fusion is not here; eligibility comes from core/retrieval/eligibility.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from core.retrieval.eligibility import Scope
from core.store.connection import Connection
from core.store.memories import text_of

MAX_DOUBLINGS = 4
PEER_K_LIMIT = 4096
_PART = 2


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
    """One memory of the lexical arm; bm25 in FTS5's sign (smaller is better).

    A uuid not `stored_as_text` is a blob's: SQLite sorts it after every text.
    """

    uuid: str
    bm25: float
    rowid: int
    stored_as_text: bool = True


@dataclass(frozen=True, slots=True)
class DenseCandidate:
    """One memory of the dense arm: its nearest chunk and that chunk's L2 distance."""

    uuid: str
    distance: float
    chunk_id: int
    part_index: int
    rowid: int


@dataclass(frozen=True, slots=True)
class LexicalArm:
    """At most fusion_depth candidates, in rank order from 1."""

    candidates: tuple[LexicalCandidate, ...]
    report: ArmReport


@dataclass(frozen=True, slots=True)
class DenseArm:
    """At most fusion_depth candidates in rank order, and how the probing went.

    `probes` holds the k of every probe made; `not_ranked` counts the eligible memories met that
    have no distance, because every vector of theirs in the probe holds a NaN. `surplus` is the
    candidate after the last, where one more was found.
    """

    candidates: tuple[DenseCandidate, ...]
    report: ArmReport
    probes: tuple[int, ...] = ()
    not_ranked: int = 0
    surplus: DenseCandidate | None = None

    @property
    def doublings(self) -> int:
        """Return how often the probe was doubled."""
        return max(0, len(self.probes) - 1)


@dataclass(frozen=True, slots=True)
class Probe:
    """The n nearest chunks by the extension's own distance, which may be infinite, and the chunks
    met that have none: their vectors hold a NaN.

    A probe may answer with the nearest part of the n only: every chunk left out is then at least
    `radius` away, and `is_whole` is False.
    """

    distances: dict[int, float]
    without: frozenset[int] = frozenset()
    is_whole: bool = True

    @property
    def radius(self) -> float:
        """Return the largest distance among the chunks; 0 where there is none."""
        return max(self.distances.values(), default=0.0)


#: A chunk's memory: its uuid, the chunk's part in it, its rowid.
type Owner = tuple[str, int, int]

#: Answers for the n nearest; the second number says how many of them are enough for now.
type ProbeFunction = Callable[[int, int], Awaitable[Probe]]


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
        "SELECT m.uuid, bm25(memory_fts), m.rowid FROM memory_fts JOIN memory m ON m.rowid = "
        f"memory_fts.rowid WHERE memory_fts MATCH ? AND {scope.clause} "
        "ORDER BY bm25(memory_fts) ASC, m.uuid ASC LIMIT ?",
        (expression, *scope.parameters, depth + 1),
    )
    found = tuple(
        LexicalCandidate(text_of(uuid), score, rowid, isinstance(uuid, str))
        for uuid, score, rowid in rows
        if isinstance(score, float) and isinstance(rowid, int)
    )
    cut = len(rows) > depth
    stop = StopReason.DEPTH_REACHED if cut else StopReason.INDEX_EXHAUSTED
    return LexicalArm(found[:depth], ArmReport(True, len(rows), stop))


async def resolve(connection: Connection, scope: Scope, chunk_ids: list[int]) -> dict[int, Owner]:
    """Return the memory of each of the chunks whose memory is eligible."""
    rows = await connection.rows(
        "SELECT c.chunk_id, m.uuid, c.part_index, m.rowid FROM json_each(?) j "
        "JOIN memory_chunk c ON c.chunk_id = j.value JOIN memory m ON m.uuid = c.memory_uuid "
        f"WHERE {scope.clause}",
        (json.dumps(chunk_ids), *scope.parameters),
    )
    return {
        chunk: (text_of(uuid), part, rowid)
        for chunk, uuid, part, rowid in rows
        if isinstance(chunk, int) and isinstance(part, int) and isinstance(rowid, int)
    }


def roll_up(
    distances: dict[int, float], owners: dict[int, Owner], wanted: int
) -> list[DenseCandidate]:
    """Keep each memory's nearest chunk (ties: lowest part), order by distance, then uuid.

    Returns the first `wanted` memories.
    """
    found = [
        (distances[chunk], uuid, part, chunk, rowid)
        for chunk, (uuid, part, rowid) in owners.items()
        if chunk in distances
    ]
    found.sort()
    best: dict[str, DenseCandidate] = {}
    for distance, uuid, part, chunk, rowid in found:
        if uuid not in best:
            best[uuid] = DenseCandidate(uuid, distance, chunk, part, rowid)
            if len(best) == wanted:
                break
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
    collected = _Collected(connection, probe, scope, depth)
    while True:
        probes.append(n)
        ranked = await collected.nearest(n)
        covered = n >= chunks
        if len(ranked) > depth or covered or len(probes) > MAX_DOUBLINGS:
            break
        n *= 2
    if len(ranked) > depth:
        stop = StopReason.DEPTH_REACHED
    else:
        stop = StopReason.INDEX_EXHAUSTED if covered else StopReason.PROBE_CAP_HIT
    report = ArmReport(True, len(ranked), stop)
    more = ranked[depth] if len(ranked) > depth else None
    return DenseArm(tuple(ranked[:depth]), report, tuple(probes), collected.not_ranked, more)


class _Collected:
    """The chunks met so far with their eligible memories, each looked up once."""

    def __init__(
        self, connection: Connection, probe: ProbeFunction, scope: Scope, depth: int
    ) -> None:
        self._connection = connection
        self._probe = probe
        self._scope = scope
        self._wanted = depth + 1
        self._owners: dict[int, Owner] = {}
        self._asked: set[int] = set()
        self.not_ranked = 0

    async def nearest(self, n: int) -> list[DenseCandidate]:
        """Return the first depth + 1 memories among the n nearest chunks.

        A part of the n is enough where it holds that many and every chunk left out is farther
        than the last of them; else the next part is four times as large.
        """
        enough = _PART * self._wanted
        while True:
            found = await self._probe(n, enough)
            await self._look_up([*found.distances, *found.without])
            ranked = roll_up(found.distances, self._owners, self._wanted)
            full = len(ranked) == self._wanted
            if found.is_whole or (full and ranked[-1].distance < found.radius):
                break
            enough *= 4
        whole = roll_up(found.distances, self._owners, n) if found.without else ranked
        without = {self._owners[c][0] for c in found.without if c in self._owners}
        self.not_ranked = len(without - {c.uuid for c in whole})
        return ranked

    async def _look_up(self, chunk_ids: list[int]) -> None:
        fresh = [c for c in chunk_ids if c not in self._asked]
        self._asked.update(fresh)
        if fresh:
            self._owners |= await resolve(self._connection, self._scope, fresh)
