"""The lineage and the public cases about it: missing records, size, contrast, screen readers."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from app import lineage_controller
from core.lineage.problems import ProblemKind
from core.lineage.records import StoreLineage
from core.store.lineage_rows import read_lineage
from tests.support.accessibility import nameless
from tests.support.lineage_window import (
    CHAIN,
    NOBODY_THERE,
    drawing,
    lineage,
    node,
    page_of,
    press,
    show_memory,
    spoken_list,
)
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from widgets.lineage_page import Form
from widgets.theme import Scheme, ThemeFollower, apply_theme


async def test_a17_a_missing_replacement_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        (line,) = [s for s in spoken_list(opened) if s.startswith("replaced by nobody")]
        assert "replaced by a record that is missing" in line
        await show_memory(opened, "x1")
        link = opened.window.detail_panel.links.replaced_by
        assert link.text() == f"Replaced by a record that is missing: {NOBODY_THERE}"
        page_of(opened).show_form(Form.OVERVIEW)
        page_of(opened).canvas.setFocus()
        await press(opened, Qt.Key.Key_Right)
        assert "Selected: missing record dead…, missing" in page_of(opened).words.text()
        assert opened.window.detail_panel.shown_uuid == uuid_of("x1")
        assert (await opened.search("nobody")).hits is not None


async def test_a_circle_made_by_hand_is_drawn_and_named(tmp_path: Path) -> None:
    async with lineage(tmp_path) as opened:
        page, before = page_of(opened), drawing(opened)
        with writing(tmp_path / "p") as raw:
            raw.execute(
                "UPDATE memory SET active = 0, superseded_by = ? WHERE uuid = ?",
                (uuid_of("c1"), uuid_of("c6")),
            )
        await until(lambda: page.drawing is not before and page.drawing is not None)
        await opened.controller.settled()
        kinds = {problem.kind for problem in drawing(opened).content.problems}
        assert ProblemKind.CYCLE in kinds
        await show_memory(opened, "c6")
        assert "replaces itself through a circle" in page.words.text()


async def test_a57_a_large_store_says_how_much_of_it_is_drawn_and_nothing_overlaps(
    tmp_path: Path,
) -> None:
    hub = [Memory("hub", "the hub"), *(Memory(f"h{n}", "an edge", by="hub") for n in range(500))]
    chain = [Memory(f"k{n}", f"step {n}", by=f"k{n + 1}" if n < 200 else None) for n in range(201)]
    async with lineage(tmp_path, [*hub, *chain, Memory("x1", "x"), *distractors(300)]) as opened:
        page = page_of(opened)
        assert page.words.text().startswith("703 of 1,003 memories, in 3 lineages")
        assert len(drawing(opened).picture.spots) < 30, "the hub and the chain are folded"
        for fold in [s.fold for s in drawing(opened).picture.spots if s.fold is not None]:
            page.folds_wanted.emit(fold.key)
        await opened.controller.settled()
        picture = drawing(opened).picture
        assert len(picture.spots) == 704
        assert len({(spot.x, spot.y) for spot in picture.spots}) == 704
        await show_memory(opened, "k100")
        opened.window.actions_by_name["local_lineage"].trigger()
        await opened.controller.settled()
        panel = opened.window.reading_pane.lineage_panel
        assert panel.words.text().startswith("7 of 201 memories shown.")


async def test_a57_reading_can_be_cancelled_and_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = read_lineage

    async def never(reader: object, report: object) -> StoreLineage:
        await until(lambda: False, 60.0)
        raise AssertionError

    monkeypatch.setattr(lineage_controller, "read_lineage", never)
    project = build_store(tmp_path / "p", CHAIN)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["lineage"].trigger()
        await until(lambda: opened.controller.work.is_running("lineage"))
        opened.controller.work.cancel("lineage")
        await opened.controller.settled()
        page = page_of(opened)
        assert "it was cancelled" in page.state.text()
        monkeypatch.setattr(lineage_controller, "read_lineage", real)
        page.again.click()
        await opened.controller.settled()
        assert page.words.text().startswith("6 of 6 memories, in 1 lineage")


async def test_closing_the_window_while_the_lineage_is_read_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_reader: object, _report: object) -> StoreLineage:
        await until(lambda: False, 60.0)
        raise AssertionError

    monkeypatch.setattr(lineage_controller, "read_lineage", never)
    project = build_store(tmp_path / "p", CHAIN)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["lineage"].trigger()
        work = opened.controller.work
        await until(lambda: work.is_running("lineage"))
    assert not work.is_running("lineage")


async def test_a59_live_and_replaced_differ_in_shape_in_both_schemes_while_open(
    tmp_path: Path, qapp: QApplication
) -> None:
    follower = ThemeFollower(qapp, Scheme.LIGHT)
    try:
        async with lineage(tmp_path) as opened:
            page = page_of(opened)
            page.show_form(Form.OVERVIEW)
            for scheme in (Scheme.LIGHT, Scheme.DARK):
                follower.choose(scheme)
                await opened.controller.settled()
                ground = opened.window.palette().base().color()
                live, replaced = _middle(opened, "c6"), _middle(opened, "c5")
                assert _contrast(live, ground) >= 3.0, scheme
                assert replaced == ground, "a replaced one is hollow"
    finally:
        follower.deleteLater()
        apply_theme(qapp, Scheme.LIGHT)


def _middle(opened: OpenWindow, name: str) -> QColor:
    canvas = page_of(opened).canvas
    sketch = canvas.sketch
    assert sketch is not None
    box = sketch.boxes[sketch.picture.spot_of[node(opened, name)]]
    at = canvas.mapFromScene(box.center())
    return canvas.viewport().grab().toImage().pixelColor(at)


def _contrast(one: QColor, other: QColor) -> float:
    first, second = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (first + 0.05) / (second + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


async def test_a60_everything_of_the_lineage_has_a_name_and_the_outline_speaks_its_edges(
    tmp_path: Path,
) -> None:
    async with lineage(tmp_path) as opened:
        opened.window.actions_by_name["local_lineage"].trigger()
        for form in Form:
            page_of(opened).show_form(form)
            await opened.controller.settled()
            assert nameless(opened.window) == [], form
        outline = page_of(opened).outline
        model = outline.outline
        head = model.index_of(node(opened, "m"))
        below = model.index(0, 0, head)
        said = str(model.data(below, Qt.ItemDataRole.AccessibleTextRole))
        assert said == (
            "note 12, replaced, by twelve notes in one "
            "(replaced; when and by whom is not known)"
        )
        assert model.parent(below) == head
