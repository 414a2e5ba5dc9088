"""Comparing in a real window: two memories, two queries, two settings, a baseline and today."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel

from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.personal_window import personal_window
from tests.support.slow_search import SlowSearches
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press
from widgets.baseline_dialog import BaselineDialog
from widgets.name_dialog import NameDialog
from widgets.plain import LinkButton
from widgets.query_dialog import QueryDialog
from widgets.table_dialog import TableDialog
from widgets.what_if_content import KnobName

_Ctrl, _Shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def page(opened: OpenWindow) -> TableDialog:
    """Wait for a page and return it."""
    panels = opened.controller.panels
    await until(lambda: panels.dialog is not None)
    assert panels.dialog is not None
    return panels.dialog


async def dialog_of[D: QDialog](opened: OpenWindow, kind: type[D]) -> D:
    """Wait for a dialog of a kind and return it."""
    await until(lambda: any(d.isVisible() for d in opened.window.findChildren(kind)))
    return next(d for d in opened.window.findChildren(kind) if d.isVisible())


async def close(opened: OpenWindow, dialog: TableDialog) -> None:
    dialog.reject()
    await until(lambda: opened.controller.panels.dialog is None)


async def test_ctrl_d_marks_a_memory_and_compares_it_with_the_second(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        window.hit_view.setFocus()
        press(window.hit_view.list, Qt.Key.Key_D, _Ctrl)
        banner = window.results_page.mark_banner
        assert banner.text().startswith("Compare “tide tables are printed on paper” with")
        assert "Ctrl+D" in banner.text()
        await opened.select(uuid_of("tide"))
        press(window.hit_view.list, Qt.Key.Key_D, _Ctrl)
        dialog = await page(opened)
        assert banner.text() == ""
        assert dialog.content.headline.startswith("They part first at “")
        rows = {row[0]: row for row in dialog.content.rows}
        outcome = opened.outcome
        assert outcome is not None
        old, tide = outcome.hit(uuid_of("old")), outcome.hit(uuid_of("tide"))
        assert old is not None and tide is not None
        last = rows["Place once replacements stand first"]
        assert last[1:] == (f"#{old.position}", f"#{tide.position}", "B")
        assert rows["Score after the penalty"][1] == repr(old.fused_score)
        await close(opened, dialog)


async def test_the_same_memory_twice_or_another_search_compares_nothing(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        banner = opened.window.results_page.mark_banner
        compare = opened.window.actions_by_name["compare"]
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        compare.trigger()
        compare.trigger()
        assert banner.text() == "" and opened.controller.panels.dialog is None
        compare.trigger()
        assert banner.text()
        await opened.search("ferry")
        assert banner.text() == "", "it was about another search"


async def test_what_if_is_compared_with_the_agents_own_list(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        own = [hit.uuid for hit in (await opened.search("tide tables")).hits]
        opened.controller.panels.what_if.turn(KnobName.SUPERSESSION_PENALTY, 1.0)
        await opened.settled()
        opened.window.what_if_panel.compare.click()
        dialog = await page(opened)
        assert dialog.content.columns[:2] == ("what if", "own")
        assert "supersession_penalty 1.0 instead of 0.5" in dialog.content.headline
        now = [row for row in dialog.content.rows if row[0] != "–"]
        assert len(now) == len(opened.rows())
        moved = [row for row in now if row[2].startswith("▲")]
        assert moved and all(int(row[1][1:]) > int(row[0][1:]) for row in moved)
        assert len(own) == len(now)
        await close(opened, dialog)


async def test_two_queries_are_compared(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        first = [hit.uuid for hit in (await opened.search("tide tables")).hits]
        opened.window.actions_by_name["compare_query"].trigger()
        asked = await dialog_of(opened, QueryDialog)
        assert asked.box.text() == "tide tables"
        asked.box.setText("ferry")
        asked.accept()
        dialog = await page(opened)
        assert dialog.content.columns[:2] == ("second query", "first query")
        assert "“tide tables” against “ferry”" in dialog.content.headline
        second = await opened.search("ferry")
        both = set(first) | {hit.uuid for hit in second.hits}
        assert len(dialog.content.rows) == len(both)
        assert dialog.content.rows[0][0] == "#1"
        await close(opened, dialog)


@pytest.mark.parametrize("action", ["compare_query", "baselines", "run_graded"])
async def test_what_is_asked_about_a_store_goes_with_it(tmp_path: Path, action: str) -> None:
    first, second = ferry_store(tmp_path / "a"), ferry_store(tmp_path / "b")
    async with personal_window(stub_services(stub(), tmp_path), first) as personal:
        opened = personal.opened
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await pin(opened, "before")
        personal.trigger("grade_3")
        await personal.settled()
        personal.trigger(action)
        await until(lambda: asked_in(opened) != [])
        await opened.open(second)
        await personal.settled()
        assert asked_in(opened) == []
        assert opened.window.message_bar.isHidden()


async def test_comparing_queries_that_takes_long_is_shown_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowSearches(monkeypatch)
    slow.texts.add("ferry")
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        bar = opened.window.message_bar
        await opened.search("tide tables")
        opened.window.actions_by_name["compare_query"].trigger()
        asked = await dialog_of(opened, QueryDialog)
        asked.box.setText("ferry")
        asked.accept()
        await until(bar.isVisible)
        assert "Comparing the two queries…" in [x.text() for x in bar.findChildren(QLabel)]
        (cancel,) = [b for b in bar.findChildren(LinkButton) if "Cancel" in b.text()]
        cancel.click()
        await slow.interrupted.wait()
        await until(bar.isHidden)
        assert opened.controller.panels.dialog is None


def asked_in(opened: OpenWindow) -> list[QDialog]:
    """Return the dialogs on screen but for the one that asked for a name."""
    dialogs = opened.window.findChildren(QDialog)
    return [d for d in dialogs if d.isVisible() and not isinstance(d, NameDialog)]


async def pin(opened: OpenWindow, name: str) -> None:
    opened.window.actions_by_name["pin_baseline"].trigger()
    asked = await dialog_of(opened, NameDialog)
    asked.box.setText(name)
    asked.accept()
    await until(lambda: opened.controller.panels.baselines.pinned is not None)


async def test_a_pinned_baseline_gives_rows_their_arrows(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        press(window.hit_view.list, Qt.Key.Key_D, _Ctrl | _Shift)
        asked = await dialog_of(opened, NameDialog)
        assert asked.box.accessibleName() == "Name of the baseline"
        asked.box.setText("before")
        asked.accept()
        await until(lambda: opened.controller.panels.baselines.pinned is not None)
        banner = window.results_page.baseline_banner
        assert banner.text().startswith("Baseline “before”: arrows show")
        rows = spoken_rows(window.hit_view.list)
        assert all("same rank" in row for row in rows)
        opened.controller.panels.what_if.turn(KnobName.SUPERSESSION_PENALTY, 1.0)
        await opened.settled()
        assert any("up " in row for row in spoken_rows(window.hit_view.list))
        opened.controller.panels.what_if.reset()
        await opened.search("ferry")
        assert "is of another search: “tide tables”" in banner.text()
        rows = spoken_rows(window.hit_view.list)
        assert not any("same rank" in row or "new in the list" in row for row in rows)
        banner.buttons["drop"].click()
        assert banner.text() == ""


async def test_a_baseline_is_kept_with_what_produced_it_and_compared_with_today(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    services = stub_services(stub(), tmp_path)
    async with personal_window(services, project) as first:
        await first.opened.search("tide tables")
        first.opened.controller.panels.what_if.turn(KnobName.SUPERSESSION_PENALTY, 1.0)
        await first.settled()
        then = first.opened.rows()
        await pin(first.opened, "no penalty")
        await first.settled()
    async with personal_window(services, project) as again:
        opened = again.opened
        (kept,) = opened.controller.panels.baselines.saved
        assert kept.ranking == tuple(then)
        assert (kept.text, kept.settings.supersession_penalty) == ("tide tables", 1.0)
        again.trigger("baselines")
        asked = await dialog_of(opened, BaselineDialog)
        assert asked.chosen() == "no penalty"
        asked.compare.click()
        dialog = await page(opened)
        assert dialog.content.title.startswith("Baseline “no penalty” of ")
        assert "supersession_penalty was 1.0, is 0.5" in dialog.content.headline
        before = {row[3]: row[1] for row in dialog.content.rows}
        assert len([place for place in before.values() if place != "–"]) == len(then)
        await close(opened, dialog)


async def test_a_kept_baseline_can_be_used_and_forgotten(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    services = stub_services(stub(), tmp_path)
    async with personal_window(services, project) as first:
        opened, baselines = first.opened, first.opened.controller.panels.baselines
        await opened.search("tide tables")
        await pin(opened, "one")
        baselines.unpin()
        await opened.search("ferry")
        first.trigger("baselines")
        (await dialog_of(opened, BaselineDialog)).use.click()
        await until(lambda: baselines.pinned is not None)
        await first.settled()
        assert opened.window.search_bar.text() == "tide tables"
        assert all("same rank" in row for row in spoken_rows(opened.window.hit_view.list))
        first.trigger("baselines")
        (await dialog_of(opened, BaselineDialog)).forget.click()
        await first.settled()
        assert baselines.saved == () and baselines.pinned is None
    async with personal_window(services, project) as again:
        await again.settled()
        assert again.opened.controller.panels.baselines.saved == ()


async def test_pages_close_with_the_window(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        opened.controller.panels.what_if.turn(KnobName.RRF_K, 1)
        opened.controller.panels.compare.compare_settings()
        dialog = await page(opened)
        await until(dialog.isVisible)
