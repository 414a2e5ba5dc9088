"""The list of open stores and the tabs of groups: told apart, spoken, by keys, never markup."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from tests.widgets.keys import press
from widgets.group_bar import GroupBar, GroupTab
from widgets.store_labels import short_labels
from widgets.store_list import StoreLine, StoreList

QUAY = StoreLine("'quay'", "quay", "/work/quay/.zikaron/memory.db", True, memories=1234)
PIER = StoreLine("'pier'", "pier", "/work/pier/.zikaron/memory.db", False, is_front=True)


@pytest.fixture
def stores(qtbot: QtBot) -> StoreList:
    stores = StoreList()
    qtbot.addWidget(stores)
    stores.show_lines((QUAY, PIER))
    stores.show()
    return stores


@pytest.mark.parametrize(
    ("stores", "labels"),
    [
        ([("quay", "/a/quay/.zikaron/memory.db")], ["quay"]),
        (
            [("notes", "/work/notes/.zikaron/memory.db"), ("notes", "/home/notes/memory.db")],
            ["work/notes", "home/notes"],
        ),
        (
            [
                ("notes", "/a/x/notes/.zikaron/memory.db"),
                ("notes", "/b/x/notes/.zikaron/memory.db"),
                ("pier", "/b/pier/.zikaron/memory.db"),
            ],
            ["a/x/notes", "b/x/notes", "pier"],
        ),
        ([("one.db", "/a/one.db"), ("one.db", "/b/one.db")], ["a/one.db", "b/one.db"]),
    ],
)
def test_a43_stores_of_one_name_get_the_folders_that_part_them(
    stores: list[tuple[str, str]], labels: list[str]
) -> None:
    assert short_labels(stores) == labels


def test_a_line_says_count_and_front_in_more_than_colour_and_is_spoken(stores: StoreList) -> None:
    assert [stores.item(row).text() for row in (0, 1)] == ["quay · 1,234", "▸ pier"]
    role = Qt.ItemDataRole.AccessibleTextRole
    assert [stores.item(row).data(role) for row in (0, 1)] == [
        "quay, 1,234 memories, searched",
        "pier, shown beside the list, not searched",
    ]


def test_keys_check_choose_and_close(stores: StoreList) -> None:
    checked, front, closed = (
        QSignalSpy(signal)
        for signal in (stores.check_wanted, stores.front_wanted, stores.close_wanted)
    )
    stores.setCurrentRow(0)
    press(stores, Qt.Key.Key_Space)
    assert checked.at(0) == [QUAY.key, False]
    press(stores, Qt.Key.Key_Return)
    assert front.at(0) == [QUAY.key]
    press(stores, Qt.Key.Key_Delete)
    assert closed.at(0) == [QUAY.key]


def test_the_line_that_has_the_keyboard_keeps_it_when_another_goes(stores: StoreList) -> None:
    stores.setCurrentRow(1)
    stores.show_lines((PIER,))
    assert stores.current_key() == PIER.key


def test_names_are_shown_as_they_are_with_marks_for_what_would_not_be_seen(
    stores: StoreList,
) -> None:
    stores.show_lines((StoreLine("k", "<b>a\u202eb</b>", "/x/<i>", True),))
    assert stores.item(0).text() == "<b>a⟨U+202E⟩b</b>"
    assert "&lt;i&gt;" in stores.item(0).toolTip() or "<i>" in stores.item(0).toolTip()


def test_groups_are_tabs_with_counts_and_the_reason_why_they_are_apart(qtbot: QtBot) -> None:
    bar = GroupBar()
    qtbot.addWidget(bar)
    wanted = QSignalSpy(bar.group_wanted)
    one = GroupTab("quay & co", 12, "", ("/a",))
    other = GroupTab("pier", 3, "Another model: y, 16 wide.", ("/b",))
    bar.show_groups((one,), 0)
    assert bar.words() == []
    bar.show_groups((one, other), 0)
    assert bar.words() == ["12 · quay & co", "3 · pier"]
    assert bar.tabs.tabText(0) == "12 · quay && co", "no mnemonic is made of a name"
    bar.tabs.setCurrentIndex(1)
    assert wanted.at(0) == [1]
    assert bar.reason() == "Another model: y, 16 wide."
    assert bar.tabs.accessibleTabName(1) == "3 · pier. Another model: y, 16 wide."
