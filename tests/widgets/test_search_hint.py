"""The line beside the search box: there while something is said; its button says what it ends."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.support.accessibility import nameless
from widgets.plain import LinkButton
from widgets.search_bar import SearchBar
from widgets.search_hint import Hint
from widgets.state_content import StateAction

_HINT = Hint("Searching…", StateAction("stop", "Cancel"), "Cancel the search")


@pytest.fixture
def bar(qtbot: QtBot) -> SearchBar:
    bar = SearchBar()
    qtbot.addWidget(bar)
    bar.resize(700, bar.sizeHint().height())
    bar.show()
    return bar


def test_a_hint_is_read_heard_and_pressed(bar: SearchBar) -> None:
    pressed: list[str] = []
    bar.hint.action_wanted.connect(pressed.append)
    assert not bar.hint.isVisible()
    bar.hint.show_hint(_HINT)
    (button,) = bar.hint.findChildren(LinkButton)
    assert [label.text() for label in bar.hint.findChildren(QLabel)] == ["Searching…"]
    assert (button.text(), button.accessibleName()) == ("Cancel", "Cancel the search")
    assert nameless(bar) == []
    button.click()
    assert pressed == ["stop"]
    button.setFocus()
    bar.hint.show_hint(None)
    assert not bar.hint.isVisible()
    assert bar.box.hasFocus(), "not on whatever comes next"


def test_the_box_keeps_most_of_the_room_and_the_bar_its_height(bar: SearchBar) -> None:
    height, before = bar.sizeHint().height(), bar.box.width()
    bar.hint.show_hint(_HINT)
    bar.layout().activate()  # type: ignore[union-attr]  # it has one
    assert bar.sizeHint().height() == height
    assert before // 2 < bar.box.width() < before
