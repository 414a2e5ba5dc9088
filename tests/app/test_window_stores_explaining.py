"""Several stores in one window: why a row is where it is, comparing rows of two stores, what if."""

from pathlib import Path

from PySide6.QtWidgets import QMessageBox

from tests.app.test_window_comparing import close, dialog_of, page
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import front, store_of, tides
from tests.support.stores import uuid_of
from tests.support.window_stores import stub, stub_services
from widgets.what_if_content import KnobName


async def _open_two(opened: OpenWindow, folder: Path) -> None:
    stores = [store_of(folder / name, tides(name, count)) for name, count in _COUNTS.items()]
    opened.controller.open_paths(stores)
    await opened.settled()


_COUNTS = {"quay": 3, "pier": 4}


async def test_why_here_tells_the_stores_and_counts_in_both(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        await _open_two(opened, tmp_path)
        await opened.search("tide")
        for name in ("quay1", "pier2"):
            await opened.select(uuid_of(name))
            assert front(opened) == name[:-1]
            told = opened.why()
            assert f"{tmp_path}/{name[:-1]}/.zikaron/memory.db, the store of this memory" in told
            assert "N: 3 + 4 = 7" in told
            assert "tide: 3 + 4 = 7" in told
            assert "in 7 of 7 memories" in told
            assert "all rows: 7 memories, this one among them" in told


async def test_a_search_over_two_stores_is_explained_with_both(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        await _open_two(opened, tmp_path)
        await opened.search("tide")
        told = opened.why()
    assert "over 7 memories of 2 stores" in told
    assert "all rows: 7 memories" in told
    assert "N: 3 + 4 = 7" in told


async def test_memories_of_two_stores_are_compared_step_by_step(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        await _open_two(opened, tmp_path)
        outcome = await opened.search("tide quay")
        compare = opened.window.actions_by_name["compare"]
        await opened.select(uuid_of("pier0"))
        compare.trigger()
        await opened.select(uuid_of("quay0"))
        compare.trigger()
        dialog = await page(opened)
        rows = {row[0]: row for row in dialog.content.rows}
        pier, quay = outcome.hit(uuid_of("pier0")), outcome.hit(uuid_of("quay0"))
        assert pier is not None
        assert quay is not None
        last = rows["Place once replacements stand first"]
        assert last[1:3] == (f"#{pier.position}", f"#{quay.position}")
        assert rows["Score after the penalty"][1] == repr(pier.fused_score)
        await close(opened, dialog)


async def test_two_queries_are_compared_over_one_store_only_and_that_is_said(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        await _open_two(opened, tmp_path)
        await opened.search("tide")
        opened.window.actions_by_name["compare_query"].trigger()
        box = await dialog_of(opened, QMessageBox)
        assert "over one store" in box.text()
        box.accept()
        await opened.settled()


async def test_over_several_stores_a_greater_depth_is_not_searched_for(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        await _open_two(opened, tmp_path)
        outcome = await opened.search("tide")
        before = opened.rows()
        panels = opened.controller.panels
        panels.what_if.turn(KnobName.FUSION_DEPTH, outcome.settings.fusion_depth + 10)
        assert not panels.what_if.is_busy
        assert "the depth can only be lowered" in opened.window.what_if_panel.said()
        assert opened.rows() == before
        panels.what_if.turn(KnobName.FUSION_DEPTH, 2)
        assert not panels.what_if.is_busy
        assert len(opened.rows()) <= 4
