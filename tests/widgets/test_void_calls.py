"""A67: a call that returns nothing leaves no reference behind or short, however often made."""

import sys

from pytestqt.qtbot import QtBot

from widgets.plain import plain_label

_CALLS = 100_000


def test_a67_a_hundred_thousand_void_calls_lose_no_reference_to_none(qtbot: QtBot) -> None:
    label = plain_label("before")
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(_CALLS):
        label.setText(str(number & 1))
    assert abs(sys.getrefcount(None) - before) < _CALLS / 10
    assert label.text() == "1"
