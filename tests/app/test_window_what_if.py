"""What if, in a real window: ranked again while a slider moves, never called the agent's list."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication

from core.explain.standing import standing_of
from core.retrieval.searcher import MeaningSide
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window, spoken_rows
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
from tests.support.window_stores import (
    demo_project,
    ferry_store,
    recorded_encoder,
    stub,
    stub_services,
)
from tests.widgets.keys import press, press_at_focus
from widgets.theme import Scheme, ThemeFollower, small_font
from widgets.what_if_content import RRF_KS, KnobName, Knobs

_CtrlShift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def banner(opened: OpenWindow) -> str:
    return opened.window.results_page.what_if_banner.text()


def turn(opened: OpenWindow, name: KnobName, value: float) -> None:
    opened.controller.panels.what_if.turn(name, value)


async def test_the_list_is_ranked_again_while_the_slider_moves_and_without_a_search(
    tmp_path: Path,
) -> None:
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        own = await opened.search("boarding pass")
        searched = opened.controller.search._running
        slider = opened.window.what_if_panel.knobs[KnobName.SUPERSESSION_PENALTY].slider
        press(slider, Qt.Key.Key_End)  # no penalty: before the loop runs again the list has moved
        now = opened.rows()
        assert opened.controller.search._running is searched
        assert now != [hit.uuid for hit in own.hits]
        await opened.settled()
        store = opened.controller.panels.context.store
        assert store is not None
        settings = replace(own.settings, supersession_penalty=1.0)
        side = MeaningSide(own.query.dense)
        found = await store.searcher.search("boarding pass", side, settings=settings)
        assert now == [hit.uuid for hit in found.hits], "as a search with this number ranks it"


async def test_a_list_with_other_numbers_is_never_called_the_agents(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await opened.search("tide tables")
        assert window.hit_view.list.cut_text() == "the agent sees 5"
        assert banner(opened) == ""
        turn(opened, KnobName.RRF_K, 7)
        assert banner(opened) == (
            "What if: not the agent's list. rrf_k 7 instead of 60"
        )
        assert window.hit_view.list.cut_text() == "cut at 5"
        assert "what if: not the agent's list" in window.hit_view._count.text()
        await opened.search("ferry")
        assert banner(opened), "it stays for another query"
        window.results_page.what_if_banner.buttons["reset"].click()
        await opened.settled()
        assert banner(opened) == ""
        assert window.hit_view.list.cut_text() == "the agent sees 5"
        assert opened.outcome is opened.controller.view.own_outcome


async def test_the_explanation_is_of_the_list_beside_it(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        turn(opened, KnobName.RRF_K, 9)
        turn(opened, KnobName.SUPERSESSION_PENALTY, 0.25)
        turn(opened, KnobName.LIMIT, 1)
        await opened.settled()
        why, outcome = opened.why(), opened.outcome
        assert outcome is not None
        standing = standing_of(outcome, uuid_of("old"), 1)
        assert standing is not None and standing.rrf_k == 9
        assert why.startswith("What if: ")
        assert "below the cut of 1, so a search for 1 does not return it" in why
        assert "agent does" not in why, "the list is not the agent's"
        assert "multiplied by 0.25" in why
        assert "retrieval.rrf_k = 9 (what if)" in why
        assert "retrieval.retired_penalty = 0.5 (default)" in why
        opened.controller.panels.what_if.reset()
        await opened.settled()
        assert not opened.why().startswith("What if")
        assert "retrieval.rrf_k = 60 (default)" in opened.why()


async def test_a_smaller_depth_drops_rows_at_once_and_a_greater_one_searches(
    tmp_path: Path,
) -> None:
    rows = [Memory(f"tide {n}", f"the tide number {n}", f"text {n}") for n in range(80)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        pool = len(opened.rows())
        turn(opened, KnobName.FUSION_DEPTH, 5)
        assert 5 <= len(opened.rows()) <= 10
        await opened.settled()
        turn(opened, KnobName.FUSION_DEPTH, 80)
        assert "Searching at this depth" in opened.window.what_if_panel.said()
        assert len(opened.rows()) == pool, "until it is found the list is what is known"
        await opened.settled()
        assert len(opened.rows()) == 80
        assert "Searching" not in opened.window.what_if_panel.said()
        outcome = opened.outcome
        assert outcome is not None and outcome.settings.fusion_depth == 80
        turn(opened, KnobName.FUSION_DEPTH, 70)
        assert len(opened.rows()) >= 70, "less than was searched for is in memory"


async def test_the_newest_depth_wins(tmp_path: Path) -> None:
    rows = [Memory(f"tide {n}", f"the tide number {n}", f"text {n}") for n in range(120)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        for depth in (60, 70, 80, 110):
            turn(opened, KnobName.FUSION_DEPTH, depth)
        await opened.settled()
        outcome = opened.outcome
        assert outcome is not None and outcome.settings.fusion_depth == 110
        turn(opened, KnobName.FUSION_DEPTH, 115)
        opened.controller.panels.what_if.reset()
        await opened.settled()
        assert opened.outcome is opened.controller.view.own_outcome


async def test_rows_say_how_far_they_moved_against_the_agents_own_list(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        before = (await opened.search("tide tables")).hits
        turn(opened, KnobName.SUPERSESSION_PENALTY, 1.0)
        await opened.settled()
        places = {hit.uuid: hit.position for hit in before}
        after = {uuid: place for place, uuid in enumerate(opened.rows(), 1)}
        rows = spoken_rows(opened.window.hit_view.list)
        for uuid, now in after.items():
            said = rows[now - 1]
            if places[uuid] > now:
                assert f"up {places[uuid] - now} from rank {places[uuid]}" in said
            elif places[uuid] < now:
                assert f"down {now - places[uuid]} from rank {places[uuid]}" in said
            else:
                assert "same rank" in said
        assert places != after, "something has moved"
        opened.controller.panels.what_if.reset()
        assert not any("same rank" in row for row in spoken_rows(opened.window.hit_view.list))


async def test_the_key_opens_the_panel_and_the_slider_has_the_keyboard(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        press(window.hit_view.list, Qt.Key.Key_R, _CtrlShift)
        assert window.what_if_panel.isVisible()
        assert window.focusWidget() is window.what_if_panel.focus_target()
        press_at_focus(window, Qt.Key.Key_Left)
        assert opened.controller.panels.what_if.knobs == Knobs(
            rrf_k=RRF_KS[RRF_KS.index(60) - 1]
        )
        window.hit_view.select_first()
        press(window.hit_view.list, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        assert window.why_panel.isVisible() and not window.what_if_panel.isVisible()
        press_at_focus(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
        assert not window.why_panel.isVisible()
        press(window.hit_view.list, Qt.Key.Key_R, _CtrlShift)
        assert window.what_if_panel.isVisible(), "the dock comes back with the panel"


async def test_f6_reaches_the_panel_that_can_be_seen(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        window.actions_by_name["rank_chart"].trigger()
        window.search_bar.focus_box()
        reached = []
        for _ in range(8):
            press_at_focus(window, Qt.Key.Key_F6)
            reached.append(window.focusWidget())
        assert window.rank_panel.chart in reached
        assert window.what_if_panel.focus_target() not in reached


async def test_nothing_that_is_tried_is_written_anywhere(tmp_path: Path) -> None:
    project = demo_project(tmp_path)
    config = (project / ".zikaron" / "config.toml").read_bytes()
    before = all_digests(project)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        await opened.search("boarding pass")
        for name, value in (
            (KnobName.RRF_K, 3),
            (KnobName.SUPERSESSION_PENALTY, 0.9),
            (KnobName.FUSION_DEPTH, 200),
            (KnobName.LIMIT, 12),
        ):
            turn(opened, name, value)
            await opened.settled()
        opened.window.what_if_panel.copy.click()
        lines = QApplication.clipboard().text()
        assert set(tomllib.loads(lines)["retrieval"]) == {
            "rrf_k",
            "supersession_penalty",
            "fusion_depth",
        }
        QApplication.clipboard().clear()
    assert (project / ".zikaron" / "config.toml").read_bytes() == config
    assert all_digests(project) == before


async def test_another_store_begins_with_its_own_numbers(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = ferry_store(tmp_path / "a"), ferry_store(tmp_path / "b")
    (second / ".zikaron" / "config.toml").write_text("[retrieval]\nrrf_k = 11\n")
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.search("tide")
        turn(opened, KnobName.RRF_K, 3)
        await opened.open(second)
        assert banner(opened) == ""
        assert opened.window.what_if_panel.knobs[KnobName.RRF_K].spin.value() == 11
        assert opened.controller.panels.what_if.knobs.rrf_k == 11


@pytest.mark.parametrize("refining", [True, False])
async def test_numbers_stay_through_both_answers_of_a_search(
    refining: bool, tmp_path: Path
) -> None:
    encoder = stub()
    project = ferry_store(tmp_path)
    async with open_window(stub_services(encoder, tmp_path), project) as opened:
        shown = QSignalSpy(opened.window.hit_view.hit_selected)
        turn(opened, KnobName.LIMIT, 2)
        opened.type("tide tables")
        if refining:
            await until(lambda: opened.page() == "results")
        else:
            await opened.settled()
        assert opened.window.hit_view.list.cut_text() == "cut at 2"
        await opened.settled()
        assert shown.count() == 0
        assert opened.window.hit_view.list.cut_text() == "cut at 2"


async def test_the_chart_is_of_the_list_and_its_crossings_are_true(tmp_path: Path) -> None:
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        window = opened.window
        await opened.search("boarding pass")
        window.actions_by_name["rank_chart"].trigger()
        await opened.settled()
        chart = window.rank_panel.chart
        crossings = chart._content.crossings
        assert crossings, "in this list rows change places"
        for crossing in crossings:
            for k, is_above in ((crossing.rrf_k - 1, False), (crossing.rrf_k, True)):
                turn(opened, KnobName.RRF_K, k)
                rows = opened.rows()
                upper, lower = rows.index(crossing.upper.uuid), rows.index(crossing.lower.uuid)
                assert (upper < lower) is is_above, f"{crossing.words} at {k}"
        opened.controller.panels.what_if.reset()
        await opened.settled()
        press(chart, Qt.Key.Key_Home)
        press(chart, Qt.Key.Key_Return)
        await opened.settled()
        assert opened.controller.panels.what_if.knobs.rrf_k == crossings[0].rrf_k
        assert chart._content.current_k == crossings[0].rrf_k


async def test_a_row_outside_both_lists_is_new_or_gone(tmp_path: Path) -> None:
    rows = [Memory(f"tide {n}", f"the tide number {n}", f"text {n}") for n in range(70)]
    project = build_store(tmp_path / "p", [*rows, *distractors(5)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        own = set(opened.rows())
        turn(opened, KnobName.FUSION_DEPTH, 70)
        await opened.settled()
        new = [row for row in spoken_rows(opened.window.hit_view.list) if "new in the list" in row]
        assert len(new) == len(set(opened.rows()) - own) > 0


async def test_a_foreign_commit_is_ranked_with_the_numbers_in_force(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        turn(opened, KnobName.LIMIT, 2)
        turn(opened, KnobName.RRF_K, 5)
        with writing(project) as raw:
            insert(raw, [Memory("fresh", "tide tables tide tables", "new")], STUB_MODEL, WIDTH)
        opened.controller.refresh()
        await opened.settled()
        await until(lambda: uuid_of("fresh") in opened.rows())
        await opened.settled()
        outcome, own = opened.outcome, opened.controller.view.own_outcome
        assert outcome is not None and own is not None
        assert (outcome.settings.rrf_k, own.settings.rrf_k) == (5, 60)
        assert [hit.uuid for hit in outcome.hits] == opened.rows()
        assert opened.window.hit_view.list.cut_text() == "cut at 2"


async def test_a_larger_font_leaves_no_word_cut_off(tmp_path: Path, qapp: QApplication) -> None:
    project = ferry_store(tmp_path)
    follower = ThemeFollower(qapp, Scheme.LIGHT)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        turn(opened, KnobName.RRF_K, 5)
        follower.set_font_points(18)
        await opened.settled()
        for button in opened.window.results_page.what_if_banner.buttons.values():
            words = button.fontMetrics().horizontalAdvance(button.text())
            assert button.maximumWidth() >= words + 16
        chart = opened.window.rank_panel.chart
        assert chart._plot().top() >= QFontMetrics(small_font(chart.font())).height()
        follower.set_font_points(0)
    follower.deleteLater()


async def test_the_search_is_explained_against_the_limit_that_is_tried(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        turn(opened, KnobName.LIMIT, 3)
        await opened.settled()
        assert "3 inside the limit of 3" in opened.why()


async def test_copied_lines_in_a_settings_file_give_the_list_that_was_shown(
    tmp_path: Path,
) -> None:
    project = demo_project(tmp_path)
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        own = [hit.uuid for hit in (await opened.search("boarding pass")).hits]
        turn(opened, KnobName.RRF_K, 3)
        turn(opened, KnobName.SUPERSESSION_PENALTY, 0.95)
        turn(opened, KnobName.RETIRED_PENALTY, 0.1)
        turn(opened, KnobName.FUSION_DEPTH, 90)
        await opened.settled()
        shown = opened.rows()
        opened.window.what_if_panel.copy.click()
        lines = QApplication.clipboard().text()
    assert shown != own
    config = project / ".zikaron" / "config.toml"
    config.write_text(f"{config.read_text()}\n{lines}")
    async with open_window(stub_services(recorded_encoder(), tmp_path), project) as opened:
        await opened.search("boarding pass")
        assert opened.rows() == shown
        assert "retrieval.rrf_k = 3 (store file)" in opened.why()
    QApplication.clipboard().clear()
