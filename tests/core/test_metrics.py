"""recall, MRR and nDCG: the goldens of the contract, arithmetic by hand, means and floors."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.judging import (
    DEFAULT_MEASURES,
    Check,
    Floor,
    MeasureAt,
    means_of,
    measures_for,
    parse_floor,
    values_of,
)
from core.explain.metrics import DEFINITIONS, Measure, ndcg_at, recall_at, reciprocal_rank_at
from tests.support.properties import PROPERTY

_GRADES = {"a": 3, "b": 2, "c": 1, "d": 0}


def test_the_golden_of_the_contract() -> None:
    ranking = ["d", "c", "b", "a"]
    assert recall_at(_GRADES, ranking, 10) == 1
    assert reciprocal_rank_at(_GRADES, ranking, 10) == 0.5
    assert ndcg_at(_GRADES, ranking, 10) == pytest.approx(0.547831481922746, abs=1e-15)


def test_the_first_k_alone_count() -> None:
    """At 2 of d, c: one of three relevant; (2^1 - 1) / log2(3) over 7 + 3 / log2(3)."""
    ranking = ["d", "c", "b", "a"]
    assert recall_at(_GRADES, ranking, 2) == 1 / 3
    assert recall_at(_GRADES, ranking, 1) == 0
    assert reciprocal_rank_at(_GRADES, ranking, 1) == 0
    best = 7 + 3 / math.log2(3)
    assert ndcg_at(_GRADES, ranking, 2) == pytest.approx(1 / math.log2(3) / best)


def test_what_is_not_graded_counts_as_zero() -> None:
    assert ndcg_at({"a": 1}, ["x", "a"], 5) == pytest.approx(1 / math.log2(3))
    assert reciprocal_rank_at({"a": 1}, ["x", "y", "a"], 5) == 1 / 3
    assert (recall_at({"a": 1}, [], 5), ndcg_at({"a": 1}, [], 5)) == (0, 0)


@pytest.mark.parametrize("grades", [{}, {"a": 0, "b": 0}])
def test_with_nothing_to_find_there_is_no_value(grades: dict[str, int]) -> None:
    for measure in (recall_at, reciprocal_rank_at, ndcg_at):
        assert measure(grades, ["a", "b"], 5) is None


@PROPERTY
@given(
    ranking=st.permutations("abcdef"),
    grades=st.dictionaries(st.sampled_from("abcdefxy"), st.integers(0, 3)),
    k=st.integers(1, 8),
)
def test_the_best_order_has_1_and_none_has_more(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    best = sorted(grades, key=lambda u: -grades[u])
    for measure in (recall_at, reciprocal_rank_at, ndcg_at):
        value, most = measure(grades, ranking, k), measure(grades, best, k)
        assert (value is None) == (most is None) == (not any(grades.values()))
        if value is not None and most is not None:
            assert 0 <= value <= most <= 1
    if any(grades.values()):
        assert ndcg_at(grades, best, k) == 1


def test_every_measure_has_its_definition() -> None:
    assert set(DEFINITIONS) == set(Measure)
    assert "2^grade - 1" in DEFINITIONS[Measure.NDCG]
    assert "log2" in DEFINITIONS[Measure.NDCG]


def test_a_mean_leaves_out_the_queries_with_nothing_to_find() -> None:
    found = [
        values_of(grades, ["a", "b"], DEFAULT_MEASURES)
        for grades in ({"a": 3}, {"b": 1}, {"z": 0})
    ]
    means = means_of(found, DEFAULT_MEASURES)
    assert means[MeasureAt(Measure.MRR, 5)] == 0.75
    assert means_of(found[2:], DEFAULT_MEASURES)[MeasureAt(Measure.MRR, 5)] is None


def test_a_floor_is_read_and_its_measure_told_once() -> None:
    floor = parse_floor("ndcg@3=0.8")
    assert floor == Floor(MeasureAt(Measure.NDCG, 3), 0.8)
    told = [m.name for m in measures_for([floor, floor, parse_floor("mrr@5=1")])]
    assert told == [
        *("recall@5", "recall@10", "mrr@5", "mrr@10", "ndcg@5", "ndcg@10", "ndcg@3"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("ndcg@10", "ndcg=0.8", "ndcg@0=0.8", "ndcg@1001=0.8", "ndcg@10=1.1", "map@10=0.8"),
        *("ndcg@10=-0.1", "ndcg@10=nan", "ndcg@10=", "ndcg@10=0.8.1", "ndcg@x=1", "", "NDCG@5=1"),
        "ndcg@１0=0.8",
    ],
)
def test_a_floor_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_floor(text)


@pytest.mark.parametrize(
    ("value", "passed"), [(0.8, True), (0.8 - 1e-15, True), (0.79, False), (None, False)]
)
def test_a_floor_is_reached_but_for_rounding(value: float | None, passed: bool) -> None:
    assert Check(parse_floor("mrr@5=0.8"), value).passed is passed
