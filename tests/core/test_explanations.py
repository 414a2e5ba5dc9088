"""The explanation of any memory: the first stage where it fell out, told from recorded searches
and from stores made by hand."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from core.documents.explanation_document import explanation_document
from core.documents.json_text import dump
from core.explain.explanation import Explanation, Verdict
from core.explain.sentence import KEY_WORDS, sentence_of
from core.explain.standing import rankable
from core.explain.steps.provenance import provenance_step
from core.retrieval import ranking
from core.retrieval.outcome import SearchOutcome
from core.retrieval.ranking import OrderKey
from tests.support.engine import Engine, open_engine
from tests.support.explaining import explained
from tests.support.recorded import External, Recorded, RecordedEncoder
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of, writing
from tests.support.stub_encoder import axis

_OUTSIDE_POOL = ("fused_score", "order", "repair")


def _document(e: Explanation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dump(explanation_document(e)))
    return found


async def _search(engine: Engine, case: External, encoder: RecordedEncoder) -> SearchOutcome:
    return await engine.by_encoder(case.query, encoder, include_retired=case.include_retired)


def _sample(case: External, number: int) -> list[int]:
    """Return a few rows of a recorded pool: the ends, and others from case to case."""
    size = len(case.answer.pool)
    return sorted({at % size for at in (0, 4, 5, 7 * number, size - 1)}) if size else []


def _same_distance(ours: float | None, then: float | None) -> bool:
    return (ours is None) == (then is None) and abs((ours or 0.0) - (then or 0.0)) <= 1e-6


@pytest.mark.parametrize("step", [pytest.param(9, marks=pytest.mark.slow), 27])
@pytest.mark.timeout(240)
async def test_the_object_has_the_recorded_ranks_and_its_arithmetic_gives_the_score(
    step: int, oracle: Path, oracle_recorded: Recorded
) -> None:
    encoder = RecordedEncoder.of(oracle_recorded)
    async with open_engine(oracle) as engine:
        for number, case in enumerate(oracle_recorded.external[::step]):
            outcome = await _search(engine, case, encoder)
            for at in _sample(case, number):
                uuid, score, dense, lexical, distance, state = case.answer.pool[at]
                told = _document(await explained(engine, outcome, uuid))
                what = (case.query, at)
                assert told["outcome"] == ("hit" if at < 5 else "below_cut"), what
                ranks = {t["arm"]: t["rank"] for t in told["fusion"]["terms"]}
                assert (ranks.get("dense"), ranks.get("lexical")) == (dense, lexical), what
                assert dense in (None, told["dense"]["rank"])
                assert lexical in (None, told["lexical"]["rank"])
                if dense is None and told["dense"]["rank"] is not None:
                    assert told["dense"]["rank"] > 50
                if distance is not None:
                    assert _same_distance(told["dense"]["distance"], distance), what
                total = 0.0
                for term in told["fusion"]["terms"]:
                    assert term["value"] == 1 / (told["fusion"]["rrf_k"] + term["rank"])
                    total += term["value"]
                assert total == told["fusion"]["rrf_score"]
                assert total * told["penalty"]["factor"] == told["fused_score"] == score, what
                assert told["penalty"]["state"] == state
                assert told["order"]["position"] == at + 1
                before = told["order"]["position_before_repair"]
                assert before - told["order"]["position"] == told["repair"]["moved"]
                sums = sum(t["contribution"] for t in told["lexical"]["terms"])
                assert sums == pytest.approx(told["lexical"]["bm25"] or 0.0, rel=1e-9)
                assert told["cut"] == {"limit": 5, "inside": at < 5}


async def test_the_sentence_names_the_key_that_decided(
    oracle: Path, oracle_recorded: Recorded
) -> None:
    encoder = RecordedEncoder.of(oracle_recorded)
    keys: set[OrderKey] = set()
    async with open_engine(oracle) as engine:
        for number, case in enumerate(oracle_recorded.external[1::6]):
            outcome = await _search(engine, case, encoder)
            for at in _sample(case, number)[1:3]:
                upper, lower = outcome.hits[at - 1], outcome.hits[at]
                key = ranking.deciding_key(rankable(upper), rankable(lower), outcome.settings)
                if upper.position_before_repair > lower.position_before_repair:
                    key = OrderKey.REPAIR
                sentence = sentence_of(await explained(engine, outcome, lower.uuid))
                assert f"#{at} stands above it {KEY_WORDS[key]}" in sentence
                others = [words for other, words in KEY_WORDS.items() if other is not key]
                assert not any(words in sentence for words in others), sentence
                keys.add(key)
    assert len(keys) >= 2


@pytest_asyncio.fixture
async def small(tmp_path: Path) -> AsyncIterator[Engine]:
    """Open a store in which the nearest memories are known."""
    rows = [
        Memory("near", "tide tables", vectors=(axis(WIDTH, 0),)),
        Memory("old", "tide clock", by="near", vectors=(axis(WIDTH, 0, 0.95),)),
        Memory("gone", "tide gauge", active=False, vectors=(axis(WIDTH, 0, 0.99),)),
        Memory("mute", "without a chunk", vectors=()),
        *distractors(80),
    ]
    project = build_store(tmp_path / "small", rows)
    with writing(project) as raw:
        raw.executemany(
            "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES (?, ?, 'cli', 'op', ?, ?, ?)",
            [
                ("2026-03-02T10:00:00+00:00", "s1", "retire", uuid_of("gone"), "{}"),
                ("2026-03-01T09:00:00+00:00", "s1", "surface", uuid_of("near"), _shown(2)),
                ("2026-03-01T09:01:00+00:00", "s1", "fetch", uuid_of("near"), "{}"),
                ("2026-03-01T09:02:00+00:00", "s1", "surface", uuid_of("near"), _shown(1)),
                ("2026-03-01T09:03:00+00:00", "s2", "surface", uuid_of("near"), "not json"),
                ("2026-03-01T09:04:00+00:00", "s1", "amend", uuid_of("near"), "{}"),
                ("2026-03-01T09:05:00+00:00", None, "surface", uuid_of("near"), "[1]"),
                ("2026-03-01T09:06:00+00:00", None, "fetch", uuid_of("near"), "{}"),
            ],
        )
    async with open_engine(project) as engine:
        yield engine


def _shown(rank: int) -> str:
    return json.dumps({"rank": rank, "fused_score": 0.03125, "demoted": False, "demotion": None})


async def test_what_became_of_each_injection_is_said_of_its_own_session(small: Engine) -> None:
    outcome = await small.by_vector("tide", axis(WIDTH, 0))
    step = provenance_step(await explained(small, outcome, uuid_of("near")))
    said = [line.value for line in step.lines if line.label.startswith("2026-03-01")]
    assert said == [
        "at an unknown rank, in an unknown session",
        "at an unknown rank, not fetched in that session",
        "at #1 (0.03125), changed or retired later in that session",
        "at #2 (0.03125), fetched and changed or retired later in that session",
    ]


async def test_a_retired_memory_is_not_eligible_and_says_when_it_was_retired(
    small: Engine,
) -> None:
    outcome = await small.by_vector("tide", axis(WIDTH, 0))
    e = await explained(small, outcome, uuid_of("gone"))
    assert e.verdict is Verdict.NOT_ELIGIBLE
    assert [(r.stage, r.remaining, r.holds) for r in e.ladder] == [
        ("all rows", 84, True),
        ("after state", 83, False),
    ]
    # Nearer than all but one and found by the word: it would follow the nearest.
    assert sentence_of(e) == (
        "Not eligible: it was retired on 2026-03-02, and retired memories are left out; "
        "it would be #2 if it were live."
    )
    told = _document(e)
    assert (told["dense"]["rank"], told["lexical"]["rank"]) == (None, None)
    assert told["dense"]["distance"] == pytest.approx(0.01, rel=1e-4)
    assert told["penalty"] == {"state": "retired", "factor": 0.5}
    assert [told[key] for key in _OUTSIDE_POOL] == [None] * 3
    assert told["fusion"] == {"rrf_k": 60, "terms": [], "rrf_score": None}
    wide = await small.by_vector("tide", axis(WIDTH, 0), include_retired=True)
    assert (await explained(small, wide, uuid_of("gone"))).verdict is Verdict.HIT


async def test_a_memory_outside_the_pool_says_its_true_rank(small: Engine) -> None:
    outcome = await small.by_vector("tide", axis(WIDTH, 0))
    found = {h.uuid for h in outcome.hits}
    outside = next(m.uuid for m in distractors(80) if m.uuid not in found)
    e = await explained(small, outcome, outside)
    assert e.verdict is Verdict.OUTSIDE_POOL
    assert e.dense.rank is not None and 50 < e.dense.rank <= 82
    assert sentence_of(e).startswith(
        "Not in the result: no word of the query occurs in it and its nearest chunk is "
        f"#{e.dense.rank} of 82 (the meaning arm keeps 50)"
    )
    mute = await explained(small, outcome, uuid_of("mute"))
    assert "no word of the query occurs in it and it has no chunk" in sentence_of(mute)
    words = await explained(small, await small.by_words("tide"), outside)
    assert "occurs in it and the meaning search did not run" in sentence_of(words)


@pytest.mark.parametrize("uuid", ["nobody", "", "\ud800", uuid_of("nobody"), "a\x00b", "🌊" * 99])
async def test_a_uuid_that_names_no_row_has_an_explanation_too(small: Engine, uuid: str) -> None:
    outcome = await small.by_vector("tide", axis(WIDTH, 0))
    e = await explained(small, outcome, uuid)
    told = _document(e)
    assert told["outcome"] == "no_such_memory"
    assert (told["uuid"], told["penalty"], told["margins"]) == (uuid, None, [])
    assert [r["remaining"] for r in told["eligibility"]] == [84, 83]
    assert told["dense"]["stop_reason"] == "depth_reached"


async def test_a_search_by_a_memory_does_not_find_the_memory_itself(small: Engine) -> None:
    outcome = await small.searcher.similar(uuid_of("near"))
    own = await explained(small, outcome, uuid_of("near"))
    assert own.verdict is Verdict.NOT_ELIGIBLE
    assert "it does not find itself" in sentence_of(own)
    old = await explained(small, outcome, uuid_of("old"))
    assert sentence_of(old).startswith(
        f"Not eligible: it was replaced by {uuid_of('near')[:8]}, and this search looks for live"
    )
    told = _document(await explained(small, outcome, outcome.hits[0].uuid))
    assert (told["query"]["text"], told["query"]["uuid"]) == (None, uuid_of("near"))
    assert told["order"]["position"] == 1


async def test_injections_say_what_the_same_session_did_afterwards(small: Engine) -> None:
    outcome = await small.by_vector("tide", axis(WIDTH, 0))
    told = (await explained(small, outcome, uuid_of("near"))).provenance
    assert told is not None
    assert [
        (i.session_id, i.rank, i.fused_score, i.fetched_after, i.changed_after)
        for i in told.injections
    ] == [
        (None, None, None, False, False),
        ("s2", None, None, False, False),
        ("s1", 1, 0.03125, False, True),
        ("s1", 2, 0.03125, True, True),
    ]
    assert [event.kind for event in told.events][:2] == ["fetch", "surface"]


async def test_a_word_the_query_lacks_is_advice_and_not_verified(small: Engine) -> None:
    outcome = await small.by_vector("zzz", axis(WIDTH, 3))
    e = await explained(small, outcome, uuid_of("mute"))
    advice = [m for m in e.margins if m.kind == "query_term"]
    assert [(m.after, m.verified, m.position) for m in advice] == [("without", False, None)]


async def test_a_memory_of_an_odd_uuid_is_explained_as_the_list_names_it(tmp_path: Path) -> None:
    rows = [Memory(n, f"zarquon {n}", vectors=(axis(WIDTH, 0),)) for n in ("blob", "broken")]
    project = build_store(tmp_path / "odd", [*rows, *distractors(60)])
    with writing(project) as raw:
        for table, column in (("memory", "uuid"), ("memory_chunk", "memory_uuid")):
            raw.execute(
                f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (b"blob", uuid_of("blob"))
            )
            raw.execute(
                f"UPDATE {table} SET {column} = CAST(x'6869ff' AS TEXT) WHERE {column} = ?",
                (uuid_of("broken"),),
            )
    async with open_engine(project) as engine:
        outcome = await engine.by_vector("zarquon", axis(WIDTH, 0))
        told = [await explained(engine, outcome, h.uuid) for h in outcome.hits[:2]]
    assert {e.uuid for e in told} == {"blob", "hi\udcff"}
    for e in told:
        assert (e.verdict, e.ladder[-1].holds) == (Verdict.HIT, True)
        assert [c.distance for c in e.dense.chunks] == [0.0]
        assert dump(explanation_document(e)).isascii()
