"""The window by keyboard alone: Tab, F6, the sidebar, the dock, and keys that Qt would take."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.actions import ACTIONS
from core.readmodels import LineageStep, StateCounts
from tests.widgets.builders import detail, head, literal, pool, uuid_of
from tests.widgets.explanations import why
from tests.widgets.keys import press, press_at_focus
from widgets.glyph_button import GlyphButton
from widgets.main_window import MainWindow
from widgets.sidebar import SidebarEntry
from widgets.theme import Scheme, apply_theme

_Ctrl = Qt.KeyboardModifier.ControlModifier
_Shift = Qt.KeyboardModifier.ShiftModifier


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


def fill(window: MainWindow) -> None:
    window.hit_view.show_outcome(pool(20), 5, False)
    window.literal_list.show_matches(literal([30, 31]))
    window.show_results()
    steps = [LineageStep(uuid_of(n), head(n)) for n in (2, 3)]
    window.detail_panel.show_detail(detail(head(1)), steps, [head(7)], [])
    why(pool(20), 2).show_in(window.why_panel)
    window.sidebar.show_store("demo", StateCounts(580, 20, 10))
    window.sidebar.show_saved([SidebarEntry("a", "flaky tests")])
    window.sidebar.show_recent([SidebarEntry("/p", "p")])


def tabbed(window: MainWindow) -> list[QWidget]:
    """Press Tab from the search box until it comes round; return what had the keyboard."""
    window.search_bar.focus_box()
    reached: list[QWidget] = []
    while (at := window.focusWidget()) not in reached:
        reached.append(at)
        press_at_focus(window, Qt.Key.Key_Tab)
    return reached


def test_tab_reaches_everything_that_takes_the_keyboard(window: MainWindow) -> None:
    fill(window)
    reached = tabbed(window)
    wanted = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and widget.isVisible()
        and widget.isEnabled()
        and not isinstance(widget, QLabel)
    ]
    left_out = [w.accessibleName() or w for w in wanted if w not in reached]
    assert not left_out
    assert window.detail_panel.links.replaced_by in reached


def test_tab_goes_as_one_reads(window: MainWindow) -> None:
    fill(window)
    order = [
        window.search_bar.box,
        window.sidebar.saved,
        window.sidebar.recent,
        window.hit_view.list,
        window.literal_list.list,
        window.detail_panel.links.replaced_by,
        window.detail_panel.text,
        window.why_panel.lines,
    ]
    reached = tabbed(window)
    places = [reached.index(widget) for widget in order]
    assert places == sorted(places)


def test_f6_stops_at_the_sidebar_where_it_has_something_to_choose(window: MainWindow) -> None:
    fill(window)
    window.search_bar.focus_box()
    press_at_focus(window, Qt.Key.Key_F6)
    assert window.focusWidget() is window.sidebar.saved
    press_at_focus(window, Qt.Key.Key_F6)
    press_at_focus(window, Qt.Key.Key_F6)
    assert window.focusWidget() is window.hit_view.list
    press_at_focus(window, Qt.Key.Key_F9)
    window.search_bar.focus_box()
    press_at_focus(window, Qt.Key.Key_F6)
    assert window.focusWidget() is window.hit_view.list, "a hidden sidebar is no stop"


def test_f9_toggles_the_sidebar_and_its_action_says_so(window: MainWindow) -> None:
    assert not window.sidebar.isVisible(), "nothing is open yet"
    fill(window)
    action = window.actions_by_name["sidebar"]
    assert window.sidebar.isVisible() and action.isChecked()
    press(window, Qt.Key.Key_F9)
    assert not window.sidebar.isVisible() and not action.isChecked()
    window.show_browse()
    assert not window.sidebar.isVisible(), "it stays as it was left"
    press(window, Qt.Key.Key_F9)
    assert window.sidebar.isVisible() and action.isChecked()


def test_shift_f9_toggles_the_dock_and_ctrl_e_brings_it_back(window: MainWindow) -> None:
    fill(window)
    press(window, Qt.Key.Key_F9, _Shift)
    assert not window.why_panel.isVisible()
    assert not window.actions_by_name["dock"].isChecked()
    window.actions_by_name["explain"].setEnabled(True)
    window.search_bar.set_text("tide")
    window.search_bar.focus_box()
    press_at_focus(window, Qt.Key.Key_E, _Ctrl)  # the end of the line, for a line edit
    assert window.why_panel.isVisible()
    assert window.focusWidget() is window.why_panel.lines
    assert window.actions_by_name["dock"].isChecked()


def test_ctrl_1_leads_to_all_memories_and_ctrl_2_to_the_box(window: MainWindow) -> None:
    fill(window)
    window.actions_by_name["browse"].setEnabled(True)
    window.search_bar.set_text("tide")
    window.show_browse()
    press(window, Qt.Key.Key_1, _Ctrl)
    assert window.search_bar.text() == ""
    assert window.focusWidget() is window.browse_view.table
    press_at_focus(window, Qt.Key.Key_2, _Ctrl)
    assert window.focusWidget() is window.search_bar.box


@pytest.mark.parametrize("size", [(1024, 640), (1600, 1000)])
def test_sidebar_list_and_detail_share_the_window(
    window: MainWindow, size: tuple[int, int]
) -> None:
    fill(window)
    window.resize(*size)
    assert (window.width(), window.height()) == size
    assert window.sidebar.width() >= 150
    assert window.hit_view.list.width() >= 300 and window.detail_panel.text.width() >= 300


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_a59_toolbar_glyphs_are_drawn_in_the_colour_of_the_scheme(
    window: MainWindow, qapp: QApplication, scheme: Scheme
) -> None:
    fill(window)
    try:
        apply_theme(qapp, scheme)
        button = next(b for b in window.findChildren(GlyphButton) if b.isEnabled())
        picture = button.grab().toImage()
        ink = window.palette().color(QPalette.ColorRole.ButtonText).lightness()
        ground = window.palette().color(QPalette.ColorRole.Window).lightness()
        shades = {
            picture.pixelColor(x, y).lightness()
            for x in range(picture.width())
            for y in range(picture.height())
        }
        nearest = min(shades, key=lambda shade: abs(shade - ink))
        assert abs(nearest - ink) < 40 < abs(ink - ground)
    finally:
        apply_theme(qapp, Scheme.LIGHT)
