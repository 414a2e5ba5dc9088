"""The meaning arm's view of one memory: all its chunks, and its true rank at any depth.

Distances are the vector extension's own. Nothing here cuts text; see `with_spans`.
"""

import asyncio
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from core.explain.explanation import ChunkDistance, DenseSide
from core.notices import NoticeCode
from core.readmodels import MemoryHead
from core.retrieval.chunk_owners import ChunkOwners, chunk_owners
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import HeldVectors
from core.store import chunks, vectors
from core.store.connection import Connection

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.retrieval.matrix import VectorMatrix

_UNIT_TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class _Around:
    """The chunks nearer than one distance, those equally far, and all that have a distance."""

    nearer: list[int]
    equal: list[int]
    measured: list[int]


@dataclass(frozen=True, slots=True)
class OwnChunks:
    """What a memory's own store tells of it: all its chunks, the nearest of them, its cosine."""

    parts: tuple[ChunkDistance, ...]
    nearest: ChunkDistance | None
    cosine: float | None

    @property
    def distance(self) -> float | None:
        """Return the distance of the nearest chunk."""
        return None if self.nearest is None else self.nearest.distance


@dataclass(frozen=True, slots=True)
class DensePlace:
    """A memory among those of one store: how many are ranked there, and how many before it.

    `before` is None where that was not asked.
    """

    ranked: int
    before: int | None


async def dense_side(
    connection: Connection,
    outcome: SearchOutcome,
    head: MemoryHead,
    *,
    eligible: bool,
    held: HeldVectors | None = None,
) -> DenseSide:
    """Measure every chunk of a memory and rank it among all eligible ones.

    Runs in a snapshot of the outcome's own state; the chunks have no spans yet. A memory that the
    arm returned keeps the arm's rank; any other costs one pass over all vectors, in memory or not.
    """
    own = await own_chunks(connection, outcome, head)
    places = []
    if outcome.query.dense is not None and outcome.dense.ran:
        places = [await dense_place(connection, outcome, head.uuid, own.distance, held)]
    return put_together(outcome, head.uuid, own, places, eligible=eligible)


async def own_chunks(connection: Connection, outcome: SearchOutcome, head: MemoryHead) -> OwnChunks:
    """Measure every chunk of a memory of this store."""
    query = None if outcome.query.dense is None else outcome.query.dense.vector
    parts = await _chunks(connection, head.rowid, query)
    nearest = _nearest(parts)
    cosine = None if query is None else await _cosine(connection, query, nearest)
    return OwnChunks(parts, nearest, cosine)


async def dense_place(
    connection: Connection,
    outcome: SearchOutcome,
    uuid: str,
    distance: float | None,
    held: HeldVectors | None = None,
) -> DensePlace:
    """Count the memories of this store that have a distance, and those before a memory of any
    store whose nearest chunk is at `distance`.

    For an outcome whose arm ran. Only counted are those before one that the arm did not return.
    """
    query = outcome.query.dense
    assert query is not None, "an arm that ran had a vector"
    owners = await chunk_owners(connection, outcome.scope)
    if _arm_rank(outcome, uuid) is not None and _all_have_distances(outcome):
        return DensePlace(owners.count(await vectors.chunk_ids(connection)), None)
    around = await _around(connection, query.vector, distance, held or HeldVectors())
    before = None if distance is None else await _before(connection, owners, around, uuid)
    return DensePlace(owners.count(around.measured), before)


def put_together(
    outcome: SearchOutcome,
    uuid: str,
    own: OwnChunks,
    places: Sequence[DensePlace],
    *,
    eligible: bool,
) -> DenseSide:
    """Add up what every store of the search tells; no place at all where the arm did not run."""
    before = [place.before for place in places if place.before is not None]
    rank = _arm_rank(outcome, uuid) if places else None
    if places and eligible and len(before) == len(places):
        rank = 1 + sum(before)
    return DenseSide(
        rank=rank,
        ranked=sum(place.ranked for place in places),
        distance=own.distance,
        cosine=own.cosine,
        stop_reason=outcome.dense.stop_reason,
        chunks=own.parts,
    )


def with_spans(side: DenseSide, spans: Sequence[tuple[int, int]] | None) -> DenseSide:
    """Return the side with (start, end) of every part put in; unchanged where they are unknown."""
    if spans is None:
        return side
    known = dict(enumerate(spans))
    none = (None, None)
    placed = [(chunk, known.get(chunk.part_index, none)) for chunk in side.chunks]
    return replace(side, chunks=tuple(replace(c, start=s, end=e) for c, (s, e) in placed))


async def _chunks(
    connection: Connection, rowid: int, query: bytes | None
) -> tuple[ChunkDistance, ...]:
    if query is None:
        ids = await chunks.ids_of_row(connection, rowid)
        return tuple(ChunkDistance(part, chunk, None, None, None) for part, chunk in ids)
    measured = await vectors.distances_of_row(connection, rowid, query)
    return tuple(ChunkDistance(part, chunk, far, None, None) for part, chunk, far in measured)


def _arm_rank(outcome: SearchOutcome, uuid: str) -> int | None:
    hit = outcome.hit(uuid)
    return None if hit is None or hit.dense is None else hit.dense.rank


def _all_have_distances(outcome: SearchOutcome) -> bool:
    """Tell whether no eligible memory is without a distance: a probe meets those first."""
    return all(n.code is not NoticeCode.PEER_FAILS_VECTOR for n in outcome.notices)


def _nearest(parts: Sequence[ChunkDistance]) -> ChunkDistance | None:
    """Return the chunk that stands for the memory: the nearest, of equals the lowest part."""
    measured = [(c.distance, c.part_index, c.chunk_id, c) for c in parts if c.distance is not None]
    return min(measured)[3] if measured else None


async def _before(connection: Connection, owners: ChunkOwners, around: _Around, uuid: str) -> int:
    """Count the memories before one whose nearest chunk is at the distance; uuids part equals."""
    equal = owners.first_only(around.equal, around.nearer)
    ties = await owners.uuids(connection, equal)
    return owners.count(around.nearer) + sum(other < uuid for other in ties)


async def _around(
    connection: Connection, query: bytes, limit: float | None, held: HeldVectors
) -> _Around:
    matrix = held.matrix
    if matrix is None or limit is None or math.isinf(limit) or not matrix.can_scan(query):
        pairs = await vectors.every_distance(connection, query)
        known = [(c, d) for c, d in pairs if d is not None]
        return _sorted_out(known, limit, [c for c, _ in known], [])
    scan = partial(_scanned, matrix, query, limit)
    nearer, close, everyone = await asyncio.get_running_loop().run_in_executor(held.executor, scan)
    packed = matrix.packed(close)
    found = await vectors.distances(connection, query, packed)
    ids = matrix.chunk_ids(close)
    known = [(c, d) for c, d in zip(ids, found, strict=True) if d is not None]
    return _sorted_out(known, limit, everyone, nearer)


def _scanned(
    matrix: "VectorMatrix", query: bytes, limit: float
) -> tuple[list[int], list[int], list[int]]:
    """Return chunk ids that are surely nearer, rows to be measured, all chunk ids. Blocks."""
    nearer, close = matrix.scan(query).around(limit)
    return matrix.chunk_ids(nearer), close, matrix.chunk_ids(range(matrix.rows))


def _sorted_out(
    known: Sequence[tuple[int, float]],
    limit: float | None,
    measured: list[int],
    nearer: list[int],
) -> _Around:
    """Sort measured chunks into nearer and equally far ones, beside those known to be nearer."""
    if limit is None:
        return _Around([], [], measured)
    more = [chunk for chunk, distance in known if distance < limit]
    return _Around([*nearer, *more], [c for c, d in known if d == limit], measured)


async def _cosine(
    connection: Connection, query: bytes, nearest: ChunkDistance | None
) -> float | None:
    """Return 1 - d * d / 2 for unit vectors, else None: only there it is the cosine."""
    if nearest is None or nearest.distance is None or not _is_unit(query):
        return None
    stored = await vectors.vector_of(connection, nearest.chunk_id)
    if stored is None or not _is_unit(stored):
        return None
    return 1 - nearest.distance * nearest.distance / 2


def _is_unit(vector: bytes) -> bool:
    numbers = struct.unpack(f"<{len(vector) // 4}f", vector)
    return abs(math.hypot(*numbers) - 1) <= _UNIT_TOLERANCE
