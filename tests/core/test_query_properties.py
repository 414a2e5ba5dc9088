"""Any text is a safe query: terms by a plain reading of the rule, and FTS5 never objects."""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.query import lexical_query
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY, any_texts
from tests.support.stores import WIDTH, Memory, build_store, distractors
from tests.support.stub_encoder import StubEncoder


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """Return the loop that all examples of a property share."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def engine(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """Open a small store for the whole module."""
    folder: Path = tmp_path_factory.mktemp("store")
    texts = ("don't", "C++ café", "设备清单 devices")
    odd = [Memory(f"odd {n}", text) for n, text in enumerate(texts)]
    build_store(folder, [*odd, *distractors(60)])
    stack = AsyncExitStack()
    yield runner.run(stack.enter_async_context(open_engine(folder)))
    runner.run(stack.aclose())


def _plain_terms(text: str) -> list[str]:
    """Read the rule naively: group the characters, drop repeats, longest first."""
    groups = itertools.groupby(text, key=str.isalnum)
    runs = ["".join(run) for is_word, run in groups if is_word]
    distinct = [run for at, run in enumerate(runs) if run not in runs[:at]]
    return [
        run for _, run in sorted(enumerate(distinct), key=lambda p: (-len(p[1]), p[0]))
    ]


@PROPERTY
@given(text=any_texts, cap=st.integers(1, 8))
def test_terms_are_the_distinct_runs_longest_first_up_to_the_cap(text: str, cap: int) -> None:
    query = lexical_query(text, cap)
    expected = _plain_terms(text)
    assert list(query.terms) == expected[:cap]
    assert list(query.dropped) == expected[cap:]
    quoted = " OR ".join(f'"{term}"' for term in expected[:cap])
    assert query.expression == (quoted or None)


@PROPERTY
@given(text=any_texts)
def test_no_text_makes_a_search_fail(
    engine: Engine, runner: asyncio.Runner, text: str
) -> None:
    encoder = StubEncoder(WIDTH)
    outcome = runner.run(engine.by_encoder(text, encoder))
    assert outcome.lexical.ran == bool(_plain_terms(text))
    assert outcome.dense.ran
    assert outcome.dense.depth_reached == 51
    runner.run(engine.literal(text, outcome))


@PROPERTY
@given(text=any_texts)
def test_a_word_alone_finds_what_holds_it(
    engine: Engine, runner: asyncio.Runner, text: str
) -> None:
    """Whatever stands around a word of the store, its row is among the lexical hits."""
    for around in (f"{text} devices", f"devices {text}"):
        outcome = runner.run(engine.by_words(around))
        kept = outcome.query.lexical.terms
        assert not ({"devices"} & set(kept)) or "设备清单 devices" in {
            h.head.gist for h in outcome.hits
        }
