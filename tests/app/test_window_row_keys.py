"""A row is a row: what keys and menu do to one is the same in every list it stands in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView

from core.commands.changes import Retire
from core.filters.filter import StateWord
from tests.support.browsing import harbour, show_page, timeline_page
from tests.support.filtering import is_, listed
from tests.support.open_window import OpenWindow
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.widgets.keys import press, press_at_focus
from widgets.memory_list import MemoryList

COMPARE = "&Compare two memories"
LISTS = ("ranked", "filtered", "facet", "timeline")


@asynccontextmanager
async def row_in(folder: Path, name: str) -> AsyncIterator[tuple[OpenWindow, QAbstractItemView]]:
    """Open a window with a live memory selected by the keyboard in one kind of list."""
    async with harbour(folder) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        view: MemoryList = window.browse_view
        if name == "ranked":
            await opened.search("tide tables post")
            view = window.hit_view
        elif name == "filtered":
            await listed(opened, "is:live")
        elif name == "facet":
            await opened.controller.filtering.facets.settled()
            tree = window.sidebar.facets
            tree.setFocus()
            live = tree.item_of(is_(StateWord.LIVE))
            assert live is not None
            tree.setCurrentItem(live)
            press(tree, Qt.Key.Key_Return)
            await opened.settled()
        else:
            await show_page(opened, "timeline")
            press(timeline_page(opened).chart, Qt.Key.Key_Home)
            press(timeline_page(opened).chart, Qt.Key.Key_Return)
            await opened.controller.settled()
            view = timeline_page(opened).found
        assert view.select(uuid_of("tide"))
        await opened.controller.settled()
        view.setFocus()
        widget = window.focusWidget()
        assert isinstance(widget, QAbstractItemView)
        yield opened, widget


def keys_of(widget: QAbstractItemView) -> set[str]:
    return {key.toString() for action in widget.actions() for key in action.shortcuts()}


def menu_of(opened: OpenWindow, widget: QAbstractItemView) -> dict[str, bool]:
    widget.customContextMenuRequested.emit(widget.visualRect(widget.currentIndex()).center())
    menu = opened.controller.actions.menus.menu
    assert menu.isVisible()
    menu.close()
    shown: list[QAction] = [action for action in menu.actions() if not action.isSeparator()]
    return {action.text(): action.isEnabled() for action in shown}


async def test_keys_and_menu_are_those_of_the_ranked_list_everywhere(tmp_path: Path) -> None:
    keys, menus = {}, {}
    for name in LISTS:
        async with row_in(tmp_path / name, name) as (opened, widget):
            keys[name], menus[name] = keys_of(widget), menu_of(opened, widget)
            compare = opened.window.actions_by_name["compare"]
            assert ("about" in compare.toolTip()) == (name != "ranked"), "it is said why"
    assert "Del" in keys["ranked"]
    assert menus["ranked"].pop(COMPARE)
    for name in LISTS[1:]:
        assert keys[name] == keys["ranked"]
        assert not menus[name].pop(COMPARE), "ranks are compared"
        assert menus[name] == menus["ranked"]


@pytest.mark.parametrize("name", LISTS)
async def test_delete_stages_a_retirement_and_enter_reads(tmp_path: Path, name: str) -> None:
    async with row_in(tmp_path, name) as (opened, _widget):
        press_at_focus(opened.window, Qt.Key.Key_Delete)
        pending = opened.controller.writing.pending
        await until(lambda: pending.list.entries)
        assert [entry.change for entry in pending.list.entries] == [Retire(uuid_of("tide"), 1)]
        press_at_focus(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: not pending.list.entries)
        press_at_focus(opened.window, Qt.Key.Key_Return)
        assert opened.window.focusWidget() is opened.window.detail_panel.text
        assert opened.window.detail_panel.shown_uuid == uuid_of("tide")
