"""One store's vectors in memory as part of a search over several: measured only out to a radius.

The scan finds candidates, with the margin that proves none was missed; distances are the vector
extension's own.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING

from core.readmodels import MemoryHead
from core.retrieval.arms import DenseCandidate, Owner, roll_up
from core.retrieval.eligibility import Scope
from core.store import vectors
from core.store.conditions import Condition
from core.store.connection import Row, Statement
from core.store.memories import head_of

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.retrieval.matrix import Scan, VectorMatrix


class NearScan:
    """A scanned matrix without NaN, and what was measured of it so far.

    The heads of the memories met go into `heads`, by rowid.
    """

    def __init__(
        self,
        matrix: "VectorMatrix",
        scan: "Scan",
        query: bytes,
        heads: dict[int, MemoryHead],
    ) -> None:
        self.scan = scan
        self.candidates: Sequence[DenseCandidate] = ()
        """The eligible memories met so far, nearest first."""
        self._matrix = matrix
        self._query = query
        self._heads = heads
        self._measured: set[int] = set()
        self._distances: dict[int, float] = {}
        self._owners: dict[int, Owner] = {}

    @property
    def is_whole(self) -> bool:
        """Tell whether every vector was measured."""
        return len(self._measured) == self._matrix.rows

    @property
    def near(self) -> tuple[float, ...]:
        """Return the distances of the chunks measured, in order."""
        return tuple(sorted(self._distances.values()))

    def fresh(self, radius: float) -> list[int]:
        """Return the rows that may lie within a radius and are not measured yet, in order."""
        if radius == inf:
            return sorted(set(range(self._matrix.rows)) - self._measured)
        nearer, close = self.scan.around(radius)
        return sorted({*nearer, *close} - self._measured)

    def measuring(self, rows: Sequence[int], scope: Scope) -> Statement:
        """Return the statement that measures some rows and looks up the memories of those that the
        search may return; `take` takes its answer.
        """
        chunk_ids, packed = self._matrix.chunk_ids(rows), self._matrix.packed(rows)
        condition = Condition(scope.clause, scope.parameters)
        return vectors.measured_memories(self._query, chunk_ids, packed, condition)

    def take(self, rows: Sequence[int], answer: Sequence[Row]) -> None:
        """Take what was measured and met."""
        self._measured.update(rows)
        for chunk, distance, part, *columns in answer:
            if not isinstance(chunk, int):
                raise TypeError("chunk ids are integers")
            if isinstance(distance, float):
                self._distances[chunk] = distance
            if isinstance(part, int) and columns[0] is not None:
                head = head_of(tuple(columns))
                self._heads[head.rowid] = head
                self._owners[chunk] = (head.uuid, part, head.rowid)
        self.candidates = roll_up(self._distances, self._owners, max(1, len(self._owners)))


def radius_of(scans: Sequence[NearScan], wanted: int) -> float:
    """Return about the distance of the `wanted`-th nearest vector of all; infinite for fewer."""
    import numpy as np

    squared = np.concatenate([near.scan.squared for near in scans])
    if wanted >= len(squared):
        return inf
    nth = float(np.partition(squared, wanted - 1)[wanted - 1])
    return sqrt(nth) if 0.0 < nth < inf else inf
