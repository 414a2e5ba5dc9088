"""The word arm of several stores: the best rows by the shared statistics, through the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf
from typing import TYPE_CHECKING

from core.federation.arm_windows import ArmWindow, MergedArm, merge_arm
from core.federation.part import Part, PartFacts
from core.readmodels import MemoryHead
from core.retrieval.arms import ArmReport, LexicalArm, LexicalCandidate, StopReason
from core.retrieval.union import SharedStatistics, WindowFlags
from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchKind, GlobalBranchScope

if TYPE_CHECKING:
    from core.federation.word_scores import ScoredRows

_AHEAD = 1.25  # some of the best rows may be left out by their state
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


class WordSearch:
    """Finds the best eligible rows of all stores, from the best score down."""

    def __init__(
        self, parts: Sequence[Part], facts: Sequence[PartFacts], shared: SharedStatistics
    ) -> None:
        self._request = parts[0].request
        self._stores = _score(parts, facts, shared)
        self._limit = self._request.settings.fusion_depth + 1
        self._wanted = int(_AHEAD * self._limit)
        self._looked_to = -inf

    def ask(self) -> None:
        """Ask for the next rows; nothing once there are enough, or no more."""
        asked = not self._stores
        while not (asked or self._looked_to == inf or self._bar < inf):
            self._looked_to = _score_of_nth(self._stores, self._wanted)
            self._wanted *= _FURTHER
            looks = [_look(store, self._looked_to) for store in self._stores]
            asked = any(looks)

    @property
    def _bar(self) -> float:
        """Return the score of the last row that can be among the best; infinite for too few."""
        best = nsmallest(self._limit, (score for s in self._stores for _, _, score in s.found))
        return best[-1] if len(best) == self._limit else inf

    def merge(self, scope: GlobalBranchScope, budget: Budget) -> WordArm:
        """Rank the eligible rows of all stores by bm25, then uuid, as one index of all rows would.

        All that was asked is answered. Raises WindowError.
        """
        if self._request.query.lexical.expression is None:
            reason = "The query has no letter or digit: nothing to search by words."
            return WordArm(LexicalArm((), ArmReport(ran=False, reason=reason)))
        bar, limit = self._bar, self._limit
        windows = [_window(store, bar) for store in self._stores]
        merged = merge_arm(GlobalBranchKind.TEXT, scope, windows, limit, budget)
        return _arm(merged, limit - 1, tuple(len(w.candidates) for w in windows))


def _score(
    parts: Sequence[Part], facts: Sequence[PartFacts], shared: SharedStatistics
) -> list[_Rows]:
    from core.federation.word_scores import score_rows

    pairs = zip(parts, facts, strict=True)
    return [_Rows(part, score_rows(f.words, shared)) for part, f in pairs if f.words is not None]


def _score_of_nth(stores: Sequence[_Rows], wanted: int) -> float:
    from core.federation.word_scores import bar_of

    return bar_of([s.scored for s in stores], wanted)


def _look(store: _Rows, bar: float) -> bool:
    """Ask which rows of a store are eligible, down to a score, and for their heads.

    Tell whether there was something to ask.
    """
    until = store.scored.until(bar)
    if until == store.asked:
        return False
    rowids: list[int] = store.scored.rowids[store.asked : until].tolist()
    scores: list[float] = store.scored.scores[store.asked : until].tolist()
    store.asked = until
    score_of = dict(zip(rowids, scores, strict=True))

    def take(heads: list[MemoryHead]) -> None:
        for head in heads:
            score = score_of[head.rowid]
            store.found.append((LexicalCandidate(head.uuid, score, head.rowid), head, score))

    store.part.ask_heads(rowids, take)
    return True


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
