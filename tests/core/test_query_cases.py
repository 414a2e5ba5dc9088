"""Public reports about query text, A01-A07, A10, A11: every typed string is literal text.

The dense arm of a small store returns every row, so each test asks the word arm for its rank, among
200 distractors.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from core.notices import NoticeCode
from core.retrieval.encoder import dense_query
from core.retrieval.literal import Field
from core.retrieval.outcome import SearchOutcome
from tests.support.engine import Engine, open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import StubEncoder

_ROWS = (
    Memory("apostrophe", "we don't deploy on Fridays"),
    Memory("path", "logs live in Downloads/transcripts today"),
    Memory("hyphen", "the multi-agent planner"),
    Memory("hyphen parts", "a plan b follows"),
    Memory("colon", "memory:safe languages only"),
    Memory("scope", "see grammar::fa for the rule"),
    Memory("operators", "foo, x, gist, python, say, hi, NEAR, OR"),
    Memory("version", "ubuntu 20.04 images"),
    Memory("dotted", "health.base must answer"),
    Memory("equals", "blah= is the default"),
    Memory("language", "rewritten in C last year"),
    Memory("inequality", "x y never meet"),
    Memory("slash unit", "the disk reads 3 GB/s"),
    Memory("glued unit", "GBs of memory"),
    Memory("migration", "migration of the main database"),
    Memory("only database", "the database is large"),
    Memory("cjk", "设备清单 devices"),
    Memory("kana", "今日は成語しりとりをした"),
)


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    """Open a store of the rows above among 200 distractors."""
    build_store(tmp_path, [*_ROWS, *distractors(200)])
    async with open_engine(tmp_path) as opened:
        yield opened


async def _searched(engine: Engine, text: str) -> SearchOutcome:
    return await engine.by_encoder(text, StubEncoder(WIDTH))


def _word_rank(outcome: SearchOutcome, name: str) -> int | None:
    hit = outcome.hit(uuid_of(name))
    return None if hit is None or hit.lexical is None else hit.lexical.rank


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("don't", "apostrophe"),  # A01
        ("Downloads/transcripts", "path"),
        ("multi-agent", "hyphen"),  # A02
        ("memory:safe", "colon"),  # A03
        ("grammar::fa", "scope"),
        ("ubuntu 20.04", "version"),  # A04
        ("health.base", "dotted"),
        ("blah=", "equals"),
        ("C++", "language"),
        ("database migration", "migration"),  # A06
    ],
)
async def test_a_text_full_of_signs_finds_its_row_first_by_words_a01_to_a06(
    engine: Engine, text: str, name: str
) -> None:
    outcome = await _searched(engine, text)
    assert _word_rank(outcome, name) == 1
    assert outcome.dense.ran


@pytest.mark.parametrize("text", ["a-b", "-x", "x != y"])
async def test_a_sign_never_excludes_a_row_a02_a04(engine: Engine, text: str) -> None:
    """"-x" asks for x; it does not take rows with x away."""
    outcome = await _searched(engine, text)
    expected = {"a-b": "hyphen parts", "-x": "operators", "x != y": "inequality"}[text]
    rank = _word_rank(outcome, expected)
    assert rank is not None
    assert rank <= 2


@pytest.mark.parametrize(
    "text", ["gist:x", "foo AND", "OR", "NEAR(", "(python", 'say "hi', "^x", "{gist}: x"]
)
async def test_operators_are_words_like_any_other_a03(engine: Engine, text: str) -> None:
    outcome = await _searched(engine, text)
    assert _word_rank(outcome, "operators") is not None
    assert outcome.lexical.ran


@pytest.mark.parametrize("text", ["*", '"', "()", "\u200b", "🦀"])
async def test_signs_alone_leave_nothing_to_search_by_words_a03(
    engine: Engine, text: str
) -> None:
    outcome = await _searched(engine, text)
    assert (outcome.lexical.ran, outcome.lexical.depth_reached) == (False, None)
    assert outcome.query.lexical.expression is None
    assert NoticeCode.LEXICAL_ARM_SKIPPED in {n.code for n in outcome.notices}
    assert all(h.lexical is None for h in outcome.hits)


async def test_a_missing_arm_is_named_a02(engine: Engine) -> None:
    outcome = await engine.by_words("multi-agent")
    assert (outcome.dense.ran, outcome.dense.reason) == (False, "words only")
    assert NoticeCode.DENSE_ARM_OFF in {n.code for n in outcome.notices}


async def test_a_slash_separates_and_never_joins_a05(engine: Engine) -> None:
    outcome = await _searched(engine, "GB/s")
    assert _word_rank(outcome, "slash unit") == 1
    assert _word_rank(outcome, "glued unit") is None
    assert outcome.query.lexical.terms == ("GB", "s")


async def test_rows_with_both_words_come_before_rows_with_one_a06(engine: Engine) -> None:
    outcome = await _searched(engine, "database migration")
    assert _word_rank(outcome, "migration") == 1
    assert _word_rank(outcome, "only database") == 2


@pytest.mark.parametrize(("text", "name"), [("设备", "cjk"), ("しりとり", "kana")])
async def test_a_part_of_an_unspaced_run_is_found_apart_from_the_ranking_a07(
    engine: Engine, text: str, name: str
) -> None:
    outcome = await engine.by_words(text)
    assert outcome.hits == ()
    report = await engine.literal(text, outcome)
    assert [(m.head.uuid, m.where) for m in report.matches] == [(uuid_of(name), Field.GIST)]
    assert (report.total, report.complete) == (1, True)


@pytest.mark.parametrize("text", ["", "   ", "\t\n", "\u3000", "\u200b"])
async def test_the_engine_runs_a_blank_text_as_the_agent_does_a10(
    engine: Engine, text: str
) -> None:
    outcome = await _searched(engine, text)
    assert not outcome.lexical.ran
    assert (outcome.dense.ran, outcome.dense.depth_reached) == (True, 51)
    assert len(outcome.hits) == 50


_PASTED = " ".join(f"word{n} and" for n in range(16_000))


@pytest.mark.parametrize("text", [_PASTED, "(" * 300 + "a"], ids=["200 kB", "300 brackets"])
async def test_a_pasted_document_is_answered_and_the_cuts_are_said_a11(
    engine: Engine, text: str
) -> None:
    encoder = StubEncoder(WIDTH, window=32)
    outcome = await engine.by_encoder(text, encoder)
    assert outcome.dense.ran
    assert outcome.lexical.ran
    codes = {n.code for n in outcome.notices}
    is_long = text is _PASTED
    assert (NoticeCode.QUERY_TRUNCATED in codes) == is_long
    assert (NoticeCode.TERMS_DROPPED in codes) == is_long
    assert len(outcome.query.lexical.terms) == (64 if is_long else 1)


async def test_the_word_side_sees_the_whole_pasted_text_a11(engine: Engine) -> None:
    """The longest word stands at the very end, far behind the meaning side's window."""
    text = _PASTED + " Downloads/transcripts"
    encoder = StubEncoder(WIDTH, window=32)
    outcome = await engine.by_encoder(text, encoder)
    assert outcome.query.lexical.terms[0] == "transcripts"
    assert _word_rank(outcome, "path") == 1
    dense = dense_query(text, encoder, "")
    assert (dense.tokens, dense.truncated) == (32_001, True)
    assert dense.kept is not None
    assert encoder.count(dense.kept) == 30
