"""A picture of the window shows a search that is complete."""

from pathlib import Path

from app.window import complete
from core.filters.facets import Facet
from tests.support.open_window import open_window
from tests.support.window_stores import ferry_store, stub, stub_services


async def test_a_picture_waits_for_the_facets_of_its_list(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        opened.type("tide")
        await complete(opened.window, opened.controller)
        assert opened.outcome is not None
        assert opened.outcome.dense.ran, "the whole search, not its first half"
        groups = {group.facet: group for group in opened.window.sidebar.facets.groups()}
        counts = [value.count for value in groups[Facet.STATE].values]
        assert sum(counts) == len(opened.outcome.hits)
