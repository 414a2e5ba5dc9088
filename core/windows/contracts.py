"""What goes into the kernel and what comes out.

These types check nothing: a window is data from elsewhere, and which of its faults is reported is
decided by the order of the merge's own checks (core/windows/merge).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


class GlobalBranchKind(IntEnum):
    """The branches of a search, in the order in which fusion adds them."""

    TEXT = 0
    VECTOR = 1
    GRAPH = 2


@dataclass(frozen=True, slots=True)
class GlobalBranchScope:
    """What makes scores comparable: formula, rows and statistics; all three must be equal."""

    score_profile: str
    corpus_scope: str
    statistics_epoch: str


@dataclass(frozen=True, slots=True)
class EntityRef:
    """The full identity of a row. The parts are compared one by one, never put together."""

    tenant_id: str
    database_id: str
    transaction_domain_id: str
    partition_key: str
    collection: str
    id: str


@dataclass(frozen=True, slots=True)
class GlobalBranchCandidate:
    """One row of a branch: revision from 1, and a finite score of which higher is better."""

    reference: EntityRef
    revision: int
    score: float


@dataclass(frozen=True, slots=True)
class GlobalBranchWindow:
    """One source's best candidates: score descending, then reference (core/windows/order).

    `complete`: the source gave all it was asked for. `truncated`: a bound cut that short.
    `exhaustive`: the source has no candidate beyond these.
    """

    branch_name: str
    kind: GlobalBranchKind
    source_window_id: str
    scope: GlobalBranchScope
    candidates: Sequence[GlobalBranchCandidate]
    complete: bool
    approximate: bool
    truncated: bool
    exhaustive: bool = False


@dataclass(frozen=True, slots=True)
class GlobalBranchMergeRequest:
    """Which windows belong together, and how many candidates are wanted of them.

    `allow_incomplete`: merge what there is and say by the flags what is not, instead of failing.
    """

    branch_name: str
    kind: GlobalBranchKind
    scope: GlobalBranchScope
    expected_window_ids: Sequence[str]
    limit: int
    allow_incomplete: bool = False


@dataclass(frozen=True, slots=True)
class GlobalBranchMergeResult:
    """The candidates in global order, each reference once, and how much of the whole they are.

    `missing_window_ids` keep the request's order; `examined_candidate_count` counts duplicates.
    """

    candidates: tuple[GlobalBranchCandidate, ...]
    missing_window_ids: tuple[str, ...]
    window_complete: bool
    approximate: bool
    truncated: bool
    exhaustive: bool
    examined_candidate_count: int
