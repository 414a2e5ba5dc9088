"""Finding the n nearest chunks: through vec0, or through the matrix in memory.

Both answer with the extension's own distances and the same set; the matrix only finds the
candidates, with a margin that proves that none was missed.
"""

import math
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from core.retrieval.arms import PEER_K_LIMIT, Probe, ProbeFunction
from core.store import vectors
from core.store.connection import Connection

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.retrieval.matrix import Scan, VectorMatrix


def _nearest(pairs: list[tuple[int, float]], n: int) -> dict[int, float]:
    return dict(sorted(pairs, key=lambda p: (p[1], p[0]))[:n])


def _measured(pairs: list[tuple[int, float | None]]) -> list[tuple[int, float]]:
    return [(c, d) for c, d in pairs if d is not None]


def _without(pairs: list[tuple[int, float | None]]) -> frozenset[int]:
    return frozenset(c for c, d in pairs if d is None)


def exact_probe(connection: Connection, query: bytes) -> ProbeFunction:
    """Measure every vector; chunks without a distance are reported, never among the n."""

    async def probe(n: int, _enough: int) -> Probe:
        found = await vectors.nearest_exact(connection, query)
        return Probe(_nearest(_measured(found), n), _without(found))

    return probe


def vec0_probe(connection: Connection, query: bytes) -> ProbeFunction:
    """Ask vec0 for the n nearest; measure all vectors where it refuses, which is above 4096."""
    exact = exact_probe(connection, query)

    async def probe(n: int, enough: int) -> Probe:
        if n > PEER_K_LIMIT:
            return await exact(n, enough)
        found = await vectors.nearest(connection, query, n)
        return Probe(dict(_measured(found)), _without(found))

    return probe


class MatrixProbe:
    """Find candidates by one scan of the matrix; take distances and the order from the extension.

    For a matrix without NaN and a query that `VectorMatrix.can_scan`.

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

    async def __call__(self, n: int, enough: int) -> Probe:
        """Return the n nearest chunks exactly as vec0 would, or the nearest `enough` of them."""
        if self._scanned is None:
            self._scanned = await self._scan
        count = min(n, enough)
        pairs = await self._measure(self._scanned.candidates(count))
        if count < n and count < self._matrix.rows:
            return Probe(_nearest(pairs, count), is_whole=False)
        ordered = sorted(d for _, d in pairs)
        tied = len(ordered) > n and ordered[n - 1] == ordered[n]
        beyond = any(map(math.isinf, ordered[:n]))
        if n <= PEER_K_LIMIT and (tied or beyond):
            # vec0 keeps an unordered subset of the equal ones: only it can say which.
            return await vec0_probe(self._connection, self._query)(n, enough)
        return Probe(_nearest(pairs, n))

    async def _measure(self, rows: "list[int]") -> list[tuple[int, float]]:
        """Return (chunk id, distance) of some rows, each measured once by the extension."""
        fresh = [r for r in rows if r not in self._known]
        if fresh:
            packed = self._matrix.packed(fresh)
            found = await vectors.distances(self._connection, self._query, packed)
            self._known.update(zip(fresh, found, strict=True))
        ids = self._matrix.chunk_ids(rows)
        return _measured(list(zip(ids, (self._known[r] for r in rows), strict=True)))
