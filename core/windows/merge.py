"""Merge the windows of one branch into one global order. The order of the steps decides which
error is reported when several are true.
"""

import heapq
from collections.abc import Sequence
from operator import itemgetter

from core.windows import validation
from core.windows.admission import Entry, admit, distinct
from core.windows.budget import Budget
from core.windows.contracts import (
    GlobalBranchCandidate,
    GlobalBranchMergeRequest,
    GlobalBranchMergeResult,
    GlobalBranchWindow,
)
from core.windows.errors import WindowError, WindowErrorKind
from core.windows.order import ReferenceKey


def _charge_headers(
    request: GlobalBranchMergeRequest, windows: Sequence[GlobalBranchWindow], budget: Budget
) -> None:
    budget.check()
    budget.charge(budget.measure.request(request))
    for window in windows:
        budget.check()
        budget.charge(budget.measure.header(window))


def _refuse_gaps(missing: Sequence[str], windows: Sequence[GlobalBranchWindow]) -> None:
    if missing:
        raise WindowError(
            WindowErrorKind.OWNERSHIP_LOST, f"{len(missing)} expected windows are missing."
        )
    if not all(w.complete for w in windows):
        raise WindowError(
            WindowErrorKind.OWNERSHIP_LOST, "A source did not give all it was asked for."
        )
    if any(w.approximate or w.truncated for w in windows):
        raise WindowError(
            WindowErrorKind.UNSUPPORTED_CAPABILITY,
            "A source gave an approximate or a cut window where an exact one was asked for.",
        )


def _first(
    admitted: Sequence[Sequence[Entry]], limit: int, budget: Budget
) -> tuple[GlobalBranchCandidate, ...]:
    """Take the best candidates off the ordered windows: a heap with one entry a window."""
    best: list[GlobalBranchCandidate] = []
    last: ReferenceKey | None = None
    for (_, reference), candidate in heapq.merge(*admitted, key=itemgetter(0)):
        budget.check()
        if reference == last:
            continue  # equal references have equal scores by now and stand together
        if len(best) == limit:
            break
        best.append(candidate)
        last = reference
    return tuple(best)


def merge(
    request: GlobalBranchMergeRequest, windows: Sequence[GlobalBranchWindow], budget: Budget
) -> GlobalBranchMergeResult:
    """Return the best candidates of all windows in global order, cut to the request's limit.

    Raises WindowError, or asyncio.CancelledError; what was charged until then stays charged.
    """
    budget.begin_merge()
    validation.check_shape(request, windows, budget.limits)
    validation.check_window_counts(request, windows, budget.limits)
    validation.check_request_names(request, budget)
    validation.check_window_names(windows, budget)
    _charge_headers(request, windows, budget)
    validation.check_expected_once(request, budget)
    received = validation.check_belonging(request, windows, budget)
    examined = validation.count_records(windows, budget)
    missing = tuple(i for i in request.expected_window_ids if i not in received)
    if not request.allow_incomplete:
        _refuse_gaps(missing, windows)
    admitted = [admit(window, budget) for window in windows]
    unique = distinct(admitted, budget)
    candidates = _first(admitted, request.limit, budget)
    budget.check()
    complete = not missing and all(w.complete for w in windows)
    approximate = any(w.approximate for w in windows)
    truncated = len(unique) > request.limit or any(w.truncated for w in windows)
    whole = complete and not approximate and not truncated
    return GlobalBranchMergeResult(
        candidates=candidates,
        missing_window_ids=missing,
        window_complete=complete,
        approximate=approximate,
        truncated=truncated,
        exhaustive=whole and all(w.exhaustive for w in windows),
        examined_candidate_count=examined,
    )
