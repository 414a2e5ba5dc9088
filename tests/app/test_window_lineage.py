"""The lineage in the window: its three forms, one selection, keys, dimming, moments, files."""

import json
from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.lineage_window import (
    NOBODY_THERE,
    drawing,
    forest,
    lineage,
    node,
    page_of,
    press,
    show_memory,
    spoken_list,
)
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.wait import until
from tests.support.write_window import Writer
from widgets.lineage_page import Form
from widgets.memory_drag import memories_mime_data


async def test_ctrl_3_shows_the_lineage_and_a_search_leads_back_to_the_list(
    tmp_path: Path,
) -> None:
    async with lineage(tmp_path) as opened:
        assert opened.page() == "lineage"
        words = page_of(opened).words.text()
        assert words.startswith("22 of 30 memories, in 4 lineages; 2 problems.")
        await opened.search("ferry")
        assert opened.page() == "results"
        opened.window.actions_by_name["lineage"].trigger()
        opened.window.actions_by_name["browse"].trigger()
        await opened.settled()
        assert opened.page() == "browse"


async def test_the_list_has_a_lane_for_what_branches_and_says_state_date_and_edges(
    tmp_path: Path,
) -> None:
    async with lineage(tmp_path) as opened:
        rows = drawing(opened).rows
        spots = drawing(opened).picture.spots
        lanes = {spots[row.spot].node: row.lane for row in rows}
        assert lanes[node(opened, "m")] == 0
        assert sorted(lanes[node(opened, f"m{n}")] for n in range(6, 13)) == [0] + [1] * 6
        said = spoken_list(opened)
        assert said[0] == "twelve notes in one, live, it replaced 12 memories"
        assert "5 memories folded beside, Space unfolds them" in said
        (dead,) = [line for line in said if line.startswith("the gauge is broken")]
        assert "retired" in dead and "warning: dead head: retired, nothing newer" in dead


async def test_folds_open_and_close_with_the_space_key(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        page.list.setFocus()
        page.list.setCurrentIndex(page.list.lanes.index(0))
        for _ in range(7):
            await press(opened, Qt.Key.Key_Down)
        await press(opened, Qt.Key.Key_Space)
        assert not [line for line in spoken_list(opened) if "folded beside" in line]
        assert page.fold_all.isEnabled()
        await show_memory(opened, "m")
        await press(opened, Qt.Key.Key_Space)
        assert [line for line in spoken_list(opened) if "folded beside" in line]


async def test_arrows_walk_the_edges_and_every_pane_follows(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        page.show_form(Form.OVERVIEW)
        page.canvas.setFocus()
        await show_memory(opened, "c5")
        await press(opened, Qt.Key.Key_Right)
        assert opened.window.detail_panel.shown_uuid == uuid_of("c6")
        await press(opened, Qt.Key.Key_Left)
        assert opened.window.detail_panel.shown_uuid == uuid_of("c5")
        assert "Selected: the ferry leaves at 5" in page.words.text()
        await press(opened, Qt.Key.Key_Home)
        assert opened.window.detail_panel.shown_uuid == uuid_of("c6")
        page.show_form(Form.OUTLINE)
        assert page.outline.outline.node_at(page.outline.currentIndex()) == node(opened, "c6")
        await press(opened, Qt.Key.Key_Return)
        assert opened.window.focusWidget() is opened.window.detail_panel.text


async def test_turning_to_another_form_selects_no_other_memory(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        await show_memory(opened, "c2")
        for form in (Form.OVERVIEW, Form.OUTLINE, Form.LIST):
            page_of(opened).focus_target().setFocus()
            page_of(opened).show_form(form)
            await opened.controller.settled()
            assert opened.window.detail_panel.shown_uuid == uuid_of("c2")


async def test_typing_on_the_picture_dims_what_does_not_match(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        page.show_form(Form.OVERVIEW)
        page.canvas.setFocus()
        QTest.keyClicks(page.canvas, "g")
        QTest.keyClicks(page.dim, "auge")
        await opened.controller.settled()
        assert page.dim.text() == "gauge"
        assert node(opened, "c1") in page.looks.dimmed
        assert node(opened, "d1") not in page.looks.dimmed
        assert "2 of 23 match." in page.words.text()


async def test_the_slider_says_what_cannot_be_known_of_a_moment(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        stops = drawing(opened).content.times.stops
        page.as_of.setValue(stops.index(1772539200.0))  # 2026-03-03 12:00 UTC
        await opened.controller.settled()
        words = page.words.text()
        assert "As of 2026-03-03 12:00:00 UTC" in words
        assert "it is not known whether they had happened: no event tells" in words
        assert "Memories deleted since are not counted." in words
        assert node(opened, "c4") in page.looks.absent
        assert node(opened, "c3") not in page.looks.absent


async def test_a_store_that_is_written_is_drawn_anew_and_the_selection_stays(
    tmp_path: Path,
) -> None:
    async with lineage(tmp_path) as opened:
        await show_memory(opened, "c6")
        page, before = page_of(opened), drawing(opened)
        with writing(tmp_path / "p") as raw:
            raw.execute(
                "UPDATE memory SET active = 0, superseded_by = ? WHERE uuid = ?",
                (uuid_of("m"), uuid_of("c6")),
            )
        await until(lambda: page.drawing is not before and page.drawing is not None)
        await opened.controller.settled()
        assert opened.page() == "lineage"
        assert forest(opened).depth[node(opened, "c1")] == 6
        assert "Selected: the ferry leaves at 6, replaced, by" in page.words.text()


async def test_the_panel_shows_the_tree_of_the_selection_as_deep_as_asked(
    tmp_path: Path,
) -> None:
    async with lineage(tmp_path) as opened:
        panel = opened.window.reading_pane.lineage_panel
        await show_memory(opened, "c2")
        opened.window.actions_by_name["local_lineage"].trigger()
        await opened.controller.settled()
        assert panel.words.text().startswith("5 of 6 memories shown.")
        panel.slider.setValue(1)
        await opened.controller.settled()
        assert panel.words.text().startswith("3 of 6 memories shown.")
        panel.slider.setValue(panel.slider.maximum())
        await opened.controller.settled()
        assert panel.words.text().startswith("6 memories.")
        await show_memory(opened, "alone")
        assert panel.words.text() == "Nothing replaced this memory, and it replaced nothing."


async def test_a_memory_dropped_on_another_is_staged(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        page.show_form(Form.OVERVIEW)
        canvas, writer = page.canvas, Writer(opened)
        sketch = canvas.sketch
        assert sketch is not None
        place = sketch.picture.spot_of[node(opened, "m")]
        at = canvas.mapFromScene(sketch.boxes[place].center())
        carried = memories_mime_data([uuid_of("c6")])  # the event does not own it
        link, button = Qt.DropAction.LinkAction, Qt.MouseButton.LeftButton
        no_keys = Qt.KeyboardModifier.NoModifier
        entered = QDragEnterEvent(QPointF(at), link, carried, button, no_keys)
        QApplication.sendEvent(canvas.viewport(), entered)
        dropped = QDropEvent(QPointF(at), link, carried, button, no_keys)
        QApplication.sendEvent(canvas.viewport(), dropped)
        assert dropped.isAccepted()
        await until(lambda: len(writer.entries()) == 1)
        assert writer.entries()[0].startswith("Replace by “twelve notes in one”")


async def test_the_picture_zooms_fits_and_pans_by_key(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        page.show_form(Form.OVERVIEW)
        canvas = page.canvas
        canvas.setFocus()
        fitted = canvas.scale_now
        for _ in range(6):
            QTest.keyClick(canvas, Qt.Key.Key_Plus)
        assert canvas.scale_now > 3 * fitted
        before = canvas.horizontalScrollBar().value()
        QTest.keyClick(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert canvas.horizontalScrollBar().value() > before
        QTest.keyClick(canvas, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
        assert canvas.scale_now == fitted


async def test_what_is_shown_can_be_written_in_four_forms(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        export = opened.controller.lineage_export
        for ending in ("json", "dot", "svg", "png"):
            await export.write(tmp_path / f"lineage.{ending}")
        told = json.loads((tmp_path / "lineage.json").read_text())
        assert told["schema"] == "genizah.lineage/1"
        assert len(told["nodes"]) == 23
        assert "digraph" in (tmp_path / "lineage.dot").read_text()
        assert "<svg" in (tmp_path / "lineage.svg").read_text()
        picture = QImage(str(tmp_path / "lineage.png"))
        assert picture.width() > drawing(opened).picture.width
        await export.write(tmp_path / "no such folder" / "lineage.svg")
        said = "\n".join(message.text for message in opened.window.message_bar.messages())
        assert "could not be written" in said


async def test_lineages_with_problems_can_come_first(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page = page_of(opened)
        heads = [forest(opened).nodes[tree.head].uuid for tree in drawing(opened).trees]
        assert heads[:2] == [uuid_of("m"), uuid_of("c6")]
        page.order.setCurrentIndex(page.order.findText("Problems first"))
        await opened.controller.settled()
        heads = [forest(opened).nodes[tree.head].uuid for tree in drawing(opened).trees]
        assert set(heads[:2]) == {NOBODY_THERE, uuid_of("d2")}


async def test_a_store_that_is_left_leaves_no_lineage_behind(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        other = build_store(tmp_path / "other", [Memory("only", "a single one")])
        await opened.open(other)
        assert opened.page() == "browse"
        opened.window.actions_by_name["lineage"].trigger()
        await opened.controller.settled()
        assert page_of(opened).state.text().startswith("No memory of this store was replaced")
        assert drawing(opened).trees == ()


async def test_the_picture_can_be_drawn_along_the_time(tmp_path: Path) -> None:
    def day(number: int) -> str:
        return f"2026-03-{number:02}T12:00:00+00:00"

    rows = [
        Memory("end", "the end", created_at=day(30)),
        Memory("late", "a day before", by="end", created_at=day(29)),
        Memory("early", "a month before", by="end", created_at=day(1)),
    ]
    async with lineage(tmp_path, [*rows, Memory("x1", "left"), Memory("x2", "right")]) as opened:
        page = page_of(opened)
        page.show_form(Form.OVERVIEW)

        def left_of(name: str) -> float:
            picture, nodes = drawing(opened).picture, forest(opened).nodes
            number = next(i for i, node in enumerate(nodes) if node.uuid == uuid_of(name))
            return picture.spots[picture.spot_of[number]].x

        assert left_of("late") == left_of("early")
        page.by_time.click()
        await opened.controller.settled()
        assert left_of("early") < left_of("late") < left_of("end")
