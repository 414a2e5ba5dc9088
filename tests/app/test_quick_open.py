"""Ctrl+P: a memory by a part of its gist or its uuid; and the list of similar memories."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import FERRY, ferry_store, stub, stub_services
from tests.widgets.keys import press, press_at_focus
from widgets.quick_open import QuickOpen


async def asked(opened: OpenWindow) -> QuickOpen:
    """Press Ctrl+P and wait for the first rows."""
    await until(opened.window.isActiveWindow)
    press_at_focus(opened.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    await opened.controller.quick_open.settled()
    return opened.controller.quick_open.dialog


async def test_a_part_of_a_gist_leads_to_the_memory(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        dialog = await asked(opened)
        assert len(dialog.uuids()) == 26, "an empty box lists the newest"
        QTest.keyClicks(dialog.box, "GAUGE")
        await opened.controller.quick_open.settled()
        assert dialog.uuids() == [uuid_of("gone")]
        assert dialog.hint.text() == "1 memory"
        press(dialog.box, Qt.Key.Key_Return)
        await opened.settled()
        assert not dialog.isVisible()
        assert opened.window.browse_view.selected_uuid() == uuid_of("gone")
        assert opened.window.detail_panel.shown_uuid == uuid_of("gone")


async def test_the_arrows_choose_while_the_keyboard_stays_in_the_box(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        dialog = await asked(opened)
        QTest.keyClicks(dialog.box, "tide tables")
        await opened.controller.quick_open.settled()
        second = dialog.uuids()[1]
        press(dialog.box, Qt.Key.Key_Down)
        assert dialog.box.hasFocus()
        press(dialog.box, Qt.Key.Key_Return)
        await opened.settled()
        assert opened.window.detail_panel.shown_uuid == second


async def test_a_row_far_below_is_selected_in_the_list_by_time(tmp_path: Path) -> None:
    project = build_store(tmp_path, [*distractors(700), *FERRY])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        last = opened.window.browse_view.table.model().rowCount() - 1
        dialog = await asked(opened)
        uuid = uuid_of("bus")
        QTest.keyClicks(dialog.box, uuid[:13])
        await opened.controller.quick_open.settled()
        assert dialog.uuids() == [uuid]
        press(dialog.box, Qt.Key.Key_Return)
        await opened.settled()
        assert last == 705
        assert opened.window.browse_view.selected_uuid() == uuid


async def test_nothing_found_says_so_and_enter_does_nothing(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        dialog = await asked(opened)
        QTest.keyClicks(dialog.box, "no such gist")
        await opened.controller.quick_open.settled()
        assert dialog.uuids() == []
        assert dialog.hint.text() == "No memory has this in its gist or uuid"
        press(dialog.box, Qt.Key.Key_Return)
        assert dialog.isVisible()
        press(dialog.box, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


async def test_more_than_fifty_are_told_with_their_total(tmp_path: Path) -> None:
    project = build_store(tmp_path, [Memory(f"m{n}", f"gist {n}", "x") for n in range(60)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        dialog = await asked(opened)
        assert len(dialog.uuids()) == 50
        assert dialog.hint.text() == "50 of 60 memories shown, newest first"
        dialog.reject()


async def test_similar_memories_are_live_ones_of_any_rank_and_can_be_gone_to(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        opened.window.actions_by_name["similar"].trigger()
        await opened.controller.quick_open.settled()
        dialog = opened.controller.quick_open.dialog
        assert dialog.isVisible() and not dialog.box.isVisible()
        found = dialog.uuids()
        assert uuid_of("tide") not in found, "not itself"
        assert uuid_of("old") not in found and uuid_of("gone") not in found, "live ones only"
        press(dialog.view, Qt.Key.Key_Return)
        await opened.settled()
        assert not dialog.isVisible()
        assert opened.window.detail_panel.shown_uuid == found[0]


async def test_opening_another_store_closes_the_dialog(tmp_path: Path) -> None:
    async with open_window(
        stub_services(stub(), tmp_path), ferry_store(tmp_path / "one")
    ) as opened:
        dialog = await asked(opened)
        await opened.open(ferry_store(tmp_path / "two"))
        assert not dialog.isVisible()
