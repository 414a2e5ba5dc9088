"""A query of megabytes: the line holds its head, the whole is searched, copied and replaced."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tests.widgets.keys import press
from widgets.search_bar import MOST_SHOWN, SearchBar

_LONG = "tide \N{SLIGHTLY SMILING FACE}s " * 250_000
_Ctrl = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[SearchBar]:
    made = SearchBar()
    qtbot.addWidget(made)
    made.resize(900, 60)
    made.show()
    QApplication.clipboard().setText(_LONG)
    yield made
    QApplication.clipboard().clear()


def line(bar: SearchBar) -> str:
    return QLineEdit.text(bar.box)


def said(bar: SearchBar) -> list[str]:
    return [w.text() for w in bar.findChildren(QLabel) if w.isVisible() and "more" in w.text()]


def test_a_long_paste_is_asked_whole_and_shown_in_part(bar: SearchBar) -> None:
    asked = QSignalSpy(bar.query_changed)
    press(bar.box, Qt.Key.Key_V, _Ctrl)
    assert [asked.at(n)[0] for n in range(asked.count())] == [_LONG]
    assert bar.text() == _LONG
    assert len(line(bar)) <= MOST_SHOWN
    assert _LONG.startswith(line(bar))
    left = len(_LONG) - len(line(bar))
    assert said(bar) == [f"… and {left:,} characters more"]
    assert bar.box.accessibleDescription() == said(bar)[0]


def test_a_long_paste_takes_the_place_of_what_is_selected(bar: SearchBar) -> None:
    bar.set_text("\N{SLIGHTLY SMILING FACE} one two three")
    bar.box.setSelection(3, 3)  # "one": the picture is two units of Qt
    press(bar.box, Qt.Key.Key_V, _Ctrl)
    assert bar.text() == f"\N{SLIGHTLY SMILING FACE} {_LONG} two three"


def test_the_head_can_be_edited_and_the_rest_stays(bar: SearchBar) -> None:
    bar.set_text(_LONG)
    press(bar.box, Qt.Key.Key_Home)
    press(bar.box, Qt.Key.Key_Delete)
    assert bar.text() == _LONG[1:]


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_X])
def test_what_empties_the_line_empties_the_query(key: Qt.Key, bar: SearchBar) -> None:
    bar.set_text(_LONG)
    press(bar.box, Qt.Key.Key_A, _Ctrl)
    press(bar.box, key, _Ctrl if key == Qt.Key.Key_X else Qt.KeyboardModifier.NoModifier)
    assert bar.text() == ""
    assert said(bar) == []


def test_typing_over_the_selected_line_replaces_the_whole_query(bar: SearchBar) -> None:
    bar.set_text(_LONG)
    press(bar.box, Qt.Key.Key_A, _Ctrl)
    press(bar.box, Qt.Key.Key_Y)
    assert bar.text() == "y"


@pytest.mark.parametrize("key", [Qt.Key.Key_C, Qt.Key.Key_X])
def test_copying_the_whole_line_copies_the_whole_query(key: Qt.Key, bar: SearchBar) -> None:
    bar.set_text(f"x{_LONG}")
    press(bar.box, Qt.Key.Key_A, _Ctrl)
    press(bar.box, key, _Ctrl)
    assert QApplication.clipboard().text() == f"x{_LONG}"


def test_a_long_text_that_comes_by_another_way_is_shown_in_part_as_well(bar: SearchBar) -> None:
    bar.box.insert("ab " * MOST_SHOWN)
    assert bar.text() == "ab " * MOST_SHOWN
    assert len(line(bar)) <= MOST_SHOWN
