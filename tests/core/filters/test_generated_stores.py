"""Facets, filters and orders over stores made by chance are those of the rows read one by one."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.filters.chains import chains_of
from core.filters.compiling import condition_of
from core.filters.facets import FacetCounts, count_facets, read_marks
from core.filters.filter import Filter, FilterKey, Word, opposite
from core.filters.parsing import parse
from core.store.row_order import RowOrder, SortColumn, keyed_rowids, rowids_in_order
from tests.core.filters.generated_rows import GeneratedRows, build_generated, generated
from tests.core.filters.store import CONTEXT
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY

_SEEDS = range(12)
_MARKS: dict[str, Callable[[GeneratedRows, int], bool]] = {
    "injected": lambda rows, n: rows.times(n, "surface") > 0,
    "dead-head": GeneratedRows.leads_to_dead_head,
    "dangling": GeneratedRows.is_dangling,
    "cycle": GeneratedRows.circles,
    "no-chunk": lambda rows, n: rows.row(n).vectors == (),
}
_LISTS: dict[str, Callable[[GeneratedRows, int], bool]] = {
    "": lambda _rows, _n: True,
    "is:live": lambda rows, n: rows.row(n).active and rows.row(n).by is None,
    "-is:injected tokens:>300": lambda rows, n: (
        rows.times(n, "surface") == 0 and rows.tokens[n] > 300
    ),
    "is:dead-head,cycle": lambda rows, n: rows.leads_to_dead_head(n) or rows.circles(n),
    "is:dangling -is:no-chunk": lambda rows, n: rows.is_dangling(n) and rows.row(n).vectors != (),
    "is:injected": lambda rows, n: rows.times(n, "surface") > 0,
    "-is:injected": lambda rows, n: rows.times(n, "surface") == 0,
    "is:dead-head": GeneratedRows.leads_to_dead_head,
    "-is:cycle": lambda rows, n: not rows.circles(n),
    "tokens:>900": lambda _rows, _n: False,
}


def _is(word: str) -> Filter:
    return Filter(FilterKey.IS, (Word(word),))


async def _rowids(engine: Engine, text: str, order: RowOrder) -> list[int]:
    where = condition_of(parse(text).filters, CONTEXT)
    async with engine.database.browse.snapshot() as connection:
        return await rowids_in_order(connection, where, order)


async def _counted(engine: Engine, text: str) -> FacetCounts:
    where = condition_of(parse(text).filters, CONTEXT)
    async with engine.database.browse.snapshot() as connection:
        marks = await read_marks(connection, CONTEXT)
        return await count_facets(connection, where, CONTEXT, marks)


@pytest.mark.parametrize("seed", _SEEDS)
async def test_marks_and_filters_mean_what_each_row_says(seed: int, tmp_path: Path) -> None:
    rows = generated(random.Random(seed))
    async with open_engine(build_generated(tmp_path, rows)) as engine:
        async with engine.database.browse.snapshot() as connection:
            marks = await read_marks(connection, CONTEXT)
        for word, holds in _MARKS.items():
            expected = {n for n in rows.numbers if holds(rows, n)}
            assert marks.rowids[_is(word)] == expected
            assert set(await _rowids(engine, f"is:{word}", RowOrder())) == expected
            others = set(rows.numbers) - expected
            assert set(await _rowids(engine, f"-is:{word}", RowOrder())) == others


@pytest.mark.parametrize("seed", _SEEDS)
async def test_facets_of_any_list_count_its_rows(seed: int, tmp_path: Path) -> None:
    rows = generated(random.Random(seed))
    async with open_engine(build_generated(tmp_path, rows)) as engine:
        for text, keeps in _LISTS.items():
            counts = await _counted(engine, text)
            kept = [n for n in rows.numbers if keeps(rows, n)]
            assert counts.total == len(kept)
            assert counts.sessions == Counter(rows.row(n).session_id or "" for n in kept)
            assert counts.months == Counter(rows.row(n).created_at[:7] for n in kept)
            for word, holds in _MARKS.items():
                marked = sum(holds(rows, n) for n in kept)
                assert counts.known[_is(word)] == marked
                assert counts.known[opposite(_is(word))] == len(kept) - marked
            (long_term,) = parse("tier:long_term").filters
            assert counts.known[long_term] == sum(rows.row(n).tier == "long_term" for n in kept)
            (middle,) = parse("tokens:50..149").filters
            assert counts.known[middle] == sum(50 <= rows.tokens[n] <= 149 for n in kept)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("seed", _SEEDS)
async def test_lists_by_events_are_in_the_order_of_the_log_read_line_by_line(
    seed: int, descending: bool, tmp_path: Path
) -> None:
    rows = generated(random.Random(seed))
    async with open_engine(build_generated(tmp_path, rows)) as engine:
        for column, kind in ((SortColumn.INJECTED, "surface"), (SortColumn.FETCHED, "fetch")):
            order = RowOrder(column, descending)
            times = {n: rows.times(n, kind) for n in rows.numbers}
            for text, keeps in _LISTS.items():
                kept = [n for n in reversed(rows.numbers) if keeps(rows, n)]
                expected = sorted(kept, key=times.__getitem__, reverse=descending)
                assert await _rowids(engine, text, order) == expected
                where = condition_of(parse(text).filters, CONTEXT)
                async with engine.database.browse.snapshot() as connection:
                    keyed = await keyed_rowids(connection, where, order)
                assert keyed == [(n, times[n]) for n in expected]


_ROWS = st.integers(1, 12)


@PROPERTY
@given(
    links=st.dictionaries(_ROWS, st.one_of(st.none(), _ROWS), max_size=12),
    retired=st.frozensets(_ROWS),
)
def test_chains_are_followed_as_one_step_after_another(
    links: dict[int, int | None], retired: frozenset[int]
) -> None:
    retired -= links.keys()
    chains = chains_of(links, retired)
    replacements = set(links.values())
    for start in range(1, 13):
        path = [start]
        while (by := links.get(path[-1])) is not None and by not in path:
            path.append(by)
        closes, end = by is not None, path[-1]
        is_dead = not closes and end in retired and end in replacements
        assert (start in chains.circling) == closes
        assert (start in chains.dead) == is_dead
        assert (start in chains.dangling) == (start in links and links[start] is None)
