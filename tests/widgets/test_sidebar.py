"""The sidebar: totals that are totals, choices that are told, a place that gives way."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from core.readmodels import State, StateCounts
from tests.widgets.keys import press
from widgets.sidebar import Sidebar, SidebarEntry

TOTALS = StateCounts(580, 20, 10)


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.show()
    return sidebar


def test_a54_counts_are_totals_by_state(sidebar: Sidebar) -> None:
    sidebar.show_store("demo", TOTALS)
    assert sidebar.count_words() == {
        "live": "580",
        "replaced": "20",
        "retired": "10",
        "all": "610 memories",
    }


def test_a54_a_search_shows_some_of_the_totals(sidebar: Sidebar) -> None:
    sidebar.show_store("demo", TOTALS)
    sidebar.show_shown({State.LIVE: 20, State.SUPERSEDED: 3})
    assert sidebar.count_words() == {
        "live": "20 of 580",
        "replaced": "3 of 20",
        "retired": "0 of 10",
        "all": "23 of 610 in the list",
    }
    sidebar.show_shown(None)
    assert sidebar.count_words()["all"] == "610 memories"


def test_no_store_has_no_counts(sidebar: Sidebar) -> None:
    sidebar.show_store("", None)
    assert sidebar.store_name.text() == "none open"
    assert not sidebar.counts.isVisible()


def test_empty_sections_are_not_there(sidebar: Sidebar) -> None:
    assert not sidebar.saved.isVisible() and not sidebar.recent.isVisible()
    sidebar.show_saved([SidebarEntry("flaky", "flaky")])
    assert sidebar.saved.isVisible() and not sidebar.recent.isVisible()


def test_enter_and_a_click_choose_by_key(sidebar: Sidebar, qtbot: QtBot) -> None:
    saved, store = QSignalSpy(sidebar.saved_wanted), QSignalSpy(sidebar.store_wanted)
    sidebar.show_saved([SidebarEntry("k1", "one"), SidebarEntry("k2", "two")])
    sidebar.show_recent([SidebarEntry("/p", "p", "/home/x/p")])
    sidebar.saved.setCurrentRow(1)
    press(sidebar.saved, Qt.Key.Key_Return)
    assert saved.at(0) == ["k2"]
    at = sidebar.recent.visualItemRect(sidebar.recent.item(0)).center()
    qtbot.mouseClick(sidebar.recent.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[no-untyped-call]  # pytest-qt has no types for it
    assert store.count() == 1 and store.at(0) == ["/p"]


def test_stored_names_are_shown_as_marks(sidebar: Sidebar) -> None:
    sidebar.show_saved([SidebarEntry("k", "pay\u200bpal\nx")])
    shown = sidebar.saved.item(0).text()
    assert "\u200b" not in shown and "\n" not in shown and "U+200B" in shown
