"""A search under filters: they hold inside both arms, the rest of the search is as it was."""

from pathlib import Path

import pytest

from core.explain.reading import explain_memory
from core.explain.sentence import sentence_of
from core.filters.compiling import FilterContext, narrowing_of
from core.filters.parsing import parse
from core.retrieval.arms import StopReason
from core.retrieval.eligibility import Narrowing
from core.retrieval.ladder import eligibility_ladder
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from tests.core.filters.store import CONTEXT, NOW, names_of
from tests.support.engine import Engine, open_engine
from tests.support.stores import WIDTH, Memory, build_store, distractors, uuid_of
from tests.support.stub_encoder import axis, packed

_MANY = 7000
_NO_WORDS = "!"


def narrowed(text: str) -> Narrowing | None:
    return narrowing_of(parse(text).filters, CONTEXT)


async def search(
    engine: Engine, text: str, vector: bytes | None = None, *, include_retired: bool = False
) -> SearchOutcome:
    """Search as the search box will: the words of a text under its filters."""
    side = MeaningSide(None, "words only") if vector is None else MeaningSide(DenseQuery(vector))
    parsed = parse(text)
    return await engine.searcher.search(
        parsed.free_text,
        side,
        include_retired=include_retired,
        narrowed=narrowing_of(parsed.filters, CONTEXT),
    )


def near(distance: float) -> bytes:
    """Return a unit vector whose distance to the first axis grows with the number."""
    return packed([1.0 - distance, (1 - (1 - distance) ** 2) ** 0.5, *[0.0] * (WIDTH - 2)])


@pytest.mark.parametrize("with_matrix", [True, False])
async def test_a12_the_one_long_term_row_among_sixty_better_ones_is_found_by_both_arms(
    tmp_path: Path, with_matrix: bool
) -> None:
    matching = [
        Memory(f"good {n}", "ferry ferry times", vectors=(near(n / 1000),)) for n in range(60)
    ]
    weak = Memory(
        "weak",
        "a note of many words among which the ferry is named once",
        tier="long_term",
        vectors=(near(0.9),),
    )
    async with open_engine(build_store(tmp_path, [*matching, weak])) as engine:
        if with_matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await search(engine, "tier:long_term ferry", axis(WIDTH, 0))
        (hit,) = outcome.hits
        assert hit.uuid == uuid_of("weak")
        assert hit.dense is not None and hit.lexical is not None
        assert (hit.dense.rank, hit.lexical.rank) == (1, 1)
        assert outcome.scope.is_filtered
        unfiltered = await search(engine, "ferry", axis(WIDTH, 0))
        assert unfiltered.hit(uuid_of("weak")) is None
        assert not unfiltered.scope.is_filtered


@pytest.mark.parametrize("with_matrix", [True, False])
async def test_a_row_beyond_the_widest_probe_is_found_under_a_filter(
    tmp_path: Path, with_matrix: bool
) -> None:
    # 7,000 rows are nearer: the ordinary arm stops at 6,400 chunks.
    crowd = [Memory(f"c{n}", f"remark {n}", vectors=(near(n / 10_000),)) for n in range(_MANY)]
    far = [
        Memory(f"f{n}", f"far {n}", tier="long_term", vectors=(near(0.9 + n / 1000),))
        for n in range(3)
    ]
    async with open_engine(build_store(tmp_path, [*crowd, *far])) as engine:
        if with_matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await search(engine, f"tier:long_term {_NO_WORDS}", axis(WIDTH, 0))
        assert [h.uuid for h in outcome.hits] == [uuid_of(f"f{n}") for n in range(3)]
        assert outcome.dense.stop_reason is StopReason.INDEX_EXHAUSTED
        assert outcome.dense.depth_reached == 3
        assert not [n for n in outcome.notices if n.code.startswith("peer_fails")]


@pytest.mark.parametrize("with_matrix", [True, False])
async def test_many_rows_that_all_lie_beyond_the_widest_probe_are_ranked_nearest_first(
    tmp_path: Path, with_matrix: bool
) -> None:
    # A third of the store is left, and none of it is among the 6,400 nearest chunks.
    crowd = [Memory(f"c{n}", "remark", vectors=(near(n / 20_000),)) for n in range(_MANY)]
    far = [
        Memory(f"f{n}", "far", tier="long_term", vectors=(near(0.5 + n / 20_000),))
        for n in range(_MANY // 2)
    ]
    async with open_engine(build_store(tmp_path, [*crowd, *far])) as engine:
        if with_matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await search(engine, f"tier:long_term {_NO_WORDS}", axis(WIDTH, 0))
        assert [h.uuid for h in outcome.hits] == [uuid_of(f"f{n}") for n in range(50)]
        assert outcome.dense.stop_reason is StopReason.DEPTH_REACHED


async def test_a_filter_that_keeps_every_row_leaves_the_ranking_as_it_is(
    tmp_path: Path,
) -> None:
    async with open_engine(build_store(tmp_path, distractors(300))) as engine:
        vector = axis(WIDTH, 3)
        plain = await search(engine, "unrelated topic 17", vector)
        kept = await search(engine, "version:1 unrelated topic 17", vector)
        assert kept.hits == plain.hits
        assert (kept.dense, kept.lexical) == (plain.dense, plain.lexical)


async def test_ranks_count_among_the_rows_that_the_filter_leaves(engine: Engine) -> None:
    outcome = await search(engine, "is:live tide")
    assert sorted(names_of(h.uuid for h in outcome.hits)) == ["bare", "end", "plain"]
    ranks = [h.lexical.rank for h in outcome.hits if h.lexical is not None]
    assert sorted(ranks) == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is:retired tide", "alone dead"),
        ("is:live,retired tide", "alone bare dead end plain"),
        ("is:dead-head tide", "dead gone"),
        ("is:head tide", "end"),
        ("-is:retired is:head tide", "end"),
        ("is:injected tide", "end plain"),
    ],
)
async def test_retired_rows_are_let_in_where_a_filter_asks_for_them_by_name(
    engine: Engine, text: str, expected: str
) -> None:
    outcome = await search(engine, text)
    assert sorted(names_of(h.uuid for h in outcome.hits)) == expected.split()


async def test_a_search_by_a_memory_is_narrowed_too_and_looks_for_live_rows(
    engine: Engine,
) -> None:
    outcome = await engine.searcher.similar(uuid_of("plain"), narrowed("tier:long_term"))
    assert names_of(h.uuid for h in outcome.hits) == ["end"]
    outcome = await engine.searcher.similar(uuid_of("plain"), narrowed("is:retired"))
    assert outcome.hits == ()


async def test_a_vector_that_is_not_made_of_numbers_is_left_out_and_said(tmp_path: Path) -> None:
    broken = packed([float("nan"), *[0.0] * (WIDTH - 1)])
    rows = [
        Memory("broken", "x", tier="long_term", vectors=(broken,)),
        Memory("whole", "y", tier="long_term"),
        *distractors(30),
    ]
    async with open_engine(build_store(tmp_path, rows)) as engine:
        outcome = await search(engine, f"tier:long_term {_NO_WORDS}", axis(WIDTH, 0))
        assert [h.uuid for h in outcome.hits] == [uuid_of("whole")]
        assert [n.code for n in outcome.notices if n.code.startswith("peer_fails")] == [
            "peer_fails_vector"
        ]


async def test_the_ladder_counts_what_the_filters_leave(engine: Engine) -> None:
    scope = (await search(engine, "tokens:>30 tide")).scope
    async with engine.database.search.snapshot() as connection:
        kept = await eligibility_ladder(connection, scope, uuid_of("end"))
        left_out = await eligibility_ladder(connection, scope, uuid_of("plain"))
    assert [(r.stage, r.remaining, r.holds) for r in kept] == [
        ("all rows", 12, True),
        ("after state", 10, True),
        ("after filters", 7, True),
    ]
    assert [r.holds for r in left_out] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("plain", "Not eligible: the filters leave it out (tokens:>30)"),
        ("dead", "Not eligible: it was retired"),
    ],
)
async def test_why_not_names_the_filters_where_they_left_a_memory_out(
    engine: Engine, name: str, said: str
) -> None:
    outcome = await search(engine, "tokens:>30 tide", axis(WIDTH, 0))
    async with engine.database.search.snapshot() as connection:
        told = await explain_memory(connection, outcome, uuid_of(name), 5, store_id="s")
    assert sentence_of(told).startswith(said)


async def test_nothing_but_other_filters_would_bring_in_what_they_left_out(engine: Engine) -> None:
    outcome = await search(engine, "tokens:>100 tide", axis(WIDTH, 0))
    for name in ("plain", "dead"):  # the second is retired as well, and would not pass if live
        async with engine.database.search.snapshot() as connection:
            told = await explain_memory(connection, outcome, uuid_of(name), 5, store_id="s")
        assert told.margins
        assert [m.after for m in told.margins] == [None] * len(told.margins)
        assert (told.dense.rank, told.lexical.rank) == (None, None)


def test_a_search_without_filters_is_not_narrowed() -> None:
    assert narrowing_of(parse("just words").filters, FilterContext(NOW)) is None
