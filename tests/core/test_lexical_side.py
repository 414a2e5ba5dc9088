"""Why the word arm ranks a row where it does: shares by hand, true ranks, indexes out of step."""

import asyncio
from pathlib import Path

import pytest

from core.explain.explanation import LexicalSide
from core.explain.lexical_side import lexical_side
from core.readmodels import MemoryHead
from core.retrieval.arms import StopReason
from core.retrieval.bm25 import TermShare
from core.retrieval.outcome import SearchOutcome
from core.store.memories import heads_by_uuid
from tests.support.engine import Engine, open_engine
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing

# A letter to Python (a term is made of it), a separator to FTS5: a vowel sign of New Tai Lue.
_SEPARATOR = "\u19b0"


async def _head(engine: Engine, name: str) -> MemoryHead:
    async with engine.database.search.snapshot() as connection:
        return (await heads_by_uuid(connection, [uuid_of(name)]))[uuid_of(name)]


async def _side(
    engine: Engine, outcome: SearchOutcome, name: str, *, eligible: bool = True
) -> LexicalSide:
    head = await _head(engine, name)
    async with engine.database.search.snapshot() as connection:
        return await lexical_side(connection, outcome, head, eligible)


def _counts(share: TermShare) -> tuple[str, int, int, int]:
    return share.term, share.df, share.tf_gist, share.tf_content


async def test_terms_come_in_query_order_with_their_counts_in_rows_of_any_state(
    tmp_path: Path,
) -> None:
    rows = [
        Memory("a", "lamp lamp", "a red lamp in the hall"),
        Memory("b", "hall", "nothing", active=False),
        Memory("c", "lamp", "gone", active=False, by="a"),
    ]
    build_store(tmp_path, [*rows, *distractors(20)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp hall unheard")
        side = await _side(engine, outcome, "a")
    assert [_counts(t) for t in side.terms] == [
        ("unheard", 0, 0, 0),
        ("lamp", 2, 2, 1),
        ("hall", 2, 0, 1),
    ]
    assert {(t.rows, t.length) for t in side.terms} == {(23, 8)}
    tokens = [len(f"{m.gist} {m.content}".split()) for m in (*rows, *distractors(20))]
    assert side.terms[0].average_length == sum(tokens) / 23
    assert (side.rank, side.ranked, side.stop_reason) == (1, 2, StopReason.INDEX_EXHAUSTED)
    assert side.bm25 == pytest.approx(sum(t.contribution for t in side.terms), rel=1e-12)


async def test_terms_count_as_fts5_reads_them_case_accents_and_split_tokens(
    tmp_path: Path,
) -> None:
    """Case variants are phrases of their own; a term may be a phrase of tokens, or none at all."""
    build_store(
        tmp_path,
        [
            Memory("a", "Café cafe\u0301 CAFE", "ʼn ﬁ 设备清单 x٣٤"),
            Memory("b", "設備", "devices"),
            *distractors(20),
        ],
    )
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words(f"cafe CAFÉ 设备清单 设备 x٣٤ {_SEPARATOR}")
        side = await _side(engine, outcome, "a")
    found = {t.term: _counts(t)[1:] for t in side.terms}
    assert found["cafe"] == found["CAFÉ"] == (1, 3, 0)
    assert found["设备清单"] == found["x٣٤"] == (1, 0, 1)
    assert found["设备"] == (0, 0, 0), "a part of a run of letters is no token"
    assert found[_SEPARATOR] == (0, 0, 0), "no token at all"
    by_term = {t.term: t.contribution for t in side.terms}
    assert by_term["cafe"] == by_term["CAFÉ"] < 0, "each counts"
    assert side.bm25 == pytest.approx(sum(by_term.values()), rel=1e-12)


async def test_a_term_that_splits_into_tokens_is_counted_as_a_phrase(tmp_path: Path) -> None:
    split = f"red{_SEPARATOR}lamp"
    build_store(
        tmp_path,
        [
            Memory("a", "red lamp red lamp", "lamp red lamp"),
            Memory("b", "lamp red", "red or lamp"),
            *distractors(20),
        ],
    )
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words(split)
        a, b = await _side(engine, outcome, "a"), await _side(engine, outcome, "b")
    assert outcome.query.lexical.terms == (split,)
    assert [_counts(t) for t in a.terms] == [(split, 1, 2, 1)]
    assert [_counts(t) for t in b.terms] == [(split, 1, 0, 0)]
    assert (a.rank, b.rank, b.bm25) == (1, None, None)


async def test_a_common_term_is_marked_and_counts_next_to_nothing(tmp_path: Path) -> None:
    common = [Memory(f"c{n}", "ordinary", f"matter {n}") for n in range(10)]
    rare = [Memory(f"r{n}", "special", f"matter {n}") for n in range(9)]
    build_store(tmp_path, [*common, Memory("a", "ordinary special", "both"), *rare])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("ordinary special")
        side = await _side(engine, outcome, "a")
    ordinary, special = side.terms
    assert (ordinary.df, ordinary.rows, ordinary.is_clamped) == (11, 20, True)
    assert ordinary.idf == 1e-6
    assert -3e-6 < ordinary.contribution < 0
    assert (special.df, special.is_clamped) == (10, True), "exactly half"
    assert side.bm25 == pytest.approx(ordinary.contribution + special.contribution, rel=1e-12)


async def test_the_rank_is_true_beyond_the_depth_and_ties_go_by_uuid(tmp_path: Path) -> None:
    """150 rows match, in three groups of equal rows; fifty are in the list."""
    rows = [Memory(f"m{n}", "lamp " * (1 + n % 3), "one two three") for n in range(150)]
    build_store(tmp_path, [*rows, *distractors(400)])
    expected = sorted(rows, key=lambda m: (-m.gist.count("lamp"), m.uuid))
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp")
        sides = [await _side(engine, outcome, m.name) for m in expected]
    assert len(outcome.hits) == 50
    assert outcome.lexical.stop_reason is StopReason.DEPTH_REACHED
    assert [s.rank for s in sides] == list(range(1, 151))
    assert {s.ranked for s in sides} == {150}
    assert all(s.bm25 == pytest.approx(s.terms[0].contribution, rel=1e-12) for s in sides)
    assert len({s.bm25 for s in sides}) == 3


async def test_a_memory_ruled_out_has_its_shares_but_no_rank(tmp_path: Path) -> None:
    rows = [Memory("gone", "lamp", active=False), Memory("live", "lamp")]
    build_store(tmp_path, [*rows, *distractors(20)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp")
        gone = await _side(engine, outcome, "gone", eligible=False)
        live = await _side(engine, outcome, "live")
        wider = await engine.by_words("lamp", include_retired=True)
        back = await _side(engine, wider, "gone")
    assert (gone.rank, gone.ranked) == (None, 1)
    assert gone.bm25 == live.bm25 == back.bm25
    assert gone.terms == live.terms, "the same row but for its state"
    assert back.ranked == 2


async def test_a_memory_without_any_term_has_no_score(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "lamp"), Memory("b", "hall"), *distractors(20)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp")
        side = await _side(engine, outcome, "b")
    assert (side.rank, side.ranked, side.bm25) == (None, 1, None)
    assert [t.contribution for t in side.terms] == [0.0]


async def test_a_skipped_arm_says_nothing(tmp_path: Path) -> None:
    build_store(tmp_path, distractors(5))
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("?!")
        side = await _side(engine, outcome, "distractor 1")
    assert side == LexicalSide(None, 0, None, None, ())


_DRIFTS = {
    "a row that the index does not have": (
        "INSERT INTO memory_fts(memory_fts, rowid, gist, content) "
        "SELECT 'delete', rowid, gist, content FROM memory WHERE gist = 'lamp second'"
    ),
    "a row edited without the index": "UPDATE memory SET gist = 'x' WHERE gist = 'lamp second'",
    "an index row without a memory": (
        "INSERT INTO memory_fts(rowid, gist, content) VALUES (9999, 'lamp', 'lamp')"
    ),
    "a row indexed twice": (
        "INSERT INTO memory_fts(rowid, gist, content) "
        "SELECT rowid, gist, content FROM memory WHERE gist = 'lamp second'"
    ),
    "a row taken out with another text": (
        "INSERT INTO memory_fts(memory_fts, rowid, gist, content) SELECT 'delete', rowid, "
        "'a lamp of a lamp and very many words more', 'x' FROM memory WHERE gist = 'distractor 1'"
    ),
    "an empty index": "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')",
    "no length of the row": "DELETE FROM memory_fts_docsize WHERE id = 2",
    "no averages": "DELETE FROM memory_fts_data WHERE id = 1",
}


@pytest.mark.parametrize("drift", _DRIFTS)
async def test_an_index_out_of_step_is_read_as_it_is(drift: str, tmp_path: Path) -> None:
    """Searching may fail as it does for the agent; what is explained is finite and never fails."""
    rows = [Memory("first", "lamp"), Memory("second", "lamp second", active=False)]
    build_store(tmp_path, [*rows, *distractors(20)])
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp second unrelated")
    with writing(tmp_path) as raw:
        raw.execute(_DRIFTS[drift])
    async with open_engine(tmp_path) as engine:
        side = await _side(engine, outcome, "second", eligible=False)
    assert (side.rank, len(side.terms)) == (None, 3)
    total = sum(t.contribution for t in side.terms)
    if side.bm25 is None:
        assert total == 0.0
        assert drift in ("a row that the index does not have", "an empty index") or "no " in drift
    else:
        assert total == pytest.approx(side.bm25, rel=1e-9)


async def test_a_cancelled_reading_leaves_the_connection_ready(tmp_path: Path) -> None:
    rows = [Memory(f"m{n}", "lamp hall", f"stair {n}") for n in range(200)]
    build_store(tmp_path, rows)
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_words("lamp hall stair")
        whole = await _side(engine, outcome, "m7")
        for turns in range(0, 60, 3):
            task = asyncio.create_task(_side(engine, outcome, "m7"))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert not engine.database.search.connection.in_transaction
        assert await _side(engine, outcome, "m7") == whole
