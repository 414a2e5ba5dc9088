"""The meaning arm of several stores: each one's nearest memories, through the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from math import inf

from core.federation.arm_windows import ArmWindow, MergedArm, merge_arm
from core.federation.dense_reach import DenseReach, dense_reach
from core.federation.near_scan import radius_of
from core.federation.part import Part, PartFacts
from core.retrieval.arms import ArmReport, DenseArm, DenseCandidate, StopReason
from core.retrieval.union import WindowFlags
from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchKind, GlobalBranchScope

_AHEAD = 1.25  # some of the nearest are ineligible, or of one memory
_FURTHER = 4


@dataclass(frozen=True, slots=True)
class MeaningArm:
    """The merged arm, the place of every candidate's store, and what each store handed in."""

    arm: DenseArm
    home: tuple[int, ...] = ()
    handed_in: tuple[int, ...] = ()
    flags: WindowFlags | None = None
    doublings: int = 0


class NearestSearch:
    """Finds the nearest memories of the stores whose vectors are in memory, in all at once.

    Few vectors are measured in each store: those that are near enough for the whole. Every one
    left out is beyond the radius, so the nearest are proven once enough lie inside it.
    """

    def __init__(self, parts: Sequence[Part], facts: Sequence[PartFacts]) -> None:
        self._facts = facts
        self._scanning = [(p, f.scan) for p, f in zip(parts, facts, strict=True) if f.scan]
        self._limit = _limit(parts)
        self._wanted = int(_AHEAD * self._limit)
        self._radius = -inf

    def ask(self) -> None:
        """Ask the stores for what is still to be measured; nothing once the nearest are found."""
        asked = not self._scanning
        while not (asked or self._are_found):
            self._radius = radius_of([scan for _, scan in self._scanning], self._wanted)
            self._wanted *= _FURTHER
            for part, scan in self._scanning:
                rows = scan.fresh(self._radius)
                if rows:
                    asked = True
                    statement = scan.measuring(rows, part.request.scope)
                    part.ask((statement, partial(scan.take, rows)))

    @property
    def _are_found(self) -> bool:
        return self._radius == inf or _bar(self._facts, self._limit) < self._radius


def ask_heads(parts: Sequence[Part], facts: Sequence[PartFacts]) -> None:
    """Ask for the heads of those of the nearest that can be among the best and are not known."""
    bar = _bar(facts, _limit(parts))
    for part, fact in zip(parts, facts, strict=True):
        missing = [c.rowid for c in _within(fact, bar) if c.rowid not in part.heads]
        if missing:
            part.ask_heads(missing, lambda _: None)


def merge_meaning(
    parts: Sequence[Part],
    facts: Sequence[PartFacts],
    scope: GlobalBranchScope,
    budget: Budget,
) -> MeaningArm:
    """Rank the nearest memories of all stores by distance, then uuid, and report as one store.

    The nearest are found and their heads are known. Raises WindowError.
    """
    query, depth = parts[0].request.query, parts[0].request.settings.fusion_depth
    if query.dense is None:
        return MeaningArm(DenseArm((), ArmReport(ran=False, reason=query.dense_reason)))
    bar = _bar(facts, depth + 1)
    windows = [_window(part, fact, bar) for part, fact in zip(parts, facts, strict=True)]
    merged = merge_arm(GlobalBranchKind.VECTOR, scope, windows, depth + 1, budget)
    return _arm(merged, _reach(parts, facts, merged), depth, [len(w.candidates) for w in windows])


def _limit(parts: Sequence[Part]) -> int:
    return parts[0].request.settings.fusion_depth + 1


def _bar(facts: Sequence[PartFacts], limit: int) -> float:
    """Return the distance of the last memory that can be among the best of the whole."""
    nearest = nsmallest(limit, (c.distance for fact in facts for c in fact.candidates))
    return nearest[-1] if len(nearest) == limit else inf


def _within(fact: PartFacts, bar: float) -> list[DenseCandidate]:
    return [c for c in fact.candidates if c.distance <= bar]


def _window(part: Part, fact: PartFacts, bar: float) -> ArmWindow[DenseCandidate]:
    within = _within(fact, bar)
    stop = None if fact.dense is None else fact.dense.report.stop_reason
    looked = stop is StopReason.INDEX_EXHAUSTED or (fact.scan is not None and fact.scan.is_whole)
    whole = looked and len(within) == len(fact.candidates)
    rows = [(c, part.heads[c.rowid], c.distance) for c in within]
    return ArmWindow(part.store_id, rows, whole)


def _reach(
    parts: Sequence[Part], facts: Sequence[PartFacts], merged: MergedArm[DenseCandidate]
) -> DenseReach:
    """Tell how far one store with all rows would have come; filters let it look at every row."""
    request = parts[0].request
    depth, found = request.settings.fusion_depth, len(merged.candidates)
    if request.scope.is_filtered:
        stop = StopReason.DEPTH_REACHED if found > depth else StopReason.INDEX_EXHAUSTED
        doublings = max(f.dense.doublings for f in facts if f.dense is not None)
        return DenseReach(found, ArmReport(True, found, stop), doublings)
    return dense_reach(
        [c.distance for _, c in merged.candidates],
        [f.near if f.scan is None else f.scan.near for f in facts],
        depth=depth,
        overfetch=request.settings.chunk_overfetch,
        chunks=sum(f.counts.chunks for f in facts),
    )


def _arm(
    merged: MergedArm[DenseCandidate], reach: DenseReach, depth: int, handed_in: Sequence[int]
) -> MeaningArm:
    kept = merged.candidates[: min(reach.found, depth)]
    arm = DenseArm(tuple(c for _, c in kept), reach.report)
    return MeaningArm(
        arm, tuple(at for at, _ in kept), tuple(handed_in), merged.flags, reach.doublings
    )
