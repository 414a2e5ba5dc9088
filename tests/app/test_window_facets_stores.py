"""Facets and filters over several stores in one window."""

from pathlib import Path

from core.filters.facets import Facet
from tests.support.filtering import counted, listed
from tests.support.open_window import open_window
from tests.support.several import lines, store_of, tide_stores, tides
from tests.support.stores import uuid_of
from tests.support.window_stores import stub, stub_services


async def test_store_says_which_of_several_stores_is_searched_and_listed(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("store:pier tide")
        assert set(opened.rows()) == {uuid_of(f"pier{n}") for n in range(3)}
        assert opened.outcome is not None and opened.outcome.union is None
        await opened.search("-store:pier tide")
        assert set(opened.rows()) == {uuid_of(f"quay{n}") for n in range(3)}
        await opened.search("store:PIER,quay tide")
        assert len(opened.rows()) == 6
        rows = await listed(opened, "store:quay")
        assert set(rows) == {uuid_of(f"quay{n}") for n in range(3)}
        assert opened.window.browse_view.heading() == "3 of 6 memories, newest first"
        opened.controller.model.embedder = None
        await opened.search("store:nowhere tide")
        assert opened.rows() == []


async def test_facets_and_filters_are_about_all_checked_stores(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        facets = await counted(opened)
        assert facets[Facet.STATE] == {"live": 6}
        await opened.search("is:live tide")
        assert len(opened.rows()) == 6
        await counted(opened)
        banner = opened.window.results_page.filter_banner
        assert banner.text().endswith("6 of 6 memories pass")
        await opened.select(uuid_of("pier1"))
        assert "Not eligible" not in opened.why()
        outcome = await opened.search(f"similar:{uuid_of('pier1')[:10]}")
        assert outcome.query.uuid == uuid_of("pier1")
        assert set(opened.rows()) == {uuid_of("pier0"), uuid_of("pier2")}


async def test_how_many_pass_is_said_of_the_stores_of_the_list(tmp_path: Path) -> None:
    paths = [
        store_of(tmp_path / "quay", tides("quay")),
        store_of(tmp_path / "pier", tides("pier", 5), model="another/model"),
    ]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        await opened.search("is:live tide")
        assert opened.window.results_page.group_bar.words() != []
        await counted(opened)
        banner = opened.window.results_page.filter_banner
        assert banner.text().endswith("3 of 3 memories pass")


async def test_what_became_of_a_store_is_said_beside_its_search_alone(tmp_path: Path) -> None:
    paths = [store_of(tmp_path / name, tides(name)) for name in ("quay", "pier")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.controller.set_meaning_search(False)
        await opened.search("tide")
        assert lines(opened)["pier"].status == "by words only"
        await listed(opened, "is:live")
        assert lines(opened)["pier"].status == ""
        await opened.search("tide")
        assert lines(opened)["pier"].status == "by words only"
