"""Every recorded retrieval of the peer comes out of our own search identically, to the last bit."""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.retrieval.arms import MAX_DOUBLINGS
from core.retrieval.fastembed_encoder import FastembedEncoder
from core.retrieval.outcome import Hit
from tests.support.engine import Engine, open_engine
from tests.support.recorded import (
    External,
    Recorded,
    RecordedEncoder,
    answer_of,
    assert_same,
)
from tests.support.stub_encoder import unpacked

_STORES = ["oracle", "demo"]
_LIVE_TOLERANCE = 1e-5


@pytest.fixture(params=_STORES)
def store(request: pytest.FixtureRequest) -> Path:
    """Return each recorded store in turn."""
    found: Path = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def recorded(request: pytest.FixtureRequest, store: Path) -> Recorded:
    """Return what was recorded of `store`."""
    name = request.node.callspec.params["store"]
    found: Recorded = request.getfixturevalue(f"{name}_recorded")
    return found


async def _assert_external(engine: Engine, recorded: Recorded) -> None:
    encoder = RecordedEncoder.of(recorded)
    for case in recorded.external:
        outcome = await engine.by_encoder(
            case.query, encoder, include_retired=case.include_retired
        )
        assert_same(answer_of(outcome), case.answer, (case.query, case.include_retired))
        assert outcome.doublings <= MAX_DOUBLINGS


async def test_every_recorded_search_is_identical_through_vec0(
    store: Path, recorded: Recorded
) -> None:
    async with open_engine(store) as engine:
        await _assert_external(engine, recorded)
        assert engine.searcher.matrix_bytes == 0


async def test_every_recorded_search_is_identical_through_the_matrix(
    store: Path, recorded: Recorded
) -> None:
    async with open_engine(store) as engine:
        assert await engine.searcher.refresh_matrix()
        await _assert_external(engine, recorded)
        assert engine.searcher.matrix_bytes > 0


@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_every_recorded_search_by_a_memory_is_identical(
    store: Path, recorded: Recorded, matrix: bool
) -> None:
    async with open_engine(store) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        for case in recorded.internal:
            outcome = await engine.searcher.similar(case.uuid)
            assert_same(answer_of(outcome), case.answer, case.uuid)


def test_the_recorded_cases_are_all_there(
    oracle_recorded: Recorded, demo_recorded: Recorded
) -> None:
    assert (len(oracle_recorded.external), len(oracle_recorded.internal)) == (187, 30)
    assert len(demo_recorded.external) >= 20
    assert len(demo_recorded.internal) >= 5


def _keys(hits: Sequence[Hit]) -> list[str]:
    return [h.uuid for h in hits]


def _distance(case: External) -> dict[str, float]:
    return {row[0]: row[4] for row in case.answer.pool if row[4] is not None}


def _dense_order_agrees(hits: Sequence[Hit], case: External) -> bool:
    """Tell whether the dense ranks agree but for rows nearer than the tolerance in distance."""
    then = _distance(case)
    ours = sorted((h for h in hits if h.dense is not None), key=_rank)
    known = [then[h.uuid] for h in ours if h.uuid in then]
    falls = (a - b for a, b in itertools.pairwise(known))
    return all(fall <= 2 * _LIVE_TOLERANCE for fall in falls)


def _rank(hit: Hit) -> int:
    assert hit.dense is not None
    return hit.dense.rank


@pytest.mark.timeout(240)
async def test_the_live_model_makes_the_recorded_vectors_and_the_same_order(
    store: Path, recorded: Recorded, real_encoder: FastembedEncoder
) -> None:
    """Vectors to 1e-5; order but for rows nearer than that."""
    same = 0
    async with open_engine(store) as engine:
        for case in recorded.external:
            outcome = await engine.by_encoder(
                case.query, real_encoder, include_retired=case.include_retired
            )
            assert outcome.query.dense is not None
            ours, then = unpacked(outcome.query.dense.vector), unpacked(case.vector)
            assert math.dist(ours, then) <= _LIVE_TOLERANCE, case.query
            assert outcome.query.dense.tokens == case.answer.tokens
            assert _dense_order_agrees(outcome.hits, case), case.query
            same += _keys(outcome.hits) == [row[0] for row in case.answer.pool]
    # Near ties may swap; the lists as a whole are the recorded ones.
    assert same >= 0.9 * len(recorded.external)
