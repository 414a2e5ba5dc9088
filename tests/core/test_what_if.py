"""A pool ranked again in memory is the pool that a search with those settings returns."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.what_if import Crossing, crossings, is_depth_certain, rank_curve, rerank
from core.retrieval.arms import StopReason
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from core.settings import RetrievalSettings
from tests.support.engine import open_engine
from tests.support.pools import outcome_of, searches
from tests.support.properties import PROPERTY
from tests.support.recorded import Recorded
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import packed

_OTHERS = (
    {"rrf_k": 1},
    {"rrf_k": 1000, "supersession_penalty": 0.95, "retired_penalty": 0.05},
    {"supersession_penalty": 1.0, "retired_penalty": 1.0},
    {"fusion_depth": 20},
    {"fusion_depth": 7, "rrf_k": 5, "supersession_penalty": 0.25},
    {"fusion_depth": 1},
)


@pytest.mark.parametrize("store", [pytest.param("oracle", marks=pytest.mark.slow), "demo"])
@pytest.mark.timeout(120)
async def test_ranking_again_is_searching_again(
    store: str, request: pytest.FixtureRequest
) -> None:
    folder: Path = request.getfixturevalue(store)
    recorded: Recorded = request.getfixturevalue(f"{store}_recorded")
    certain = 0
    async with open_engine(folder) as engine:
        assert await engine.searcher.refresh_matrix()
        for case, other in zip(recorded.external, itertools.cycle(_OTHERS), strict=False):
            side, retired = MeaningSide(DenseQuery(case.vector)), case.include_retired
            settings = replace(engine.searcher.settings, **other)  # type: ignore[arg-type]  # mixed
            before = await engine.searcher.search(case.query, side, include_retired=retired)
            after = await engine.searcher.search(
                case.query, side, include_retired=retired, settings=settings
            )
            if is_depth_certain(before, settings.fusion_depth):
                certain += 1
                assert rerank(before.hits, settings) == after.hits, (case.query, other)
    assert certain > 0.6 * len(recorded.external)


@PROPERTY
@given(outcome=searches(), k=st.integers(1, 200), penalty=st.sampled_from([0.05, 0.5, 1.0]))
def test_the_same_settings_give_the_same_pool_and_others_are_undone(
    outcome: SearchOutcome, k: int, penalty: float
) -> None:
    assert rerank(outcome.hits, outcome.settings) == outcome.hits
    other = replace(outcome.settings, rrf_k=k, supersession_penalty=penalty)
    assert rerank(rerank(outcome.hits, other), outcome.settings) == outcome.hits


@PROPERTY
@given(outcome=searches(), depth=st.integers(1, 6))
def test_the_curve_is_the_list_ranked_again_at_each_k(outcome: SearchOutcome, depth: int) -> None:
    ks = [1, 2, 3, 5, 8, 13, 60, 1000]
    settings = replace(outcome.settings, fusion_depth=depth)
    curve = rank_curve(outcome.hits, settings, ks)
    assert set(curve) == {h.uuid for h in outcome.hits}
    for at, k in enumerate(ks):
        again = {h.uuid: h.position for h in rerank(outcome.hits, replace(settings, rrf_k=k))}
        assert {u: line[at] for u, line in curve.items() if line[at] is not None} == again


def test_the_lines_cross_where_the_arithmetic_says() -> None:
    """One arm's first against third and fourth in the arms: 1/(k+1) against 1/(k+3) + 1/(k+4).

    k = 1: 1/2 > 1/4 + 1/5. k = 2: 1/3 < 1/5 + 1/6 = 0.3667. They change places at 2.
    """
    outcome = outcome_of(["top", "x", "both", "y"], ["p", "q", "r", "both"])
    ks = list(range(1, 11))
    curve = rank_curve(outcome.hits, outcome.settings, ks)
    assert curve["both"][:2] == (3, 1)  # behind the two firsts, 1/2 each, then before them
    (found,) = crossings(curve, ks, ["top", "both"])
    assert found == Crossing(2, "both", "top", 1)


def test_a_row_that_the_depth_drops_has_no_line_and_no_crossing() -> None:
    outcome = outcome_of(["a", "b", "c"], ["c", "d"])
    settings = replace(outcome.settings, fusion_depth=1)
    curve = rank_curve(outcome.hits, settings, [1, 60])
    assert curve == {"a": (1, 1), "c": (2, 2), "b": (None, None), "d": (None, None)}
    assert crossings(curve, [1, 60], ["a", "b", "c"]) == ()
    assert [h.uuid for h in rerank(outcome.hits, settings)] == ["a", "c"]
    assert rerank(outcome.hits, settings)[1].dense is None


async def test_a_smaller_probe_may_find_less_and_that_is_known(tmp_path: Path) -> None:
    """Forty retired rows lie nearer than the live one: a probe of 1, 2, 4, 8, 16 never meets it."""
    near = [
        Memory(f"gone {n}", f"gone {n}", active=False, vectors=(_at(n / 1000),)) for n in range(40)
    ]
    rows = [*near, Memory("live", "live", vectors=(_at(0.5),)), *distractors(30)]
    build_store(tmp_path, rows)
    side = MeaningSide(DenseQuery(_at(0.0)))
    wide = RetrievalSettings(fusion_depth=50, chunk_overfetch=1)
    async with open_engine(tmp_path) as engine:
        before = await engine.searcher.search("zarquon", side, settings=wide)
        narrow = replace(wide, fusion_depth=1)
        after = await engine.searcher.search("zarquon", side, settings=narrow)
    assert after.dense.stop_reason is StopReason.PROBE_CAP_HIT
    assert after.hits == ()
    assert [h.uuid for h in rerank(before.hits, narrow)] == [uuid_of("live")]
    assert not is_depth_certain(before, 1)
    assert is_depth_certain(before, 50)
    assert not is_depth_certain(before, 51)


def _at(away: float) -> bytes:
    return packed([1.0, away, *[0.0] * (WIDTH - 2)])


def test_a_greater_depth_is_never_certain_whichever_arm_ran() -> None:
    for dense in (["a", "b"], None):
        outcome = outcome_of(dense, ["c", "d"])
        own = outcome.settings.fusion_depth
        assert is_depth_certain(outcome, own)
        assert not is_depth_certain(outcome, own + 1)
    assert is_depth_certain(outcome_of(None, ["c", "d"]), 1), "words alone have no probe to widen"
