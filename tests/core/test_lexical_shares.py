"""The shares of the terms add up to FTS5's own bm25: recorded queries, and stores of any text."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pysqlite3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.lexical_side import lexical_side
from core.retrieval.bm25 import TermShare
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import lexical_query
from core.retrieval.term_counts import term_counts
from core.store import fts_statistics
from core.store.connection import Connection
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY, whole_texts
from tests.support.recorded import Recorded, RecordedEncoder
from tests.support.store_ddl import TABLES

_TOLERANCE = 1e-9
_SAMPLE = 7
"""Of so many recorded searches one is looked at in the everyday run; all are in the slow one."""


def _assert_sums(shares: Sequence[TermShare], bm25: float, what: object) -> None:
    total = sum(s.contribution for s in shares)
    assert total == pytest.approx(bm25, rel=_TOLERANCE, abs=0), what


async def _assert_whole_outcome(engine: Engine, outcome: SearchOutcome) -> int:
    """Check every lexical hit; return how many there were."""
    hits = [h for h in outcome.hits if h.lexical is not None]
    async with engine.database.search.snapshot() as connection:
        for hit in hits:
            assert hit.lexical is not None
            counts = await term_counts(connection, outcome.query.lexical.terms, hit.head.rowid)
            assert [s.term for s in counts.shares()] == list(outcome.query.lexical.terms)
            _assert_sums(counts.shares(), hit.lexical.bm25, (outcome.query.text, hit.uuid))
            assert counts.totals.rows == outcome.memories
    return len(hits)


async def _assert_side(engine: Engine, outcome: SearchOutcome) -> None:
    """Check the rank and score of the last lexical hit as the explanation gives them."""
    last = max(
        (h for h in outcome.hits if h.lexical is not None),
        key=lambda h: h.lexical.rank if h.lexical else 0,
        default=None,
    )
    if last is None or last.lexical is None:
        return
    async with engine.database.search.snapshot() as connection:
        side = await lexical_side(connection, outcome, last.head, True)
    assert (side.rank, side.bm25) == (last.lexical.rank, last.lexical.bm25)
    assert side.ranked >= (outcome.lexical.depth_reached or 0)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), _SAMPLE])
@pytest.mark.parametrize("store", ["oracle", "demo"])
async def test_every_lexical_hit_of_every_recorded_query_is_taken_apart_exactly(
    store: str, step: int, request: pytest.FixtureRequest
) -> None:
    project: Path = request.getfixturevalue(store)
    recorded: Recorded = request.getfixturevalue(f"{store}_recorded")
    encoder = RecordedEncoder.of(recorded)
    external, internal = recorded.external[::step], recorded.internal[::step]
    checked = 0
    async with open_engine(project) as engine:
        for case in external:
            outcome = await engine.by_encoder(
                case.query, encoder, include_retired=case.include_retired
            )
            checked += await _assert_whole_outcome(engine, outcome)
            await _assert_side(engine, outcome)
        for memory in internal:
            outcome = await engine.searcher.similar(memory.uuid)
            checked += await _assert_whole_outcome(engine, outcome)
            await _assert_side(engine, outcome)
    answers = [c.answer for c in external] + [c.answer for c in internal]
    rows = [row for answer in answers for row in answer.pool]
    assert checked == sum(1 for row in rows if row[3] is not None) > 0


_WORDS = ("lamp", "Lamp", "LÁMP", "hall", "stair", "设备清单", "设备", "x9", "9", "c3po", "ß", "İ")
_SEPARATORS = (" ", " ", " ", "-", "\u19b0", "\u0301", "\n", "²", ".", "\u200b")
_texts = st.one_of(
    whole_texts,
    st.lists(
        st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SEPARATORS)).map("".join), max_size=14
    ).map("".join),
    st.sampled_from(_WORDS).map(lambda word: f"{word} " * 300),
    st.just(""),
)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """Return the loop that all examples of a property share."""
    with asyncio.Runner() as runner:
        yield runner


class _Scratch:
    """A store's rows and index alone, filled anew by a raw connection."""

    def __init__(self, path: Path, runner: asyncio.Runner) -> None:
        path.touch()
        self.raw = pysqlite3.connect(str(path), isolation_level=None)
        self.raw.execute("PRAGMA synchronous = OFF")
        for statement in TABLES.strip().split(";\n"):
            self.raw.execute(statement)
        self.raw.execute("CREATE VIRTUAL TABLE words USING fts5vocab(memory_fts, 'instance')")
        self.reader: Connection = runner.run(Connection.open(path))

    def fill(self, rows: Sequence[tuple[str, str]]) -> None:
        """Index rows 1, 2, ... in place of what was there; FTS5 takes any text, blank too."""
        self.raw.execute("BEGIN")
        self.raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')")
        self.raw.executemany(
            "INSERT INTO memory_fts(rowid, gist, content) VALUES (?, ?, ?)",
            [(n, gist, content) for n, (gist, content) in enumerate(rows, 1)],
        )
        self.raw.execute("COMMIT")

    def instances(self, token: str, rowid: int, column: str) -> int:
        """Count a single token in one column of a row as FTS5's vocabulary lists it."""
        row = self.raw.execute(
            "SELECT count(*) FROM words WHERE term = ? AND doc = ? AND col = ?",
            (token, rowid, column),
        ).fetchone()
        return int((row or (0,))[0])


@pytest.fixture(scope="module")
def scratch(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[_Scratch]:
    """Give a scratch index and close it."""
    found = _Scratch(tmp_path_factory.mktemp("scratch") / "memory.db", runner)
    yield found
    runner.run(found.reader.close())
    found.raw.close()


async def _assert_row(reader: Connection, terms: tuple[str, ...], rowid: int) -> None:
    counts = await term_counts(reader, terms, rowid)
    expression = " OR ".join(f'"{t}"' for t in terms)
    own = await fts_statistics.own_bm25(reader, expression, rowid)
    assert counts.matches == (own is not None)
    _assert_sums(counts.shares(), own or 0.0, (terms, rowid))
    for share in counts.shares():
        alone = await fts_statistics.own_bm25(reader, f'"{share.term}"', rowid)
        _assert_sums([share], alone or 0.0, share)
        assert share.is_clamped == (2 * share.df >= share.rows)
        assert (share.tf_gist + share.tf_content > 0) == (alone is not None)


@PROPERTY
@given(
    rows=st.lists(st.tuples(_texts, _texts), min_size=1, max_size=9),
    query=_texts,
    copies=st.integers(1, 4),
)
def test_shares_add_up_whatever_the_texts_and_each_is_the_bm25_of_its_term_alone(
    scratch: _Scratch,
    runner: asyncio.Runner,
    rows: list[tuple[str, str]],
    query: str,
    copies: int,
) -> None:
    scratch.fill(rows * copies)
    terms = lexical_query(f"{query} {rows[0][0]} {rows[-1][1]}", 64).terms
    if terms:
        for rowid in range(1, len(rows) + 1):
            runner.run(_assert_row(scratch.reader, terms, rowid))


@PROPERTY
@given(
    rows=st.lists(
        st.tuples(*[st.lists(st.sampled_from(("lamp", "hall", "x9", "设备")), max_size=40)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_occurrences_and_rows_are_those_of_the_texts(
    scratch: _Scratch, runner: asyncio.Runner, rows: list[tuple[list[str], list[str]]]
) -> None:
    scratch.fill([(" ".join(gist), " ".join(content)) for gist, content in rows])
    terms = ("lamp", "LAMP", "hall", "x9", "设备")
    for rowid, (gist, content) in enumerate(rows, 1):
        counts = runner.run(term_counts(scratch.reader, terms, rowid))
        assert counts.length == len(gist) + len(content)
        assert counts.totals.rows == len(rows)
        assert counts.totals.tokens == sum(len(g) + len(c) for g, c in rows)
        for term in counts.terms:
            word = term.term.lower()
            assert term.df == sum(1 for g, c in rows if word in g or word in c)
            assert (term.tf_gist, term.tf_content) == (gist.count(word), content.count(word))
            assert term.tf_gist == scratch.instances(word, rowid, "gist")
            assert term.tf_content == scratch.instances(word, rowid, "content")
