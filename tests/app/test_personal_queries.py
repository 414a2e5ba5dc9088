"""The last queries and the saved searches: what is noted, what is offered, how it is used."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QMessageBox

from app.history_controller import NONE_YET, SWITCHED_OFF
from core.appdata.queries import SavedSearch
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.name_dialog import NameDialog

_LONG_S = 600.0
NOTHING: tuple[str, ...] = ()


def press(one: PersonalWindow, key: Qt.Key) -> None:
    QTest.keyClick(one.window.search_bar.box, key)


def dialog_of(one: PersonalWindow) -> NameDialog | None:
    return next((d for d in one.window.findChildren(NameDialog) if d.isVisible()), None)


async def shown_dialog(one: PersonalWindow) -> NameDialog:
    await until(lambda: dialog_of(one) is not None)
    dialog = dialog_of(one)
    assert dialog is not None
    return dialog


async def test_enter_notes_the_query_and_typing_alone_does_not(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p"), _LONG_S) as one:
        for text in ("t", "ti", "tide"):
            await one.opened.search(text)
        await one.own.settled()
        assert one.personal.history.queries == NOTHING
        press(one, Qt.Key.Key_Return)
        await one.own.settled()
        assert one.personal.history.queries == ("tide",)
    async with personal_window(given) as one:
        assert one.personal.history.queries == ("tide",)


async def test_staying_on_a_result_notes_the_query(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        await one.opened.search("tide tables")
        await one.opened.select(one.opened.rows()[0])
        await until(lambda: one.personal.history.queries == ("tide tables",))


async def test_a_result_left_for_another_text_notes_nothing(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p"), _LONG_S) as one:
        await one.opened.search("tide")
        await one.opened.select(one.opened.rows()[0])
        staying = one.personal.history._staying
        assert staying is not None
        one.opened.type("ferry")
        await until(staying.done)
        assert staying.cancelled()
        await one.own.settled()
        assert one.personal.history.queries == NOTHING


async def test_opening_a_result_notes_the_query(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p"), _LONG_S) as one:
        await one.opened.search("tide")
        await one.opened.select(one.opened.rows()[0])
        QTest.keyClick(one.window.hit_view.list, Qt.Key.Key_Return)
        await until(lambda: one.personal.history.queries == ("tide",))


async def test_down_in_the_box_offers_the_last_queries_and_enter_searches_again(
    tmp_path: Path,
) -> None:
    hostile = "<b>two</b>\nlines"
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p"), _LONG_S) as one:
        for text in ("ferry", hostile, "tide"):
            one.opened.type(text)
            one.window.search_bar.submitted.emit()
        await one.settled()
        press(one, Qt.Key.Key_Down)
        popup = one.personal.history.popup
        await until(popup.isVisible)
        assert popup.queries() == ["tide", hostile, "ferry"]
        assert popup.list.item(1).text() == "<b>two</b> lines"
        QTest.keyClick(popup.list, Qt.Key.Key_Down)
        QTest.keyClick(popup.list, Qt.Key.Key_Down)
        QTest.keyClick(popup.list, Qt.Key.Key_Return)
        assert not popup.isVisible()
        assert one.window.search_bar.text() == "ferry"
        await one.settled()
        assert one.opened.page() == "results"


async def test_escape_closes_the_history_and_leaves_the_text(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.opened.type("tide")
        press(one, Qt.Key.Key_Return)
        await one.own.settled()
        press(one, Qt.Key.Key_Down)
        popup = one.personal.history.popup
        QTest.keyClick(popup.list, Qt.Key.Key_Escape)
        assert not popup.isVisible()
        assert one.window.search_bar.text() == "tide"


async def test_delete_in_the_history_forgets_one_query(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        for text in ("ferry", "tide"):
            one.opened.type(text)
            press(one, Qt.Key.Key_Return)
        await one.own.settled()
        press(one, Qt.Key.Key_Down)
        popup = one.personal.history.popup
        QTest.keyClick(popup.list, Qt.Key.Key_Delete)
        await one.own.settled()
        assert popup.queries() == ["ferry"]
        QTest.keyClick(popup.list, Qt.Key.Key_Delete)
        assert not popup.isVisible()
    async with personal_window(given) as one:
        assert one.personal.history.queries == NOTHING


async def test_an_empty_history_says_how_it_fills(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        press(one, Qt.Key.Key_Down)
        assert one.personal.history.popup.words() == NONE_YET
        one.personal.history.popup.close()
        one.personal.history.set_on(False)
        press(one, Qt.Key.Key_Down)
        assert one.personal.history.popup.words() == SWITCHED_OFF
        one.personal.history.popup.close()


# Saved searches


async def test_a_search_is_saved_under_a_name_and_run_from_the_sidebar(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    project = ferry_store(tmp_path / "p")
    async with personal_window(given, project) as one:
        one.window.search_bar.include_retired.setChecked(True)
        await one.opened.search("tide gauge")
        one.trigger("save_search")
        dialog = await shown_dialog(one)
        assert dialog.box.text() == "tide gauge"
        dialog.box.setText("  Broken things ")
        dialog.save_button().click()
        await until(lambda: one.personal.saved.saved() != ())
    async with personal_window(given, project) as one:
        assert one.personal.saved.saved() == (SavedSearch("Broken things", "tide gauge", True),)
        sidebar = one.window.sidebar.saved
        assert sidebar.entry_keys() == ["Broken things"]
        assert not one.window.search_bar.includes_retired()
        sidebar.itemActivated.emit(sidebar.item(0))
        await one.settled()
        assert one.window.search_bar.text() == "tide gauge"
        assert one.window.search_bar.includes_retired()
        assert one.opened.page() == "results"


async def test_a_name_that_is_taken_is_said_before_it_is_replaced(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.personal.saved.keep(SavedSearch("Tides", "tide", False))
        await one.own.settled()
        one.opened.type("ferry")
        one.trigger("save_search")
        dialog = await shown_dialog(one)
        assert dialog.warning() == ""
        dialog.box.setText("Tides")
        assert dialog.warning() == "Replaces the saved search of this name."
        dialog.save_button().click()
        await until(lambda: one.personal.saved.saved() == (SavedSearch("Tides", "ferry", False),))


async def test_a_blank_name_cannot_be_given_and_cancel_saves_nothing(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.opened.type("tide")
        one.trigger("save_search")
        dialog = await shown_dialog(one)
        dialog.box.setText(" \u200b ")
        assert not dialog.save_button().isEnabled()
        dialog.reject()
        await until(lambda: dialog_of(one) is None)
        await one.own.settled()
        assert one.personal.saved.saved() == ()


async def test_an_empty_box_is_not_saved_and_says_why(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.trigger("save_search")
        await until(lambda: any(b.isVisible() for b in one.window.findChildren(QMessageBox)))
        (box,) = one.window.findChildren(QMessageBox)
        assert "type a query first" in box.text()
        box.accept()
        await until(lambda: not box.isVisible())


async def test_a_saved_search_is_renamed_and_dropped(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        one.personal.saved.keep(SavedSearch("Tides", "tide", False))
        await one.own.settled()
        one.personal.saved.ask_rename("Tides")
        dialog = await shown_dialog(one)
        assert dialog.box.text() == "Tides"
        dialog.box.setText("Water")
        dialog.save_button().click()
        await until(lambda: one.window.sidebar.saved.entry_keys() == ["Water"])
        one.personal.saved.drop("Water")
        await one.own.settled()
        assert one.window.sidebar.saved.entry_keys() == []


async def test_the_sidebar_offers_to_rename_and_to_forget_a_saved_search(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        for name in ("Ferries", "Tides"):
            one.personal.saved.keep(SavedSearch(name, "tide", False))
        await one.own.settled()
        sidebar = one.window.sidebar.saved
        place = sidebar.visualItemRect(sidebar.item(1)).center()

        def offer(words: str) -> None:
            sidebar.customContextMenuRequested.emit(place)
            (menu,) = [m for m in sidebar.findChildren(QMenu) if m.isVisible()]
            next(a for a in menu.actions() if a.text() == words).trigger()
            menu.close()

        offer("&Rename…")
        dialog = await shown_dialog(one)
        assert dialog.box.text() == "Tides"
        dialog.reject()
        await until(lambda: dialog_of(one) is None)
        offer("&Forget")
        await one.own.settled()
        assert sidebar.entry_keys() == ["Ferries"]


@pytest.mark.parametrize("name", ["Tides", "nobody"])
async def test_running_a_search_that_is_not_there_changes_nothing(
    name: str, tmp_path: Path
) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.opened.type("ferry")
        one.personal.saved.run(name)
        assert one.window.search_bar.text() == "ferry"
