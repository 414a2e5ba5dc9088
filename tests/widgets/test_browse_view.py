"""Browsing 100,000 rows: nothing is loaded but what is looked at, and that once."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tests.widgets.builders import head, uuid_of
from tests.widgets.keys import check_model, press
from widgets.browse_model import BrowseModel
from widgets.browse_view import BrowseView
from widgets.texts import PLACEHOLDER

MANY = range(100_000, 0, -1)


class _Store:
    """Answers page_wanted when told to."""

    def __init__(self, qtbot: QtBot) -> None:
        self.view = BrowseView()
        qtbot.addWidget(self.view)
        self.view.resize(420, 500)
        self.view.show()
        self.asked: list[list[int]] = []
        self.selected: list[str] = []
        self.view.page_wanted.connect(self.asked.append)
        self.view.row_selected.connect(self.selected.append)

    def answer(self, *without: int) -> None:
        rowids = [r for r in self.asked[-1] if r not in without]
        self.view.put_heads([head(r) for r in rowids])

    def shown(self, row: int) -> str:
        return str(self.view.table.model().index(row, 0).data())


def test_the_model_obeys_qts_rules(qtmodeltester: ModelTester) -> None:
    model = BrowseModel()
    check_model(qtmodeltester, model)
    model.set_rows([3, 2, 1])
    check_model(qtmodeltester, model)
    model.put_heads([head(2), head(9)])
    assert model.index(1).data() == "memory 2"
    assert model.index(0).data() == PLACEHOLDER


def test_of_a_hundred_thousand_rows_one_page_at_the_top_is_asked_for(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows(MANY)
    assert len(store.asked) == 1
    assert len(store.asked[0]) <= 256
    assert store.asked[0][0] == 100_000
    assert store.shown(0) == PLACEHOLDER
    store.answer()
    assert store.shown(0) == "memory 100000"
    assert len(store.asked) == 1, "what is near the view is loaded"


def test_a_request_is_never_larger_than_a_page(qapp: QApplication) -> None:
    model = BrowseModel()
    model.set_rows(MANY)
    assert model.wanted(0, 999) == list(range(100_000, 100_000 - 256, -1))


def test_the_scroll_bar_knows_the_whole_length_at_once(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows(MANY)
    table = store.view.table
    bar = table.verticalScrollBar()
    assert bar.maximum() + table.viewport().height() == 100_000 * table.rowHeight(0)


def test_the_end_is_one_jump_away(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows(MANY)
    store.answer()
    press(store.view.table, Qt.Key.Key_End)
    assert 1 in store.asked[-1]
    store.answer()
    assert store.shown(99_999) == "memory 1"
    assert store.view.selected_uuid() == uuid_of(1)
    press(store.view.table, Qt.Key.Key_Home)
    assert store.view.selected_uuid() == uuid_of(100_000)


def test_while_a_page_is_awaited_scrolling_asks_for_nothing_and_then_for_the_place_reached(
    qtbot: QtBot,
) -> None:
    store = _Store(qtbot)
    store.view.set_rows(MANY)
    bar = store.view.table.verticalScrollBar()
    for value in range(0, bar.maximum(), bar.maximum() // 20):
        bar.setValue(value)
    bar.setValue(bar.maximum())
    assert len(store.asked) == 1
    store.answer()
    assert len(store.asked) == 2
    assert 1 in store.asked[1]


def test_a_row_that_is_gone_is_not_asked_for_for_ever(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows([5, 4, 3])
    store.answer(4)
    assert store.asked == [[5, 4, 3], [4]]
    store.answer(4)
    assert len(store.asked) == 2
    assert store.shown(1) == PLACEHOLDER


def test_a_row_selected_before_it_is_loaded_is_told_once_it_is(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows([2, 1])
    store.view.select_first()
    assert store.selected == [] and store.view.selected_uuid() is None
    store.answer()
    assert store.selected == [uuid_of(2)]


def test_new_rows_keep_selection_scroll_and_what_is_known(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows(range(300, 0, -1))
    store.answer()
    table = store.view.table
    table.verticalScrollBar().setValue(20 * table.rowHeight(0) + 7)
    assert store.view.select(uuid_of(279))
    at = table.rowViewportPosition(21)
    store.view.set_rows(range(304, 0, -1))
    assert store.view.selected_uuid() == uuid_of(279)
    assert table.rowViewportPosition(25) == at, "the same memory at the same place"
    assert store.shown(25) == "memory 279"
    assert store.selected == [uuid_of(279)]
    assert 279 in store.asked[-1], "it is read anew all the same"


def test_at_the_top_new_rows_come_into_view(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows([2, 1])
    store.answer()
    store.view.set_rows([3, 2, 1])
    assert store.view.table.rowAt(5) == 0


def test_nothing_is_selected_when_the_selected_memory_leaves(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows([2, 1])
    store.answer()
    store.view.select(uuid_of(2))
    store.view.set_rows([1])
    assert store.selected == [uuid_of(2), ""]


def test_the_count_is_the_total(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.set_rows(MANY)
    assert store.view.heading() == "100,000 memories, newest first"


def test_the_top_of_a_long_list_stands_before_its_order_is_known(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    table = store.view.table
    store.view.show_first([head(n) for n in MANY[:256]], len(MANY))
    assert store.shown(0) == "memory 100000"
    assert store.view.heading() == "100,000 memories, newest first"
    assert store.asked == [], "what is in view is there"
    press(table, Qt.Key.Key_End)
    bar = table.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert bar.maximum() + table.viewport().height() == 100_000 * table.rowHeight(0)
    store.view.set_rows(MANY)
    assert bar.value() == bar.maximum(), "the place reached meanwhile is kept"
    store.answer()
    assert store.shown(99_999) == "memory 1"
    assert store.view.selected_uuid() == uuid_of(1)


def test_the_rest_of_the_order_moves_nothing_and_loads_nothing_again(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.show_first([head(n) for n in MANY[:256]], len(MANY))
    assert store.view.select(uuid_of(99_990))
    at = store.view.table.rowViewportPosition(10)
    store.view.set_rows(MANY)
    assert store.selected == [uuid_of(99_990)]
    assert store.view.table.rowViewportPosition(10) == at
    assert store.asked == []


def test_a_list_refreshed_while_only_its_top_is_known_calls_no_row_new(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    store.view.show_first([head(n) for n in MANY[:256]], len(MANY))
    store.view.select(uuid_of(99_990))
    store.view.refresh_rows(range(100_001, 0, -1))
    assert not store.view.pill.isVisible()
    assert store.view.selected_uuid() == uuid_of(99_990)


def test_a_place_is_found_again_though_the_rows_have_other_numbers(qtbot: QtBot) -> None:
    store = _Store(qtbot)
    table = store.view.table
    store.view.set_rows(range(300, 0, -1))
    store.answer()
    store.view.select(uuid_of(285))
    table.verticalScrollBar().setValue(20 * table.rowHeight(0) + 7)
    place, at = store.view.place(), table.rowViewportPosition(20)
    assert place.in_view[0] == (uuid_of(280), at)
    store.view.set_rows(())
    store.view.set_rows(range(1301, 1000, -1))  # one newer, and all numbers higher by 1000
    moved = [replace(head(n + 1000), uuid=uuid_of(n)) for n in range(285, 200, -1)]
    store.view.go_back_to(place, moved)
    assert store.view.selected_uuid() == uuid_of(285)
    assert table.rowViewportPosition(21) == at
