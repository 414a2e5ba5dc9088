"""The place of one hit in its pool: every step of its ranking, from the search's own numbers. Pure.

The plain sentence is in core/explain/sentence; counts that need the store in core/retrieval/ladder.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.readmodels import State
from core.retrieval import ranking
from core.retrieval.arms import StopReason
from core.retrieval.fusion import rrf_term
from core.retrieval.outcome import DenseEvidence, Hit, LexicalEvidence, SearchOutcome
from core.retrieval.ranking import OrderKey, Rankable


class Arm:
    """Names of the arms, as the exports spell them."""

    DENSE = "dense"
    LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class FusionTerm:
    """One arm's share: 1 / (rrf_k + rank)."""

    arm: str
    rank: int
    value: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The row directly above or below, and which key decided between it and this row."""

    uuid: str
    position: int
    key: OrderKey


@dataclass(frozen=True, slots=True)
class Demotion:
    """What the penalty did: `position_if_live` is the place the row would have without it."""

    state: State
    factor: float
    before: float
    after: float
    position_if_live: int
    places_lost: int


@dataclass(frozen=True, slots=True)
class Repair:
    """Places moved by the supersession repair (positive: towards the top) and because of whom."""

    moved: int
    because_of: str | None


@dataclass(frozen=True, slots=True)
class Cut:
    """The limit, whether the row is inside, and the score gap to the last row inside.

    `gap` is last inside minus this row's score: positive below the cut, None inside it.
    """

    limit: int
    inside: bool
    gap: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """Every step of one hit's ranking, in pipeline order. Scores are floats as ranked by."""

    uuid: str
    position: int
    pool_size: int
    dense: DenseEvidence | None
    dense_stop: StopReason | None
    dense_reason: str | None
    doublings: int
    lexical: LexicalEvidence | None
    lexical_stop: StopReason | None
    lexical_reason: str | None
    rrf_k: int
    terms: tuple[FusionTerm, ...]
    rrf_score: float
    demotion: Demotion
    fused_score: float
    position_before_repair: int
    repair: Repair
    above: Neighbour | None
    below: Neighbour | None
    cut: Cut
    superseded_by: str | None


def rankable(hit: Hit) -> Rankable:
    """Return what the order of a hit depends on."""
    return Rankable(
        uuid=hit.uuid,
        rrf_score=hit.rrf_score,
        best_rank=hit.best_rank,
        state=hit.state,
        tier=hit.head.tier,
        created_at=hit.head.created_at,
        superseded_by=hit.head.superseded_by,
    )


def _terms(hit: Hit, rrf_k: int) -> tuple[FusionTerm, ...]:
    ranks = ((Arm.DENSE, hit.dense), (Arm.LEXICAL, hit.lexical))
    return tuple(
        FusionTerm(arm, e.rank, rrf_term(e.rank, rrf_k)) for arm, e in ranks if e is not None
    )


def _position_if_live(outcome: SearchOutcome, hit: Hit) -> int:
    rows = [
        replace(rankable(h), state=State.LIVE, superseded_by=None)
        if h.uuid == hit.uuid
        else rankable(h)
        for h in outcome.hits
    ]
    return next(p.position for p in ranking.rank(rows, outcome.settings) if p.uuid == hit.uuid)


def _demotion(outcome: SearchOutcome, hit: Hit) -> Demotion:
    alive = hit.position if hit.state is State.LIVE else _position_if_live(outcome, hit)
    return Demotion(
        state=hit.state,
        factor=hit.penalty,
        before=hit.rrf_score,
        after=hit.fused_score,
        position_if_live=alive,
        places_lost=max(0, hit.position - alive),
    )


def decided_by(above: Hit, below: Hit, outcome: SearchOutcome) -> OrderKey:
    """Name what put one adjacent hit above the other: a key of the order, or the repair."""
    if above.position_before_repair > below.position_before_repair:
        return OrderKey.REPAIR
    return ranking.deciding_key(rankable(above), rankable(below), outcome.settings)


def _neighbours(outcome: SearchOutcome, hit: Hit) -> tuple[Neighbour | None, Neighbour | None]:
    at = hit.position - 1
    hits = outcome.hits
    above = below = None
    if at > 0:
        up = hits[at - 1]
        above = Neighbour(up.uuid, up.position, decided_by(up, hit, outcome))
    if at + 1 < len(hits):
        down = hits[at + 1]
        below = Neighbour(down.uuid, down.position, decided_by(hit, down, outcome))
    return above, below


def _because_of(outcome: SearchOutcome, hit: Hit) -> str | None:
    """Name the row that explains a move.

    Downwards it is the row's own replacement; upwards the first row it overtook.
    """
    moved = hit.moved_by_repair
    if moved < 0:
        by = hit.head.superseded_by
        return by if by is not None and outcome.hit(by) is not None else None
    if moved > 0:
        overtaken = [
            h
            for h in outcome.hits
            if h.position_before_repair < hit.position_before_repair and h.position > hit.position
        ]
        first = min(overtaken, key=lambda h: h.position_before_repair, default=None)
        return first.uuid if first else None
    return None


def _cut(hits: Sequence[Hit], hit: Hit, limit: int) -> Cut:
    if hit.position <= limit:
        return Cut(limit, True, None)
    return Cut(limit, False, hits[limit - 1].fused_score - hit.fused_score)


def standing_of(outcome: SearchOutcome, uuid: str, limit: int) -> Standing | None:
    """Explain one hit of a search for a list cut at `limit`; None where it is not in the pool."""
    hit = outcome.hit(uuid)
    if hit is None:
        return None
    above, below = _neighbours(outcome, hit)
    return Standing(
        uuid=uuid,
        position=hit.position,
        pool_size=len(outcome.hits),
        dense=hit.dense,
        dense_stop=outcome.dense.stop_reason,
        dense_reason=outcome.dense.reason,
        doublings=outcome.doublings,
        lexical=hit.lexical,
        lexical_stop=outcome.lexical.stop_reason,
        lexical_reason=outcome.lexical.reason,
        rrf_k=outcome.settings.rrf_k,
        terms=_terms(hit, outcome.settings.rrf_k),
        rrf_score=hit.rrf_score,
        demotion=_demotion(outcome, hit),
        fused_score=hit.fused_score,
        position_before_repair=hit.position_before_repair,
        repair=Repair(hit.moved_by_repair, _because_of(outcome, hit)),
        above=above,
        below=below,
        cut=_cut(outcome.hits, hit, limit),
        superseded_by=hit.head.superseded_by,
    )
