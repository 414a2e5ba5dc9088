"""Filtered lists, facets and saved counts over several stores one of which cannot be read."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.search_scope import Found, Query, SearchScope
from core.appdata.queries import SavedSearch
from core.federation.member import ModelKey
from core.filters.facets import Facet, FacetGroup
from core.retrieval.searcher import MeaningSide
from tests.support.faulty_driver import LOCKED, READ_FAILED, Driver, Fault, install
from tests.support.filtering import counted, listed
from tests.support.open_window import OpenWindow, open_window
from tests.support.personal_window import personal_window
from tests.support.several import check, store_of, tide_stores, tides
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.facet_list import FacetList

FILTERED = "FROM memory m"
"""Within every statement that reads a filtered list, a facet or a saved search."""
EVERY_ROW = "SELECT created_at, uuid, rowid FROM memory"
"""Within the one that reads the list of all of several stores."""
HEADS = "json_each"
"""Within those that read the heads of rows."""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    return install(monkeypatch)


@asynccontextmanager
async def quay_broken(
    folder: Path, driver: Driver, fault: Fault = READ_FAILED
) -> AsyncIterator[OpenWindow]:
    """Open a window on pier and quay; from then on quay fails."""
    async with tide_stores(folder, "pier", "quay") as opened:
        await counted(opened)
        driver.folder, driver.within, driver.fault = folder / "quay", FILTERED, fault
        yield opened
        driver.fault = None


@pytest.mark.parametrize("fault", [READ_FAILED, LOCKED], ids=["broken", "locked"])
async def test_the_other_stores_are_listed_and_the_missing_one_is_named(
    tmp_path: Path, driver: Driver, fault: Fault
) -> None:
    async with quay_broken(tmp_path, driver, fault) as opened:
        rows = await listed(opened, "is:live")
        assert set(rows) == {uuid_of(f"pier{n}") for n in range(3)}
        heading = opened.window.browse_view.heading()
        assert heading == "3 of 3 memories, newest first, a store is missing"
        assert "Incomplete: 1 of 2 stores could not be read. quay: " in opened.banners()
        driver.fault = None
        opened.controller.refresh()
        await until(lambda: "of 6 memories" in opened.window.browse_view.heading())
        await opened.settled()
        assert opened.banners() == ""
        assert opened.window.browse_view.heading() == "6 of 6 memories, newest first"


async def test_a_search_says_itself_what_it_lacks_and_not_what_the_list_lacked(
    tmp_path: Path, driver: Driver
) -> None:
    async with quay_broken(tmp_path, driver) as opened:
        await listed(opened, "is:live")
        assert opened.banners()
        driver.fault = None
        await opened.search("is:live tide")
        assert opened.banners() == ""
        assert len(opened.rows()) == 6


async def test_a_store_that_could_not_be_opened_is_missing_of_the_list_too(
    tmp_path: Path,
) -> None:
    async with tide_stores(tmp_path, "pier") as opened:
        await opened.add(tmp_path / "gone")
        await listed(opened, "is:live")
        assert "Incomplete: 1 of 2 stores could not be read. gone: " in opened.banners()
        check(opened, "gone", False)
        await opened.settled()
        assert opened.banners() == ""


async def test_a_store_beside_one_that_is_not_open_is_the_only_open_one(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "pier") as opened:
        await opened.add(tmp_path / "gone")
        strip = opened.window.status_strip
        assert "in pier (the only open store)" in strip.words()
        check(opened, "pier", False)
        await opened.settled()
        assert "in no store (0 of 1 open store)" in strip.words()


async def test_a_list_after_a_search_says_what_it_lacks_once(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "pier", "quay") as opened:
        await opened.add(tmp_path / "gone")
        await opened.search("tide")
        assert opened.banners().count("Incomplete") == 1
        assert "1 of 3 stores could not be searched" in opened.banners()
        await listed(opened, "is:live")
        assert opened.banners().count("Incomplete") == 1
        assert "1 of 3 stores could not be read. gone: " in opened.banners()
        await opened.search("tide quay")
        assert opened.banners().count("Incomplete") == 1


async def test_rows_of_the_other_stores_are_read_where_one_fails(
    tmp_path: Path, driver: Driver
) -> None:
    driver.folder, driver.within, driver.fault = tmp_path / "quay", HEADS, READ_FAILED
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        assert set(opened.browse_rows()) == {uuid_of(f"pier{n}") for n in range(3)}
        assert opened.window.browse_view.number_of_rows() == 6
        assert opened.window.message_bar.isVisible(), "what failed is said"


async def test_only_stores_that_were_read_are_said_to_be_empty(
    tmp_path: Path, driver: Driver
) -> None:
    bare, quay = (store_of(tmp_path / n, m) for n, m in (("bare", ()), ("quay", tides("quay"))))
    async with open_window(stub_services(stub(), tmp_path), bare) as opened:
        driver.folder, driver.within, driver.fault = quay, EVERY_ROW, READ_FAILED
        opened.controller.open_path(quay)
        await until(lambda: "1 of 2 stores could not be read. quay: " in opened.banners())
        await opened.settled()
        assert opened.page_text().startswith("This store is empty\nbare is a memory store, but ")
        assert "quay" not in opened.page_text()
        driver.fault = None
        opened.controller.refresh()
        await until(lambda: opened.window.browse_view.number_of_rows() == 3)
        await opened.settled()
        assert opened.page() == "browse"


async def test_stores_that_are_all_empty_are_named_together(tmp_path: Path) -> None:
    paths = [store_of(tmp_path / name, ()) for name in ("bare", "void")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        await until(lambda: opened.page_text().startswith("These stores are empty"))
        assert "No memory has been written yet to bare, void." in opened.page_text()


async def test_facets_count_the_other_stores_and_say_that_one_is_not_counted(
    tmp_path: Path, driver: Driver
) -> None:
    async with quay_broken(tmp_path, driver) as opened:
        await listed(opened, "is:live")
        facets = await counted(opened)
        assert facets[Facet.STATE] == {"live": 3}
        assert missing_words(opened) == "1 store not counted"
        driver.fault = None
        await listed(opened, "is:live tier:journal")
        facets = await counted(opened)
        assert facets[Facet.STATE] == {"live": 6}
        assert missing_words(opened) == ""


async def test_a_store_that_could_not_be_opened_is_said_not_to_be_in_any_number(
    tmp_path: Path,
) -> None:
    async with personal_window(
        stub_services(stub(), tmp_path), store_of(tmp_path / "pier", tides("pier"))
    ) as personal:
        opened, shown = personal.opened, personal.window.sidebar.saved
        counting = opened.controller.filtering.saved
        personal.personal.saved.keep(SavedSearch("live ones", "is:live", include_retired=False))
        await opened.add(tmp_path / "gone")
        await personal.settled()
        await counting.settled()
        assert shown.item(0).text() == "live ones · 3+"
        await listed(opened, "is:live")
        assert (await counted(opened))[Facet.STATE] == {"live": 3}
        assert missing_words(opened) == "1 store not counted"
        check(opened, "gone", False)
        await opened.settled()
        await counted(opened)
        await counting.settled()
        assert missing_words(opened) == ""
        assert shown.item(0).text() == "live ones · 3"


def missing_words(opened: OpenWindow) -> str:
    line = opened.window.sidebar.facets.topLevelItem(0)
    return "" if line is None or line.isHidden() else line.text(0)


async def test_saved_searches_count_what_can_be_read_and_say_that_there_may_be_more(
    tmp_path: Path, driver: Driver
) -> None:
    project, other = (store_of(tmp_path / n, tides(n)) for n in ("pier", "quay"))
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        await personal.opened.add(other)
        personal.personal.saved.keep(SavedSearch("live ones", "is:live", include_retired=False))
        await personal.settled()
        counting, shown = personal.opened.controller.filtering.saved, personal.window.sidebar.saved
        await counting.settled()
        assert shown.item(0).text() == "live ones · 6"
        driver.folder, driver.within, driver.fault = tmp_path / "quay", FILTERED, READ_FAILED
        counting.again()
        await counting.settled()
        assert shown.item(0).text() == "live ones · 3+"
        assert "3 memories or more: a store could not be read" in shown.item(0).toolTip()
        driver.fault = None
        counting.again()
        await counting.settled()
        assert shown.item(0).text() == "live ones · 6"


async def test_a_memory_to_search_by_is_found_beside_a_store_that_cannot_be_read(
    tmp_path: Path, driver: Driver
) -> None:
    async with quay_broken(tmp_path, driver) as opened:
        driver.within = "FROM memory "
        outcome = await opened.search(f"similar:{uuid_of('pier1')[:12]}")
        assert outcome.query.uuid == uuid_of("pier1")
        assert set(opened.rows()) == {uuid_of("pier0"), uuid_of("pier2")}
        opened.type(f"similar:{uuid_of('quay1')}")
        await opened.controller.settled()
        assert "There is no memory" not in opened.page_text(), "it may be in the other one"
        assert opened.page() == "state"


# Other stores


async def test_no_number_of_a_store_stays_that_is_searched_no_more(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "pier", "quay") as opened:
        await counted(opened)
        facets = opened.window.sidebar.facets
        assert facets.counts()["live"] == "6"
        shown = []
        facets_forget = facets.forget_counts

        def forget() -> None:
            facets_forget()
            shown.append(facets.counts()["live"])

        facets.forget_counts = forget  # type: ignore[method-assign]  # seen between two events
        check(opened, "quay", False)
        await until(lambda: shown)
        assert shown == ["…"]
        await opened.settled()
        await counted(opened)
        assert facets.counts()["live"] == "3"
        await opened.search("tide")
        await counted(opened)
        shown.clear()
        opened.controller.refresh()
        await asyncio.sleep(0)
        await opened.settled()
        assert shown == [], "the same stores: numbers stay until there are others"


async def test_a_ranked_list_of_before_is_not_counted_for_the_stores_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, search = asyncio.Event(), SearchScope.search

    async def held(
        scope: SearchScope, query: Query, sides: Mapping[ModelKey, MeaningSide]
    ) -> Found:
        await goes_on.wait()
        return await search(scope, query, sides)

    async with tide_stores(tmp_path, "pier", "quay") as opened:
        await opened.search("is:live tide")
        await counted(opened)
        facets = opened.window.sidebar.facets
        assert facets.counts()["✓ live"] == "6"
        monkeypatch.setattr(SearchScope, "search", held)
        check(opened, "quay", False)
        await until(lambda: facets.counts()["✓ live"] == "…")
        await opened.controller.filtering.facets.settled()
        assert len(opened.rows()) == 6, "the list of before is still on screen"
        assert facets.counts()["✓ live"] == "…"
        goes_on.set()
        await opened.controller.settled()
        await counted(opened)
        assert (len(opened.rows()), facets.counts()["✓ live"]) == (3, "3")


def test_blocks_of_facets_stand_in_their_order_whichever_came_first(qapp: object) -> None:
    tree = FacetList()
    live = FacetGroup(Facet.STATE, (), 1, 1)
    groups = {facet: FacetGroup(facet, (), 1, 1) for facet in Facet}
    tree.show_groups([live, groups[Facet.PROBLEM]])
    tree.show_groups([live, groups[Facet.SIZE]])
    tree.show_groups([groups[facet] for facet in Facet])
    names = [tree.topLevelItem(row) for row in range(1, tree.topLevelItemCount())]
    assert [item.text(0) for item in names if item is not None] == [
        "State",
        "Tier",
        "Session",
        "Month",
        "Size",
        "Injected",
        "Problems",
    ]
    tree.deleteLater()
