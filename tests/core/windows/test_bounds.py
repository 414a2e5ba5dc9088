"""Scenarios 57-71 and 98: bounds hold to the last byte, and what was charged stays charged."""

import asyncio
import math
from collections.abc import Iterator

import pytest

from core.windows.budget import Budget, Limits
from core.windows.contracts import GlobalBranchMergeRequest, GlobalBranchWindow
from core.windows.errors import WindowErrorKind
from core.windows.fusion import FusionBranch, fuse
from core.windows.local import local_candidates
from core.windows.measure import JsonMeasure, Measure
from core.windows.merge import merge
from tests.core.windows.making import (
    FixedMeasure,
    HandClock,
    Windows,
    asked_for,
    candidate,
    error_of,
    fixed,
    flags,
    ids,
    listed,
    request,
    window,
)

_OVER, _CORRUPTION = WindowErrorKind.BUDGET_EXCEEDED, WindowErrorKind.CORRUPTION
_VALIDATION = WindowErrorKind.VALIDATION
_SHARED = [window("one", "shared:.8 lower:.7"), window("two", "shared:.8")]
_MEASURES = pytest.mark.parametrize("measure", [FixedMeasure(), JsonMeasure()])


def _total(measure: Measure, asked: GlobalBranchMergeRequest, windows: Windows) -> int:
    rows = sum(measure.candidate(c) for w in windows for c in w.candidates)
    return measure.request(asked) + sum(map(measure.header, windows)) + rows


def _bounded(measure: Measure, batch: int, query: int) -> Budget:
    limits = Limits(max_scan_records=3, max_batch_bytes=batch, max_query_read_bytes=query)
    return Budget(limits, measure=measure)


@_MEASURES
def test_s57_a_merge_that_takes_all_its_bounds_allow_succeeds(measure: Measure) -> None:
    asked = asked_for(_SHARED, limit=1)
    exact = _total(measure, asked, _SHARED)
    budget = _bounded(measure, exact, exact)
    result = merge(asked, _SHARED, budget)
    assert (ids(result), flags(result)) == ("shared", "T/F/T/F")
    assert (result.examined_candidate_count, budget.query_bytes) == (3, exact)


@_MEASURES
def test_s58_s59_one_byte_less_of_either_ledger_is_too_little(measure: Measure) -> None:
    asked = asked_for(_SHARED, limit=1)
    exact = _total(measure, asked, _SHARED)
    last = measure.candidate(_SHARED[1].candidates[0])
    for batch, query in ((exact, exact - 1), (exact - 1, 2**40)):
        budget = _bounded(measure, batch, query)
        assert error_of(asked, _SHARED, budget) is _OVER
        assert (budget.query_bytes, budget.batch_bytes) == (exact - last, exact - last)


@_MEASURES
def test_s60_a_candidate_is_charged_before_it_is_found_to_be_bad(measure: Measure) -> None:
    windows = [window("one", [candidate("a", math.nan)])]
    exact = _total(measure, asked_for(windows, limit=1), windows)
    budget = _bounded(measure, exact, exact)
    assert error_of(asked_for(windows, limit=1), windows, budget) is _CORRUPTION
    assert budget.query_bytes == exact


@pytest.mark.parametrize(
    ("expected", "windows"),
    [
        pytest.param("w", [window("w", "a:.3 b:.2 c:.1")], id="s61"),
        pytest.param("w v", [window("w", "a:.3 b:.2"), window("v", "a:.3")], id="s62"),
        pytest.param("a b c", [], id="s63"),
        pytest.param("a b", [window("a", ""), window("b", ""), window("a", "")], id="s64"),
        pytest.param("w v", [window("w", "a:.3 b:.2 c:.1")], id="s65"),
    ],
)
def test_more_than_two_of_anything_are_too_many_where_two_are_the_most(
    expected: str, windows: list[GlobalBranchWindow]
) -> None:
    budget = Budget(Limits(max_scan_records=2))
    assert error_of(request(expected, limit=2), windows, budget) is _OVER


def test_s61_as_many_records_as_are_allowed_pass() -> None:
    windows = [window("w", "a:.3 b:.2")]
    result = merge(asked_for(windows, limit=2), windows, Budget(Limits(max_scan_records=2)))
    assert ids(result) == "a b"


def test_s66_bytes_are_counted_before_ids_are_compared() -> None:
    windows = [window("same", "a:1")]
    budget = fixed(max_batch_bytes=149)
    assert error_of(request("same same"), windows, budget) is _OVER
    assert budget.query_bytes == 100


def test_s67_a_search_cancelled_before_it_began_is_cancelled_and_the_next_one_is_not() -> None:
    windows = [window("one", "a:1")]
    with pytest.raises(asyncio.CancelledError):
        merge(asked_for(windows), windows, Budget(cancelled=lambda: True))
    with pytest.raises(asyncio.CancelledError):
        merge(request([]), [], Budget(cancelled=lambda: True))
    assert ids(merge(asked_for(windows), windows, Budget())) == "a"


def test_s68_a_request_without_sense_is_said_to_be_so_even_when_cancelled() -> None:
    budget = Budget(cancelled=lambda: True)
    assert error_of(request([], limit=0), [], budget) is _VALIDATION


def test_s69_the_deadline_is_still_in_time_and_a_moment_later_is_not() -> None:
    windows = [window("one", "a:1")]
    clock = HandClock()
    clock.at = 1000.0
    budget = Budget(Limits(deadline_s=30.0), clock=clock)
    clock.at = 1030.0
    assert ids(merge(asked_for(windows), windows, budget)) == "a"
    clock.at = 1030.001
    assert error_of(asked_for(windows), windows, budget) is _OVER


def test_s70_a_candidate_with_an_id_too_long_is_not_charged() -> None:
    windows = [window("one", [candidate("a", 2), candidate("x" * 257)])]
    budget = fixed()
    assert error_of(asked_for(windows), windows, budget) is _CORRUPTION
    assert budget.query_bytes == 100 + 50 + 20


def test_s71_what_a_failed_merge_was_charged_stays_charged() -> None:
    windows = [window("one", "a:1")]
    budget = fixed(max_batch_bytes=170, max_query_read_bytes=2 * 170 - 1)
    assert ids(merge(asked_for(windows), windows, budget)) == "a"
    assert error_of(asked_for(windows), windows, budget) is _OVER
    assert (budget.query_bytes, budget.batch_bytes) == (320, 150)


@pytest.mark.parametrize("limits", [{"max_scan_records": 0}, {"max_batch_bytes": -1}])
def test_bounds_that_let_nothing_through_are_a_mistake(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Limits(**limits)


class _After:
    """Says no so many times, then yes."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def _counting(asked: GlobalBranchMergeRequest, windows: Windows) -> int:
    never = _After(10**9)
    merge(asked, windows, Budget(cancelled=never))
    return 10**9 - never.left


def test_s98_a_merge_stops_wherever_it_is_when_it_is_cancelled() -> None:
    asked = asked_for(_SHARED)
    checks = _counting(asked, _SHARED)
    loops = 2 + 2 + (1 + 2) + 2 + 2 + 2 + 3 + 3 + 3 + 1
    assert checks == loops
    for at in range(checks):
        with pytest.raises(asyncio.CancelledError):
            merge(asked, _SHARED, Budget(cancelled=_After(at)))


def _ticks() -> Iterator[float]:
    yield 0.0
    at = 0.0
    while True:
        at += 1.0
        yield at


def test_s98_a_deadline_that_passes_in_the_middle_ends_the_merge_there() -> None:
    asked = asked_for(_SHARED)
    checks = _counting(asked, _SHARED)
    ticking = _ticks()
    in_time = Budget(Limits(deadline_s=checks), clock=lambda: next(ticking))
    assert ids(merge(asked, _SHARED, in_time)) == "shared lower"
    late = _ticks()
    budget = Budget(Limits(deadline_s=checks - 1), measure=FixedMeasure(), clock=lambda: next(late))
    assert error_of(asked, _SHARED, budget) is _OVER
    assert budget.query_bytes == 100 + 2 * 50 + 3 * 20


def test_s98_the_adapter_and_the_fusion_stop_as_well() -> None:
    rows = listed("a:.9 b:.8 c:.7")
    branch = FusionBranch(window("w", "").kind, rows)
    for at in range(3):
        with pytest.raises(asyncio.CancelledError):
            local_candidates(rows, Budget(cancelled=_After(at)))
        with pytest.raises(asyncio.CancelledError):
            fuse([branch], 60, Budget(cancelled=_After(at)))
