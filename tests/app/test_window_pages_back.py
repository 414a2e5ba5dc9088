"""Back and forward over the pages that stand in place of the lists; what cannot be sorted there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.support.browsing import harbour, show_page, timeline_page
from tests.support.open_window import OpenWindow
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.widgets.keys import press, press_at_focus
from widgets.action_spec import Menu

_ALT = Qt.KeyboardModifier.AltModifier


@asynccontextmanager
async def by_keys(folder: Path) -> AsyncIterator[OpenWindow]:
    async with harbour(folder, with_garden=True) as opened:
        await until(opened.window.isActiveWindow)
        yield opened


async def back(opened: OpenWindow) -> None:
    press_at_focus(opened.window, Qt.Key.Key_Left, _ALT)
    await opened.settled()


async def forward(opened: OpenWindow) -> None:
    press_at_focus(opened.window, Qt.Key.Key_Right, _ALT)
    await opened.settled()


@pytest.mark.parametrize("page", ["timeline", "audit", "duplicates", "health", "lineage"])
async def test_back_leads_from_a_page_to_the_list_and_forward_to_the_page(
    tmp_path: Path, page: str
) -> None:
    async with by_keys(tmp_path) as opened:
        window = opened.window
        await opened.search("tide")
        await opened.select(uuid_of("tide"))
        await show_page(opened, page)
        shown = window.pages.currentWidget()
        assert window.page_name == page
        await back(opened)
        assert opened.page() == "results"
        assert window.focusWidget() is window.hit_view.list, "the list has the keyboard"
        assert window.hit_view.selected_uuid() == uuid_of("tide")
        await forward(opened)
        assert window.pages.currentWidget() is shown
        assert window.search_bar.text() == "tide"


async def test_pages_looked_at_one_after_another_are_gone_through(tmp_path: Path) -> None:
    async with by_keys(tmp_path) as opened:
        window = opened.window
        for page in ("timeline", "audit", "health"):
            await show_page(opened, page)
        seen = []
        for _ in range(3):
            await back(opened)
            seen.append(window.page_name)
        assert seen == ["audit", "timeline", ""]
        assert not window.actions_by_name["back"].isEnabled()
        assert opened.page() == "browse"
        assert window.focusWidget() is window.browse_view.table


async def test_a_search_from_a_page_leads_back_to_the_page(tmp_path: Path) -> None:
    async with by_keys(tmp_path) as opened:
        window = opened.window
        await show_page(opened, "timeline")
        await opened.search("ferry")
        assert (opened.page(), window.page_name) == ("results", "")
        await back(opened)
        assert (opened.page(), window.search_bar.text()) == ("timeline", "")
        assert window.focusWidget() is timeline_page(opened).chart
        await back(opened)
        assert opened.page() == "browse"


async def test_a_time_marked_stays_on_its_page_and_back_still_leads_to_the_list(
    tmp_path: Path,
) -> None:
    async with by_keys(tmp_path) as opened:
        window = opened.window
        turns: list[str] = []
        window.page_turned.connect(turns.append)
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        press(page.chart, Qt.Key.Key_Home)
        press(page.chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        await opened.controller.settled()
        assert window.search_bar.text() == "created:2026-03-01..2026-03-02"
        assert turns == ["timeline"], "the page is never left meanwhile"
        while window.page_name:
            await back(opened)
        assert (opened.page(), window.search_bar.text()) == ("browse", "")


async def test_what_cannot_be_sorted_says_why_in_menu_tooltip_and_palette(tmp_path: Path) -> None:
    async with by_keys(tmp_path) as opened:
        window, menu = opened.window, opened.window.menus[Menu.SORT]
        action = window.actions_by_name["sort_version"]

        def said() -> str:
            first = menu.actions()[0]
            return first.text() if first.isVisible() and not first.isEnabled() else ""

        assert action.isEnabled() and said() == ""
        await opened.search("tide")
        ranked = "A ranked list has the order of its search"
        assert not action.isEnabled()
        assert said().startswith(ranked)
        assert ranked in action.toolTip() and menu.toolTipsVisible()
        palette = opened.controller.actions.palette
        palette.begin()
        palette.box.setText("by version")
        assert palette.labels() == []
        assert ranked in palette.hint.text()
        palette.box.setText("no such thing")
        assert palette.hint.text() == "No command of that name"
        palette.reject()
        await show_page(opened, "timeline")
        assert not action.isEnabled(), "a list that nobody sees is not sorted"
        assert said().startswith("This page has an order of its own")
        window.actions_by_name["browse"].trigger()
        await opened.settled()
        assert action.isEnabled() and said() == ""
