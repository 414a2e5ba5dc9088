"""What the program's own file keeps: recents, queries, saved searches, preferences, geometry."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from core.appdata import queries as queries_module
from core.appdata import recents as recents_module
from core.appdata.choices import Preferences, ThemeChoice
from core.appdata.database import AppDatabase
from core.appdata.preferences import PreferenceStore
from core.appdata.queries import Queries, SavedSearch
from core.appdata.recents import Recents


class BackwardsClock:
    """A clock that is set back by an hour at each look."""

    def __init__(self) -> None:
        self._now = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def now(self) -> datetime:
        self._now -= timedelta(hours=1)
        return self._now


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[AppDatabase]:
    opened = await AppDatabase.open(tmp_path, BackwardsClock())
    yield opened
    await opened.close()


@pytest.fixture
def queries(database: AppDatabase) -> Queries:
    return Queries(database, BackwardsClock())


@pytest.fixture
def recents(database: AppDatabase) -> Recents:
    return Recents(database, BackwardsClock())


async def test_the_last_fifty_queries_are_kept_newest_first(queries: Queries) -> None:
    assert queries_module.KEPT == 50
    for number in range(53):
        await queries.note(f"query {number}")
    assert await queries.last() == tuple(f"query {n}" for n in range(52, 2, -1))


async def test_a_query_noted_again_moves_up_and_stands_once(queries: Queries) -> None:
    for text in ("tide", "ferry", "tide"):
        await queries.note(text)
    assert await queries.last() == ("tide", "ferry")


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "x" * 2001])
async def test_a_blank_or_very_long_query_is_not_kept(text: str, queries: Queries) -> None:
    await queries.note(text)
    assert await queries.last() == ()


@pytest.mark.parametrize("text", ["a\0b", "two\nlines", "<b>", "'; DROP TABLE query; --", "שלום"])
async def test_a_query_comes_back_as_it_was(text: str, queries: Queries) -> None:
    await queries.note(text)
    assert await queries.last() == (text,)
    await queries.forget(text)
    assert await queries.last() == ()


async def test_half_a_character_is_kept_as_the_replacement_that_is_searched(
    queries: Queries,
) -> None:
    await queries.note("tide \ud800")
    await queries.save(SavedSearch("n\udfff", "\ud800", False))
    assert await queries.last() == ("tide �",)
    assert await queries.saved() == (SavedSearch("n�", "�", False),)


async def test_clearing_forgets_queries_and_leaves_saved_searches(queries: Queries) -> None:
    await queries.note("tide")
    await queries.save(SavedSearch("Tides", "tide", True))
    await queries.clear()
    assert await queries.last() == ()
    assert await queries.saved() == (SavedSearch("Tides", "tide", True),)


async def test_saved_searches_stand_by_name_whatever_their_capitals(queries: Queries) -> None:
    for name in ("beta", "Alpha", "Zulu", "éclair"):
        await queries.save(SavedSearch(name, "x", False))
    assert [s.name for s in await queries.saved()] == ["Alpha", "beta", "Zulu", "éclair"]


async def test_a_saved_search_of_the_same_name_is_replaced(queries: Queries) -> None:
    await queries.save(SavedSearch("Tides", "tide", False))
    await queries.save(SavedSearch("Tides", "tide tables", True))
    assert await queries.saved() == (SavedSearch("Tides", "tide tables", True),)


async def test_renaming_keeps_the_search_and_takes_over_a_name(queries: Queries) -> None:
    tides, other = SavedSearch("Tides", "tide", True), SavedSearch("Water", "ferry", False)
    await queries.save(tides)
    await queries.save(other)
    await queries.rename(tides, "Water")
    assert await queries.saved() == (SavedSearch("Water", "tide", True),)
    await queries.rename(SavedSearch("Water", "tide", True), "Water")
    assert await queries.saved() == (SavedSearch("Water", "tide", True),)
    await queries.drop("Water")
    assert await queries.saved() == ()


def test_a_saved_search_has_a_name() -> None:
    with pytest.raises(ValueError, match="name"):
        SavedSearch(" ", "tide", False)


async def test_the_last_twenty_stores_are_kept_newest_first(recents: Recents) -> None:
    assert recents_module.KEPT == 20
    for number in range(22):
        await recents.note(Path(f"/p/{number}"), "id", f"n{number}")
    assert [r.name for r in await recents.all()] == [f"n{n}" for n in range(21, 1, -1)]
    await recents.note(Path("/p/5"), "id", "again")
    first, second = (await recents.all())[:2]
    assert (first.path, first.name, second.name) == (Path("/p/5"), "again", "n21")
    assert len(await recents.all()) == 20


async def test_a_path_of_any_bytes_comes_back(recents: Recents) -> None:
    path = Path(os.fsdecode(b"/p/\xff\xfe n#%41"))
    await recents.note(path, "id", path.name)
    assert [r.path for r in await recents.all()] == [path]
    await recents.forget(path)
    assert await recents.all() == ()


async def test_all_stores_can_be_forgotten(recents: Recents) -> None:
    await recents.note(Path("/a"), "id", "a")
    await recents.note(Path("/b"), "id", "b")
    await recents.clear()
    assert await recents.all() == ()


async def test_preferences_come_back_as_chosen(database: AppDatabase) -> None:
    store = PreferenceStore(database)
    assert await store.load() == Preferences()
    chosen = Preferences(ThemeChoice.DARK, 14, 50, False, False)
    await store.save(chosen)
    assert await store.load() == chosen


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("limit", "0"),
        ("limit", "51"),
        ("limit", '"7"'),
        ("limit", "7.0"),
        ("limit", "true"),
        ("theme", '"sepia"'),
        ("theme", "[]"),
        ("font_points", "99"),
        ("meaning_search", "1"),
        ("query_history", "not json"),
        ("query_history", "[" * 100_000),
        ("of_tomorrow", "1"),
    ],
)
async def test_a_value_that_is_not_understood_counts_as_not_set(
    key: str, value: str, database: AppDatabase
) -> None:
    async with database.writing() as connection:
        await connection.rows("INSERT INTO preference VALUES (?, ?)", (key, value))
        await connection.rows("INSERT INTO preference VALUES ('theme_', '1')")
    assert await PreferenceStore(database).load() == Preferences()


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 51}, {"font_points": 6}])
def test_preferences_outside_their_range_cannot_be_made(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"limit is 1 to 50|font_points is 0 or 7 to 32"):
        Preferences(**wrong)  # type: ignore[arg-type]  # keywords of one type


async def test_geometry_comes_back_part_by_part(database: AppDatabase) -> None:
    store = PreferenceStore(database)
    await store.save_geometry({"window": b"\0one", "splitter": b"two"})
    await store.save_geometry({"window": b"three"})
    assert await store.geometry() == {"window": b"three", "splitter": b"two"}
