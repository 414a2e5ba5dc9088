"""Every pair of memories at least as near as a threshold, block by block; for a worker.

Near as the agent judges a new memory: the first part of one against any part of the other, in
either direction, by cosine in float64. Nothing is approximate; the time grows with the square of
the number. Room is bounded: a block of products, and the nearest pairs up to a cap. Beyond the cap
the groups are still those of all pairs.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.duplicates.corpus import Corpus, Floats, Places, VectorSpace
from core.duplicates.keys import KeyPair
from core.progress import Report, unreported

MAX_PAIRS = 200_000
LOWEST, HIGHEST = 0.80, 1.00
TOLERANCE = 1e-9
"""How far below the threshold a cosine may lie: two equal vectors may miss 1 by rounding."""
_BLOCK = 1024

type Cosines = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of places in a corpus' memories, each once, the smaller place first; nearest first."""

    first: Places
    second: Places
    cosines: Cosines

    def __len__(self) -> int:
        return len(self.cosines)


@dataclass(frozen=True, slots=True)
class PairScan:
    """What one pass over a corpus found from `threshold` on.

    With `is_complete`, `pairs` are all there are, pairs in `apart` too; else the nearest ones.
    `labels` name each memory's group, pairs in `apart` not counted; `closest` is the cosine of
    its nearest pair, 0 where it has none.
    """

    threshold: float
    apart: frozenset[KeyPair]
    pairs: Pairs
    is_complete: bool
    labels: Places
    closest: Cosines

    def answers(self, threshold: float, apart: Collection[KeyPair]) -> bool:
        """Tell whether groups for these can be told without another pass."""
        if self.is_complete:
            return threshold >= self.threshold
        return threshold == self.threshold and frozenset(apart) == self.apart


def scan_pairs(
    corpus: Corpus,
    threshold: float,
    apart: frozenset[KeyPair] = frozenset(),
    report: Report = unreported,
    *,
    max_pairs: int = MAX_PAIRS,
) -> PairScan:
    """Compare all memories of each model with one another.

    `report` is told blocks done, and may raise WorkCancelledError. Raises ValueError for a
    threshold that is not from 0.80 to 1.00.
    """
    if not LOWEST <= threshold <= HIGHEST:
        raise ValueError(f"a threshold is from {LOWEST} to {HIGHEST}")
    found = _Found(corpus, apart, max_pairs)
    total = sum(_blocks(space) for space in corpus.spaces)
    done = 0
    report(done, total)
    for space in corpus.spaces:
        for hits in _hits(space, threshold - TOLERANCE):
            found.add(*hits)
            done += 1
            report(done, total)
    return found.made(threshold)


def _blocks(space: VectorSpace) -> int:
    rows, further = -(-len(space.firsts) // _BLOCK), -(-len(space.further) // _BLOCK)
    return rows * (rows + 1) // 2 + rows * further


def _hits(space: VectorSpace, least: float) -> Iterator[tuple[Places, Places, Cosines]]:
    """Yield the near pairs of each block of products, as places of memories."""
    for start in range(0, len(space.firsts), _BLOCK):
        rows, owners = _unit(space.firsts, start), space.owners[start : start + _BLOCK]
        for other in range(start, len(space.firsts), _BLOCK):
            products = rows @ _unit(space.firsts, other).T
            if other == start:
                products = np.triu(products, 1)
            yield _near(products, owners, space.owners[other : other + _BLOCK], least)
        for other in range(0, len(space.further), _BLOCK):
            products = rows @ _unit(space.further, other).T
            yield _near(products, owners, space.further_owners[other : other + _BLOCK], least)


def _unit(vectors: Floats, start: int) -> Cosines:
    block = vectors[start : start + _BLOCK].astype(np.float64)
    block /= np.linalg.norm(block, axis=1, keepdims=True)
    return block


def _near(
    products: Cosines, owners: Places, others: Places, least: float
) -> tuple[Places, Places, Cosines]:
    row, column = np.nonzero(products >= least)
    one, other = owners[row], others[column]
    two = one != other  # further parts of a memory meet its own first one
    one, other, cosines = one[two], other[two], products[row, column][two]
    return np.minimum(one, other), np.maximum(one, other), np.minimum(cosines, 1.0)


class _Found:
    """Pairs, labels and nearest cosines on their way."""

    def __init__(self, corpus: Corpus, apart: frozenset[KeyPair], max_pairs: int) -> None:
        self._count = len(corpus.memories)
        self._max_pairs = max_pairs
        self._apart = apart
        self._apart_codes = apart_codes(corpus, apart)
        self._parts: list[tuple[Places, Places, Cosines]] = []
        self._kept = 0
        self._farthest = (0.0, 0)  # cosine and code of the last pair that fits
        self._is_complete = True
        self._labels: Places = np.arange(self._count)
        self._closest: Cosines = np.zeros(self._count)

    def add(self, first: Places, second: Places, cosines: Cosines) -> None:
        """Take the pairs of one block."""
        if not len(cosines):
            return
        codes = first * self._count + second
        self._keep(first, second, cosines, codes)
        if len(self._apart_codes):
            together = ~np.isin(codes, self._apart_codes)
            first, second, cosines = first[together], second[together], cosines[together]
        join(self._labels, first, second)
        for places in (first, second):
            np.maximum.at(self._closest, places, cosines)

    def _keep(self, first: Places, second: Places, cosines: Cosines, codes: Places) -> None:
        """Keep what may be among the nearest pairs; equally near ones count by place."""
        floor, last = self._farthest
        near = (cosines > floor) | ((cosines == floor) & (codes <= last))
        self._parts.append((first[near], second[near], cosines[near]))
        self._kept += int(near.sum())
        if self._kept > 2 * self._max_pairs:
            self._prune()

    def _prune(self) -> None:
        pairs = _distinct(self._parts, self._count)
        most = self._max_pairs
        if len(pairs) > most:
            self._is_complete = False
            code = int(pairs.first[most - 1]) * self._count + int(pairs.second[most - 1])
            self._farthest = float(pairs.cosines[most - 1]), code
        self._parts = [(pairs.first[:most], pairs.second[:most], pairs.cosines[:most])]
        self._kept = min(len(pairs), most)

    def made(self, threshold: float) -> PairScan:
        """Return what was found."""
        self._prune()
        (only,) = self._parts
        return PairScan(
            *(threshold, self._apart, Pairs(*only), self._is_complete),
            *(self._labels, self._closest),
        )


def _distinct(parts: list[tuple[Places, Places, Cosines]], count: int) -> Pairs:
    """Return each pair once with its best cosine, nearest first, then by place."""
    if not parts:
        nothing = np.empty(0, dtype=np.intp)
        return Pairs(nothing, nothing, np.empty(0))
    first, second, cosines = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    codes = first * count + second
    order = np.lexsort((-cosines, codes))
    codes = codes[order]
    best = order[np.concatenate([[True], codes[1:] != codes[:-1]])]
    best = best[np.lexsort((second[best], first[best], -cosines[best]))]
    return Pairs(first[best], second[best], cosines[best])


def apart_codes(corpus: Corpus, apart: Collection[KeyPair]) -> Places:
    """Return pairs of keys as place * memories + place, as far as both are in the corpus."""
    if not apart:
        return np.empty(0, dtype=np.intp)
    wanted = {key for pair in apart for key in pair}
    place_of = {m.key: at for at, m in enumerate(corpus.memories) if m.key in wanted}
    codes = [
        min(place_of[a], place_of[b]) * len(corpus.memories) + max(place_of[a], place_of[b])
        for a, b in apart
        if a in place_of and b in place_of
    ]
    return np.array(codes, dtype=np.intp)


def join(labels: Places, first: Places, second: Places) -> None:
    """Give the members of each pair, and all who share their labels, one label: the smallest.

    Labels are places and point at themselves where they are a group's own; done in whole arrays.
    """
    while True:
        one, other = labels[first], labels[second]
        apart = one != other
        if not apart.any():
            return
        low, high = np.minimum(one, other)[apart], np.maximum(one, other)[apart]
        np.minimum.at(labels, high, low)
        while not np.array_equal(flat := labels[labels], labels):
            labels[:] = flat
