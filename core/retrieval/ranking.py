"""From fused scores to the final order: penalties, the total order, supersession repair. Pure."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.readmodels import State, Tier
from core.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class Rankable:
    """What the order of a row depends on. `best_rank` is its better rank in any arm."""

    uuid: str
    rrf_score: float
    best_rank: int
    state: State
    tier: str
    created_at: str
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A row's place: factor and score, position before and after repair (1-based)."""

    uuid: str
    penalty: float
    fused_score: float
    position: int
    position_before_repair: int
    on_cycle: bool


class OrderKey(StrEnum):
    """The keys of the total order, in order, and the repair that may override them."""

    SCORE = "score"
    BEST_RANK = "best_rank"
    TIER = "tier"
    CREATED_AT = "created_at"
    UUID = "uuid"
    REPAIR = "repair"


def penalty_of(state: State, settings: RetrievalSettings) -> float:
    """Return the factor of a state: 1.0 when live."""
    match state:
        case State.LIVE:
            return 1.0
        case State.SUPERSEDED:
            return settings.supersession_penalty
        case State.RETIRED:
            return settings.retired_penalty


def _tier_place(tier: str) -> int:
    return 0 if tier == Tier.LONG_TERM else 1


def deciding_key(above: Rankable, below: Rankable, settings: RetrievalSettings) -> OrderKey:
    """Name the first key of the total order in which two rows differ."""
    if above.rrf_score * penalty_of(above.state, settings) != below.rrf_score * penalty_of(
        below.state, settings
    ):
        return OrderKey.SCORE
    if above.best_rank != below.best_rank:
        return OrderKey.BEST_RANK
    if _tier_place(above.tier) != _tier_place(below.tier):
        return OrderKey.TIER
    if above.tier != Tier.LONG_TERM and above.created_at != below.created_at:
        return OrderKey.CREATED_AT
    return OrderKey.UUID


def total_order(rows: Sequence[Rankable], settings: RetrievalSettings) -> list[Rankable]:
    """Sort: score desc, best rank asc, long_term first, newest journal row first, uuid asc.

    created_at is compared as text and among journal rows only. Three stable passes, last key first.
    """
    by_uuid = sorted(rows, key=lambda r: r.uuid)
    by_time = sorted(
        by_uuid, key=lambda r: "" if r.tier == Tier.LONG_TERM else r.created_at, reverse=True
    )
    return sorted(
        by_time,
        key=lambda r: (
            -(r.rrf_score * penalty_of(r.state, settings)),
            r.best_rank,
            _tier_place(r.tier),
        ),
    )


def on_cycles(ordered: Sequence[Rankable]) -> frozenset[str]:
    """Return the rows on a supersession cycle inside the pool, and those that wait on one."""
    after = {r.uuid: r.superseded_by for r in ordered}
    verdict: dict[str, bool] = {}
    for start in after:
        path: list[str] = []
        on_path: set[str] = set()
        at: str | None = start
        while at is not None and at in after and at not in verdict and at not in on_path:
            path.append(at)
            on_path.add(at)
            at = after[at]
        stuck = at is not None and (at in on_path or verdict.get(at, False))
        verdict.update((uuid, stuck) for uuid in path)
    return frozenset(uuid for uuid, stuck in verdict.items() if stuck)


def repair(ordered: Sequence[Rankable], stuck: frozenset[str]) -> list[Rankable]:
    """Put every row below its replacement: emit the first row whose replacement is out or emitted.

    Rows in `stuck` keep the order they had: nothing is waited for. A heap of the rows that are
    free to go keeps this at n log n where rescanning would be quadratic.
    """
    place = {r.uuid: i for i, r in enumerate(ordered)}
    waiting: dict[str, list[int]] = {}
    free: list[int] = []
    for i, row in enumerate(ordered):
        if row.uuid in stuck or row.superseded_by not in place:
            free.append(i)
        else:
            waiting.setdefault(row.superseded_by, []).append(i)
    heapq.heapify(free)
    emitted: list[Rankable] = []
    while free:
        row = ordered[heapq.heappop(free)]
        emitted.append(row)
        for i in waiting.get(row.uuid, ()):
            heapq.heappush(free, i)
    return emitted


def rank(rows: Sequence[Rankable], settings: RetrievalSettings) -> list[Placed]:
    """Return every row's place, in final order. Never cuts; the caller draws the cut line."""
    ordered = total_order(rows, settings)
    before = {r.uuid: i for i, r in enumerate(ordered, 1)}
    stuck = on_cycles(ordered)
    return [
        Placed(
            row.uuid,
            penalty_of(row.state, settings),
            row.rrf_score * penalty_of(row.state, settings),
            position,
            before[row.uuid],
            row.uuid in stuck,
        )
        for position, row in enumerate(repair(ordered, stuck), 1)
    ]
