"""The blast radius of each staged change: said in its line by itself, and as a page of its own."""

from pathlib import Path

from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer


async def test_each_line_says_how_many_searches_its_change_would_move(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        last = opened.rows()[-1]
        before = all_digests(project)
        await writer.retire("tide")
        await opened.select(last)
        writer.trigger("retire")
        bar = opened.window.pending_bar
        await until(lambda: [row.radius for row in bar.rows].count("") == 0)
        # The last of 25 is not among the first ten of the one search that is tried.
        assert [row.radius for row in bar.rows] == ["moves 1 of 1 search", "moves none of 1 search"]
        assert bar.rows[0].spoken.endswith("can be committed, moves 1 of 1 search")
        assert all_digests(project) == before
        assert not list((opened.controller.writing.context.services.data_dir / "copies").glob("*"))


async def test_one_entry_is_tried_alone(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        last = opened.rows()[-1]
        await writer.retire("tide")
        await opened.select(last)
        writer.trigger("retire")
        bar = opened.window.pending_bar
        await until(lambda: len(bar.rows) == 2)
        bar.select(bar.rows[1].number)
        bar.buttons["radius"].click()
        await until(lambda: writer.writing.page is not None)
        page = writer.writing.page
        assert page is not None
        assert page.content.headline == (
            "0 of 1 search would rank otherwise in the first 10 after 1 change."
        )
        assert uuid_of("tide") not in {row[1] for row in page.content.rows}
        page.reject()
        await until(lambda: writer.writing.page is None)
