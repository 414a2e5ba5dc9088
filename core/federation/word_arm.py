"""The word arm of several stores: the best rows by the shared statistics, through the kernel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import nsmallest
from math import inf
from typing import TYPE_CHECKING

from core.federation.arm_windows import ArmWindow, MergedArm, merge_arm
from core.federation.part import Part, PartFacts
from core.federation.patience import each
from core.readmodels import MemoryHead
from core.retrieval.arms import ArmReport, LexicalArm, LexicalCandidate, StopReason
from core.retrieval.union import SharedStatistics, WindowFlags
from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchKind, GlobalBranchScope

if TYPE_CHECKING:
    from core.federation.word_scores import ScoredRows

_AHEAD = 2  # some of the best rows may be left out by their state
_FURTHER = 4

type _Candidate = tuple[LexicalCandidate, MemoryHead, float]


@dataclass(frozen=True, slots=True)
class WordArm:
    """The merged arm, the place of every candidate's store, and what each store handed in."""

    arm: LexicalArm
    home: tuple[int, ...] = ()
    handed_in: tuple[int, ...] = ()
    flags: WindowFlags | None = None


@dataclass(slots=True)
class _Rows:
    """One store's matching rows, best first, and those of them found eligible so far."""

    part: Part
    scored: "ScoredRows"
    asked: int = 0
    found: list[_Candidate] = field(default_factory=list)


async def merge_words(
    parts: Sequence[Part],
    facts: Sequence[PartFacts],
    shared: SharedStatistics,
    scope: GlobalBranchScope,
    budget: Budget,
    time_limit_s: float,
) -> WordArm:
    """Rank the eligible rows of all stores by bm25, then uuid, as one index of all rows would.

    Raises StoresFailedError and WindowError.
    """
    request = parts[0].request
    if request.query.lexical.expression is None:
        reason = "The query has no letter or digit: nothing to search by words."
        return WordArm(LexicalArm((), ArmReport(ran=False, reason=reason)))
    depth = request.settings.fusion_depth
    stores = _score(parts, facts, shared)
    bar = await _find(stores, depth + 1, time_limit_s)
    windows = [_window(store, bar) for store in stores]
    merged = merge_arm(GlobalBranchKind.TEXT, scope, windows, depth + 1, budget)
    return _arm(merged, depth, tuple(len(w.candidates) for w in windows))


def _score(
    parts: Sequence[Part], facts: Sequence[PartFacts], shared: SharedStatistics
) -> list[_Rows]:
    from core.federation.word_scores import score_rows

    pairs = zip(parts, facts, strict=True)
    return [_Rows(part, score_rows(f.words, shared)) for part, f in pairs if f.words is not None]


async def _find(stores: Sequence[_Rows], limit: int, time_limit_s: float) -> float:
    """Look for eligible rows from the best score down until there are `limit`; return the score
    of the last of them, infinite where there are fewer.
    """
    from core.federation.word_scores import bar_of

    by_place = {s.part.index: s for s in stores}
    wanted = _AHEAD * limit
    while True:
        bar = bar_of([s.scored for s in stores], wanted)
        ahead = [s.part for s in stores if s.scored.until(bar) > s.asked]
        await each(ahead, partial(_look, by_place, bar), time_limit_s)
        found = [score for s in stores for _, _, score in s.found]
        if len(found) >= limit:
            return nsmallest(limit, found)[-1]
        if bar == inf:
            return inf
        wanted *= _FURTHER


async def _look(stores: Mapping[int, _Rows], bar: float, part: Part) -> None:
    """Find out which rows of a store are eligible, down to a score, and read their heads."""
    store = stores[part.index]
    until = store.scored.until(bar)
    rowids: list[int] = store.scored.rowids[store.asked : until].tolist()
    scores: list[float] = store.scored.scores[store.asked : until].tolist()
    store.asked = until
    score_of = dict(zip(rowids, scores, strict=True))
    for head in await part.eligible(rowids):
        score = score_of[head.rowid]
        store.found.append((LexicalCandidate(head.uuid, score, head.rowid), head, score))


def _window(store: _Rows, bar: float) -> ArmWindow[LexicalCandidate]:
    within = [c for c in store.found if c[2] <= bar]
    whole = store.asked == len(store.scored.rowids) and len(within) == len(store.found)
    return ArmWindow(store.part.store_id, within, whole)


def _arm(merged: MergedArm[LexicalCandidate], depth: int, handed_in: tuple[int, ...]) -> WordArm:
    found = len(merged.candidates)
    stop = StopReason.DEPTH_REACHED if found > depth else StopReason.INDEX_EXHAUSTED
    kept = merged.candidates[:depth]
    arm = LexicalArm(tuple(c for _, c in kept), ArmReport(True, found, stop))
    return WordArm(arm, tuple(at for at, _ in kept), handed_in, merged.flags)
