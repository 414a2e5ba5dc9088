"""Equal scores inside an arm: there the rank that feeds the fusion is arbitrary. Pure."""

from dataclasses import dataclass

from core.retrieval.outcome import Hit, SearchOutcome


@dataclass(frozen=True, slots=True)
class Ties:
    """The other hits with the same distance, and with the same bm25, by their rank in that arm.

    Among equals the uuid decides the rank. Rows beyond the fusion depth are not looked at.
    """

    dense: tuple[Hit, ...]
    lexical: tuple[Hit, ...]


def arm_ties(outcome: SearchOutcome, hit: Hit) -> Ties:
    """Return who shares a hit's distance or its bm25."""
    others = [h for h in outcome.hits if h.uuid != hit.uuid]
    dense, lexical = hit.dense, hit.lexical
    near = [
        (h.dense.rank, h)
        for h in others
        if dense is not None and h.dense is not None and h.dense.distance == dense.distance
    ]
    words = [
        (h.lexical.rank, h)
        for h in others
        if lexical is not None and h.lexical is not None and h.lexical.bm25 == lexical.bm25
    ]
    return Ties(_by_rank(near), _by_rank(words))


def _by_rank(ranked: list[tuple[int, Hit]]) -> tuple[Hit, ...]:
    return tuple(hit for _, hit in sorted(ranked, key=lambda pair: pair[0]))
