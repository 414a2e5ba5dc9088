"""Typing, pasting and composing in the search box."""

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.widgets.keys import press, type_text
from widgets.search_bar import SearchBar


@pytest.fixture
def bar(qtbot: QtBot) -> SearchBar:
    bar = SearchBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.focus_box()
    return bar


@pytest.fixture
def texts(bar: SearchBar) -> list[str]:
    heard: list[str] = []
    bar.query_changed.connect(heard.append)
    return heard


def _compose(bar: SearchBar, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QCoreApplication.sendEvent(bar.box, event)


def test_every_text_is_told_once(bar: SearchBar, texts: list[str]) -> None:
    type_text(bar.box, "ssh")
    assert texts == ["s", "ss", "ssh"]
    bar.set_text("ssh")
    assert texts == ["s", "ss", "ssh"]


def test_a53_nothing_is_searched_while_an_input_method_composes(
    bar: SearchBar, texts: list[str]
) -> None:
    _compose(bar, "に")
    _compose(bar, "にほ")
    _compose(bar, "日本")
    assert texts == []
    _compose(bar, "", "日本")
    assert texts == ["日本"]
    assert bar.text() == "日本"


def test_composing_over_a_selection_is_silent_until_the_end(
    bar: SearchBar, texts: list[str]
) -> None:
    bar.set_text("old words")
    bar.box.selectAll()
    texts.clear()
    _compose(bar, "に")
    assert texts == []
    _compose(bar, "", "に")
    assert texts == ["に"]


def test_a_part_committed_while_composing_goes_on_waits_for_the_rest(
    bar: SearchBar, texts: list[str]
) -> None:
    _compose(bar, "ほ", "に")
    assert texts == []
    _compose(bar, "", "ほん")
    assert texts == ["にほん"]


def test_an_abandoned_composition_tells_nothing(bar: SearchBar, texts: list[str]) -> None:
    _compose(bar, "に")
    _compose(bar, "")
    assert texts == []


def test_a_pasted_text_of_many_lines_stays_as_it_is(bar: SearchBar, texts: list[str]) -> None:
    pasted = ("don't\r\nbreak\tthis\n" * 12_000)[:200_000]
    QGuiApplication.clipboard().setText(pasted)
    bar.box.paste()
    assert texts == [pasted]
    assert bar.text() == pasted


def test_clearing_the_box_is_told(bar: SearchBar, texts: list[str]) -> None:
    bar.set_text("ssh")
    bar.clear()
    assert texts == ["ssh", ""]


def test_enter_and_the_switch_are_told(bar: SearchBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.submitted, timeout=1000):
        press(bar.box, Qt.Key.Key_Return)
    with qtbot.waitSignal(bar.include_retired_changed, timeout=1000) as switched:
        bar.include_retired.click()
    assert switched.args == [True]
    assert bar.includes_retired()


def test_the_label_leads_to_the_box(bar: SearchBar) -> None:
    (label,) = [lab for lab in bar.findChildren(QLabel) if lab.text() == "&Search"]
    assert label.buddy() is bar.box


def test_focus_selects_what_is_typed_so_that_typing_replaces_it(bar: SearchBar) -> None:
    bar.set_text("old")
    bar.focus_box()
    type_text(bar.box, "n")
    assert bar.text() == "n"


def test_a_dragged_file_is_left_to_the_window(bar: SearchBar) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/memory.db")])
    event = QDragEnterEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    event.accept()
    bar.box.dragEnterEvent(event)
    assert not event.isAccepted()
