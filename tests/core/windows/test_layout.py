"""Scenarios 1-20: any split of the rows is one order, and each reference is there once."""

import pytest

from core.windows.contracts import GlobalBranchCandidate, GlobalBranchWindow
from core.windows.errors import WindowErrorKind
from tests.core.windows.making import (
    asked_for,
    candidate,
    error_of,
    flags,
    ids,
    listed,
    merged,
    spoiled,
    window,
)

_SCORES = {"a": ".91", "b": ".83", "c": ".72", "d": ".63", "e": ".51", "f": ".40"}


def _split(**sources: str) -> list[GlobalBranchWindow]:
    return [
        window(name, " ".join(f"{id_}:{_SCORES[id_]}" for id_ in rows))
        for name, rows in sources.items()
    ]


@pytest.mark.parametrize(
    ("windows", "examined"),
    [
        pytest.param(_split(all="abcdef"), 6, id="s01"),
        pytest.param(_split(left="ace", right="abdf"), 7, id="s02"),
        pytest.param(_split(a="ad", b="abe", c="cf"), 7, id="s03"),
        pytest.param(_split(a="ad", b="abe", c="cf")[::-1], 7, id="s04"),
    ],
)
def test_every_split_of_the_rows_gives_the_same_order(
    windows: list[GlobalBranchWindow], examined: int
) -> None:
    result = merged(windows)
    whole = [candidate(id_, float(score)) for id_, score in _SCORES.items()]
    assert list(result.candidates) == whole
    assert result.examined_candidate_count == examined
    assert flags(result) == "T/F/F/T"
    assert result.missing_window_ids == ()


def test_s05_ties_go_by_the_parts_of_the_reference_one_after_the_other() -> None:
    in_order = [
        candidate("same", database_id="b"),
        candidate("same", transaction_domain_id="aaa"),
        candidate("same", partition_key="0"),
        candidate("same", collection="a"),
        candidate("A"),
        candidate("same", tenant_id="z"),
    ]
    windows = [window(f"w{at}", [row]) for at, row in enumerate(in_order)]
    assert list(merged(windows[::-1]).candidates) == in_order
    assert len({c.reference for c in in_order}) == 6


_BC = candidate("same", tenant_id="a", database_id="bc")
_ABC = candidate("same", tenant_id="ab", database_id="c")


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([_BC, _ABC], id="s06"),
        pytest.param([candidate("\U0001f600"), candidate("\uff5e")], id="s07"),
        pytest.param([candidate("B"), candidate("a")], id="s08"),
        pytest.param([candidate("a"), candidate("aa")], id="s09"),
        pytest.param(listed("a:-0.0 b:0.0"), id="s14"),
        pytest.param(
            [candidate("same", tenant_id="one"), candidate("same", tenant_id="two")], id="s17"
        ),
        pytest.param(listed("a:-0.1 b:-0.2"), id="s20"),
    ],
)
def test_two_rows_are_in_order_one_way_round_only(rows: list[GlobalBranchCandidate]) -> None:
    assert list(merged([window("one", rows)]).candidates) == rows
    assert list(merged([window("x", rows[1:]), window("y", rows[:1])]).candidates) == rows
    turned = [window("one", rows[::-1])]
    assert error_of(asked_for(turned), turned) is WindowErrorKind.CORRUPTION


def test_s10_a_row_of_two_windows_counts_once() -> None:
    result = merged([window("one", "first:.9 second:.8"), window("two", "first:.9")])
    assert ids(result) == "first second"
    assert (result.examined_candidate_count, flags(result)) == (3, "T/F/F/T")


def test_s11_a_row_given_twice_in_one_window_counts_once() -> None:
    result = merged([window("one", "a:1 a:1")])
    assert ids(result) == "a"
    assert (result.examined_candidate_count, flags(result)) == (2, "T/F/F/T")


_NEWER = spoiled(candidate("a"), revision=2)


@pytest.mark.parametrize(
    "windows",
    [
        pytest.param([window("one", [candidate("a"), _NEWER])], id="s12"),
        pytest.param([window("one", "a:1 a:.5")], id="s13"),
        pytest.param([window("one", "a:0.0"), window("two", "a:-0.0")], id="s15"),
        pytest.param([window("one", "low:.2 high:.9")], id="s16"),
    ],
)
def test_windows_that_contradict_themselves_or_each_other_are_refused(
    windows: list[GlobalBranchWindow],
) -> None:
    assert error_of(asked_for(windows), windows) is WindowErrorKind.CORRUPTION


@pytest.mark.parametrize(
    "windows", [pytest.param([window("one", "")], id="s18"), pytest.param([], id="s19")]
)
def test_nothing_is_a_whole_answer_too(windows: list[GlobalBranchWindow]) -> None:
    result = merged(windows)
    assert (result.candidates, result.examined_candidate_count) == ((), 0)
    assert flags(result) == "T/F/F/T"


def test_units_stored_one_by_one_are_another_name_than_the_character_they_spell() -> None:
    whole, halves = candidate("\U0001f600"), candidate("\ud83d\ude00")
    for windows in ([[whole], [halves]], [[halves], [whole]]):
        result = merged([window(f"w{at}", rows) for at, rows in enumerate(windows)])
        assert list(result.candidates) == [halves, whole]
