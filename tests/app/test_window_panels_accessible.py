"""The panels about rankings for people who use no mouse or cannot see them: both themes."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget

from tests.support.accessibility import described, focusable, nameless, picture, spoken_name
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.baseline_dialog import BaselineDialog, BaselineEntry
from widgets.query_dialog import QueryDialog
from widgets.theme import Scheme, ThemeFollower, apply_theme
from widgets.what_if_content import KnobName


@pytest.fixture(params=[Scheme.LIGHT, Scheme.DARK])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[ThemeFollower]:
    follower = ThemeFollower(qapp, request.param)
    yield follower
    follower.deleteLater()
    apply_theme(qapp, Scheme.LIGHT)


async def try_something(opened: OpenWindow) -> None:
    """Bring every banner on screen."""
    await opened.search("tide tables")
    await opened.select(uuid_of("tide"))
    opened.window.actions_by_name["grade_3"].trigger()
    opened.window.actions_by_name["compare"].trigger()
    opened.controller.panels.what_if.turn(KnobName.RRF_K, 5)
    await opened.settled()


def panels_of(opened: OpenWindow) -> tuple[QWidget, ...]:
    return opened.window.why_panel, opened.window.what_if_panel, opened.window.rank_panel


async def test_everything_the_keyboard_reaches_has_a_name(
    tmp_path: Path, theme: ThemeFollower
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await try_something(opened)
        for panel in panels_of(opened):
            opened.window.reading_pane.show_panel(panel)
            await opened.settled()
            assert nameless(opened.window) == [], described(panel)
        opened.window.rank_panel.as_table.setChecked(True)
        assert nameless(opened.window) == []


async def test_names_on_screen_are_told_apart(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await try_something(opened)
        opened.window.reading_pane.show_panel(opened.window.what_if_panel)
        panel = [*focusable(opened.window.what_if_panel)]
        names = [spoken_name(widget) for widget in panel]
        assert len(set(names)) == len(names) == 13, "five sliders, five boxes, three buttons"


async def test_the_focus_can_be_seen_in_the_panels(
    tmp_path: Path, theme: ThemeFollower
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await until(opened.window.isActiveWindow)
        await try_something(opened)
        unseen = []
        for panel in (*panels_of(opened)[1:], *opened.window.results_page.banners):
            if panel in panels_of(opened):
                opened.window.reading_pane.show_panel(panel)
                await opened.settled()
            for widget in list(focusable(panel)):
                is_by_click = widget.focusPolicy() == Qt.FocusPolicy.ClickFocus
                if not widget.isEnabled() or not widget.isVisible() or is_by_click:
                    continue
                if not changes(opened, widget):
                    unseen.append(f"{spoken_name(widget)}: {described(widget)}")
        assert unseen == []


def changes(opened: OpenWindow, widget: QWidget) -> bool:
    """Tell whether a widget looks different while the keyboard is with it."""
    opened.window.search_bar.box.setFocus(Qt.FocusReason.TabFocusReason)
    without = picture(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    # Set by a real Tab: Qt draws the focus of buttons while the keyboard is being used.
    opened.window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return not widget.hasFocus() or picture(widget) != without


async def test_pages_and_dialogs_name_everything(tmp_path: Path, theme: ThemeFollower) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await try_something(opened)
        panels = opened.controller.panels
        panels.compare.compare_settings()
        await until(lambda: panels.dialog is not None and panels.dialog.isVisible())
        page = panels.dialog
        assert page is not None
        entry = BaselineEntry("a", "b", "c")
        dialogs: list[QDialog] = [
            page,
            BaselineDialog(opened.window, [entry]),
            QueryDialog(opened.window, "Title", "Prompt", "query"),
        ]
        for dialog in dialogs:
            assert nameless(dialog) == [], described(dialog)
            dialog.reject()
            dialog.deleteLater()
        await until(lambda: panels.dialog is None)


async def test_every_panel_fits_the_smallest_window(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        window.resize(1024, 640)
        await try_something(opened)
        for panel in panels_of(opened):
            window.reading_pane.show_panel(panel)
            await opened.settled()
            assert (window.width(), window.height()) == (1024, 640), described(panel)
            assert window.hit_view.list.height() > 100, "the list is not pushed out"


async def test_no_letter_opens_a_menu_and_presses_something_else(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await try_something(opened)
        texts = [action.text() for action in window.menuBar().actions()]
        for panel in panels_of(opened):
            window.reading_pane.show_panel(panel)
            buttons = [b.text() for b in window.findChildren(QAbstractButton) if b.isVisible()]
            labels = [x.text() for x in window.findChildren(QLabel) if is_served(x)]
            marked = [t for t in (*texts, *buttons, *labels) if "&" in t.replace("&&", "")]
            letters = Counter(t[t.index("&") + 1].casefold() for t in marked)
            assert [letter for letter, times in letters.items() if times > 1] == [], marked


def is_served(label: QLabel) -> bool:
    """Tell whether a label on screen hands its letter on to a widget."""
    served: QWidget | None = label.buddy()
    return served is not None and label.isVisible()
