"""Duplicates in the window: groups at a threshold, twins, what is said of them, two stores."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from tests.support.digests import all_digests
from tests.support.duplicates_window import (
    ALONE,
    LOOSE,
    PAIR,
    ROWS,
    HeldPass,
    duplicates,
    groups,
    key,
    leaning,
    members,
    named,
    open_group,
    serving,
    set_threshold,
    words,
)
from tests.support.open_window import OpenWindow, open_window
from tests.support.personal_window import personal_window
from tests.support.several import check, front, store_of
from tests.support.stores import Memory, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.support.write_window import Writer


def press(opened: OpenWindow, label: str) -> None:
    buttons = opened.window.message_bar.findChildren(QAbstractButton)
    (button,) = [b for b in buttons if b.text() == label and b.isVisible()]
    button.click()


async def test_ctrl_6_lists_the_groups_nearest_first_and_opens_the_first(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        page = serving(opened).page
        assert opened.window.pages.currentWidget() is page
        assert opened.window.focusWidget() is page.groups.list
        assert len(groups(opened)) == 2
        assert words(opened).startswith("2 groups: 4 of 7 memories in harbour.")
        twins, pair = groups(opened)
        assert "2 memories, nearest 0.999, with twins: may be different facts" in twins
        assert "2 memories, nearest 0.978" in pair, "the cosine of 12 degrees"
        assert members(opened) == named("prod", "test")


async def test_another_threshold_groups_anew_without_another_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with duplicates(tmp_path) as opened:
        monkeypatch.delattr("app.duplicates_controller.scan_pairs")
        await set_threshold(opened, 86)
        assert words(opened).startswith("3 groups: 6 of 7 memories")
        assert serving(opened).page.number.text() == "0.86"
        await set_threshold(opened, 87)
        assert words(opened).startswith("2 groups"), "the cosine of 30 degrees is 0.866"
        await set_threshold(opened, 100)
        assert words(opened).startswith(
            "Nothing found: no two of 7 memories in harbour are as near as 1.00"
        )
        assert members(opened) == set()
        assert not serving(opened).page.apart.isEnabled()


async def test_twins_are_told_with_what_they_name(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        said = serving(opened).page.sentence.text()
        assert "They may well be different facts" in said
        assert "They differ in: “db-1” / “db-2”." in said
        await open_group(opened, "ferry")
        assert "Twins" not in serving(opened).page.sentence.text()


async def test_identical_texts_are_a_group_without_any_vector(tmp_path: Path) -> None:
    rows = [Memory(name, "low water", "at six", vectors=()) for name in ("a", "b", "c")]
    async with duplicates(tmp_path, {"harbour": rows}) as opened:
        (only,) = groups(opened)
        assert "3 memories, all identical" in only
        assert "3 memories without a usable vector" in words(opened)


async def test_the_page_is_walked_by_keyboard_and_a_row_opens_its_memory(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        page = serving(opened).page
        await key(opened, Qt.Key.Key_Down)
        assert members(opened) == named("ferry", "boat")
        await key(opened, Qt.Key.Key_Return)
        assert opened.window.focusWidget() is page.members.list
        assert opened.window.detail_panel.shown_uuid == uuid_of("ferry")
        await key(opened, Qt.Key.Key_Down)
        assert opened.window.detail_panel.shown_uuid == uuid_of("boat")
        assert opened.window.pages.currentWidget() is page, "the page stays"
        await key(opened, Qt.Key.Key_Return)
        assert opened.window.focusWidget() is opened.window.detail_panel.text
        page.slider.setFocus()
        await key(opened, Qt.Key.Key_Left)
        assert page.number.text() == "0.91"


async def test_not_duplicates_takes_a_group_out_and_undo_brings_it_back(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        page = serving(opened).page
        await open_group(opened, "ferry")
        assert not page.undo.isVisible()
        page.apart.click()
        await opened.controller.settled()
        assert [row.startswith("the tide table") for row in groups(opened)] == [True]
        assert "no duplicates of each other; until the window is closed" in Writer(opened).said()
        page.undo.click()
        await opened.controller.settled()
        assert len(groups(opened)) == 2
        assert not page.undo.isVisible()


async def test_the_keyboard_goes_on_to_the_next_group_and_finds_undo(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        page, window = serving(opened).page, opened.window
        await until(window.isActiveWindow)
        page.apart.setFocus()
        await key(opened, Qt.Key.Key_Space)
        assert window.focusWidget() is page.groups.list
        assert members(opened) == named("ferry", "boat"), "the next group is open"
        page.compare.setFocus()
        await key(opened, Qt.Key.Key_Tab)
        assert window.focusWidget() is page.undo
        await key(opened, Qt.Key.Key_Space)
        assert len(groups(opened)) == 2


async def test_one_memory_is_taken_out_and_the_others_stay_a_group(tmp_path: Path) -> None:
    third = Memory("tug", "the tug leaves at noon", vectors=leaning(6))
    async with duplicates(tmp_path, {"harbour": [*PAIR, third]}) as opened:
        page = serving(opened).page
        assert members(opened) == named("ferry", "boat", "tug")
        assert not page.out.isEnabled(), "nothing is selected"
        assert page.members.select(uuid_of("tug"))
        await opened.controller.settled()
        page.out.click()
        await opened.controller.settled()
        assert members(opened) == named("ferry", "boat")


async def test_what_is_no_duplicate_is_remembered_at_the_next_start(tmp_path: Path) -> None:
    project = store_of(tmp_path / "harbour", PAIR)
    services = stub_services(stub(), tmp_path)
    async with personal_window(services, project) as one:
        one.trigger("duplicates")
        await one.opened.controller.settled()
        serving(one.opened).page.apart.click()
        await one.opened.controller.settled()
        await one.own.settled()
        assert groups(one.opened) == []
    async with personal_window(services, project) as one:
        one.trigger("duplicates")
        await one.opened.controller.settled()
        assert groups(one.opened) == []
        assert words(one.opened).startswith("Nothing found")


async def test_into_one_stages_the_replacement_by_the_one_that_was_picked(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        project = tmp_path / "harbour"
        before = all_digests(project)
        await open_group(opened, "ferry")
        serving(opened).page.into_one.click()
        picker = opened.controller.writing.staging.picker
        await until(picker.dialog.isVisible)
        assert set(picker.dialog.uuids()) == named("ferry", "boat")
        at = picker.dialog.uuids().index(uuid_of("boat"))
        picker.dialog.choose(picker.dialog.view.model().index(at, 0))
        await until(lambda: Writer(opened).entries())
        (entry,) = Writer(opened).entries()
        assert "the ferry leaves at noon" in entry and "the boat leaves at twelve" in entry
        assert all_digests(project) == before, "nothing is written"


async def test_twins_are_never_merged_without_selecting_them(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        page = serving(opened).page
        page.into_one.click()
        await opened.controller.settled()
        assert "There are twins in this group" in Writer(opened).said()
        page.members.list.selectAll()
        await opened.controller.settled()
        page.into_one.click()
        picker = opened.controller.writing.staging.picker
        await until(picker.dialog.isVisible)
        picker.dialog.close()


async def test_two_stores_are_compared_as_one_and_no_change_reaches_into_both(
    tmp_path: Path,
) -> None:
    one, other = PAIR
    async with duplicates(tmp_path, {"quay": [one, *LOOSE], "pier": [other, *ALONE]}) as opened:
        page = serving(opened).page
        (group,) = groups(opened)
        assert "in 2 stores" in group
        assert "5 memories in quay, pier (all 2 open stores)" in words(opened)
        assert members(opened) == named("ferry", "boat")
        assert page.members.select(uuid_of("boat"))
        await opened.controller.settled()
        assert front(opened) == "pier", "the memory is shown in its own store"
        assert opened.window.detail_panel.shown_uuid == uuid_of("boat")
        assert page.members.selected_uuid() == uuid_of("boat")
        page.into_one.click()
        assert "no change reaches into two" in Writer(opened).said()
        assert not opened.controller.writing.staging.picker.dialog.isVisible()


async def test_memories_of_different_models_are_said_to_be_compared_by_their_texts_alone(
    tmp_path: Path,
) -> None:
    one, other = PAIR
    paths = [store_of(tmp_path / "quay", [one]), store_of(tmp_path / "pier", [other], model="b/c")]
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        opened.window.actions_by_name["duplicates"].trigger()
        await opened.controller.settled()
        assert groups(opened) == [], "0.978 between vectors of two models says nothing"
        assert "They are of 2 models: between those by equal texts alone." in words(opened)


async def test_unchecking_a_store_compares_what_is_left(tmp_path: Path) -> None:
    one, other = PAIR
    async with duplicates(tmp_path, {"quay": [one], "pier": [other]}) as opened:
        check(opened, "pier", False)
        await opened.controller.settled()
        assert groups(opened) == []
        assert "no two of 1 memory in quay (1 of 2 open stores)" in words(opened)
        check(opened, "quay", False)
        await opened.controller.settled()
        assert words(opened).startswith("No store is open and checked")


async def test_what_the_agent_writes_is_followed_and_the_open_group_stays(tmp_path: Path) -> None:
    async with duplicates(tmp_path) as opened:
        await open_group(opened, "ferry")
        with writing(tmp_path / "harbour") as raw:
            raw.execute(
                "UPDATE memory SET active = 0 WHERE uuid IN (?, ?)",
                (uuid_of("prod"), uuid_of("quay")),
            )
        opened.controller.refresh()
        await until(lambda: len(groups(opened)) == 1)
        await opened.controller.settled()
        assert members(opened) == named("ferry", "boat")
        assert words(opened).startswith("1 group: 2 of 5 memories")


async def test_a_pass_is_cancelled_and_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.patience.PATIENCE_S", 0.0)
    held = HeldPass(monkeypatch)
    project = store_of(tmp_path / "harbour", ROWS)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["duplicates"].trigger()
        await until(lambda: "Comparing the memories" in Writer(opened).said())
        press(opened, "Cancel")
        await opened.controller.settled()
        assert words(opened).startswith("Comparing was cancelled")
        assert groups(opened) == []
        held.gate.set()
        serving(opened).page.compare.click()
        await opened.controller.settled()
        assert len(groups(opened)) == 2


async def test_a_store_without_a_live_memory_says_so(tmp_path: Path) -> None:
    gone = Memory("gone", "the gauge is broken", active=False)
    async with duplicates(tmp_path, {"harbour": [gone]}) as opened:
        assert words(opened) == "No live memory in harbour: there is nothing to compare."
        assert members(opened) == set()


async def test_the_rows_of_a_group_have_the_keys_and_the_menu_of_every_list(
    tmp_path: Path,
) -> None:
    async with duplicates(tmp_path) as opened:
        page = serving(opened).page
        await open_group(opened, "ferry")
        page.members.setFocus()
        await key(opened, Qt.Key.Key_Down)
        assert page.members.selected_uuid() == uuid_of("ferry"), "the first row"
        await key(opened, Qt.Key.Key_Delete)
        await until(lambda: Writer(opened).entries())
        (entry,) = Writer(opened).entries()
        assert entry.startswith("Retire: the ferry leaves at noon")
        page.members.list.selectAll()
        await opened.controller.settled()
        assert opened.window.actions_by_name["into_one"].isEnabled(), "two rows are selected"
        menus = opened.controller.actions.menus
        at = page.members.list.visualRect(page.members.list.model().index(1, 0)).center()
        page.members.list.customContextMenuRequested.emit(at)
        assert "Copy as Markdown" in [a.text().replace("&", "") for a in menus.menu.actions()]
        menus.menu.close()
