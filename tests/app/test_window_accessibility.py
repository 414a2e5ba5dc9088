"""The whole window for people who cannot see it, use no mouse, or need contrast: both themes."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.accessibility import described, focusable, nameless, picture, spoken_name
from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.theme import Scheme, ThemeFollower, apply_theme, is_dark

ROWS = [
    Memory("live", "the ferry waits for the tide", "a text\n\nof two paragraphs"),
    Memory("new", "the ferry leaves at ten", "since May"),
    Memory("old", "the ferry leaves at nine", "until May", by="new"),
    Memory("gone", "the ferry is broken", "never mind", active=False),
    Memory("hidden", "the fer\u200bry", "ferry"),
    *(Memory(f"same {n}", "the ferry repeats itself", "again") for n in range(3)),
]


@pytest.fixture(params=[Scheme.LIGHT, Scheme.DARK])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[ThemeFollower]:
    follower = ThemeFollower(qapp, request.param)
    yield follower
    follower.deleteLater()
    apply_theme(qapp, Scheme.LIGHT)


@asynccontextmanager
async def ferries(folder: Path) -> AsyncIterator[OpenWindow]:
    project = build_store(folder / "p", [*ROWS, *distractors(30)])
    async with open_window(stub_services(stub(), folder), project) as opened:
        yield opened


async def search_and_read(opened: OpenWindow, uuid: str) -> None:
    opened.window.search_bar.include_retired.setChecked(True)
    await opened.search("ferry")
    await opened.select(uuid)


async def test_a60_everything_the_keyboard_reaches_has_a_name_in_every_state(
    tmp_path: Path, theme: ThemeFollower
) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        assert nameless(opened.window) == [], "welcome"
        await opened.open(tmp_path / "nothing")
        assert nameless(opened.window) == [], "error"
    async with ferries(tmp_path) as opened:
        assert nameless(opened.window) == [], "browsing"
        await search_and_read(opened, uuid_of("old"))
        assert nameless(opened.window) == [], "a ranked memory"
        opened.window.detail_panel.tabs.setCurrentIndex(1)
        assert nameless(opened.window) == [], "its facts"
        assert len(list(focusable(opened.window))) > 12
        await opened.search("zzzunknownzzz")
        assert nameless(opened.window) == [], "a search that finds little"


async def test_a60_a_row_speaks_gist_state_and_rank(tmp_path: Path) -> None:
    async with ferries(tmp_path) as opened:
        await search_and_read(opened, uuid_of("live"))
        rows = spoken_rows(opened.window.hit_view.list)
        (old,) = [row for row in rows if row.startswith("the ferry leaves at nine")]
        assert "replaced by" in old and "rank " in old
        (gone,) = [row for row in rows if row.startswith("the ferry is broken")]
        assert "retired" in gone
        (hidden,) = [row for row in rows if "⟨U+200B⟩" in row]
        assert "hidden characters" in hidden
        assert any("2 identical memories" in row for row in rows)
        browsed = spoken_rows(opened.window.browse_view.table)
        assert any("replaced by" in row for row in browsed)


async def test_a60_a_screen_reader_is_given_the_same_row_names(tmp_path: Path) -> None:
    async with ferries(tmp_path) as opened:
        await search_and_read(opened, uuid_of("live"))
        view = opened.window.hit_view.list
        interface = QAccessible.queryAccessibleInterface(view)
        names = [
            interface.child(at).text(QAccessible.Text.Name)
            for at in range(interface.childCount())
        ]
        assert spoken_rows(view)[0] in names


async def test_a60_tab_reaches_every_pane_and_comes_back(tmp_path: Path) -> None:
    async with ferries(tmp_path) as opened:
        await search_and_read(opened, uuid_of("old"))
        window = opened.window
        wanted = set(map(described, focusable(window)))
        window.search_bar.box.setFocus()
        reached: set[str] = set()
        for _ in range(4 * len(wanted) + 20):
            focus = window.focusWidget()
            if focus is window.search_bar.box and reached:
                break
            reached.add(described(focus))
            window.focusNextPrevChild(True)
        for pane in (window.hit_view.list, window.detail_panel.text, window.why_panel.lines):
            assert described(pane) in reached
        assert window.focusWidget() is window.search_bar.box


async def test_the_focus_can_be_seen_on_every_widget(
    tmp_path: Path, theme: ThemeFollower
) -> None:
    async with ferries(tmp_path) as opened:
        await search_and_read(opened, uuid_of("old"))
        unseen = []
        for widget in list(focusable(opened.window)):
            if not widget.isEnabled() or widget.focusPolicy() == Qt.FocusPolicy.ClickFocus:
                continue
            if not changes_with_focus(opened, widget):
                unseen.append(f"{spoken_name(widget)}: {described(widget)}")
        assert unseen == [], "\n".join(unseen)


def changes_with_focus(opened: OpenWindow, widget: QWidget) -> bool:
    """Tell whether a widget looks different while the keyboard is with it."""
    box = opened.window.search_bar.box
    other = opened.window.hit_view.list if widget is box else box
    other.setFocus(Qt.FocusReason.TabFocusReason)
    without = picture(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    # Set by a real Tab: Qt draws the focus of buttons while the keyboard is being used.
    opened.window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return not widget.hasFocus() or picture(widget) != without


async def test_a59_the_look_follows_a_switch_while_the_window_is_open(
    tmp_path: Path, qapp: QApplication
) -> None:
    follower = ThemeFollower(qapp, Scheme.LIGHT)
    async with ferries(tmp_path) as opened:
        await search_and_read(opened, uuid_of("hidden"))
        light = opened.window.grab().toImage()
        follower.choose(Scheme.DARK)
        await until(lambda: is_dark(opened.window.detail_panel.text.palette()))
        dark = opened.window.grab().toImage()
        spots = [(x, y) for x in range(4, light.width(), 97) for y in range(60, light.height(), 61)]
        brighter = [
            light.pixelColor(x, y).lightness() - dark.pixelColor(x, y).lightness()
            for x, y in spots
        ]
        assert sum(step > 60 for step in brighter) > 0.8 * len(spots), "no light island is left"
    follower.deleteLater()
    apply_theme(qapp, Scheme.LIGHT)
