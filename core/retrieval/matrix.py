"""All stored vectors of a store in memory, to find the candidates of a dense probe fast.

Never the source of a distance: approximate squared distances with a proven error bound choose the
candidates, the vector extension measures them. Imports numpy; import it off the first paint.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.store.vectors import VectorBlock

BOUND_BYTES = 512 * 1024 * 1024
MAX_ODD_ROWS = 2048
_UNIT_ROUNDOFF = 2.0**-24
_LOW, _HIGH = 0.25, 4.0
_LONGEST_QUERY = 1e15

type Floats = npt.NDArray[np.float32]
type Rows = npt.NDArray[np.intp]


class Scan:
    """The approximate squared distances of every ordinary row to one query."""

    def __init__(self, squared: Floats, odd: Rows, margin: float) -> None:
        self._squared = squared
        self._odd: list[int] = odd.tolist()
        self._margin = margin

    @property
    def squared(self) -> Floats:
        """Return the approximate squared distances; infinite for odd rows."""
        return self._squared

    def candidates(self, n: int) -> list[int]:
        """Return row numbers that surely hold the n nearest, and every row equal to the n-th.

        If the n-th smallest approximate value is s and every value is off by at most e, the n
        nearest lie at most at s + e in truth, so at most at s + 2e here.
        """
        if n >= len(self._squared):
            return list(range(len(self._squared)))
        nth = float(np.partition(self._squared, n - 1)[n - 1])
        close: list[int] = np.flatnonzero(
            self._squared <= np.float32(nth + 2 * self._margin)
        ).tolist()
        return sorted({*close, *self._odd}) if self._odd else close


    def around(self, distance: float) -> tuple[list[int], list[int]]:
        """Return rows that are surely nearer than a measured distance, and rows to be measured.

        Every other row is surely farther.
        """
        slack = np.float32(4 * self._margin)
        off = self._squared - np.float32(distance * distance)
        nearer: list[int] = np.flatnonzero(off < -slack).tolist()
        close: list[int] = np.flatnonzero(np.abs(off) <= slack).tolist()
        return nearer, [*close, *self._odd]


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """Vectors (rows x width, float32) with their chunk ids and squared norms.

    `odd` are rows far from unit length or not finite: they are always candidates.
    """

    ids: npt.NDArray[np.int64]
    vectors: Floats
    norms: Floats
    odd: Rows
    not_a_number: int
    data_version: int

    @property
    def rows(self) -> int:
        """Return the number of vectors."""
        return len(self.ids)

    @property
    def size_bytes(self) -> int:
        """Return the memory the arrays take."""
        return int(self.ids.nbytes + self.vectors.nbytes + self.norms.nbytes)

    def can_scan(self, query: bytes) -> bool:
        """Tell whether a scan's bound holds: no NaN anywhere, and no square that overflows."""
        length = float(np.linalg.norm(np.frombuffer(query, dtype="<f4").astype(np.float64)))
        return self.not_a_number == 0 and length < _LONGEST_QUERY

    def scan(self, query: bytes) -> Scan:
        """Compute |v|^2 - 2 v.q + |q|^2 for all rows; blocks for one pass over the matrix."""
        q = np.frombuffer(query, dtype="<f4")
        length = float(np.linalg.norm(q.astype(np.float64)))
        with np.errstate(all="ignore"):  # odd rows may overflow; they are candidates anyway
            squared = self.vectors @ q
            squared *= np.float32(-2.0)
            squared += self.norms
            squared += np.float32(length * length)
        squared[self.odd] = np.inf
        return Scan(squared, self.odd, self._margin(length))

    def _margin(self, length: float) -> float:
        """Bound the error of a squared distance: ours and the extension's, both in float32.

        Sums of w products are off by at most gamma * |a||b|, gamma = w*u / (1 - w*u) (Higham,
        Accuracy and Stability of Numerical Algorithms, 3.1); w is padded for the last few steps.
        """
        w = self.vectors.shape[1] + 16
        gamma = w * _UNIT_ROUNDOFF / (1 - w * _UNIT_ROUNDOFF)
        longest: float = math.sqrt(_HIGH)
        return float(2 * gamma * (longest + length) ** 2)

    def packed(self, rows: Sequence[int]) -> bytes:
        """Return the vectors of some rows, packed little-endian float32, in order."""
        return self.vectors[np.asarray(rows, dtype=np.intp)].astype("<f4", copy=False).tobytes()

    def chunk_ids(self, rows: Iterable[int]) -> list[int]:
        """Return the chunk ids of some rows, in order."""
        picked: list[int] = self.ids[np.fromiter(rows, dtype=np.intp)].tolist()
        return picked


def build_matrix(
    blocks: Iterable[VectorBlock], *, rows: int, width: int, data_version: int
) -> VectorMatrix | None:
    """Join storage blocks into a matrix; None where it would not be usable.

    That is where the blocks hold another number of rows than `rows`, or too many odd vectors.
    """
    ids = np.empty(rows, dtype=np.int64)
    vectors = np.empty((rows, width), dtype=np.float32)
    at = 0
    for block in blocks:
        end = at + len(block.chunk_ids)
        if end > rows:
            return None
        ids[at:end] = block.chunk_ids
        vectors[at:end] = np.frombuffer(block.vectors, dtype="<f4").reshape(-1, width)
        at = end
    if at != rows:
        return None
    with np.errstate(all="ignore"):
        norms = np.einsum("ij,ij->i", vectors, vectors)
    odd = np.flatnonzero(~((norms >= _LOW) & (norms <= _HIGH)))
    if len(odd) > MAX_ODD_ROWS:
        return None
    not_a_number = int(np.isnan(vectors[odd]).any(axis=1).sum())
    return VectorMatrix(ids, vectors, norms, odd, not_a_number, data_version)
