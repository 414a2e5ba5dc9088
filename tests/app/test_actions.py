"""The one action table, walked: texts, keys, handlers, ways to reach each action."""

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from app.actions import ACTIONS
from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press, press_at_focus
from widgets.action_spec import ActionSpec, Menu, Need
from widgets.glyph_button import GLYPHS
from widgets.shortcut_sheet import ShortcutSheet

# Qt knows a desktop's keys only once there is an application.
pytestmark = pytest.mark.usefixtures("qapp")

_Key = QKeySequence.StandardKey
_Ctrl, _Shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_Alt = Qt.KeyboardModifier.AltModifier


def key_texts(sequences: list[QKeySequence]) -> list[str]:
    return [sequence.toString() for sequence in sequences]


def test_every_action_has_a_name_of_its_own_and_a_text() -> None:
    assert not [name for name, times in Counter(s.name for s in ACTIONS).items() if times > 1]
    assert not [text for text, times in Counter(s.text for s in ACTIONS).items() if times > 1]
    assert all(spec.plain_text.strip() for spec in ACTIONS)


def test_no_key_is_taken_twice_where_it_acts() -> None:
    everywhere = [key for spec in ACTIONS for key in key_texts(spec.sequences())]
    in_lists = [key for spec in ACTIONS for key in key_texts(spec.list_sequences())]
    assert not [key for key, times in Counter(everywhere + in_lists).items() if times > 1]
    assert "" not in everywhere + in_lists, "every key is one that Qt knows"


def test_a58_no_key_of_the_whole_window_edits_text() -> None:
    editing = (
        *(_Key.Cut, _Key.Copy, _Key.Paste, _Key.Undo, _Key.Redo, _Key.SelectAll, _Key.Delete),
        *(_Key.DeleteStartOfWord, _Key.DeleteEndOfWord, _Key.Backspace),
    )
    reserved = {k for key in editing for k in key_texts(QKeySequence.keyBindings(key))}
    reserved |= {"Del", "Backspace", "Return", "Enter", "Alt+Backspace", "Meta+Backspace"}
    reserved |= {"Ctrl+Backspace"}
    assert not reserved & {key for spec in ACTIONS for key in key_texts(spec.sequences())}


@pytest.mark.parametrize("menu", list(Menu))
def test_no_mnemonic_is_taken_twice_in_a_menu(menu: Menu) -> None:
    letters = [s.text[s.text.index("&") + 1].casefold() for s in ACTIONS if s.menu is menu]
    assert not [letter for letter, times in Counter(letters).items() if times > 1]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("open", "Ctrl+O"),
        ("find", "Ctrl+F"),
        ("clear", "Esc"),
        ("palette", "Ctrl+K"),
        ("quick_open", "Ctrl+P"),
        ("browse", "Ctrl+1"),
        ("explain", "Ctrl+E"),
        ("refresh", "F5"),
        ("back", "Alt+Left"),
        ("forward", "Alt+Right"),
        ("next_pane", "F6"),
        ("previous_pane", "Shift+F6"),
        ("sidebar", "F9"),
        ("dock", "Shift+F9"),
        ("copy_uuid", "Ctrl+Shift+C"),
        ("shortcuts", "F1"),
        ("preferences", "Ctrl+,"),
        ("save_search", "Ctrl+Shift+B"),
        ("what_if", "Ctrl+Shift+R"),
        ("compare", "Ctrl+D"),
        ("pin_baseline", "Ctrl+Shift+D"),
        ("new_memory", "Ctrl+N"),
        ("amend", "F2"),
        ("retire", "Del"),
        ("supersede", "Ctrl+Shift+U"),
        ("commit", "Ctrl+S"),
        ("undo_staged", "Ctrl+Z"),
        ("redo_staged", "Ctrl+Shift+Z"),
        ("discard_pending", "Ctrl+Shift+Backspace"),
        *((f"grade_{grade}", f"Alt+{grade}") for grade in range(4)),
    ],
)
def test_the_keys_are_those_people_were_promised(name: str, key: str) -> None:
    (spec,) = [s for s in ACTIONS if s.name == name]
    assert spec.shown_key() == key


def test_an_action_without_a_text_is_refused() -> None:
    with pytest.raises(ValueError, match="name and a text"):
        ActionSpec("x", Menu.FILE, "&")


def _reachable(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator()]


async def test_every_action_stands_in_its_menu_and_says_its_key(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        window = opened.window
        bar = [action.text() for action in window.menuBar().actions()]
        assert bar == ["&File", "&Edit", "&View", "S&ort", "&Go", "&Memory", "Ran&king", "&Help"]
        for spec in ACTIONS:
            action = window.actions_by_name[spec.name]
            assert action in _reachable(window.menus[spec.menu]), spec.name
            assert action.text() == spec.text
            if spec.shown_key():
                assert action.toolTip().endswith(f"({spec.shown_key()})"), spec.name
                assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) == (
                    spec.shown_key()
                )


async def test_every_action_but_the_palette_is_found_in_the_palette_with_its_key(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        controller = opened.controller
        controller.actions.actions.set_met(list(Need))
        opened.window.actions_by_name["palette"].trigger()
        shown = dict(controller.actions.palette.labels())
        controller.actions.palette.reject()
        for spec in ACTIONS:
            label = f"{spec.menu.replace('&', '')}: {spec.plain_text}"
            if spec.name == "palette":
                assert label not in shown
            else:
                assert shown[label] == spec.shown_key()


async def test_the_sheet_opens_by_f1_and_by_a_question_mark_in_a_list(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        window.search_bar.focus_box()
        press_at_focus(window, Qt.Key.Key_Question)
        assert window.search_bar.text() == "?", "typed in the box it is a letter"
        assert window.findChild(ShortcutSheet) is None
        press_at_focus(window, Qt.Key.Key_F1)
        sheet = window.findChild(ShortcutSheet)
        assert sheet is not None and sheet.isVisible()
        assert ("Refresh", "F5") in sheet.lines()
        assert ("Keyboard shortcuts", "F1, ? in a list") in sheet.lines()
        sheet.reject()
        await until(lambda: window.findChild(ShortcutSheet) is None)
        window.search_bar.clear()
        await opened.settled()
        window.activateWindow()  # what a desktop does by itself
        await until(window.isActiveWindow)
        window.browse_view.setFocus()
        press_at_focus(window, Qt.Key.Key_Question)
        again = window.findChild(ShortcutSheet)
        assert again is not None and again.isVisible()
        again.reject()
        await until(lambda: window.findChild(ShortcutSheet) is None)


async def test_actions_can_be_used_only_where_they_make_sense(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        by_name = opened.window.actions_by_name

        def usable() -> set[str]:
            return {name for name, action in by_name.items() if action.isEnabled()}

        of_a_store = {"refresh", "quick_open", "browse"}
        of_a_memory = {"copy_uuid", "copy_gist", "copy_text", "explain", "similar"}
        assert not usable() & (of_a_store | of_a_memory | {"back", "forward", "replacement"})
        await opened.open(ferry_store(tmp_path))
        assert of_a_store <= usable()
        assert not usable() & of_a_memory
        await opened.search("tide")
        await opened.select(uuid_of("tide"))
        assert of_a_memory <= usable()
        assert "replacement" not in usable()
        await opened.select(uuid_of("old"))
        assert "replacement" in usable()
        assert "end_of_chain" not in usable(), "the replacement is the end"


async def test_a58_keys_in_the_box_change_only_the_text(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        before = all_digests(project)
        done = {n: QSignalSpy(a.triggered) for n, a in window.actions_by_name.items()}
        box = window.search_bar.box
        window.search_bar.focus_box()
        box.setCursorPosition(4)
        press(box, Qt.Key.Key_Delete)
        assert box.text() == "tidetables"
        for modifiers in (_Ctrl, _Alt, Qt.KeyboardModifier.MetaModifier):
            press(box, Qt.Key.Key_Backspace, modifiers)
        assert box.text() in ("tables", "detables", "etables", "idetables", "tidetables")
        press(box, Qt.Key.Key_Return)
        await opened.settled()
        assert not [name for name, spy in done.items() if spy.count()]
        assert all_digests(project) == before


async def test_ctrl_k_in_the_box_opens_the_palette_and_cuts_nothing(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        window, palette = opened.window, opened.controller.actions.palette
        await until(window.isActiveWindow)
        opened.type("tide")
        window.search_bar.focus_box()
        window.search_bar.box.home(False)
        press_at_focus(window, Qt.Key.Key_K, _Ctrl)
        assert palette.isVisible()
        assert window.search_bar.text() == "tide"
        press(palette.box, Qt.Key.Key_Escape)
        assert not palette.isVisible()
        assert window.search_bar.text() == "tide", "Esc closed the palette alone"
        await opened.settled()


async def test_the_palette_runs_what_was_typed(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        window, palette = opened.window, opened.controller.actions.palette
        await until(window.isActiveWindow)
        press(window, Qt.Key.Key_P, _Ctrl | _Shift)
        assert palette.isVisible()
        assert ("Go: Back", "Alt+Left") not in palette.labels(), "there is no way back yet"
        QTest.keyClicks(palette.box, "sideb")
        assert palette.labels() == [("View: Sidebar", "F9")]
        assert window.sidebar.isVisible()
        press(palette.box, Qt.Key.Key_Return)
        assert not palette.isVisible()
        assert not window.sidebar.isVisible()
        press(window, Qt.Key.Key_F9)
        assert window.sidebar.isVisible()
        palette.begin()
        QTest.keyClicks(palette.box, "no such command")
        assert palette.labels() == []
        press(palette.box, Qt.Key.Key_Return)
        assert palette.isVisible(), "there is nothing to run"
        palette.reject()


async def test_uuid_gist_and_text_are_copied_as_stored(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        window, clipboard = opened.window, QApplication.clipboard()
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        window.hit_view.setFocus()
        assert window.hit_view.select(uuid_of("old"))  # and no waiting for the panels
        press_at_focus(window, Qt.Key.Key_C, _Ctrl)
        await until(lambda: clipboard.text() == "tide tables are printed on paper")
        press_at_focus(window, Qt.Key.Key_C, _Ctrl | _Shift)
        await until(lambda: clipboard.text() == uuid_of("old"))
        window.actions_by_name["copy_text"].trigger()
        await until(lambda: clipboard.text() == "asked at the desk")
        clipboard.clear()


async def test_the_menu_of_a_row_is_about_that_memory(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        window, menus = opened.window, opened.controller.actions.menus
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        row = window.hit_view.list.visualRect(window.hit_view.list.currentIndex())
        window.hit_view.list.customContextMenuRequested.emit(row.center())
        assert menus.menu.isVisible()
        texts = [a.text().replace("&", "") for a in _reachable(menus.menu)]
        assert texts[:3] == ["Copy uuid", "Copy gist", "Copy text"]
        assert "Its replacement" in texts and "Similar memories…" in texts
        menus.menu.close()
        window.actions_by_name["replacement"].trigger()
        await opened.settled()
        assert window.detail_panel.shown_uuid == uuid_of("tide")
        menus.fill(window.detail_panel.text)
        assert [a.text() for a in _reachable(menus.menu)][:2] == ["&Copy", "Select &all"]


async def test_the_toolbar_shows_four_actions_with_names(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        buttons = [
            button
            for button in opened.window.findChildren(QToolButton)
            if button.defaultAction() is not None
            and button.defaultAction().objectName() in GLYPHS
        ]
        assert [b.accessibleName() for b in buttons] == ["Back", "Forward", "Refresh", "Sidebar"]
        assert all(b.toolTip().endswith(")") for b in buttons)
