"""One store's vectors in memory as part of a search over several: measured only out to a radius.

The scan finds candidates, with the margin that proves none was missed; distances are the vector
extension's own.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING

from core.retrieval.arms import DenseCandidate, Owner, resolve, roll_up
from core.retrieval.eligibility import Scope
from core.store import vectors
from core.store.connection import Connection

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.retrieval.matrix import Scan, VectorMatrix


class NearScan:
    """A scanned matrix without NaN, and what was measured of it so far."""

    def __init__(self, matrix: "VectorMatrix", scan: "Scan", query: bytes) -> None:
        self.scan = scan
        self._matrix = matrix
        self._query = query
        self._measured: set[int] = set()
        self._distances: dict[int, float] = {}
        self._owners: dict[int, Owner] = {}

    @property
    def is_whole(self) -> bool:
        """Tell whether every vector was measured."""
        return len(self._measured) == self._matrix.rows

    @property
    def candidates(self) -> Sequence[DenseCandidate]:
        """Return the eligible memories met so far, nearest first."""
        return roll_up(self._distances, self._owners, max(1, len(self._owners)))

    @property
    def near(self) -> tuple[float, ...]:
        """Return the distances of the chunks measured, in order."""
        return tuple(sorted(self._distances.values()))

    async def measure(self, connection: Connection, scope: Scope, radius: float) -> None:
        """Measure every vector that may lie within a radius. Raises GenizahError."""
        if radius == inf:
            rows = list(range(self._matrix.rows))
        else:
            nearer, close = self.scan.around(radius)
            rows = [*nearer, *close]
        fresh = sorted(set(rows) - self._measured)
        if not fresh:
            return
        packed = self._matrix.packed(fresh)
        found = await vectors.distances(connection, self._query, packed)
        chunk_ids = self._matrix.chunk_ids(fresh)
        self._measured.update(fresh)
        self._distances.update(
            (chunk, distance)
            for chunk, distance in zip(chunk_ids, found, strict=True)
            if distance is not None
        )
        self._owners |= await resolve(connection, scope, chunk_ids)


def radius_of(scans: Sequence[NearScan], wanted: int) -> float:
    """Return about the distance of the `wanted`-th nearest vector of all; infinite for fewer."""
    import numpy as np

    squared = np.concatenate([near.scan.squared for near in scans])
    if wanted >= len(squared):
        return inf
    nth = float(np.partition(squared, wanted - 1)[wanted - 1])
    return sqrt(nth) if 0.0 < nth < inf else inf
