"""The whole window: pages, keys, what it asks for, what a screen reader hears."""

from functools import partial

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.actions import ACTIONS
from core.notices import Notice, NoticeCode
from core.readmodels import LineageStep
from tests.widgets.builders import detail, head, literal, pool, uuid_of
from tests.widgets.explanations import why
from tests.widgets.keys import press, press_at_focus, type_text
from widgets import state_content as states
from widgets.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    handlers = window.own_handlers()
    window.install_actions([spec for spec in ACTIONS if spec.name in handlers], handlers)
    window.resize(1024, 640)
    window.show()
    qtbot.waitActive(window)
    return window


def _fill(window: MainWindow) -> None:
    window.hit_view.show_outcome(pool(20), 5, False)
    window.literal_list.show_matches(literal([30, 31]))
    window.show_results()
    steps = [LineageStep(uuid_of(n), head(n)) for n in (2, 3)]
    window.detail_panel.show_detail(detail(head(1, "x" * 300)), steps, [head(7)], [])
    why(pool(20), 2).show_in(window.why_panel)
    notices = [Notice(code, "text " * 30) for code in list(NoticeCode)[:3]]
    window.notice_bar.set_notices(notices)


def test_the_window_begins_with_the_welcome_page(window: MainWindow) -> None:
    assert window.state_page.isVisible()
    assert not window.reading_pane.isVisible()


def test_the_welcome_buttons_and_the_menu_ask_for_a_store(
    window: MainWindow) -> None:
    opened, demo = QSignalSpy(window.open_wanted), QSignalSpy(window.demo_wanted)
    window.state_page.action_wanted.emit(states.OPEN)
    window.state_page.action_wanted.emit(states.DEMO)
    window.actions_by_name["demo"].trigger()
    press(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert (opened.count(), demo.count()) == (2, 2)


def test_other_buttons_of_a_page_are_passed_on(window: MainWindow) -> None:
    spy = QSignalSpy(window.action_wanted)
    window.state_page.action_wanted.emit("private_copy")
    assert spy.count() == 1 and spy.at(0) == ["private_copy"]


def test_pages_take_turns(window: MainWindow) -> None:
    window.show_browse()
    assert window.browse_view.isVisible() and window.reading_pane.isVisible()
    window.show_results()
    assert window.hit_view.isVisible() and not window.browse_view.isVisible()
    window.show_state(states.no_match(pool(0)))
    assert window.state_page.isVisible() and window.reading_pane.isVisible()
    window.show_state(states.failure("No", "It is broken.", "damaged", ""))
    assert not window.reading_pane.isVisible()


def test_find_keys_lead_to_the_box_and_escape_empties_it(
    window: MainWindow) -> None:
    _fill(window)
    window.search_bar.set_text("old")
    window.hit_view.setFocus()
    press_at_focus(window, Qt.Key.Key_Slash)
    assert window.focusWidget() is window.search_bar.box
    assert window.search_bar.text() == "old"
    window.hit_view.setFocus()
    press(window.hit_view.list, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.search_bar.box
    window.hit_view.setFocus()
    press_at_focus(window, Qt.Key.Key_Escape)
    assert window.search_bar.text() == ""
    assert window.focusWidget() is window.search_bar.box


def test_a_slash_typed_into_the_box_is_a_slash(window: MainWindow) -> None:
    window.search_bar.focus_box()
    type_text(window.search_bar.box, "a/b")
    assert window.search_bar.text() == "a/b"


def test_f6_goes_through_the_panes_in_order_and_back(window: MainWindow) -> None:
    _fill(window)
    window.search_bar.focus_box()
    panes = [
        window.hit_view.list,
        window.literal_list.list,
        window.detail_panel.text,
        window.why_panel.lines,
        window.search_bar.box,
    ]
    for pane in panes:
        press_at_focus(window, Qt.Key.Key_F6)
        assert window.focusWidget() is pane
    for pane in [*reversed(panes[:-1]), panes[-1]]:
        press_at_focus(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
        assert window.focusWidget() is pane


def test_enter_goes_from_the_box_to_the_first_row_and_from_the_row_to_its_text(
    window: MainWindow) -> None:
    _fill(window)
    window.search_bar.focus_box()
    press_at_focus(window, Qt.Key.Key_Return)
    assert window.hit_view.selected_uuid() == uuid_of(1)
    assert window.focusWidget() is window.hit_view.list
    press_at_focus(window, Qt.Key.Key_Down)
    assert window.hit_view.selected_uuid() == uuid_of(2)
    press_at_focus(window, Qt.Key.Key_Return)
    assert window.focusWidget() is window.detail_panel.text


def test_tab_reaches_every_pane(window: MainWindow) -> None:
    _fill(window)
    window.search_bar.focus_box()
    reached: list[QWidget] = []
    for _ in range(40):
        at = window.focusWidget()
        if at in reached:
            break
        reached.append(at)
        press_at_focus(window, Qt.Key.Key_Tab)
    for pane in (
        window.search_bar.include_retired,
        window.hit_view.list,
        window.literal_list.list,
        window.detail_panel.text,
        window.why_panel.lines,
    ):
        assert pane in reached, pane.accessibleName()


def _focusable(window: MainWindow) -> list[QWidget]:
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
        and widget.isVisible()
    ]


def test_every_widget_that_takes_the_keyboard_has_a_name(window: MainWindow) -> None:
    _fill(window)
    window.browse_view.set_rows([1])
    pages = (window.show_results, window.show_browse, partial(window.show_state, states.welcome()))
    for show in pages:
        show()
        for tab in range(2):
            window.detail_panel.tabs.setCurrentIndex(tab)
            for widget in _focusable(window):
                said = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
                assert said, widget


def test_a49_no_label_guesses_markup(window: MainWindow) -> None:
    _fill(window)
    window.show_state(states.welcome())
    for label in window.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText, label.text()


def test_list_rows_speak_gist_state_and_rank(window: MainWindow) -> None:
    _fill(window)
    rows = QAccessible.queryAccessibleInterface(window.hit_view.list)
    first = rows.child(0).text(QAccessible.Text.Name)
    assert first.startswith("memory 1, live, rank 1 of 20")


@pytest.mark.parametrize("size", [(1024, 640), (1600, 1000)])
def test_everything_fits_the_window(window: MainWindow, size: tuple[int, int]) -> None:
    _fill(window)
    window.resize(*size)
    assert (window.width(), window.height()) == size, "nothing forces the window larger"
    hint = window.minimumSizeHint()
    assert hint.width() <= 1024 and hint.height() <= 640
    for pane in (window.hit_view.list, window.detail_panel.text, window.why_panel.lines):
        assert pane.width() >= 300 and pane.height() >= 60


def test_a_dropped_file_is_asked_to_be_opened(window: MainWindow) -> None:
    spy = QSignalSpy(window.path_dropped)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/home/x/.zikaron/memory.db")])
    arguments = (
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entered, dropped = QDragEnterEvent(*arguments), QDropEvent(*arguments)
    entered.ignore()
    window.dragEnterEvent(entered)
    assert entered.isAccepted()
    window.dropEvent(dropped)
    assert spy.at(0) == ["/home/x/.zikaron/memory.db"]


def test_a_dragged_text_or_web_address_is_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/memory.db")])
    event = QDragEnterEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    event.ignore()
    window.dragEnterEvent(event)
    assert not event.isAccepted()


def test_closing_is_told_once_and_nothing_asks_back(window: MainWindow) -> None:
    spy = QSignalSpy(window.closing)
    window.actions_by_name["quit"].trigger()
    assert spy.count() == 1
    assert not window.isVisible()


def test_the_why_dock_can_be_closed_and_brought_back_from_the_menu(window: MainWindow) -> None:
    _fill(window)
    dock = window.reading_pane.why_dock
    dock.close()
    assert not window.why_panel.isVisible()
    toggle = window.actions_by_name["dock"]
    assert toggle in window.menus["&View"].actions()
    assert not toggle.isChecked()
    toggle.trigger()
    assert window.why_panel.isVisible()
    assert toggle.isChecked()


def test_the_title_names_the_store(window: MainWindow) -> None:
    window.set_store_name("demo")
    assert window.windowTitle() == "demo – Genizah"
    window.set_store_name("")
    assert window.windowTitle() == "Genizah"


def test_a50_a_name_with_hidden_characters_is_marked_in_the_title(window: MainWindow) -> None:
    window.set_store_name("st\u202eore")
    assert window.windowTitle() == "st⟨U+202E⟩ore – Genizah"
