"""The explanation's numbers, put together by hand, give the very score the row was ranked by."""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from core.explain.sentence import plain_sentence
from core.explain.standing import Standing, standing_of
from core.readmodels import State
from core.retrieval.eligibility import Scope
from core.retrieval.ladder import eligibility_ladder
from core.retrieval.outcome import SearchOutcome
from tests.support.engine import Engine, open_engine
from tests.support.recorded import Recorded, RecordedEncoder
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis, packed

_LIMIT = 5


@pytest.fixture(scope="module")
def outcomes(demo: Path, demo_recorded: Recorded) -> Iterator[list[SearchOutcome]]:
    """Search the demo store with every recorded query."""
    encoder = RecordedEncoder.of(demo_recorded)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        engine: Engine = runner.run(stack.enter_async_context(open_engine(demo)))
        yield [
            runner.run(
                engine.by_encoder(c.query, encoder, include_retired=c.include_retired)
            )
            for c in demo_recorded.external
        ]
        runner.run(stack.aclose())


def _explained(outcome: SearchOutcome) -> list[Standing]:
    found = [standing_of(outcome, h.uuid, _LIMIT) for h in outcome.hits]
    return [e for e in found if e is not None]


def test_terms_and_penalty_give_the_fused_score_exactly(outcomes: list[SearchOutcome]) -> None:
    states = set()
    for outcome in outcomes:
        for e, hit in zip(_explained(outcome), outcome.hits, strict=True):
            total = 0.0
            for term in e.terms:
                assert term.value == 1 / (e.rrf_k + term.rank)
                total += term.value
            assert total == e.rrf_score == hit.rrf_score
            assert total * e.demotion.factor == e.fused_score == hit.fused_score
            assert (e.demotion.before, e.demotion.after) == (e.rrf_score, e.fused_score)
            states.add(e.demotion.state)
    assert states == set(State), "the recorded queries show every state"


def test_neighbours_name_each_other_and_the_same_key(outcomes: list[SearchOutcome]) -> None:
    keys = set()
    for outcome in outcomes:
        explained = _explained(outcome)
        if explained:
            assert explained[0].above is None
            assert explained[-1].below is None
        for upper, lower in itertools.pairwise(explained):
            assert upper.below is not None
            assert lower.above is not None
            assert (upper.below.uuid, lower.above.uuid) == (lower.uuid, upper.uuid)
            assert upper.below.key == lower.above.key
            if upper.below.key == "score":
                assert upper.fused_score > lower.fused_score
            elif upper.below.key != "repair":
                assert upper.fused_score == lower.fused_score
            keys.add(upper.below.key.value)
    assert {"score", "tier", "created_at", "uuid", "repair"} <= keys


def test_the_cut_and_the_moves_add_up(outcomes: list[SearchOutcome]) -> None:
    for outcome in outcomes:
        explained = _explained(outcome)
        assert sum(e.repair.moved for e in explained) == 0
        for e in explained:
            assert e.repair.moved == e.position_before_repair - e.position
            assert e.cut.inside == (e.position <= _LIMIT)
            if e.cut.gap is not None:
                assert e.cut.gap == explained[_LIMIT - 1].fused_score - e.fused_score
            sentence = plain_sentence(e)
            assert sentence.endswith(".")
            assert "\n" not in sentence


def test_a_memory_outside_the_pool_has_no_explanation(outcomes: list[SearchOutcome]) -> None:
    assert standing_of(outcomes[0], "no-such-memory", _LIMIT) is None


def _near(at: float) -> bytes:
    return packed([1.0, at, *[0.0] * (WIDTH - 2)])


async def test_a_replaced_row_says_what_it_lost_and_which_place_it_would_have(
    tmp_path: Path,
) -> None:
    """By hand: the old row is first in both arms; halved it ties with a row first in one arm."""
    rows = [
        Memory("old", "ssh port", by="new", vectors=(_near(0.0),)),
        Memory("second", "ssh", vectors=(_near(0.1),)),
        Memory("new", "shell service moved", vectors=(_near(0.2),)),
    ]
    build_store(tmp_path, [*rows, *distractors(60)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_vector("ssh port", axis(WIDTH, 0))
        e = standing_of(outcome, uuid_of("old"), 2)
        assert e is not None
        async with engine.database.browse.snapshot() as connection:
            rungs = await eligibility_ladder(connection, Scope(), uuid_of("old"))
    assert [(t.arm, t.rank) for t in e.terms] == [("dense", 1), ("lexical", 1)]
    assert e.fused_score == 1 / 61
    assert (e.demotion.factor, e.demotion.position_if_live) == (0.5, 1)
    # second: 1/62 + 1/62; new: 1/63; old: 1/61 before the repair puts it below the new one.
    assert [h.uuid for h in outcome.hits][:3] == [uuid_of(n) for n in ("second", "new", "old")]
    assert (e.position, e.position_before_repair, e.repair.moved) == (3, 2, -1)
    assert e.repair.because_of == uuid_of("new")
    assert e.above is not None
    assert e.above.key == "repair"
    assert e.demotion.places_lost == 2
    assert not e.cut.inside
    assert [(r.stage, r.remaining, r.holds) for r in rungs] == [
        ("all rows", 63, True),
        ("after state", 63, True),
    ]
    assert "it would be first if it were live" in plain_sentence(e)
    assert uuid_of("new")[:8] in plain_sentence(e)
