"""Explaining in the window: any memory against the list, the search itself, copies of it."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services


def press(opened: OpenWindow, name: str) -> None:
    """Trigger an action that can be used now."""
    action = opened.window.actions_by_name[name]
    assert action.isEnabled()
    action.trigger()


async def test_a_search_without_a_selection_is_explained_itself(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide tables")
        told = opened.why()
        assert told.startswith(
            "This search ran by words and by meaning over 26 memories and ranked 25 memories."
        )
        assert "terms: tables, tide" in told
        assert "all rows: 26 memories\n  after state: 25 memories" in told
        assert "retrieval.rrf_k = 60 (default)" in told
        await opened.select(uuid_of("tide"))
        assert opened.why().startswith("First because")
        press(opened, "explain_search")
        await opened.settled()
        assert opened.why() == told
        assert opened.window.detail_panel.shown_uuid is None


async def test_why_not_asks_for_a_memory_and_says_where_it_fell_out(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide tables")
        press(opened, "why_not")
        dialog = opened.controller.quick_open.dialog
        dialog.box.setText("gauge")
        await until(lambda: dialog.uuids() == [uuid_of("gone")])
        dialog.choose(dialog.view.model().index(0, 0))
        await opened.settled()
        told = opened.why()
        assert told.startswith("Not eligible: it was retired, and retired memories are left out")
        assert "after state: 25 memories, this one not among them" in told
        assert "no rank: it is not eligible" in told
        assert opened.window.detail_panel.shown_uuid == uuid_of("gone")


async def test_an_explanation_of_a_memory_outside_the_list_says_what_brings_it_in(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        opened.controller.view.limit = 5
        await opened.search("tide tables")
        await opened.select(opened.rows()[-1])
        told = opened.why()
        assert "What brings it into the first 5" in told
        assert "limit: 5 → 25: it would be #25" in told


async def test_the_explanation_is_copied_whole_in_every_form(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide tables")
        assert opened.window.hit_view.select(uuid_of("tide"))
        press(opened, "copy_why_json")  # while it is still being read
        await until(lambda: QGuiApplication.clipboard().text().startswith('{"schema"'))
        assert '"margins": [{"kind"' in QGuiApplication.clipboard().text()
        press(opened, "copy_why_markdown")
        await until(lambda: QGuiApplication.clipboard().text().startswith("**First because"))
        copied = QGuiApplication.clipboard().text()
        assert "### Word arm" in copied and "```json" in copied
