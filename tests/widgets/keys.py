"""Keys pressed where the keyboard is, and Qt's own check of a model."""

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.modeltest import ModelTester

_NONE = Qt.KeyboardModifier.NoModifier


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NONE) -> None:
    """Press a key in a widget."""
    QTest.keyClick(widget, key, modifiers)


def press_at_focus(
    window: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NONE
) -> None:
    """Press a key in the widget of a window that has the keyboard."""
    press(window.focusWidget(), key, modifiers)


def type_text(widget: QWidget, text: str) -> None:
    """Type a text into a widget."""
    QTest.keyClicks(widget, text)


def check_model(tester: ModelTester, model: QAbstractItemModel) -> None:
    """Let Qt's model test look at a model."""
    tester.check(model)  # type: ignore[no-untyped-call]  # pytest-qt has no types for it
