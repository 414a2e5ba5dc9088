"""How far one store with all rows would have looked for the meaning arm. Pure.

The peer probes for n chunks, doubling n at most four times; whether it would have found a memory
depends on how many chunks of all stores are nearer than the memory's own.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.arms import MAX_DOUBLINGS, ArmReport, StopReason


@dataclass(frozen=True, slots=True)
class DenseReach:
    """How many of the merged candidates one store would have found, and how it would report."""

    found: int
    report: ArmReport
    doublings: int


def probe_sizes(depth: int, overfetch: int) -> list[int]:
    """Return the n of every probe that may be made, in order."""
    return [depth * overfetch * 2**doubling for doubling in range(MAX_DOUBLINGS + 1)]


def dense_reach(
    merged: Sequence[float],
    chunk_distances: Sequence[Sequence[float]],
    *,
    depth: int,
    overfetch: int,
    chunks: int,
) -> DenseReach:
    """Judge the distances of the nearest depth + 1 memories, in order.

    `chunk_distances` holds, for each store, in order, the distances of at least all chunks that
    are as near as the last of `merged`. `chunks` counts those of all stores.
    """
    probes = probe_sizes(depth, overfetch)

    def rank(distance: float) -> int:
        # Of chunks equally far vec0 keeps any: the memory's own counts as the first of them.
        return 1 + sum(bisect_left(near, distance) for near in chunk_distances)

    full = len(merged) > depth
    needed = rank(merged[-1]) if full else chunks
    for doublings, n in enumerate(probes):
        if n >= min(needed, chunks):
            stop = StopReason.DEPTH_REACHED if full else StopReason.INDEX_EXHAUSTED
            return DenseReach(len(merged), ArmReport(True, len(merged), stop), doublings)
    found = sum(1 for distance in merged if rank(distance) <= probes[-1])
    capped = ArmReport(True, found, StopReason.PROBE_CAP_HIT)
    return DenseReach(found, capped, MAX_DOUBLINGS)
