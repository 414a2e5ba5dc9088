"""Facets: every count is what its filter would list; stores add up; a click writes the text."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.filters import clicks
from core.filters.compiling import condition_of
from core.filters.facets import (
    Facet,
    FacetCounts,
    count_facets,
    facet_groups,
    merge_facets,
    read_marks,
)
from core.filters.filter import Days, Filter, FilterKey, Word
from core.filters.parsing import parse, write_search
from core.filters.values import write_filter
from core.store.conditions import EVERY_ROW, Condition
from core.store.filter_conditions import among
from tests.core.filters.search_texts import search_texts
from tests.core.filters.store import CONTEXT, NAMES, listed
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY
from tests.support.stores import Memory, build_store

_LIVE = Filter(FilterKey.IS, (Word("live"),))
_AUGUST = Filter(FilterKey.CREATED, (Days(date(2026, 8, 1), date(2026, 8, 31)),))


async def counted(engine: Engine, where: Condition = EVERY_ROW) -> FacetCounts:
    async with engine.database.browse.snapshot() as connection:
        marks = await read_marks(connection, CONTEXT)
        return await count_facets(connection, where, CONTEXT, marks)


def shown(counts: FacetCounts, facet: Facet) -> dict[str, int]:
    (group,) = [g for g in facet_groups(counts) if g.facet is facet]
    return {write_filter(v.filter): v.count for v in group.values}


async def test_the_counts_of_a_store_are_what_its_rows_are(engine: Engine) -> None:
    counts = await counted(engine)
    assert counts.total == 12
    assert shown(counts, Facet.STATE) == {"is:live": 3, "is:superseded": 7, "is:retired": 2}
    assert shown(counts, Facet.TIER) == {"tier:journal": 11, "tier:long_term": 1}
    assert shown(counts, Facet.SESSION) == {'session:""': 11, 'session:"s 1"': 1}
    assert shown(counts, Facet.SIZE) == {"tokens:<50": 4, "tokens:50..149": 8}
    assert shown(counts, Facet.INJECTED) == {"is:injected": 3, "-is:injected": 9}
    assert shown(counts, Facet.PROBLEM) == {
        "is:dead-head": 2,
        "is:dangling": 1,
        "is:cycle": 3,
        "is:no-chunk": 1,
    }
    assert list(shown(counts, Facet.MONTH).items())[:3] == [
        ("created:2026-09", 1),
        ("created:2026-08", 3),
        ("created:2026-07", 2),
    ]


@pytest.mark.parametrize("text", ["", "is:superseded", "-is:injected tokens:>30", "is:odd-version"])
async def test_a_value_in_a_list_counts_the_rows_that_it_would_leave_there(
    engine: Engine, text: str
) -> None:
    filters = parse(text).filters
    counts = await counted(engine, condition_of(filters, CONTEXT))
    assert counts.total == len(await listed(engine, text))
    for group in facet_groups(counts):
        for value in group.values:
            narrower = clicks.and_also(text, value.filter)
            assert value.count == len(await listed(engine, narrower))
        if group.facet is not Facet.PROBLEM:
            assert sum(v.count for v in group.values) + group.other_rows == counts.total


async def test_the_rows_of_a_ranked_list_are_counted_by_their_numbers(engine: Engine) -> None:
    rowids = [1 + NAMES.index(name) for name in ("plain", "dead", "lost")]
    counts = await counted(engine, among([*rowids, 999]))
    assert counts.total == 3
    assert shown(counts, Facet.STATE) == {"is:live": 1, "is:superseded": 1, "is:retired": 1}


async def test_many_sessions_are_cut_and_the_rest_is_told(tmp_path: Path) -> None:
    sizes = {"a": 4, "b": 3, "c": 3, "d": 1, "e": 1}
    rows = [
        Memory(f"{name} {n}", "note", session_id=name)
        for name, size in sizes.items()
        for n in range(size)
    ]
    async with open_engine(build_store(tmp_path, rows)) as engine:
        counts = await counted(engine)
    (group,) = [g for g in facet_groups(counts, 3) if g.facet is Facet.SESSION]
    told = {write_filter(v.filter): v.count for v in group.values}
    assert told == {"session:a": 4, "session:b": 3, "session:c": 3}
    assert (group.other_values, group.other_rows) == (2, 2)


async def test_a_time_that_is_no_month_is_counted_apart(tmp_path: Path) -> None:
    odd = ("2026-13-01T00:00:00+00:00", "yesterday", "2026-02-01T00:00:00+00:00")
    rows = [Memory(f"m{n}", "note", created_at=at) for n, at in enumerate(odd)]
    async with open_engine(build_store(tmp_path, rows)) as engine:
        counts = await counted(engine)
    (group,) = [g for g in facet_groups(counts) if g.facet is Facet.MONTH]
    assert [write_filter(v.filter) for v in group.values] == ["created:2026-02"]
    assert (group.other_values, group.other_rows) == (2, 2)


async def test_two_stores_count_as_one_store_of_all_their_rows(
    engine: Engine, tmp_path: Path
) -> None:
    others = [
        Memory("o1", "one", session_id="s 1", created_at="2026-08-02T00:00:00+00:00"),
        Memory("o2", "two", session_id="s 2", tier="long_term", active=False),
    ]
    async with open_engine(build_store(tmp_path, others)) as second:
        both = merge_facets([await counted(engine), await counted(second)])
    assert both.total == 14
    assert shown(both, Facet.STATE) == {"is:live": 4, "is:superseded": 7, "is:retired": 3}
    assert shown(both, Facet.TIER) == {"tier:journal": 12, "tier:long_term": 2}
    assert shown(both, Facet.SESSION) == {
        'session:""': 11,
        'session:"s 1"': 2,
        'session:"s 2"': 1,
    }
    assert shown(both, Facet.MONTH)["created:2026-08"] == 4
    assert merge_facets([]).total == 0
    assert facet_groups(merge_facets([])) == ()


@pytest.mark.parametrize(
    ("text", "replaced", "also", "either", "without"),
    [
        ("", "is:live", "is:live", "is:live", "-is:live"),
        (
            "ferry  times",
            "is:live ferry  times",
            "is:live ferry  times",
            "is:live ferry  times",
            "-is:live ferry  times",
        ),
        (
            "ferry tier:journal",
            "is:live ferry",
            "tier:journal is:live ferry",
            "tier:journal is:live ferry",
            "tier:journal -is:live ferry",
        ),
        (
            "is:retired ferry",
            "is:live ferry",
            "is:retired is:live ferry",
            "is:retired,live ferry",
            "is:retired -is:live ferry",
        ),
        ("is:live", "is:live", "is:live", "is:live", "-is:live"),
        ("-is:live", "is:live", "is:live", "is:live", "-is:live"),
        ('"a', 'is:live "a', 'is:live "a', 'is:live "a', '-is:live "a'),
    ],
)
def test_a_click_writes_the_search_text(
    text: str, replaced: str, also: str, either: str, without: str
) -> None:
    assert clicks.replaced_by(text, _LIVE) == replaced
    assert clicks.and_also(text, _LIVE) == also
    assert clicks.or_else(text, _LIVE) == either
    assert clicks.and_not(text, _LIVE) == without


def test_months_are_joined_and_a_facet_with_a_minus_is_never_joined() -> None:
    assert clicks.or_else("created:2026-07", _AUGUST) == "created:2026-07,2026-08"
    never = Filter(FilterKey.IS, (Word("injected"),), negated=True)
    assert clicks.or_else("is:live", never) == "is:live -is:injected"
    assert clicks.and_not("is:live", never) == "is:live is:injected"
    assert clicks.or_else("-is:head", _LIVE) == "-is:head is:live"


_FILTERS = st.sampled_from(
    [
        _LIVE,
        _AUGUST,
        Filter(FilterKey.SESSION, (Word('a "b" c'),)),
        parse("-is:injected").filters[0],
    ]
)


@PROPERTY
@given(text=search_texts, filter_=_FILTERS)
def test_no_click_changes_the_words_and_each_leaves_its_filter(text: str, filter_: Filter) -> None:
    words = parse(text).free_text
    for click in (clicks.replaced_by, clicks.and_also, clicks.or_else, clicks.and_not):
        after = parse(click(text, filter_))
        assert after.free_text.strip() == words.strip()
        wanted = clicks.and_not("", filter_) if click is clicks.and_not else write_filter(filter_)
        (filter_after,) = parse(wanted).filters
        assert any(
            set(filter_after.values) <= set(f.values) and f.negated == filter_after.negated
            for f in after.filters
        )
        assert write_search(tuple(c.filter for c in after.chips), after.free_text).split()
