"""Weighted reciprocal rank fusion of branches that are in global order (weightedRrfV1).

The memory search has its own sum in core/retrieval/fusion, with its own order of addition.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.windows.budget import Budget
from core.windows.contracts import EntityRef, GlobalBranchCandidate, GlobalBranchKind
from core.windows.errors import invalid
from core.windows.order import ReferenceKey, reference_key


@dataclass(frozen=True, slots=True)
class FusionBranch:
    """A branch in rank order and what its ranks weigh."""

    kind: GlobalBranchKind
    candidates: Sequence[GlobalBranchCandidate]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class FusedCandidate:
    """A row of any branch and the sum of its terms."""

    reference: EntityRef
    score: float


@dataclass(frozen=True, slots=True)
class FusionFilter:
    """Which rows take part, None: any. A row must be in both; ranks are counted among the rest."""

    allowed: Collection[EntityRef] | None = None
    scope: Collection[EntityRef] | None = None

    def lets_pass(self, reference: EntityRef) -> bool:
        """Tell whether a row takes part."""
        return (self.allowed is None or reference in self.allowed) and (
            self.scope is None or reference in self.scope
        )


_EVERYTHING = FusionFilter()


def _check(branches: Sequence[FusionBranch], k: int, limit: int | None) -> None:
    if k < 0 or (limit is not None and limit < 1):
        raise invalid("The constant k is below 0 or the limit below 1.")
    for branch in branches:
        if not math.isfinite(branch.weight) or branch.weight < 0:
            raise invalid("The weight of a branch is below 0 or not finite.")


def _references(branch: FusionBranch, passing: FusionFilter, budget: Budget) -> Iterator[EntityRef]:
    for candidate in branch.candidates:
        budget.check()
        if passing.lets_pass(candidate.reference):
            yield candidate.reference


def _is_off(branch: FusionBranch) -> bool:
    """Tell whether a branch brings no rows in: a graph that weighs nothing is not asked."""
    return branch.kind is GlobalBranchKind.GRAPH and branch.weight == 0


def fuse(
    branches: Sequence[FusionBranch],
    k: int,
    budget: Budget,
    *,
    limit: int | None = None,
    passing: FusionFilter = _EVERYTHING,
) -> tuple[FusedCandidate, ...]:
    """Sum weight / (k + rank) over the branches, ranks from 1; order by sum, then reference.

    Terms are added text first, then vector, then graph. A branch is taken as it is, a row that
    stands in it twice counts twice. Raises WindowError, or asyncio.CancelledError.
    """
    _check(branches, k, limit)
    sums: dict[ReferenceKey, float] = {}
    rows: dict[ReferenceKey, EntityRef] = {}
    for branch in sorted(branches, key=lambda b: b.kind):
        if _is_off(branch):
            continue
        for rank, reference in enumerate(_references(branch, passing, budget), 1):
            key = reference_key(reference)
            sums[key] = sums.get(key, 0.0) + branch.weight / (k + rank)
            rows[key] = reference
    budget.check()
    ordered = sorted(sums.items(), key=lambda row: (-row[1], row[0]))
    return tuple(FusedCandidate(rows[key], score) for key, score in ordered[:limit])
