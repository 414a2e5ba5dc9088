"""The models behind the lineage's list and outline keep Qt's rules, with cycles and gaps too."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from core.lineage.layout import arrange
from core.lineage.records import LineageRow, StoreLineage
from tests.support.lineage import chain, row
from tests.widgets.keys import check_model
from widgets.lineage_content import LineageContent, Order, content_of, looks_of, ordered
from widgets.lineage_lanes import lane_rows
from widgets.lineage_list import LineageList
from widgets.lineage_outline import LineageOutline, places_below

CIRCLE = [row("x", "y"), row("y", "z", day=2), row("z", "x", day=3), row("w", "z", day=2)]
FAN = [row("head", day=9), *(row(f"f{n}", "head", day=n) for n in range(1, 8))]
GAP = [row("lost", "gone")]


def content(rows: list[LineageRow]) -> LineageContent:
    return content_of(StoreLineage(tuple(rows)), 5)


@pytest.mark.parametrize("rows", [chain("abcdefgh"), CIRCLE, FAN, GAP, []])
def test_the_outline_keeps_qts_rules(
    rows: list[LineageRow], qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    view, made = LineageOutline(), content(rows)
    qtbot.addWidget(view)
    trees = ordered(made, Order.SIZE)
    view.show_trees(made, trees, places_below(made.forest, trees))
    check_model(qtmodeltester, view.outline)


@pytest.mark.parametrize("rows", [chain("abcdefgh"), CIRCLE, FAN, GAP, []])
def test_the_list_keeps_qts_rules(
    rows: list[LineageRow], qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    view, made = LineageList(), content(rows)
    qtbot.addWidget(view)
    picture = arrange(made.forest, ordered(made, Order.SIZE))
    view.lanes.show_rows(made, picture, looks_of(made, "", None), lane_rows(picture))
    check_model(qtmodeltester, view.lanes)


def test_every_memory_of_a_circle_can_be_reached_in_the_outline(qtbot: QtBot) -> None:
    view, made = LineageOutline(), content(CIRCLE)
    qtbot.addWidget(view)
    trees = ordered(made, Order.SIZE)
    view.show_trees(made, trees, places_below(made.forest, trees))
    model, waiting, said = view.outline, [view.outline.index(0, 0)], list[str]()
    while waiting:
        at = waiting.pop()
        said.append(str(model.data(at, Qt.ItemDataRole.AccessibleTextRole)))
        waiting += [model.index(r, 0, at) for r in range(model.rowCount(at))]
    assert sorted(line.split(",")[0] for line in said) == ["gist w", "gist x", "gist y", "gist z"]
    assert sum("warning: replaces itself through a circle" in line for line in said) == 3
