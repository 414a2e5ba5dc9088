"""Facets, orders and what keeps filters in the window."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from app import browse_controller
from app.browse_order import ContextOf, Listed, ListWanted, ShowFirst, read_listed
from app.filter_asked import asked_text
from app.search_hints import SEARCHING
from core.appdata.queries import SavedSearch
from core.filters.facets import Facet
from core.filters.filter import StateWord
from core.store.row_order import SortColumn
from tests.support.event_logs import LogOf
from tests.support.filtering import chips, counted, is_, listed, said
from tests.support.open_window import open_window
from tests.support.personal_window import personal_window
from tests.support.stores import (
    STUB_MODEL,
    WIDTH,
    Memory,
    build_store,
    distractors,
    insert,
    uuid_of,
    writing,
)
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.name_dialog import NameDialog
from widgets.what_if_content import KnobName

# Facets


async def test_facets_count_the_list_and_add_up(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    log = LogOf()
    log.prompt("s", "ferry", "tide")
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        facets = await counted(opened)
        assert facets[Facet.STATE] == {"live": 24, "superseded": 1, "retired": 1}
        assert facets[Facet.TIER] == {"long_term": 1, "journal": 25}
        assert facets[Facet.INJECTED] == {"injected": 2, "-injected": 24}
        await listed(opened, "is:injected")
        facets = await counted(opened)
        assert facets[Facet.TIER] == {"long_term": 1, "journal": 1}
        assert facets[Facet.INJECTED] == {"injected": 2, "-injected": 0}
        outcome = await opened.search("tide")
        facets = await counted(opened)
        assert sum(facets[Facet.STATE].values()) == len(outcome.hits)


async def test_enter_with_keys_held_is_replace_and_or_not(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        tree, bar = opened.window.sidebar.facets, opened.window.search_bar
        keys = Qt.KeyboardModifier
        cases = (
            (keys.NoModifier, "is:live tide"),
            (keys.ControlModifier, "is:superseded,retired is:live tide"),
            (keys.ShiftModifier, "is:superseded,retired,live tide"),
            (keys.AltModifier, "is:superseded,retired -is:live tide"),
        )
        await opened.search("tide")
        await counted(opened)
        for held, text in cases:
            bar.box.blockSignals(True)  # the facets of the list before stay on screen
            bar.set_text("is:superseded,retired tide")
            bar.box.blockSignals(False)
            item = tree.item_of(is_(StateWord.LIVE))
            assert item is not None
            tree.setCurrentItem(item)
            QTest.keyClick(tree, Qt.Key.Key_Return, held)
            assert bar.text() == text


async def test_a_mouse_click_with_keys_held_is_and_or_not(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        tree, bar = opened.window.sidebar.facets, opened.window.search_bar
        button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier
        cases = (
            (keys.NoModifier, "is:live tide"),
            (keys.ControlModifier, "tier:journal is:live tide"),
            (keys.AltModifier, "tier:journal -is:live tide"),
        )
        for held, text in cases:
            opened.type("tier:journal tide")
            await opened.controller.settled()
            await counted(opened)
            item = tree.item_of(is_(StateWord.LIVE))
            assert item is not None
            at = tree.visualItemRect(item).center()
            QTest.mouseClick(tree.viewport(), button, held, at)
            assert bar.text() == text
            await opened.controller.settled()


async def test_shift_adds_a_value_to_one_that_was_chosen_by_the_mouse_before(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        tree, bar = opened.window.sidebar.facets, opened.window.search_bar

        async def click(word: StateWord, held: Qt.KeyboardModifier) -> None:
            await counted(opened)
            item = tree.item_of(is_(word))
            assert item is not None, "it is still offered"
            at = tree.visualItemRect(item).center()
            QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, held, at)
            await opened.settled()

        await click(StateWord.SUPERSEDED, Qt.KeyboardModifier.NoModifier)
        assert bar.text() == "is:superseded"
        facets = await counted(opened)
        assert facets[Facet.STATE] == {"live": 0, "superseded": 1, "retired": 0}
        await click(StateWord.RETIRED, Qt.KeyboardModifier.ShiftModifier)
        assert bar.text() == "is:superseded,retired"
        assert set(opened.browse_rows()) == {uuid_of("old"), uuid_of("gone")}
        await counted(opened)
        chosen = [text for text in tree.counts() if text.startswith("✓")]
        assert chosen == ["✓ replaced", "✓ retired"]


async def test_a_text_with_too_many_filters_counts_nothing(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await counted(opened)
        opened.type("is:live " * 1_500)
        await opened.controller.settled()
        assert not opened.controller.filtering.facets.is_busy
        assert opened.window.sidebar.facets.groups() == ()
        await listed(opened, "is:live")
        assert await counted(opened)


async def test_facets_come_after_the_list_and_the_next_key_ends_them(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await counted(opened)
        facets = opened.controller.filtering.facets
        opened.type("tide")
        await opened.controller.settled()
        assert facets.is_busy, "the list stands, its counts are still to come"
        running = facets._work._running["facets"]
        opened.type("tides")
        assert running.cancelling()
        await opened.controller.settled()


# Order


async def test_the_list_is_sorted_by_any_column_and_back(tmp_path: Path) -> None:
    rows = [
        Memory("one", "one", version=3, created_at="2026-03-01T12:00:00+00:00"),
        Memory("two", "two", version=1, created_at="2026-03-02T12:00:00+00:00"),
        Memory("three", "three", version=2, created_at="2026-03-03T12:00:00+00:00"),
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        actions, view = opened.window.actions_by_name, opened.window.browse_view

        async def sort(name: str) -> list[str]:
            before = view.heading()
            actions[name].trigger()
            await until(lambda: view.heading() != before)
            await opened.settled()
            return opened.browse_rows()

        one, two, three = (uuid_of(name) for name in ("one", "two", "three"))
        assert opened.browse_rows() == [three, two, one]
        assert await sort(f"sort_{SortColumn.VERSION}") == [one, three, two]
        assert view.heading() == "3 memories, highest version first"
        assert actions["sort_version"].isChecked()
        assert await sort("sort_other_way") == [two, three, one]
        assert await listed(opened, "version:>1") == [three, one], "filters keep the order"
        await opened.search("three")
        assert not actions["sort_version"].isEnabled(), "a ranked list is never sorted"


async def test_the_keyboards_line_is_marked_while_the_keyboard_is_there(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await counted(opened)
        await until(opened.window.isActiveWindow)
        tree = opened.window.sidebar.facets
        tree.setFocus()
        item = tree.item_of(is_(StateWord.RETIRED))
        assert item is not None
        tree.setCurrentItem(item)
        assert [i.text(0) for i in tree.selectedItems()] == ["retired"]
        opened.window.search_bar.focus_box()
        assert tree.selectedItems() == [], "nothing but the filters in force is marked"
        opened.type("tier:journal")
        await opened.settled()
        await counted(opened)
        assert tree.selectedItems() == []
        tree.setFocus()
        assert [i.text(0) for i in tree.selectedItems()] == ["retired"], "it is gone back to"


# What stays


async def test_back_and_forward_bring_filters_back(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await opened.search("is:live tide")
        await opened.select(opened.rows()[0])
        before = opened.rows()
        opened.controller.selection.navigation.followed(uuid_of("bus"))
        await opened.search("bus")
        opened.window.actions_by_name["back"].trigger()
        await opened.controller.settled()
        assert opened.window.search_bar.text() == "is:live tide"
        assert opened.rows() == before
        assert chips(opened) == ["is:live"]


async def test_a_what_if_search_keeps_the_filters(tmp_path: Path) -> None:
    rows = [*(Memory(f"t{n}", f"tide {n}") for n in range(30)), *distractors(5)]
    rows.append(Memory("far", "tide far", tier="long_term"))
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("tier:long_term tide")
        panels = opened.controller.panels
        panels.what_if.turn(KnobName.FUSION_DEPTH, 3)
        await opened.controller.settled()
        assert opened.rows() == [uuid_of("far")]
        panels.what_if.turn(KnobName.FUSION_DEPTH, 90)
        await opened.controller.settled()
        assert opened.rows() == [uuid_of("far")]
        assert asked_text(outcome) == "tier:long_term tide"


async def test_a_commit_keeps_filters_and_selection_of_the_list(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await listed(opened, "tier:long_term")
        assert opened.window.browse_view.select(uuid_of("tide"))
        with writing(project) as raw:
            more = [Memory("new", "new long", tier="long_term"), Memory("other", "new journal")]
            insert(raw, more, STUB_MODEL, WIDTH)
        opened.controller.refresh()
        await until(lambda: opened.window.browse_view.heading().startswith("2 of 28 memories"))
        assert opened.window.browse_view.selected_uuid() == uuid_of("tide")
        assert opened.window.browse_view.pill.isVisible()
        await opened.settled()
        opened.window.browse_view.bring_in()
        await opened.settled()
        assert set(opened.browse_rows()) == {uuid_of("tide"), uuid_of("new")}


async def test_a_list_that_takes_long_is_said_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = asyncio.Event()

    async def slow(wanted: ListWanted, context_of: ContextOf, first: ShowFirst | None) -> Listed:
        await held.wait()
        return await read_listed(wanted, context_of, first)

    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        monkeypatch.setattr(browse_controller, "read_listed", slow)
        opened.type("tier:long_term")
        hint = opened.window.search_bar.hint
        await until(lambda: hint.shown == SEARCHING)
        hint.press()
        await opened.controller.settled()
        assert "Search cancelled" in opened.page_text()
        held.set()
        opened.press("Search again")
        await opened.settled()
        assert opened.browse_rows() == [uuid_of("tide")]
        assert await listed(opened, "tier:journal is:superseded") == [uuid_of("old")]


async def test_more_filters_than_a_store_can_be_asked_for_are_refused_in_words(
    tmp_path: Path,
) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        await listed(opened, "is:live " * 200)
        assert opened.window.browse_view.heading() == "24 of 26 memories, newest first"
        await listed(opened, "is:live " * 1500)
        assert "A search takes up to 200 filter values, this one has 1,500" in opened.page_text()
        assert "more filters in the text." in said(opened)
        assert len(opened.window.chip_bar.chips) < 100
        opened.controller.filtering.text.explain()
        await until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.text().startswith("A search takes up to 200 filter values, this one has 1,500")
        box.close()


async def test_saved_searches_keep_filters_and_say_how_many_there_are_now(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        saved, counting = personal.personal.saved, personal.opened.controller.filtering.saved
        for name, text in (
            ("long ones", "tier:long_term"),
            ("tides", "is:live tide"),
            ("by one", f"similar:{uuid_of('tide')}"),
        ):
            saved.keep(SavedSearch(name, text, include_retired=False))
        await personal.settled()
        await counting.settled()
        shown = personal.window.sidebar.saved

        def counts() -> list[str]:
            return [shown.item(row).text() for row in range(shown.count())]

        # ferry and tide hold the word; glued has it inside another, old is replaced
        assert counts() == ["by one", "long ones · 1", "tides · 2"]
        with writing(project) as raw:
            insert(raw, [Memory("new", "a new tide", tier="long_term")], STUB_MODEL, WIDTH)
        personal.opened.controller.refresh()
        await until(lambda: counts() == ["by one", "long ones · 2", "tides · 3"])
        saved.run("long ones")
        await personal.settled()
        assert personal.window.search_bar.text() == "tier:long_term"
        assert set(personal.opened.browse_rows()) == {uuid_of("tide"), uuid_of("new")}


async def test_a_baseline_of_a_filtered_list_comes_back_with_its_filters(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        opened = personal.opened
        await opened.search("is:live tide")
        baselines = opened.controller.panels.baselines
        baselines.ask_pin()
        await until(lambda: isinstance(QApplication.activeModalWidget(), NameDialog))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NameDialog)
        dialog.accept()
        await until(lambda: baselines.pinned is not None)
        await personal.settled()
        assert [b.text for b in baselines.saved] == ["is:live tide"]
        banner = opened.window.results_page.baseline_banner
        assert "arrows show how far" in banner.text()
        await opened.search("tide")
        assert "is of another search: “is:live tide”" in banner.text()
