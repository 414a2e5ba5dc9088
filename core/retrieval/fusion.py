"""Reciprocal rank fusion (Cormack, Clarke, Buettcher, SIGIR 2009): a pure function of ranks."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FusedRow:
    """A memory's rank in each arm (1-based, None: absent) and the sum of its terms."""

    uuid: str
    dense_rank: int | None
    lexical_rank: int | None
    rrf_score: float

    @property
    def best_rank(self) -> int:
        """Return the better of the two ranks."""
        return min(r for r in (self.dense_rank, self.lexical_rank) if r is not None)


def rrf_term(rank: int, rrf_k: int) -> float:
    """Return 1 / (rrf_k + rank)."""
    return 1 / (rrf_k + rank)


def rrf_score(dense_rank: int | None, lexical_rank: int | None, rrf_k: int) -> float:
    """Add the terms of the arms that returned the row, the dense one first."""
    score = 0.0
    if dense_rank is not None:
        score += rrf_term(dense_rank, rrf_k)
    if lexical_rank is not None:
        score += rrf_term(lexical_rank, rrf_k)
    return score


def fuse(
    dense: Mapping[str, int], lexical: Mapping[str, int], rrf_k: int
) -> dict[str, FusedRow]:
    """Fuse two arms given as uuid -> rank; every row of either arm appears once."""
    return {
        uuid: FusedRow(
            uuid,
            dense.get(uuid),
            lexical.get(uuid),
            rrf_score(dense.get(uuid), lexical.get(uuid), rrf_k),
        )
        for uuid in dict.fromkeys((*dense, *lexical))
    }
