"""What can be said of a hit before anything else is read: its place, told from the search alone."""

from core.explain.explanation import (
    ChunkDistance,
    DenseSide,
    Explanation,
    LexicalSide,
    Verdict,
)
from core.explain.standing import standing_of
from core.retrieval.ladder import Rung
from core.retrieval.outcome import Hit, SearchOutcome


def first_look(
    outcome: SearchOutcome, hit: Hit, limit: int, ladder: tuple[Rung, ...], store_id: str
) -> Explanation:
    """Return the explanation of a hit that is not whole yet. Pure."""
    standing = standing_of(outcome, hit.uuid, limit)
    if standing is None:
        raise ValueError("a hit belongs to its outcome")
    return Explanation(
        uuid=hit.uuid,
        store_id=store_id,
        verdict=Verdict.HIT if standing.cut.inside else Verdict.BELOW_CUT,
        head=hit.head,
        outcome=outcome,
        limit=limit,
        ladder=ladder,
        dense=_dense(outcome, hit),
        lexical=_lexical(outcome, hit),
        standing=standing,
        margins=(),
        provenance=None,
        is_whole=False,
    )


def _dense(outcome: SearchOutcome, hit: Hit) -> DenseSide:
    stop, found = outcome.dense.stop_reason, hit.dense
    if found is None:
        return DenseSide(None, 0, None, None, stop, ())
    chunk = ChunkDistance(found.part_index, found.chunk_id, found.distance, None, None)
    return DenseSide(found.rank, 0, found.distance, None, stop, (chunk,))


def _lexical(outcome: SearchOutcome, hit: Hit) -> LexicalSide:
    stop, found = outcome.lexical.stop_reason, hit.lexical
    if found is None:
        return LexicalSide(None, 0, None, stop, ())
    return LexicalSide(found.rank, 0, found.bm25, stop, ())
