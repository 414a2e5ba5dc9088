"""Comparing two rankings: overlap, movement, rank-biased overlap; their definitions. Pure.

Two memories of one search are compared in core/explain/parting.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.explain.parting import Parting, PartingStep, StepValue, parting

__all__ = [
    "JACCARD_DEFINITION",
    "RBO_DEFINITION",
    "Movement",
    "Parting",
    "PartingStep",
    "StepValue",
    "jaccard",
    "movements",
    "parting",
    "rank_biased_overlap",
]

JACCARD_DEFINITION = (
    "Jaccard at k: memories in the first k of both lists, divided by those in the first k of "
    "either."
)
RBO_DEFINITION = (
    "Rank-biased overlap: how much the lists agree, the top counting most (p = 0.9: the first ten "
    "places carry 86 % of the weight), extrapolated from the first 50. 1 is the same order, 0 is "
    "nothing in common."
)


@dataclass(frozen=True, slots=True)
class Movement:
    """Where a memory stood and where it stands (from 1); None: not in that list."""

    uuid: str
    before: int | None
    now: int | None


def jaccard(a: Sequence[str], b: Sequence[str], k: int) -> float:
    """Return the overlap of the first k of two lists, order left aside; 1.0 for two empty ones."""
    first, second = set(a[:k]), set(b[:k])
    either = first | second
    return len(first & second) / len(either) if either else 1.0


def _overlaps(a: Sequence[str], b: Sequence[str], depth: int) -> list[int]:
    """Return how many items the first d of both lists share, for d = 1..depth."""
    seen_a: set[str] = set()
    seen_b: set[str] = set()
    found, shared = [], 0
    for at in range(depth):
        if at < len(a):
            seen_a.add(a[at])
            shared += a[at] in seen_b
        if at < len(b):
            seen_b.add(b[at])
            shared += b[at] in seen_a
        found.append(shared)
    return found


def rank_biased_overlap(
    a: Sequence[str], b: Sequence[str], p: float = 0.9, depth: int = 50
) -> float:
    """Return the extrapolated rank-biased overlap of the first `depth` of two lists, 0 to 1.

    RBO_ext for lists of uneven length, equation 32 of Webber, Moffat and Zobel, A Similarity
    Measure for Indefinite Rankings (2010). Items do not repeat. Two empty lists are the same.
    """
    short, long = sorted((list(a[:depth]), list(b[:depth])), key=len)
    if short == long:
        return 1.0
    s, n = len(short), len(long)
    if s == 0:
        return 0.0
    shared = _overlaps(short, long, n)
    agreed = sum(shared[d - 1] / d * p**d for d in range(1, n + 1))
    assumed = sum(shared[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    beyond = ((shared[n - 1] - shared[s - 1]) / n + shared[s - 1] / s) * p**n
    return (1 - p) / p * (agreed + assumed) + beyond


def movements(before: Sequence[str], now: Sequence[str]) -> tuple[Movement, ...]:
    """Return every memory's move: in today's order, then those that left, in theirs."""
    then = {uuid: at for at, uuid in enumerate(before, 1)}
    today = {uuid: at for at, uuid in enumerate(now, 1)}
    return tuple(
        Movement(uuid, then.get(uuid), today.get(uuid)) for uuid in dict.fromkeys((*now, *before))
    )
