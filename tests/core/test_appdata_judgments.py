"""Grades, baselines and query sets in the program's own file, and the step to its format 2."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pysqlite3
import pytest
import pytest_asyncio

from core.appdata.baselines import Baselines, baseline_of
from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.judgments import GradedSearch, Judgments
from core.appdata.preferences import PreferenceStore
from core.appdata.queries import Queries, SavedSearch
from core.appdata.query_sets import exported, imported
from core.appdata.schema import STEPS, VERSION
from core.clock import SystemClock
from core.documents.judgments_file import JudgedQuery
from core.readmodels import State
from core.settings import RetrievalSettings
from tests.support.pools import head_of, outcome_of

_CLOCK = SystemClock()
_STORE = "store-one"


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[AppDatabase]:
    opened = await AppDatabase.open(tmp_path, _CLOCK)
    yield opened
    await opened.close()


@pytest.fixture
def judgments(database: AppDatabase) -> Judgments:
    return Judgments(database, _CLOCK)


@pytest.fixture
def baselines(database: AppDatabase) -> Baselines:
    return Baselines(database, _CLOCK)


async def test_a_grade_comes_back_for_its_search_and_store_alone(judgments: Judgments) -> None:
    await judgments.give("tide", False, _STORE, "a", 3)
    await judgments.give("tide", False, _STORE, "b", 0)
    assert await judgments.grades("tide", False, _STORE) == {"a": 3, "b": 0}
    for other in (("tide", True, _STORE), ("tides", False, _STORE), ("tide", False, "other")):
        assert await judgments.grades(*other) == {}


async def test_a_grade_given_again_is_replaced_and_one_taken_back_is_gone(
    judgments: Judgments,
) -> None:
    for grade in (1, 2):
        await judgments.give("tide", False, _STORE, "a", grade)
    await judgments.give("tide", False, _STORE, "b", 1)
    assert await judgments.grades("tide", False, _STORE) == {"a": 2, "b": 1}
    await judgments.withdraw("tide", False, _STORE, "a")
    assert await judgments.grades("tide", False, _STORE) == {"b": 1}


@pytest.mark.parametrize("grade", [-1, 4, True])
async def test_a_grade_is_0_to_3(grade: int, judgments: Judgments) -> None:
    with pytest.raises(ValueError, match="0 to 3"):
        await judgments.give("tide", False, _STORE, "a", grade)
    assert await judgments.graded(_STORE) == ()


async def test_a_stored_value_that_is_no_grade_counts_as_not_given(
    database: AppDatabase, judgments: Judgments
) -> None:
    await judgments.give("tide", False, _STORE, "a", 1)
    async with database.writing() as connection:
        await connection.rows(
            "INSERT INTO grade(text, include_retired, store_id, uuid, grade, at) "
            "VALUES ('tide', 0, ?, 'b', 9, ''), ('tide', 0, ?, 'c', 'much', '')",
            (_STORE, _STORE),
        )
    assert await judgments.grades("tide", False, _STORE) == {"a": 1}


async def test_odd_uuids_come_back_and_half_characters_of_a_text_are_searched_alike(
    judgments: Judgments,
) -> None:
    odd = "\udcff\x00é"
    await judgments.give("tide \ud800", False, _STORE, odd, 2)
    assert await judgments.grades("tide \ud800", False, _STORE) == {odd: 2}
    assert await judgments.graded(_STORE) == (GradedSearch("tide �", False, {odd: 2}),)
    await judgments.withdraw("tide \ud800", False, _STORE, odd)
    assert await judgments.graded(_STORE) == ()


async def test_all_graded_searches_of_a_store_come_in_the_order_they_were_begun(
    judgments: Judgments,
) -> None:
    await judgments.give("tide", True, _STORE, "a", 1)
    await judgments.give("ferry", False, _STORE, "a", 2)
    await judgments.give("tide", True, _STORE, "b", 3)
    await judgments.give("quay", False, "other", "a", 1)
    assert await judgments.graded(_STORE) == (
        GradedSearch("tide", True, {"a": 1, "b": 3}),
        GradedSearch("ferry", False, {"a": 2}),
    )
    await judgments.clear(_STORE)
    assert await judgments.graded(_STORE) == ()
    assert len(await judgments.graded("other")) == 1


async def test_a_baseline_comes_back_with_everything_that_produced_it(
    baselines: Baselines,
) -> None:
    old = head_of("old", State.SUPERSEDED, by="b")
    outcome = outcome_of(["old", "b"], ["c"], {"old": old}, RetrievalSettings(rrf_k=7))
    taken = baseline_of("before", outcome, _STORE)
    assert taken.ranking == tuple(h.uuid for h in outcome.hits)
    assert [(r.dense_rank, r.lexical_rank) for r in taken.pool if r.uuid == "c"] == [(None, 1)]
    await baselines.save(taken)
    (found,) = await baselines.all()
    assert found.at
    assert replace(found, at="") == taken
    assert (found.settings.rrf_k, found.text, found.data_version) == (7, "tide", 1)


async def test_baselines_are_replaced_by_name_dropped_by_name_and_newest_first(
    baselines: Baselines,
) -> None:
    taken = baseline_of("one", outcome_of(["a"], ["a"]), _STORE)
    for name in ("one", "two", "one"):
        await baselines.save(replace(taken, name=name))
    assert [b.name for b in await baselines.all()] == ["one", "two"]
    await baselines.drop("one")
    assert [b.name for b in await baselines.all()] == ["two"]


def test_a_baseline_has_a_name() -> None:
    with pytest.raises(ValueError, match="name"):
        baseline_of(" ", outcome_of(["a"], None), _STORE)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("pool", "not json"),
        ("pool", "7"),
        ("pool", '[{"uuid": "a"}]'),
        ("pool", "[7]"),
        ("pool", "[" * 100_000),
        ("settings", "{}"),
        ("settings", "[]"),
        ("settings", '{"rrf_k": "many"}'),
        ("name", " "),
    ],
)
async def test_a_baseline_that_is_not_understood_counts_as_not_there(
    column: str, value: str, database: AppDatabase, baselines: Baselines
) -> None:
    taken = baseline_of("one", outcome_of(["a"], ["a"]), _STORE)
    await baselines.save(taken)
    await baselines.save(replace(taken, name="spoilt"))
    async with database.writing() as connection:
        await connection.rows(
            f"UPDATE baseline SET {column} = ? WHERE name = 'spoilt'", (value,)
        )
    assert [b.name for b in await baselines.all()] == ["one"]


def _make_version_1(folder: Path) -> None:
    """Make the file as the first format has it, with a saved search and a preference."""
    connection = pysqlite3.connect(str(folder / FILE_NAME))
    for statement in STEPS[0]:
        connection.execute(statement)
    connection.execute("INSERT INTO saved_search VALUES (1, 'Tides', 'tide', 1, '2026')")
    connection.execute("INSERT INTO preference VALUES ('limit', '9')")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


async def test_a_file_of_the_first_format_is_stepped_forwards_and_keeps_everything(
    tmp_path: Path,
) -> None:
    _make_version_1(tmp_path)
    database = await AppDatabase.open(tmp_path, _CLOCK)
    try:
        assert database.set_aside is None
        saved = await Queries(database, _CLOCK).saved()
        assert saved == (SavedSearch("Tides", "tide", True),)
        await Judgments(database, _CLOCK).give("tide", True, _STORE, "a", 3)
        async with database.reading() as connection:
            assert await connection.count("PRAGMA user_version") == VERSION == len(STEPS)
    finally:
        await database.close()
    again = await AppDatabase.open(tmp_path, _CLOCK)
    assert await Judgments(again, _CLOCK).grades("tide", True, _STORE) == {"a": 3}
    await again.close()


async def test_a_glance_reads_a_file_of_the_first_format_and_leaves_it(tmp_path: Path) -> None:
    _make_version_1(tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()
    look = await AppDatabase.glance(tmp_path)
    assert (await PreferenceStore(look).load()).limit == 9
    await look.close()
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_query_set_goes_into_a_file_and_comes_back() -> None:
    saved = (SavedSearch("Tides", "tide", True), SavedSearch("Bare", "no grades", False))
    graded = (
        GradedSearch("ferry", False, {"b": 2}),
        GradedSearch("tide", True, {"a": 3, "d": 0}),
    )
    out = exported(saved, graded)
    assert out == (
        JudgedQuery("tide", {"a": 3, "d": 0}, True, "Tides"),
        JudgedQuery("ferry", {"b": 2}),
    )
    back = imported(out, ())
    assert back.saved == (SavedSearch("Tides", "tide", True), SavedSearch("ferry", "ferry", False))
    assert sorted(g.text for g in back.graded) == ["ferry", "tide"]
    assert {g.text: g.grades for g in back.graded} == {g.text: g.grades for g in graded}


def test_an_import_replaces_no_saved_search() -> None:
    mine = (SavedSearch("Tides", "something else", False), SavedSearch("Same", "tide", False))
    queries = [
        JudgedQuery("ebb", {"a": 1}, name="Tides"),
        JudgedQuery("flood", {}, name="Tides"),
        JudgedQuery("tide", {"a": 1}, name="Another name"),
        JudgedQuery("tide", {"a": 2, "b": 3}),
    ]
    found = imported(queries, mine)
    assert found.saved == (
        SavedSearch("Tides (2)", "ebb", False),
        SavedSearch("Tides (3)", "flood", False),
    )
    assert found.graded == (
        GradedSearch("ebb", False, {"a": 1}),
        GradedSearch("tide", False, {"a": 2, "b": 3}),
    )


def test_a_blank_query_is_left_out_of_the_window() -> None:
    found = imported([JudgedQuery("\u200b", {"a": 1}, vector=b"\0\0\0\0")], ())
    assert (found.saved, found.graded) == ((), ())
