"""Explanations over several stores by hand: shared words, ranks across stores, what is told."""

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import GenizahError
from core.explain.explanation import MarginKind, Verdict
from core.explain.sentence import sentence_of
from core.explain.steps.explanation import (
    Snapshot,
    sentence_of_search,
    steps_of,
    steps_of_search,
)
from core.explain.steps.lines import Step
from core.explain.steps.stores import stores_step
from core.federation.explaining import explain_searched, ladder_in_union
from core.federation.searched_stores import PartView, SearchedStores
from core.retrieval.union import SharedStatistics, StorePart, Union, WindowFlags
from tests.support.explaining_several import explained_in, open_members, search_members
from tests.support.federating import numbered_store, store_id_of
from tests.support.stores import WIDTH, Memory, uuid_of, writing
from tests.support.stub_encoder import axis

_SNAPSHOT = Snapshot((), ())
_FOREVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
_SHALLOW = (
    '[embedding]\nembed_model = "stub/words"\nembed_dim = 16\nembed_prefix_query = ""\n'
    "[retrieval]\nfusion_depth = 2\nchunk_overfetch = 4\n"
)


def _same(names: str) -> list[Memory]:
    """Make rows that differ in nothing but their uuids."""
    return [Memory(name, "red lamp", "hall", vectors=(axis(WIDTH, 0),)) for name in names]


def _stores(folder: Path, *rows: Sequence[Memory], config: str | None = None) -> list[Path]:
    more = {} if config is None else {"config": config}
    return [numbered_store(folder, n, memories, **more) for n, memories in enumerate(rows)]


async def test_every_words_share_is_reckoned_with_the_numbers_of_all_stores(
    tmp_path: Path,
) -> None:
    """By hand: 4 rows of 12 tokens in all; `lamp` in three rows of two stores, `hall` in one."""
    rows = (
        [Memory("a", "lamp lamp", "hall"), Memory("b", "lamp", "x")],
        [Memory("c", "lamp", "y z"), Memory("d", "one two three", "four")],
    )
    async with open_members(_stores(tmp_path, *rows)) as members:
        outcome = await search_members(members, "lamp hall")
        e = await explained_in(members, outcome, uuid_of("a"))
    lamp, hall = e.lexical.terms
    assert [(t.term, t.df, t.rows) for t in (lamp, hall)] == [("lamp", 3, 4), ("hall", 1, 4)]
    assert (lamp.tf_gist, lamp.tf_content, hall.tf_gist, hall.tf_content) == (2, 0, 0, 1)
    assert lamp.length == 3
    assert lamp.average_length == 12 / 4
    # The row is as long as the average: the divisor is tf + 1.2.
    assert (lamp.idf, lamp.is_clamped) == (1e-6, True)
    assert hall.idf == math.log((4 - 1 + 0.5) / (1 + 0.5))
    assert lamp.contribution == pytest.approx(-1e-6 * 2 * 2.2 / (2 + 1.2), rel=1e-12)
    assert hall.contribution == pytest.approx(-hall.idf * 2.2 / (1 + 1.2), rel=1e-12)
    assert e.lexical.bm25 == 0.0 + lamp.contribution + hall.contribution
    assert (e.lexical.rank, e.lexical.ranked) == (1, 3)
    assert e.store_id == store_id_of(0)


async def test_ranks_beyond_the_depth_count_the_rows_of_every_store(tmp_path: Path) -> None:
    """All rows score the same: in both arms the uuid decides, whatever store a row is in."""
    paths = _stores(tmp_path, _same("abc"), _same("de"), _same("fgh"), config=_SHALLOW)
    in_order = sorted(uuid_of(name) for name in "abcdefgh")
    async with open_members(paths) as members:
        outcome = await search_members(members, "lamp", axis(WIDTH, 0))
        assert [h.uuid for h in outcome.hits] == in_order[:2]
        for place, uuid in enumerate(in_order, 1):
            e = await explained_in(members, outcome, uuid)
            assert (e.lexical.rank, e.lexical.ranked) == (place, 8)
            assert (e.dense.rank, e.dense.ranked) == (place, 8)
            assert e.verdict is (Verdict.HIT if place <= 2 else Verdict.OUTSIDE_POOL)
            assert [r.remaining for r in e.ladder] == [8, 8]
    margins = {m.kind: m for m in e.margins}
    assert margins[MarginKind.LEXICAL_RANK].before == 8
    assert margins[MarginKind.DENSE_RANK].before == 8


async def test_a_retired_row_is_told_the_place_it_would_have_among_all(tmp_path: Path) -> None:
    gone = Memory("gone", "red lamp", "hall", active=False, vectors=(axis(WIDTH, 0),))
    paths = _stores(tmp_path, _same("abc"), [gone, *_same("d")], config=_SHALLOW)
    live = sorted(uuid_of(name) for name in "abcd")
    place = 1 + sum(uuid < uuid_of("gone") for uuid in live)
    async with open_members(paths) as members:
        outcome = await search_members(members, "lamp", axis(WIDTH, 0))
        e = await explained_in(members, outcome, uuid_of("gone"))
    assert e.verdict is Verdict.NOT_ELIGIBLE
    assert (e.lexical.rank, e.dense.rank) == (None, None)
    assert [(r.remaining, r.holds) for r in e.ladder] == [(5, True), (4, False)]
    margins = {m.kind: m for m in e.margins}
    assert margins[MarginKind.LEXICAL_RANK].before == place
    assert margins[MarginKind.DENSE_RANK].before == place


async def test_a_word_is_advised_by_how_rare_it_is_in_all_stores(tmp_path: Path) -> None:
    """`pier` is the rarer word in the memory's own store, `buoy` in both together."""
    far = Memory("far", "pier buoy", "x", vectors=(axis(WIDTH, 3),))
    buoys = [Memory(f"buoy{n}", "buoy", "x") for n in range(2)]
    piers = [Memory(f"pier{n}", "pier", "x") for n in range(5)]
    paths = _stores(tmp_path, [far, *buoys], [*piers, *_same("ab")], config=_SHALLOW)
    async with open_members(paths) as members:
        outcome = await search_members(members, "lamp", axis(WIDTH, 0))
        e = await explained_in(members, outcome, uuid_of("far"))
    advice = next(m for m in e.margins if m.kind is MarginKind.QUERY_TERM)
    assert (advice.after, advice.verified) == ("buoy", False)


async def test_the_past_of_a_memory_is_that_of_its_own_store(tmp_path: Path) -> None:
    paths = _stores(tmp_path, _same("a"), _same("b"))
    for number, path in enumerate(paths):
        with writing(path) as raw:
            raw.execute(
                "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail)"
                " VALUES ('2026-03-01T09:00:00+00:00', ?, 'cli', 'op', 'surface', ?, ?)",
                (f"s{number}", uuid_of("b"), json.dumps({"rank": 1, "fused_score": 0.5})),
            )
    async with open_members(paths) as members:
        outcome = await search_members(members, "lamp")
        e = await explained_in(members, outcome, uuid_of("b"))
    assert e.provenance is not None
    assert [i.session_id for i in e.provenance.injections] == ["s1"]


@pytest.mark.parametrize("name", ["nobody", "\ud800", ""])
async def test_what_no_store_has_is_said_to_be_in_none(tmp_path: Path, name: str) -> None:
    async with open_members(_stores(tmp_path, _same("a"), _same("b"))) as members:
        e = await explained_in(members, await search_members(members, "lamp"), name)
    assert (e.verdict, e.store_id, e.head) == (Verdict.NO_SUCH_MEMORY, None, None)
    assert "any of these 2 stores" in sentence_of(e)


@pytest.mark.parametrize("moved", [0, 1])
async def test_a_store_that_moved_since_leaves_nothing_to_explain(
    tmp_path: Path, moved: int
) -> None:
    """Also where it is not the memory's own: ranks are counted in all of them."""
    paths = _stores(tmp_path, _same("a"), _same("b"))
    async with open_members(paths) as members:
        outcome = await search_members(members, "lamp")
        assert await ladder_in_union(members, outcome, None) is not None
        with writing(paths[moved]) as raw:
            raw.execute("UPDATE memory SET version = version + 1")
        assert await explain_searched(members, outcome, uuid_of("a"), 5) is None
        assert await ladder_in_union(members, outcome, uuid_of("a")) is None


async def test_where_one_store_fails_its_own_error_comes_out_and_the_others_have_ended(
    tmp_path: Path,
) -> None:
    async with open_members(_stores(tmp_path, _same("a"), _same("b"), _same("c"))) as members:
        outcome = await search_members(members, "lamp")
        assert outcome.union is not None
        stores = SearchedStores(members, outcome.union)

        async def ask(view: PartView) -> int:
            if view.part.store_id == store_id_of(1):
                return await view.connection.count("SELECT count(*) FROM no_such_table")
            return await view.connection.count(_FOREVER)

        with pytest.raises(GenizahError) as caught:
            async with asyncio.timeout(30):
                await stores.ask_all(ask)
        assert caught.value.path == str(tmp_path / "store1" / ".zikaron" / "memory.db")
        assert (await explained_in(members, outcome, uuid_of("c"))).verdict is Verdict.HIT


async def test_an_explanation_and_searches_of_the_same_stores_end_whatever_their_order(
    tmp_path: Path,
) -> None:
    async with open_members(_stores(tmp_path, _same("ab"), _same("cd"))) as members:
        outcome = await search_members(members, "lamp", axis(WIDTH, 0))
        explaining = [explained_in(members, outcome, uuid_of(name)) for name in "abcd"]
        searching = [search_members(list(reversed(members)), "lamp") for _ in range(4)]
        async with asyncio.timeout(30):
            found, again = await asyncio.gather(
                asyncio.gather(*explaining), asyncio.gather(*searching)
            )
    assert {e.uuid for e in found} == {uuid_of(name) for name in "abcd"}
    assert [len(o.hits) for o in again] == [4] * 4


async def test_a_cancelled_explanation_leaves_the_stores_free(tmp_path: Path) -> None:
    async with open_members(_stores(tmp_path, _same("ab"), _same("cd"))) as members:
        outcome = await search_members(members, "lamp", axis(WIDTH, 0))
        task = asyncio.ensure_future(explained_in(members, outcome, uuid_of("a")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await explained_in(members, outcome, uuid_of("c"))).verdict is Verdict.HIT


# What is told


def _lines(steps: Sequence[Step]) -> list[str]:
    (step,) = [s for s in steps if s.title == "Stores"]
    return [f"{line.label}: {line.value}" for line in step.lines]


def _part(number: int, rows: int, tokens: int, dfs: tuple[int, ...], words: int) -> StorePart:
    path = f"/home/ada/p{number}/.zikaron/memory.db"
    return StorePart(f"s{number}", path, rows, rows + 10, 1, rows, tokens, dfs, words, 51)


def _flags(**others: bool) -> WindowFlags:
    plain = {"window_complete": True, "approximate": False, "truncated": False, "exhaustive": False}
    return WindowFlags(**{**plain, **others}, examined=1234)


async def test_the_stores_and_the_numbers_they_share_are_told(tmp_path: Path) -> None:
    async with open_members(_stores(tmp_path, _same("a"), _same("b"))) as members:
        found = await search_members(members, "lamp hall", axis(WIDTH, 0))
    union = Union(
        parts=(_part(1, 1200, 34000, (3, 0), 12), _part(2, 90, 7, (40, 1), 0)),
        home={uuid_of("a"): 1, uuid_of("b"): 0},
        statistics=SharedStatistics(1290, 34007, (43, 1), "0123456789abcdef" * 4),
        words=_flags(truncated=True),
        meaning=_flags(window_complete=False, approximate=True),
    )
    outcome = replace(found, union=union)
    assert _lines(stores_step(outcome, uuid_of("a"))) == [
        "store 1: /home/ada/p1/.zikaron/memory.db",
        ": 1,200 memories, 1,210 chunks; handed in 51 candidates by meaning and "
        "12 candidates by words",
        "store 2: /home/ada/p2/.zikaron/memory.db, the store of this memory",
        ": 90 memories, 100 chunks; handed in 51 candidates by meaning and 0 candidates by words",
        "the numbers: are shared: every store's words are scored with the sums below",
        "N: 1,200 + 90 = 1,290",
        "tokens: 34,000 + 7 = 34,007",
        "lamp: 3 + 40 = 43",
        "hall: 0 + 1 = 1",
        "statistics: epoch 0123456789ab…",
        "merge by meaning: not complete: a store did not hand in what it was asked for; "
        "approximate: a store did not look at every candidate; not exhaustive: a store may hold "
        "more that matches (1,234 candidates examined)",
        "merge by words: complete: every store handed in what it was asked for; truncated: more "
        "was handed in than the arm looks at; not exhaustive: a store may hold more that matches "
        "(1,234 candidates examined)",
    ]


async def test_the_sums_told_are_those_that_the_words_were_scored_with(tmp_path: Path) -> None:
    more = [Memory("x", "green lamp", "y"), Memory("y", "hall", "z")]
    async with open_members(_stores(tmp_path, _same("abc"), more)) as members:
        outcome = await search_members(members, "lamp hall", axis(WIDTH, 0))
        e = await explained_in(members, outcome, uuid_of("x"))
    told = _lines(steps_of(e, _SNAPSHOT))
    sums = {"N: 3 + 2 = 5", "tokens: 9 + 5 = 14", "lamp: 3 + 1 = 4", "hall: 3 + 1 = 4"}
    assert sums <= set(told)
    assert f"store 2: {tmp_path}/store1/.zikaron/memory.db, the store of this memory" in told
    assert {(t.df, t.rows) for t in e.lexical.terms} == {(4, 5)}
    assert told[:2] == _lines(steps_of_search(outcome, 5, None, _SNAPSHOT))[:2]
    assert "over 5 memories of 2 stores" in sentence_of_search(outcome)


async def test_fifty_stores_are_told_and_the_sums_are_cut(tmp_path: Path) -> None:
    async with open_members(_stores(tmp_path, _same("a"), _same("b"))) as members:
        found = await search_members(members, "lamp")
    parts = tuple(_part(n, 1, 3, (1,), 1) for n in range(1, 61))
    shared = SharedStatistics(60, 180, (60,), "e" * 64)
    told = _lines(stores_step(replace(found, union=Union(parts, {}, shared, _flags(), None))))
    assert "N: 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + … = 60" in told
    assert ": and 10 stores more" in told
    assert sum(line.startswith("store ") for line in told) == 50


async def test_where_all_was_handed_in_the_merge_is_exhaustive(tmp_path: Path) -> None:
    async with open_members(_stores(tmp_path, _same("a"), _same("b"))) as members:
        outcome = await search_members(members, "lamp")
        told = _lines(steps_of_search(outcome, 5, None, _SNAPSHOT))
    (words,) = [line for line in told if line.startswith("merge by words")]
    assert "exhaustive: nothing else matches in any store" in words
    assert "not exhaustive" not in words
    assert "truncated" not in words
    assert "merge by meaning: did not run: words only" in told


async def test_a_search_of_one_store_tells_nothing_of_several(tmp_path: Path) -> None:
    async with open_members(_stores(tmp_path, _same("ab"))) as members:
        outcome = await search_members(members, "lamp")
        e = await explained_in(members, outcome, uuid_of("a"))
    assert outcome.union is None
    assert all(step.title != "Stores" for step in steps_of(e, _SNAPSHOT))
    assert "stores" not in sentence_of_search(outcome)
