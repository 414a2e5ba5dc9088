"""Finding the n nearest chunks: through vec0, or through the matrix in memory.

Both answer with the extension's own distances and the same set; the matrix only finds the
candidates, with a margin that proves that none was missed.
"""

import math
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from core.retrieval.arms import PEER_K_LIMIT, Probe, ProbeFunction
from core.store import vectors
from core.store.connection import Connection

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.retrieval.matrix import Scan, VectorMatrix

type RunScan = Callable[[Callable[[], Scan]], Awaitable[Scan]]


def _nearest(pairs: list[tuple[int, float]], n: int) -> dict[int, float]:
    return dict(sorted(pairs, key=lambda p: (p[1], p[0]))[:n])


def _finite(pairs: list[tuple[int, float | None]]) -> list[tuple[int, float]]:
    return [(c, d) for c, d in pairs if d is not None and math.isfinite(d)]


def vec0_probe(connection: Connection, query: bytes) -> ProbeFunction:
    """Ask vec0 for the n nearest; scan all vectors where vec0 cannot answer.

    It refuses k above 4096, and a non-finite vector spoils its order.
    """

    async def probe(n: int) -> Probe:
        if n <= PEER_K_LIMIT:
            found = await vectors.nearest(connection, query, n)
            finite = _finite(found)
            if len(finite) == len(found):
                return Probe(dict(finite))
        found = await vectors.nearest_exact(connection, query)
        finite = _finite(found)
        not_a_number = sum(1 for _, d in found if d is None)
        # Infinite distances sort last: they are met only when the probe reaches past the others.
        infinite = len(found) - len(finite) - not_a_number if n > len(finite) else 0
        return Probe(_nearest(finite, n), not_a_number + infinite)

    return probe


class MatrixProbe:
    """Find candidates by one scan of the matrix; take distances and the order from the extension.

    The scan is started by `start` and awaited by the first probe, so that it can run beside the
    lexical arm.
    """

    def __init__(
        self, connection: Connection, query: bytes, matrix: "VectorMatrix", scan: "Awaitable[Scan]"
    ) -> None:
        self._connection = connection
        self._query = query
        self._matrix = matrix
        self._scan = scan
        self._scanned: Scan | None = None
        self._known: dict[int, float | None] = {}

    async def __call__(self, n: int) -> Probe:
        """Return the n nearest chunks exactly as vec0 would."""
        if self._scanned is None:
            self._scanned = await self._scan
        rows = self._scanned.candidates(n)
        fresh = [r for r in rows if r not in self._known]
        if fresh:
            packed = self._matrix.packed(fresh)
            found = await vectors.distances(self._connection, self._query, packed)
            self._known.update(zip(fresh, found, strict=True))
        finite = _finite([(r, self._known[r]) for r in rows])
        ordered = sorted(finite, key=lambda p: p[1])
        if n <= PEER_K_LIMIT and len(ordered) > n and ordered[n - 1][1] == ordered[n][1]:
            # vec0 keeps an unordered subset of the equal ones: only it can say which.
            return await vec0_probe(self._connection, self._query)(n)
        ids = self._matrix.chunk_ids(r for r, _ in ordered)
        pairs = list(zip(ids, (d for _, d in ordered), strict=True))
        not_a_number = self._matrix.not_a_number
        infinite = self._matrix.rows - not_a_number - len(ordered) if n > len(ordered) else 0
        return Probe(_nearest(pairs, n), not_a_number + max(0, infinite))
