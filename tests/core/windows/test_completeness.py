"""Scenarios 43-56: strict mode refuses what is not whole, the other one says so by its flags."""

import math

import pytest

from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchWindow
from core.windows.errors import WindowErrorKind
from core.windows.merge import merge
from tests.core.windows.making import (
    asked_for,
    candidate,
    error_of,
    flags,
    ids,
    merged,
    request,
    window,
)

_LOST, _UNSUPPORTED = WindowErrorKind.OWNERSHIP_LOST, WindowErrorKind.UNSUPPORTED_CAPABILITY


@pytest.mark.parametrize(
    ("expected", "received", "missing", "told"),
    [
        pytest.param("first second", [window("first", "a:.8")], "second", "F/F/F/F", id="s44"),
        pytest.param("z m a", [window("m", "a:.8")], "z a", "F/F/F/F", id="s45"),
        pytest.param("w v", [], "w v", "F/F/F/F", id="s46"),
    ],
)
def test_missing_windows_are_named_in_the_order_of_the_request(
    expected: str, received: list[GlobalBranchWindow], missing: str, told: str
) -> None:
    asked = request(expected, allow_incomplete=True)
    result = merge(asked, received, Budget())
    assert result.missing_window_ids == tuple(missing.split())
    assert flags(result) == told
    assert ids(result) == ("a" if received else "")
    assert result.examined_candidate_count == len(received)


@pytest.mark.parametrize(
    ("expected", "received"),
    [
        pytest.param("first second", [window("first", "a:.8")], id="s43"),
        pytest.param("one two", [window("one", [candidate("a", math.nan)])], id="s56-nan"),
        pytest.param("one two", [window("one", "a:.1 b:.2")], id="s56-order"),
    ],
)
def test_a_missing_window_is_refused_before_any_candidate_is_looked_at(
    expected: str, received: list[GlobalBranchWindow]
) -> None:
    assert error_of(request(expected), received) is _LOST


@pytest.mark.parametrize(
    ("changes", "strict", "told"),
    [
        pytest.param({"approximate": True}, _UNSUPPORTED, "T/T/F/F", id="s47"),
        pytest.param({"truncated": True}, _UNSUPPORTED, "T/F/T/F", id="s48"),
        pytest.param({"complete": False}, _LOST, "F/F/F/F", id="s49"),
        pytest.param({"complete": False, "approximate": True}, _LOST, "F/T/F/F", id="s50"),
    ],
)
def test_a_window_that_is_not_whole_is_refused_or_shows(
    changes: dict[str, bool], strict: WindowErrorKind, told: str
) -> None:
    windows = [window("one", "a:.9 b:.8"), window("two", "c:.7", **changes)]
    assert error_of(asked_for(windows), windows) is strict
    result = merged(windows, allow_incomplete=True)
    assert (ids(result), flags(result)) == ("a b c", told)


@pytest.mark.parametrize(
    ("windows", "changes", "found", "told", "examined"),
    [
        pytest.param([window("w", "a:.9 b:.8")], {"limit": 1}, "a", "T/F/T/F", 2, id="s51"),
        pytest.param(
            [window("w", "a:.9 b:.8", exhaustive=False)],
            {"limit": 2},
            "a b",
            "T/F/F/F",
            2,
            id="s52",
        ),
        pytest.param(
            [window("w", "a:.9"), window("v", "a:.9")], {"limit": 1}, "a", "T/F/F/T", 2, id="s53"
        ),
        pytest.param(
            [window("w", "a:.9 b:.8", truncated=True)],
            {"limit": 2, "allow_incomplete": True},
            "a b",
            "T/F/T/F",
            2,
            id="s54",
        ),
        pytest.param(
            [window("w", "a:.9"), window("v", "b:.8", exhaustive=False)],
            {},
            "a b",
            "T/F/F/F",
            2,
            id="s55",
        ),
    ],
)
def test_the_flags_say_how_much_of_the_whole_it_is(
    windows: list[GlobalBranchWindow],
    changes: dict[str, object],
    found: str,
    told: str,
    examined: int,
) -> None:
    result = merged(windows, **changes)
    assert (ids(result), flags(result)) == (found, told)
    assert result.examined_candidate_count == examined
