"""Memories and events over time, in the window: bins by keys, kinds, rows of a time, the search."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.support.accessibility import nameless
from tests.support.browsing import (
    HARBOUR,
    contents,
    harbour,
    show_page,
    timeline_page,
    told,
)
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import front, store_of
from tests.support.stores import STUB_MODEL, WIDTH, Memory, insert, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press, press_at_focus
from widgets.timeline_content import Subject

_SHIFT = Qt.KeyboardModifier.ShiftModifier


async def press_in_chart(
    opened: OpenWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    press(timeline_page(opened).chart, key, modifiers)
    await opened.controller.settled()


async def test_ctrl_4_counts_memories_by_time_and_the_arrows_move_over_the_bins(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        assert "timeline" not in opened.controller.pages._made, "made when it is asked for"
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert opened.page() == "timeline"
        assert opened.window.focusWidget() is page.chart
        assert page.summary.text().startswith(
            "5 memories from 2026-03-01 to 2026-03-20, by the day."
        )
        assert page.words.text() == "2026-03-20: 1 memory (1 live)"
        await press_in_chart(opened, Qt.Key.Key_Home)
        assert page.words.text() == "2026-03-01: 2 memories (2 live)"
        await press_in_chart(opened, Qt.Key.Key_Right)
        assert page.words.text() == "2026-03-02: 1 memory (1 replaced)"
        await press_in_chart(opened, Qt.Key.Key_Right)
        assert page.words.text() == "2026-03-09: 1 memory (1 retired)"
        await press_in_chart(opened, Qt.Key.Key_End)
        assert page.words.text() == "2026-03-20: 1 memory (1 live)"
        assert page.chart.accessibleDescription() == page.words.text()


async def test_enter_lists_the_bin_and_a_row_is_read_beside_it(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_Return)
        page = timeline_page(opened)
        assert told(page.found) == [
            ("the ferry waits for the tide", "2026-03-01 08:10"),
            ("tide tables come by post", "2026-03-01 08:50"),
        ]
        assert page.rows_words.text() == "Listed: 2026-03-01: 2 memories (2 live)."
        opened.window.actions_by_name["next_pane"].trigger()
        assert opened.window.focusWidget() is page.found.table
        press_at_focus(opened.window, Qt.Key.Key_Down)
        press_at_focus(opened.window, Qt.Key.Key_Down)
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("tide")
        assert opened.page() == "timeline"


async def test_plus_and_minus_zoom_and_fit_brings_the_first_size_back(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        await press_in_chart(opened, Qt.Key.Key_Minus)
        assert page.words.text() == "week of 2026-03-16: 1 memory (1 live)"
        await press_in_chart(opened, Qt.Key.Key_Minus)
        await press_in_chart(opened, Qt.Key.Key_Minus)
        assert page.words.text() == "2026-03: 5 memories (3 live, 1 replaced, 1 retired)"
        for _ in range(3):
            await press_in_chart(opened, Qt.Key.Key_Plus)
        assert page.words.text() == "2026-03-20 23:00: 1 memory (1 live)"
        page.fit.click()
        await opened.controller.settled()
        assert page.words.text() == "2026-03-20: 1 memory (1 live)"


async def test_a_kind_is_left_out_by_space_and_the_choice_stays(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        boxes = [page.kinds.item(row).text() for row in range(page.kinds.count())]
        assert boxes == ["live 3", "replaced 1", "retired 1"]
        page.kinds.setCurrentRow(0)
        press(page.kinds, Qt.Key.Key_Space)
        await opened.controller.settled()
        assert page.summary.text().startswith("2 memories from 2026-03-02 to 2026-03-09")
        page.subjects[Subject.EVENTS].click()
        await opened.controller.settled()
        assert page.summary.text().startswith("16 events on 2026-03-01, by the hour.")
        page.subjects[Subject.MEMORIES].click()
        await opened.controller.settled()
        assert page.summary.text().startswith("2 memories from 2026-03-02")
        assert page.kinds.unchecked() == {"live"}


async def test_events_are_counted_by_kind_and_listed_with_their_memories(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        page.subjects[Subject.EVENTS].click()
        await opened.controller.settled()
        expected = "9 shown, 4 prompts, 1 fetched, 1 retired, 1 searched"
        assert page.words.text() == f"2026-03-01 12:00: 16 events ({expected})"
        for row in range(2):
            page.kinds.item(row).setCheckState(Qt.CheckState.Unchecked)
            await opened.controller.settled()
        await press_in_chart(opened, Qt.Key.Key_Return)
        assert told(page.found) == [
            ("the ferry waits for the tide", "fetched · 2026-03-01 12:00:04 UTC"),
            ("the gauge is broken", "retired · 2026-03-01 12:00:09 UTC"),
            ("searched · 2026-03-01 12:00:10 UTC", ""),
        ]


async def test_shift_and_arrows_mark_a_time_and_narrow_the_search_to_it(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        opened.type("created:2025-01 tier:journal ferry")
        await opened.controller.settled()
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_Right, _SHIFT)
        box = opened.window.search_bar
        assert box.text() == "tier:journal created:2026-03-01..2026-03-02 ferry"
        await press_in_chart(opened, Qt.Key.Key_Right, _SHIFT)
        assert box.text() == "tier:journal created:2026-03-01..2026-03-09 ferry"
        assert opened.page() == "timeline", "the page stays"
        assert opened.window.focusWidget() is page.chart
        assert page.words.text() == (
            "Marked 2026-03-01 to 2026-03-09: 4 memories (2 live, 1 replaced, 1 retired)"
        )
        assert len(page.found.rows) == 4
        press(page.chart, Qt.Key.Key_Escape)
        assert page.chart.mark is None
        assert box.text().startswith("tier:journal created:2026-03-01..2026-03-09"), "not cleared"
        box.focus_box()
        press(box.box, Qt.Key.Key_Return)
        assert opened.page() != "timeline"


async def test_filters_in_the_box_narrow_the_memories_and_a_time_marked_holds_what_enter_lists(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        opened.type("is:live -uuid:none created:2026-03-20 tide")
        await opened.controller.settled()
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert page.summary.text().startswith(
            "5 memories that pass is:live -uuid:none, from 2026-03-01 to 2026-03-21, by the day."
        )
        boxes = [page.kinds.item(row).text() for row in range(page.kinds.count())]
        assert boxes == ["live 5"]
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_Right, _SHIFT)
        marked = [row.gist for row in contents(page.found)]
        assert len(marked) == 3
        opened.type("is:live -uuid:none created:2026-03-01..2026-03-02")
        await opened.settled()
        assert len(opened.browse_rows()) == 3
        page.subjects[Subject.EVENTS].click()
        await show_page(opened, "timeline")
        assert page.summary.text().startswith("18 events"), "filters are about memories"


async def test_a_timeline_follows_filters_that_were_changed_while_nobody_saw_it(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert page.summary.text().startswith("5 memories from")
        opened.type("is:retired")
        await opened.settled()
        await show_page(opened, "timeline")
        assert page.summary.text().startswith("1 memory that passes is:retired, on 2026-03-09")
        opened.type("session:nobody")
        await opened.settled()
        await show_page(opened, "timeline")
        assert page.summary.text() == (
            "There is nothing with a time here. Counted is what passes session:nobody."
        )
        opened.type("")
        await opened.settled()
        await show_page(opened, "timeline")
        assert page.summary.text().startswith("5 memories from")


async def test_a_drag_marks_a_time_and_a_click_lists_one_bin(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        chart = page.chart
        chart.grab()
        spots = [chart._slot(at).center().toPoint() for at in range(4)]
        button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(chart, button, none, spots[2])
        await opened.controller.settled()
        assert [row.gist for row in contents(page.found)] == ["the gauge is broken"]
        assert opened.window.search_bar.text() == ""
        QTest.mousePress(chart, button, none, spots[0])
        QTest.mouseMove(chart, spots[1] + QPoint(1, 0))
        QTest.mouseMove(chart, spots[2])
        QTest.mouseRelease(chart, button, none, spots[2])
        await opened.controller.settled()
        assert opened.window.search_bar.text() == "created:2026-03-01..2026-03-09"
        assert len(page.found.rows) == 4


async def test_a_time_of_events_is_listed_and_not_searched_for(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        page.subjects[Subject.EVENTS].click()
        await opened.controller.settled()
        await press_in_chart(opened, Qt.Key.Key_Home, _SHIFT)
        assert opened.window.search_bar.text() == ""
        assert page.head.state.text() == "The search box has no filter for events."
        assert len(page.found.rows) == 16


async def test_the_table_says_the_same_and_leads_to_the_same_rows(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        page.as_table.click()
        model = page.table.model()
        cells = [
            [str(model.data(model.index(row, column))) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]
        assert cells == [
            ["2026-03-01", "2", "0", "0", "2"],
            ["2026-03-02", "0", "1", "0", "1"],
            ["2026-03-09", "0", "0", "1", "1"],
            ["2026-03-20", "1", "0", "0", "1"],
        ]
        assert page.focus_target() is page.table
        page.table.setFocus()
        press_at_focus(opened.window, Qt.Key.Key_Up)
        assert page.words.text() == "2026-03-09: 1 memory (1 retired)"
        press_at_focus(opened.window, Qt.Key.Key_Return)
        await opened.controller.settled()
        assert [row.gist for row in contents(page.found)] == ["the gauge is broken"]
        assert nameless(opened.window) == []


async def test_two_stores_are_counted_together_and_a_row_goes_to_its_own(tmp_path: Path) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert page.summary.text().startswith("7 memories from 2026-03-01 to 2026-03-21")
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_Right)
        await press_in_chart(opened, Qt.Key.Key_Return)
        rows = [(row.gist, row.badge) for row in contents(page.found)]
        assert rows == [("tide tables are printed", "harbour"), ("roses want sun", "garden")]
        page.found.setFocus()
        press_at_focus(opened.window, Qt.Key.Key_End)
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("rose")
        assert front(opened) == "garden"
        assert opened.page() == "timeline"
        assert page.words.text().startswith("2026-03-02"), "bin and rows stay"
        assert len(page.found.rows) == 2


async def test_a_store_that_is_written_is_counted_anew_and_the_bin_stays(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_Return)
        page.found.select(uuid_of("ferry"))
        new = Memory("new", "a new pier", created_at="2026-03-01T08:20:00+00:00")
        with writing(tmp_path / "harbour") as raw:
            insert(raw, [new], STUB_MODEL, WIDTH)
        await until(lambda: page.words.text() == "2026-03-01: 3 memories (3 live)")
        await opened.controller.settled()
        gists = [row.gist for row in contents(page.found)]
        assert gists[1] == "a new pier" and len(gists) == 3
        assert page.found.selected_uuid() == uuid_of("ferry")


async def test_an_empty_store_says_so(tmp_path: Path) -> None:
    project = store_of(tmp_path / "empty", [])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert page.words.text() == "There is nothing with a time here."
        for key in (Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_Return, Qt.Key.Key_Plus):
            await press_in_chart(opened, key)
        assert page.found.rows == ()


async def test_odd_times_make_no_endless_chart_and_are_counted(tmp_path: Path) -> None:
    odd = [
        Memory("first", "the first year", created_at="0001-01-01T00:00:00+00:00"),
        Memory("last", "the last year", created_at="9999-12-31T23:00:00+00:00"),
        Memory("never", "no time at all", created_at="yesterday"),
    ]
    project = store_of(tmp_path / "odd", [*HARBOUR, *odd])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert "1 memory without a time that can be read." in page.summary.text()
        for _ in range(3):
            await press_in_chart(opened, Qt.Key.Key_Plus)
            assert not opened.window.grab().isNull()
        await press_in_chart(opened, Qt.Key.Key_Home)
        assert page.words.text() == "0001-01-01 00:00: 1 memory (1 live)"
        await press_in_chart(opened, Qt.Key.Key_End, _SHIFT)
        assert opened.window.search_bar.text() == "created:0001-01-01..9999-12-31"


async def test_reading_can_be_cancelled_and_asked_for_again(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        controller = opened.controller
        store = controller.opening.stores.open[0].store
        assert store is not None
        async with store.database.browse.snapshot():
            opened.window.actions_by_name["timeline"].trigger()
            await until(opened.window.message_bar.isVisible)
            controller.work.cancel("timeline")
            await until(timeline_page(opened).head.again.isVisible)
        page = timeline_page(opened)
        assert "it was cancelled" in page.head.state.text()
        page.head.again.click()
        await controller.settled()
        assert page.head.state.text() == ""
        assert page.words.text() == "2026-03-20: 1 memory (1 live)"


async def test_both_pages_fit_the_smallest_window(tmp_path: Path) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        window = opened.window
        window.resize(1024, 640)
        await show_page(opened, "audit")
        await show_page(opened, "timeline")
        page = timeline_page(opened)
        assert (window.width(), window.height()) == (1024, 640)
        assert page.chart.height() >= 100
        assert page.found.table.height() >= 100


async def test_looking_at_it_writes_nothing(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        before = all_digests(tmp_path / "harbour")
        await show_page(opened, "timeline")
        await press_in_chart(opened, Qt.Key.Key_Home)
        await press_in_chart(opened, Qt.Key.Key_End, _SHIFT)
        assert all_digests(tmp_path / "harbour") == before
