"""Lists of found memories: loaded where one looks, kept through changes, remarks that open none."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from core.readmodels import MemoryHead
from tests.widgets.keys import check_model, press
from widgets.found_list import FoundList
from widgets.found_rows import FoundHead, FoundModel, FoundRow, Numbered, number_of
from widgets.line_list import Line, LineList
from widgets.row_model import ROW_ROLE
from widgets.store_labels import StoreLabel

_Flag = QItemSelectionModel.SelectionFlag
_LABELS = (StoreLabel("k0", "quay", "/quay"), StoreLabel("k1", "pier", "/pier"))


def head(rowid: int) -> MemoryHead:
    at = "2026-03-01T12:00:00+00:00"
    return MemoryHead(
        rowid, f"uuid {rowid}", "journal", f"gist {rowid}", True, None, 1, at, at, None, 5
    )


class Answering:
    """Answer what a list asks for, unless held."""

    def __init__(self, found: FoundList) -> None:
        self.list = found
        self.asked: list[Sequence[FoundRow]] = []
        self.is_held = False
        found.heads_wanted.connect(self.answer)

    def answer(self, rows: Sequence[FoundRow]) -> None:
        self.asked.append(rows)
        if not self.is_held:
            self.list.put_heads(rows, heads_of(rows))


def heads_of(rows: Sequence[FoundRow]) -> list[FoundHead]:
    return [FoundHead(row, None if row.rowid is None else head(row.rowid)) for row in rows]


@pytest.fixture
def found(qtbot: QtBot) -> FoundList:
    view = FoundList("found")
    qtbot.addWidget(view)
    view.resize(300, 400)
    view.show()
    return view


@pytest.fixture
def answering(found: FoundList) -> Answering:
    return Answering(found)


def gists(view: FoundList) -> list[str]:
    model = view.table.model()
    contents = (model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount()))
    return ["…" if content is None else content.gist for content in contents]


def test_of_a_hundred_thousand_rows_those_in_view_are_asked_for(
    found: FoundList, answering: Answering
) -> None:
    found.set_rows(Numbered((0, n) for n in range(1, 100_001)), _LABELS)
    assert sum(len(rows) for rows in answering.asked) <= 256
    assert gists(found)[0] == "gist 1"
    assert gists(found)[-1] == "…"
    press(found.table, Qt.Key.Key_End)
    assert gists(found)[-1] == "gist 100000"
    assert sum(len(rows) for rows in answering.asked) <= 3 * 256


def test_the_selection_and_the_scroll_stay_when_rows_come_before_them(
    found: FoundList, answering: Answering
) -> None:
    found.set_rows(Numbered((0, n) for n in range(100, 200)), _LABELS)
    assert found.select("uuid 120", "k0")
    before = found.table.rowViewportPosition(20)
    found.set_rows(Numbered((0, n) for n in range(90, 200)), _LABELS)
    assert found.selected_uuid() == "uuid 120"
    assert found.table.rowViewportPosition(30) == before


def test_a_late_answer_about_other_rows_is_dropped_and_the_new_ones_are_read(
    found: FoundList, answering: Answering
) -> None:
    answering.is_held = True
    found.set_rows(Numbered([(0, 1), (0, 2)]), _LABELS)
    found.set_rows(Numbered([(0, 3)]), _LABELS)
    for rows in answering.asked:
        found.put_heads(rows, heads_of(rows))
    assert gists(found) == ["gist 3"]
    assert len(answering.asked) == 2


def test_rows_that_cannot_be_read_are_asked_for_twice_and_no_more(
    found: FoundList, answering: Answering
) -> None:
    answering.is_held = True
    found.set_rows(Numbered([(0, 1)]), _LABELS)
    while len(answering.asked) < 5:
        before = len(answering.asked)
        found.put_heads(answering.asked[-1], [])
        if len(answering.asked) == before:
            break
    assert len(answering.asked) == 2


def test_a_remark_and_a_memory_that_is_gone_open_nothing(
    found: FoundList, answering: Answering
) -> None:
    rows = [FoundRow(0, words="then searched"), FoundRow(1, uuid="abcdefgh", words="shown #1")]
    chosen: list[tuple[str, str]] = []
    found.memory_chosen.connect(lambda store, uuid: chosen.append((store, uuid)))
    found.set_rows(rows, _LABELS)
    assert gists(found) == ["then searched", "abcd… is not in this store any more"]
    tip = found.table.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "abcd… is not in this store any more" in tip
    assert "shown #1" in tip, "what a narrow row may have no room for"
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Return):
        press(found.table, key)
    assert chosen == []


def test_the_first_key_chooses_the_first_row(found: FoundList, answering: Answering) -> None:
    chosen: list[tuple[str, str]] = []
    found.memory_chosen.connect(lambda store, uuid: chosen.append((store, uuid)))
    found.set_rows(Numbered([(1, 7), (0, 8)]), _LABELS)
    # What Qt does where the keyboard comes to a list in which nothing is chosen.
    first = found.table.model().index(0, 0)
    found.table.selectionModel().setCurrentIndex(first, _Flag.NoUpdate)
    press(found.table, Qt.Key.Key_Down)
    press(found.table, Qt.Key.Key_Down)
    assert chosen == [("k1", "uuid 7"), ("k0", "uuid 8")]


def test_a_row_is_found_by_itself_before_another_one_of_its_memory() -> None:
    rows = [FoundRow(0, uuid="a", words="one"), FoundRow(0, uuid="a", words="two")]
    assert number_of(rows, rows[1]) == 1
    assert number_of(rows, FoundRow(0, uuid="a", words="three")) == 0
    assert number_of(rows, FoundRow(1, uuid="a")) is None
    assert number_of(Numbered([(0, 5), (1, 5)]), FoundRow(1, 5)) == 1


@pytest.mark.parametrize("rows", [(), (FoundRow(0, words="a remark"), FoundRow(1, 4))])
def test_the_model_keeps_qts_rules(rows: tuple[FoundRow, ...], qtmodeltester: ModelTester) -> None:
    model = FoundModel()
    model.set_rows(rows, _LABELS)
    check_model(qtmodeltester, model)


def test_lines_stay_chosen_by_their_key(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    view = LineList("lines")
    qtbot.addWidget(view)
    rows: list[int] = []
    view.line_chosen.connect(rows.append)
    lines = [Line(key, f"line {key}", f"spoken {key}") for key in "abc"]
    view.show_lines(lines)
    assert (view.chosen_key(), rows) == ("a", [0])
    press(view, Qt.Key.Key_End)
    view.show_lines([Line("z", "new", "new"), *lines])
    assert view.chosen_key() == "c"
    assert rows == [0, 2, 3]
    view.show_lines(lines[:1])
    assert view.chosen_key() == "a"
    check_model(qtmodeltester, view.lines)
