"""Scenarios 21-42: what cannot be compared is refused, and so is what names nothing."""

import math
from dataclasses import replace

import pytest

from core.windows.budget import Budget, Limits
from core.windows.contracts import GlobalBranchKind, GlobalBranchWindow
from core.windows.errors import WindowErrorKind
from core.windows.merge import merge
from tests.core.windows.making import (
    SCOPE,
    asked_for,
    candidate,
    error_of,
    ids,
    merged,
    request,
    spoiled,
    window,
)

_CORRUPTION, _VALIDATION = WindowErrorKind.CORRUPTION, WindowErrorKind.VALIDATION
_OTHER = (
    pytest.param({"scope": replace(SCOPE, score_profile="profile-v2")}, id="s21"),
    pytest.param({"scope": replace(SCOPE, corpus_scope="another-corpus")}, id="s22"),
    pytest.param({"scope": replace(SCOPE, statistics_epoch="stats-18")}, id="s23"),
    pytest.param({"kind": GlobalBranchKind.GRAPH}, id="s26"),
    pytest.param({"kind": 9}, id="s34-window"),
    pytest.param({"scope": replace(SCOPE, statistics_epoch=" ")}, id="s36-window"),
    pytest.param({"branch_name": "vector-Main"}, id="s37"),
)


@pytest.mark.parametrize("changes", _OTHER)
def test_a_window_of_another_branch_or_scope_is_corrupt(changes: dict[str, object]) -> None:
    windows = [window("a", "a:.9"), window("b", "b:.8", **changes)]
    assert error_of(asked_for(windows), windows) is _CORRUPTION


_ROW = candidate("same", 0.75)


@pytest.mark.parametrize(
    ("windows", "changes"),
    [
        pytest.param([[_ROW], [spoiled(_ROW, revision=2)]], {}, id="s24"),
        pytest.param([[_ROW], [candidate("same", 0.74)]], {}, id="s25"),
        pytest.param([[candidate("a", math.nan)]], {}, id="s27-nan"),
        pytest.param([[candidate("a", math.inf)]], {}, id="s27-infinity"),
        pytest.param([[candidate("é" * 129)]], {}, id="s38-candidate"),
        pytest.param([[spoiled(_ROW, revision=0)]], {}, id="s40"),
        pytest.param(
            [[candidate("t", 0.9), candidate("s", 0.75)], [candidate("s", 0.74)]],
            {"limit": 1},
            id="s41",
        ),
        pytest.param([[_ROW], [candidate("same", 0.74)]], {"allow_incomplete": True}, id="s42"),
        pytest.param([[None]], {}, id="no-candidate"),
        pytest.param([[spoiled(_ROW, reference=None)]], {}, id="no-reference"),
        pytest.param([[candidate("a", collection=" ")]], {}, id="blank-part"),
        pytest.param([[candidate("a", tenant_id="a\nb")]], {}, id="control-character"),
        pytest.param([[spoiled(_ROW, score=None)]], {}, id="no-score"),
        pytest.param([[candidate("a", partition_key="two words\x7f")]], {}, id="delete"),
    ],
)
def test_candidates_that_contradict_each_other_or_are_none_are_corrupt(
    windows: list[list[object]], changes: dict[str, object]
) -> None:
    given = [window(f"w{at}", rows) for at, rows in enumerate(windows)]
    assert error_of(asked_for(given, **changes), given) is _CORRUPTION


_ONE = [window("expected", "a:.9")]


@pytest.mark.parametrize(
    ("expected", "windows"),
    [
        pytest.param(["expected"], [*_ONE, window("expected", "b:.8")], id="s28"),
        pytest.param(["expected"], [window("other", "a:.9")], id="s29"),
        pytest.param(["expected", "expected"], _ONE, id="s30"),
        pytest.param(["expected"], [window("expected", "", branch_name=" ")], id="s35-name"),
        pytest.param(["expected"], [window(" ", "")], id="s35-source"),
        pytest.param(["é" * 129], [], id="s38-expected"),
        pytest.param(["a\tb"], [], id="s39-tab"),
        pytest.param(["a\x85b"], [], id="s39-next-line"),
        pytest.param(["\xa0"], [], id="s39-no-break-space"),
        pytest.param(["expected"], [None], id="no-window"),
        pytest.param(["expected"], [window("expected", "", scope=None)], id="no-scope"),
        pytest.param(["expected"], [window("expected", None)], id="no-candidates"),
    ],
)
def test_windows_that_cannot_be_told_apart_or_named_are_invalid(
    expected: list[str], windows: list[GlobalBranchWindow]
) -> None:
    assert error_of(request(expected), windows) is _VALIDATION


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"branch_name": " "}, id="s31"),
        pytest.param({"expected_window_ids": None}, id="s32"),
        pytest.param({"kind": 9}, id="s34-request"),
        pytest.param({"scope": replace(SCOPE, statistics_epoch=" ")}, id="s36-request"),
        pytest.param({"scope": None}, id="no-scope"),
        pytest.param({"limit": None}, id="no-limit"),
    ],
)
def test_a_request_that_nobody_could_answer_is_invalid(changes: dict[str, object]) -> None:
    assert error_of(request("expected", **changes), _ONE) is _VALIDATION


@pytest.mark.parametrize(
    ("limit", "limits"),
    [
        pytest.param(0, Limits(), id="s33-none"),
        pytest.param(1001, Limits(max_results=1000), id="s33-results"),
        pytest.param(3, Limits(max_scan_records=2), id="s33-records"),
    ],
)
def test_a_limit_out_of_bounds_is_invalid(limit: int, limits: Limits) -> None:
    assert error_of(request("expected", limit=limit), _ONE, Budget(limits)) is _VALIDATION


def test_s33_a_limit_at_the_bound_passes() -> None:
    assert ids(merge(request("expected", limit=1000), _ONE, Budget())) == "a"


def test_s38_an_id_of_256_bytes_passes() -> None:
    assert ids(merged([window("one", [candidate("é" * 128)])])) == "é" * 128


def test_s39_a_zero_width_space_is_a_name() -> None:
    result = merged([window("\u200b", "a:1")])
    assert (ids(result), result.missing_window_ids) == ("a", ())


def test_names_with_spaces_and_beyond_ascii_pass_as_they_are() -> None:
    odd = candidate(" Ä b ", collection="x y", tenant_id="設備")
    assert merged([window("one", [odd])]).candidates == (odd,)
