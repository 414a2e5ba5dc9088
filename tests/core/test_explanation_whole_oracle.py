"""Every hit of every recorded search: the explanation's arithmetic, the key it names, its margins.

The score is put together and the key is found again from the rules, not by the program.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.explain.explanation import Margin, MarginKind, Verdict
from core.explain.sentence import KEY_WORDS, plain_sentence
from core.explain.standing import Standing, standing_of
from core.readmodels import State
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.query import DenseQuery
from core.retrieval.ranking import OrderKey
from core.retrieval.searcher import MeaningSide
from tests.support.engine import Engine, open_engine
from tests.support.explaining import explained
from tests.support.oracle import copy_project
from tests.support.recorded import External, Internal, Recorded
from tests.support.stores import writing

_LIMIT = 5
_SAMPLE = 6
"""Of so many recorded searches one is looked at in the everyday run; all are in the slow one."""
_SETTINGS = (
    MarginKind.RRF_K,
    MarginKind.SUPERSESSION_PENALTY,
    MarginKind.RETIRED_PENALTY,
)


async def _search(engine: Engine, case: External | Internal) -> SearchOutcome:
    if isinstance(case, Internal):
        return await engine.searcher.similar(case.uuid)
    return await engine.by_vector(
        case.query, case.vector, include_retired=case.include_retired
    )


async def _outcomes(
    engine: Engine, recorded: Recorded, step: int
) -> AsyncIterator[SearchOutcome]:
    assert await engine.searcher.refresh_matrix()
    cases: list[External | Internal] = [*recorded.external, *recorded.internal]
    for case in cases[::step]:
        outcome = await _search(engine, case)
        if isinstance(case, External):
            assert [h.uuid for h in outcome.hits] == [row[0] for row in case.answer.pool]
        yield outcome


def _added_up(e: Standing) -> float:
    total = 0.0
    for term in e.terms:
        total += 1 / (e.rrf_k + term.rank)
    return total * {State.LIVE: 1.0, State.SUPERSEDED: 0.5, State.RETIRED: 0.5}[e.demotion.state]


def _key_by_the_rules(upper: Hit, lower: Hit) -> OrderKey:
    """Compare two neighbours key by key, as the order is written down."""
    if upper.position_before_repair > lower.position_before_repair:
        return OrderKey.REPAIR
    if upper.fused_score != lower.fused_score:
        return OrderKey.SCORE
    if upper.best_rank != lower.best_rank:
        return OrderKey.BEST_RANK
    if upper.head.tier != lower.head.tier:
        return OrderKey.TIER
    if upper.head.tier == "journal" and upper.head.created_at != lower.head.created_at:
        return OrderKey.CREATED_AT
    return OrderKey.UUID


def _assert_named(sentence: str, key: OrderKey, at: int) -> None:
    told = [k for k, words in KEY_WORDS.items() if f"#{at} stands above it {words}" in sentence]
    assert told == [key], sentence


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), _SAMPLE])
@pytest.mark.parametrize("store", ["oracle", "demo"])
@pytest.mark.timeout(240)
async def test_every_hit_adds_up_to_its_score_and_names_the_key_that_decided(
    store: str, step: int, request: pytest.FixtureRequest
) -> None:
    folder: Path = request.getfixturevalue(store)
    recorded: Recorded = request.getfixturevalue(f"{store}_recorded")
    hits, keys = 0, set[OrderKey]()
    async with open_engine(folder) as engine:
        async for outcome in _outcomes(engine, recorded, step):
            for at, hit in enumerate(outcome.hits):
                e = standing_of(outcome, hit.uuid, _LIMIT)
                assert e is not None
                assert _added_up(e) == e.fused_score == hit.fused_score
                hits += 1
                if at:
                    key = _key_by_the_rules(outcome.hits[at - 1], hit)
                    _assert_named(plain_sentence(e), key, at)
                    keys.add(key)
    assert hits > 3000 / step
    assert keys >= set(OrderKey) - {OrderKey.BEST_RANK}
    assert OrderKey.BEST_RANK in keys or store == "demo" or step > 1


@pytest.mark.parametrize("step", [pytest.param(9, marks=pytest.mark.slow), 9 * _SAMPLE])
@pytest.mark.timeout(240)
async def test_a_margin_set_in_the_store_has_the_promised_effect(
    step: int, oracle: Path, oracle_recorded: Recorded
) -> None:
    """Search again with the number that a margin names: nothing is ranked in memory here."""
    tried: set[MarginKind] = set()
    async with open_engine(oracle) as engine:
        assert await engine.searcher.refresh_matrix()
        for number, case in enumerate(oracle_recorded.external[::step]):
            outcome = await _search(engine, case)
            for hit in outcome.hits[number % 7 :: 17][:3]:
                for margin in (await explained(engine, outcome, hit.uuid)).margins:
                    if margin.kind in _SETTINGS and margin.after is not None:
                        assert await _place_with(engine, case, margin, hit.uuid) == margin.position
                        tried.add(margin.kind)
    assert len(tried) >= 2


async def _place_with(engine: Engine, case: External, margin: Margin, uuid: str) -> int | None:
    one: dict[str, Any] = {margin.kind.value: margin.after}
    changed = replace(engine.searcher.settings, **one)
    side = MeaningSide(DenseQuery(case.vector))
    found = await engine.searcher.search(
        case.query, side, include_retired=case.include_retired, settings=changed
    )
    hit = found.hit(uuid)
    return None if hit is None else hit.position


async def test_a_replaced_and_a_retired_memory_made_live_stand_where_the_margin_says(
    demo_recorded: Recorded, demo: Path, tmp_path: Path
) -> None:
    """For each verdict one memory that would enter the list is made live in a copy of the store."""
    wanted = await _would_enter(demo, demo_recorded)
    assert set(wanted) >= {Verdict.BELOW_CUT, Verdict.NOT_ELIGIBLE}
    for verdict, (case, uuid, margin) in wanted.items():
        project = copy_project(demo, tmp_path / verdict.value)
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET active = 1, superseded_by = NULL WHERE uuid = ?", (uuid,)
            )
        async with open_engine(project) as engine:
            hit = (await _search(engine, case)).hit(uuid)
        assert hit is not None
        assert (hit.position, hit.state) == (margin.position, State.LIVE)


async def _would_enter(
    folder: Path, recorded: Recorded
) -> dict[Verdict, tuple[External, str, Margin]]:
    found: dict[Verdict, tuple[External, str, Margin]] = {}
    async with open_engine(folder) as engine:
        for case in (c for c in recorded.external if not c.include_retired):
            outcome = await _search(engine, case)
            wide = await engine.by_vector(case.query, case.vector, include_retired=True)
            for hit in wide.hits:
                if hit.state is State.LIVE or len(found) == 2:
                    continue
                e = await explained(engine, outcome, hit.uuid)
                margin = next(m for m in e.margins if m.kind is MarginKind.STATE)
                if margin.after is not None:
                    found.setdefault(e.verdict, (case, hit.uuid, margin))
    return found
