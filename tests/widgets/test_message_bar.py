"""Messages beside the list: what they say, how long they stay, what their buttons do."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from widgets.message_bar import Message, MessageBar, MessageKind
from widgets.state_content import StateAction

_ERROR = Message("search", MessageKind.ERROR, "It failed.", "store_io", "code: store_io")


@pytest.fixture
def bar(qtbot: QtBot) -> MessageBar:
    """Return an empty bar on screen."""
    made = MessageBar()
    qtbot.addWidget(made)
    made.resize(900, 40)
    return made


def words(bar: MessageBar) -> list[str]:
    return [label.text() for label in bar.findChildren(QLabel) if label.isVisibleTo(bar)]


def button(bar: MessageBar, text: str) -> QAbstractButton:
    found = [b for b in bar.findChildren(QAbstractButton) if b.text() == text]
    (wanted,) = [b for b in found if b.isVisibleTo(bar)]
    return wanted


def test_an_empty_bar_takes_no_room(bar: MessageBar) -> None:
    assert bar.isHidden()


def test_an_error_says_its_sentence_and_its_code_and_copies_its_details(bar: MessageBar) -> None:
    bar.show_message(_ERROR)
    assert not bar.isHidden()
    assert words(bar) == ["It failed.", "store_io"]
    button(bar, "Copy details").click()
    assert QApplication.clipboard().text() == "code: store_io"


def test_a_button_tells_the_key_of_its_message_and_its_name(bar: MessageBar, qtbot: QtBot) -> None:
    action = StateAction("open_again", "Open again")
    bar.show_message(Message("file", MessageKind.ERROR, "Gone.", actions=(action,)))
    with qtbot.waitSignal(bar.action_wanted) as caught:
        button(bar, "Open again").click()
    assert caught.args == ["file", "open_again"]


def test_a_later_message_of_the_same_key_takes_the_place_of_the_earlier(bar: MessageBar) -> None:
    bar.show_message(_ERROR)
    bar.show_message(Message("search", MessageKind.ERROR, "It failed in another way."))
    bar.show_message(Message("list", MessageKind.ERROR, "So did this."))
    assert sorted(words(bar)) == ["It failed in another way.", "So did this."]
    bar.end_message("search")
    assert words(bar) == ["So did this."]
    bar.clear()
    assert bar.isHidden()


def test_an_error_stays_until_it_is_dismissed(bar: MessageBar) -> None:
    bar.show_message(_ERROR)
    assert not bar.findChildren(QTimer)
    button(bar, "Dismiss").click()
    assert bar.isHidden()
    assert bar.messages() == ()


def test_a_confirmation_goes_away_by_itself(bar: MessageBar) -> None:
    bar.show_message(Message("done", MessageKind.DONE, "Copied."))
    (timer,) = bar.findChildren(QTimer)
    assert timer.isActive()
    timer.timeout.emit()  # as the clock will
    assert bar.isHidden()


def test_a_message_that_waits_shows_that_it_works_and_cannot_be_dismissed(bar: MessageBar) -> None:
    bar.show_message(Message("busy", MessageKind.WORKING, "Waiting.", "store_busy"))
    assert bar.findChildren(QProgressBar)
    assert not [b for b in bar.findChildren(QAbstractButton) if b.text() == "Dismiss"]


def test_a_hostile_text_stays_plain_and_on_few_lines(bar: MessageBar) -> None:
    text = "<img src=x onerror=1>\u202eevil" + "x" * 5000
    bar.show_message(Message("search", MessageKind.ERROR, text))
    (shown,) = words(bar)
    assert shown.startswith("<img src=x onerror=1>")
    assert "\u202e" not in shown
    assert len(shown) < 1000


def test_a_message_has_a_name_for_a_screen_reader(bar: MessageBar) -> None:
    bar.show_message(_ERROR)
    assert "It failed." in [frame.accessibleName() for frame in bar.findChildren(QFrame)]
    assert button(bar, "Dismiss").accessibleName() == "Dismiss"
