"""Ranking a finished search again with other settings, in memory. Pure; nothing is searched.

New are rrf_k, both penalties and a smaller fusion depth. What lies beyond the search's own depth
is unknown here: a greater depth, and other probing, take a new search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.explain.pool import Pool
from core.retrieval import ranking
from core.retrieval.arms import MAX_DOUBLINGS
from core.retrieval.outcome import DenseEvidence, Hit, LexicalEvidence, SearchOutcome
from core.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two rows that change places as rrf_k grows.

    `rrf_k` is the first k looked at where they have; `upper` then stands above `lower`, at
    `position`.
    """

    rrf_k: int
    upper: str
    lower: str
    position: int


def _within[E: (DenseEvidence, LexicalEvidence)](evidence: E | None, depth: int) -> E | None:
    return evidence if evidence is not None and evidence.rank <= depth else None


def rerank(hits: Sequence[Hit], settings: RetrievalSettings) -> tuple[Hit, ...]:
    """Return the pool as a search with `settings` ranks it, in its final order.

    Evidence beyond `settings.fusion_depth` is dropped, and with it the rows that have no other.
    The result is that of a search except where `is_depth_certain` says otherwise.
    """
    pool = Pool.of(hits, settings.fusion_depth)
    by_uuid = {h.uuid: h for h in hits}
    scores = pool.scores(settings.rrf_k)
    return tuple(
        Hit(
            head=by_uuid[p.uuid].head,
            dense=_within(by_uuid[p.uuid].dense, settings.fusion_depth),
            lexical=_within(by_uuid[p.uuid].lexical, settings.fusion_depth),
            rrf_score=scores[p.uuid].rrf_score,
            penalty=p.penalty,
            fused_score=p.fused_score,
            position=p.position,
            position_before_repair=p.position_before_repair,
            on_cycle=p.on_cycle,
        )
        for p in ranking.rank([pool.row(fused) for fused in scores.values()], settings)
    )


def is_depth_certain(outcome: SearchOutcome, depth: int) -> bool:
    """Tell whether a search at `depth` surely finds what `rerank` keeps of this one.

    A smaller depth also probes fewer chunks. Where ineligible or many-chunked memories fill the
    nearest ones, such a search may hit its probe cap and find fewer memories, which only a search
    can tell. It is certain where its widest probe takes in all this search has probed, or every
    chunk. (Left open: vectors at exactly equal distances at the very edge of a probe.)
    """
    own = outcome.settings
    if depth > own.fusion_depth:
        return False
    if not outcome.dense.ran or depth == own.fusion_depth:
        return True
    probed = own.fusion_depth * own.chunk_overfetch << outcome.doublings
    widest = depth * own.chunk_overfetch << MAX_DOUBLINGS
    return widest >= min(probed, outcome.chunks)


def rank_curve(
    hits: Sequence[Hit], settings: RetrievalSettings, rrf_ks: Sequence[int]
) -> Mapping[str, tuple[int | None, ...]]:
    """Return every row's position at each rrf_k of `rrf_ks`, all else as in `settings`.

    None where the row has no evidence within the fusion depth, then at every k.
    """
    pool = Pool.of(hits, settings.fusion_depth)
    places = [
        {uuid: at for at, uuid in enumerate(order, 1)} for order in pool.orders(settings, rrf_ks)
    ]
    return {h.uuid: tuple(place.get(h.uuid) for place in places) for h in hits}


def crossings(
    curve: Mapping[str, tuple[int | None, ...]], rrf_ks: Sequence[int], uuids: Sequence[str]
) -> tuple[Crossing, ...]:
    """Return where the lines of `uuids` cross, by rrf_k, then position, then uuids.

    `rrf_ks` are those of `curve`, ascending.
    """
    found = [
        crossing
        for one, other in combinations(dict.fromkeys(uuids), 2)
        for crossing in _crossings_of(one, other, curve, rrf_ks)
    ]
    return tuple(sorted(found, key=lambda c: (c.rrf_k, c.position, c.upper, c.lower)))


def _crossings_of(
    one: str, other: str, curve: Mapping[str, tuple[int | None, ...]], rrf_ks: Sequence[int]
) -> list[Crossing]:
    found: list[Crossing] = []
    before: bool | None = None
    for k, a, b in zip(rrf_ks, curve[one], curve[other], strict=True):
        if a is None or b is None:
            return []
        if before is not None and before != (a < b):
            upper, lower = (one, other) if a < b else (other, one)
            found.append(Crossing(k, upper, lower, min(a, b)))
        before = a < b
    return found
