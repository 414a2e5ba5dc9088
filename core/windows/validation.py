"""The checks of a merge that come before any candidate is looked at, each a step of its order."""

from collections.abc import Sequence

from core.windows.budget import Budget, Limits
from core.windows.contracts import (
    GlobalBranchKind,
    GlobalBranchMergeRequest,
    GlobalBranchScope,
    GlobalBranchWindow,
)
from core.windows.errors import corrupt, invalid, over_budget
from core.windows.identifiers import is_blank, is_bounded, is_identifier


def _is_any_missing(*values: object) -> bool:
    return any(value is None for value in values)


def check_shape(
    request: GlobalBranchMergeRequest, windows: Sequence[GlobalBranchWindow], limits: Limits
) -> None:
    """Step 1: kind, scope, both lists and the limit."""
    if request is None:
        raise invalid("There is no request.")
    if not isinstance(request.kind, GlobalBranchKind):
        raise invalid("The request is for no kind of branch.")
    if _is_any_missing(request.scope, request.expected_window_ids, windows):
        raise invalid("The request has no scope, or a list is missing.")
    most = min(limits.max_results, limits.max_scan_records)
    if type(request.limit) is not int or not 1 <= request.limit <= most:
        raise invalid(f"The request's limit is not between 1 and {most}.")


def check_window_counts(
    request: GlobalBranchMergeRequest, windows: Sequence[GlobalBranchWindow], limits: Limits
) -> None:
    """Step 2: the numbers of windows expected and given."""
    if max(len(request.expected_window_ids), len(windows)) > limits.max_scan_records:
        raise over_budget(f"There are more than {limits.max_scan_records} windows.")


def _texts(scope: GlobalBranchScope) -> tuple[str, str, str]:
    return scope.score_profile, scope.corpus_scope, scope.statistics_epoch


def check_request_names(request: GlobalBranchMergeRequest, budget: Budget) -> None:
    """Step 3, first half: the identifiers of the request."""
    for name in (request.branch_name, *_texts(request.scope)):
        if not is_identifier(name):
            raise invalid("The request's branch name or scope is not an identifier.")
    for expected in request.expected_window_ids:
        budget.check()
        if not is_identifier(expected):
            raise invalid("The id of an expected window is not an identifier.")


def check_window_names(windows: Sequence[GlobalBranchWindow], budget: Budget) -> None:
    """Step 3, second half: every window has names, a scope and a list, window by window."""
    for window in windows:
        budget.check()
        if window is None:
            raise invalid("A window is missing from the list.")
        if not is_identifier(window.branch_name) or not is_identifier(window.source_window_id):
            raise invalid("A window's branch name or source id is not an identifier.")
        if _is_any_missing(window.scope, window.candidates):
            raise invalid(f"The window {window.source_window_id} has no scope or no candidates.")
        if not all(is_bounded(text) and not is_blank(text) for text in _texts(window.scope)):
            raise corrupt(f"The scope of the window {window.source_window_id} is not usable.")


def check_expected_once(request: GlobalBranchMergeRequest, budget: Budget) -> None:
    """Step 5: no window is expected twice."""
    seen: set[str] = set()
    for expected in request.expected_window_ids:
        budget.check()
        if expected in seen:
            raise invalid(f"The window {expected} is expected twice.")
        seen.add(expected)


def check_belonging(
    request: GlobalBranchMergeRequest, windows: Sequence[GlobalBranchWindow], budget: Budget
) -> frozenset[str]:
    """Step 6: every window is of this branch and scope, expected, and there once.

    Returns the ids of the windows received.
    """
    expected = frozenset(request.expected_window_ids)
    wanted = (request.kind, request.branch_name, request.scope)
    received: set[str] = set()
    for window in windows:
        budget.check()
        source = window.source_window_id
        if (window.kind, window.branch_name, window.scope) != wanted:
            raise corrupt(f"The window {source} is of another branch or not comparable.")
        if source not in expected or source in received:
            raise invalid(f"The window {source} was not expected, or is there twice.")
        received.add(source)
    return frozenset(received)


def count_records(windows: Sequence[GlobalBranchWindow], budget: Budget) -> int:
    """Step 7: count the candidates, duplicates too, before one of them is touched."""
    most, total = budget.limits.max_scan_records, 0
    for window in windows:
        budget.check()
        total += len(window.candidates)
        if total > most:
            raise over_budget(f"The windows hold more than {most} candidates.")
    return total
