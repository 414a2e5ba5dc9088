"""The chart of ranks over rrf_k: what it says, the keys, contrast, the table beside it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.widgets.keys import press
from widgets.rank_content import (
    LINE_COLOURS,
    MOST_LINES,
    RankContent,
    RankCrossing,
    RankLine,
    label_tops,
    meeting_point,
)
from widgets.rank_panel import RankPanel
from widgets.theme import Scheme, apply_theme, palette_of

KS = (1, 10, 60, 100, 1000)
ONE = RankLine("1" * 36, "the ferry", 1, (2, 1, 1, 1, 2))
TWO = RankLine("2" * 36, "the tide", 2, (1, 2, 2, 2, 1))
THREE = RankLine("3" * 36, "the bus", 3, (3, 3, 3, 3, 3))
CROSSED = RankContent(
    KS,
    (ONE, TWO, THREE),
    (RankCrossing(10, ONE, TWO, 1), RankCrossing(1000, TWO, ONE, 1)),
    60,
)


@pytest.fixture
def panel(qtbot: QtBot) -> RankPanel:
    panel = RankPanel()
    qtbot.addWidget(panel)
    panel.resize(520, 260)
    panel.show_content(CROSSED)
    panel.show()
    return panel


def test_the_chart_is_described_in_words(panel: RankPanel) -> None:
    chart = panel.chart
    assert chart.accessibleName() == "Chart of ranks over rrf_k"
    assert chart.accessibleDescription() == (
        "Places of the first 3 memories for rrf_k from 1 to 1000; they change places 2 times. "
        "In force: rrf_k 60."
    )
    assert "Left and Right step through the crossings" in panel.words.text()


def test_left_and_right_step_from_the_k_in_force_and_stop_at_the_ends(panel: RankPanel) -> None:
    chart = panel.chart
    press(chart, Qt.Key.Key_Right)
    second = (
        "Crossing 2 of 2: from rrf_k 1000 on, #2 “the tide” stands above #1 “the ferry”, "
        "at place 1."
    )
    assert chart.accessibleDescription() == second
    assert panel.words.text() == second, "what is spoken is also seen"
    press(chart, Qt.Key.Key_Right)
    assert chart.words() == second
    press(chart, Qt.Key.Key_Left)
    assert chart.words().startswith("Crossing 1 of 2: from rrf_k 10 on, #1 “the ferry” stands")
    press(chart, Qt.Key.Key_Left)
    assert chart.words().startswith("Crossing 1 of 2")
    press(chart, Qt.Key.Key_End)
    assert chart.words().startswith("Crossing 2 of 2")
    press(chart, Qt.Key.Key_Home)
    assert chart.words().startswith("Crossing 1 of 2")


def test_left_begins_with_the_crossing_before_the_k_in_force(panel: RankPanel) -> None:
    press(panel.chart, Qt.Key.Key_Left)
    assert panel.chart.words().startswith("Crossing 1 of 2")


def test_enter_tries_the_k_of_a_crossing(panel: RankPanel) -> None:
    spy = QSignalSpy(panel.k_wanted)
    press(panel.chart, Qt.Key.Key_Return)
    assert spy.count() == 0, "none is chosen yet"
    press(panel.chart, Qt.Key.Key_Left)
    press(panel.chart, Qt.Key.Key_Return)
    assert spy.at(0) == [10]


def test_a_click_on_a_ring_chooses_its_crossing(panel: RankPanel) -> None:
    spot = panel.chart._spot(CROSSED.crossings[0]).toPoint()
    QTest.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=spot)
    assert panel.chart.words().startswith("Crossing 1 of 2")


def test_a_ring_stands_where_the_drawn_lines_meet() -> None:
    one = RankLine("1", "x", 1, (4, 1, 1))
    other = RankLine("2", "y", 2, (2, 2, 2))
    crossing = RankCrossing(50, one, other, 1)
    # Two places above after two thirds of the way from log 1 to log 100.
    rrf_k, place = meeting_point((1, 100, 1000), crossing)
    assert rrf_k == pytest.approx(100 ** (2 / 3))
    assert place == pytest.approx(2.0)


def test_the_chosen_crossing_stays_while_it_is_there(panel: RankPanel) -> None:
    press(panel.chart, Qt.Key.Key_Right)
    moved = RankContent(KS, CROSSED.lines, (RankCrossing(100, TWO, ONE, 1),), 10)
    panel.show_content(moved)
    assert panel.chart.words().startswith("Crossing 1 of 1: from rrf_k 100 on, #2")
    panel.show_content(RankContent(KS, (ONE,), (), 10))
    assert panel.chart.crossing() is None


def test_lines_that_never_cross_promise_no_keys(panel: RankPanel) -> None:
    panel.show_content(RankContent(KS, (THREE,), (), 60))
    assert panel.words.text() == (
        "The place of the one memory for rrf_k from 1 to 1000; none change places. "
        "In force: rrf_k 60."
    )
    press(panel.chart, Qt.Key.Key_Right)
    assert panel.chart.crossing() is None


def test_the_table_says_the_same(panel: RankPanel) -> None:
    panel.as_table.setChecked(True)
    assert panel.focus_target() is panel.table
    table = panel.table
    role, across = Qt.ItemDataRole.DisplayRole, Qt.Orientation.Horizontal
    heads = [table.model().headerData(n, across, role) for n in range(table.columnCount())]
    assert heads == ["memory", "k 1", "k 10", "k 60", "k 100", "k 1000"]
    rows = [
        [item.text() if (item := table.item(row, n)) else "" for n in range(6)]
        for row in range(table.rowCount())
    ]
    assert rows[0] == ["#1 the ferry", "#2", "#1", "#1", "#1", "#2"]
    assert rows[2] == ["#3 the bus", "#3", "#3", "#3", "#3", "#3"]
    assert rows[3][0].startswith("From rrf_k 10 on, #1 “the ferry” stands above #2 “the tide”")
    assert len(rows) == 5


def test_a_memory_without_a_place_is_a_dash_in_the_table(panel: RankPanel) -> None:
    panel.show_content(RankContent(KS, (RankLine("4" * 36, "x", 4, (None,) * 5),), (), 60))
    item = panel.table.item(0, 1)
    assert item is not None and item.text() == "–"


def contrast(one: QColor, other: QColor) -> float:
    def light(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_every_line_can_be_told_from_the_ground(scheme: Scheme) -> None:
    ground = palette_of(scheme).base().color()
    assert len(set(LINE_COLOURS[scheme])) == MOST_LINES
    weak = [name for name in LINE_COLOURS[scheme] if contrast(QColor(name), ground) < 4.5]
    assert weak == []


def test_the_lines_are_drawn_in_their_colours_in_both_themes(
    panel: RankPanel, qapp: QApplication
) -> None:
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        apply_theme(qapp, scheme)
        image = panel.chart.grab().toImage()
        ratio = image.devicePixelRatio()
        spot = panel.chart._plot().topLeft()
        place = QPoint(int(panel.chart._x(30) * ratio), int(panel.chart._y(1) * ratio))
        near = [image.pixelColor(place + QPoint(0, dy)) for dy in (-1, 0, 1)]
        wanted = QColor(LINE_COLOURS[scheme][0])
        assert any(_alike(colour, wanted) for colour in near), (scheme, spot)
    apply_theme(qapp, Scheme.LIGHT)


def _alike(one: QColor, other: QColor) -> bool:
    apart = (
        abs(one.red() - other.red()),
        abs(one.green() - other.green()),
        abs(one.blue() - other.blue()),
    )
    return sum(apart) < 120


def test_a_line_without_a_place_for_each_k_is_refused() -> None:
    with pytest.raises(ValueError, match="every rrf_k"):
        RankContent(KS, (RankLine("1", "x", 1, (1, 2)),), (), 60)


def test_labels_stand_one_below_the_other_and_above_the_edge() -> None:
    assert label_tops([0, 30, 60], 10, 90) == [0, 30, 60]
    assert label_tops([0, 4, 5, 60], 10, 90) == [0, 10, 20, 60]
    assert label_tops([0, 85, 86, 88], 10, 90) == [0, 70, 80, 90]
    assert label_tops([], 10, 90) == []


def test_a_chart_that_is_too_low_says_so_and_draws_no_lines(panel: RankPanel) -> None:
    panel.chart.resize(400, 30)
    picture = panel.chart.grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(400) for y in range(30)}
    assert not colours & set(LINE_COLOURS[Scheme.LIGHT][:3])
