"""The margin that tells most, in words: the nearest way into the list, or out of it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from core.explain.explanation import Explanation, Margin, MarginKind, Verdict
from core.explain.margin_words import best_margin
from tests.support.engine import open_engine
from tests.support.explaining import explained
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis

_K, _LIMIT = MarginKind.RRF_K, MarginKind.LIMIT
_STATE, _WORDS, _MEANING = MarginKind.STATE, MarginKind.LEXICAL_RANK, MarginKind.DENSE_RANK
_NEARER = "+4 places in the meaning arm passes #4"
_PENALTY = MarginKind.SUPERSESSION_PENALTY


@pytest_asyncio.fixture
async def both(tmp_path: Path) -> AsyncIterator[tuple[Explanation, Explanation]]:
    """Give a hit, and a live memory below the cut, of one search."""
    rows = [Memory("near", "tide", vectors=(axis(WIDTH, 0),)), *distractors(60)]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        outcome = await engine.by_vector("tide", axis(WIDTH, 0))
        hit = await explained(engine, outcome, uuid_of("near"))
        below = await explained(engine, outcome, outcome.hits[9].uuid)
        assert (hit.verdict, below.verdict) == (Verdict.HIT, Verdict.BELOW_CUT)
        yield hit, below


def _margin(
    kind: MarginKind, before: str | float | None, after: str | float | None, to: int | None = 4
) -> Margin:
    return Margin(kind, before, after, to, True)


@pytest.mark.parametrize(
    ("margins", "words"),
    [
        ([_margin(_STATE, "retired", "live")], "it would be #4 if it were live"),
        ([_margin(_WORDS, 7, 5, 3)], "+2 places in the word arm passes #3"),
        ([_margin(_MEANING, 2, 1, 3)], "+1 place in the meaning arm passes #3"),
        ([_margin(_WORDS, None, 9)], "as #9 of the word arm it would be #4"),
        ([_margin(_WORDS, 90, 5), _margin(_MEANING, 9, 5)], _NEARER),
        ([_margin(_WORDS, None, 5), _margin(_MEANING, 9, 5)], _NEARER),
        ([_margin(_K, 60, 12)], "it enters the top 5 when rrf_k < 13"),
        ([_margin(_PENALTY, 0.5, 0.75)], "it enters the top 5 when supersession_penalty is 0.75"),
        ([_margin(_LIMIT, 5, 7)], "a limit of 7 shows it"),
        ([_margin(_LIMIT, 5, 7), _margin(_K, 60, 61)], "it enters the top 5 when rrf_k > 60"),
        ([_margin(_K, 60, None, None)], None),
        ([Margin(MarginKind.QUERY_TERM, None, "pier", None, False)], None),
        ([], None),
    ],
)
def test_the_nearest_way_in(
    both: tuple[Explanation, Explanation], margins: list[Margin], words: str | None
) -> None:
    assert best_margin(replace(both[1], margins=tuple(margins))) == words


@pytest.mark.parametrize(
    ("margins", "words"),
    [
        ([_margin(_K, 60, 96, 6)], "it leaves the top 5 when rrf_k > 95"),
        ([_margin(_LIMIT, 5, 3, 4), _margin(_K, 60, 50, 6)], "it leaves the top 5 when rrf_k < 51"),
        ([_margin(_WORDS, 3, 9, 6)], "6 places lower in the word arm it leaves the top 5"),
        ([_margin(_LIMIT, 5, 3, 4)], None),
    ],
)
def test_the_nearest_way_out(
    both: tuple[Explanation, Explanation], margins: list[Margin], words: str | None
) -> None:
    assert best_margin(replace(both[0], margins=tuple(margins))) == words
