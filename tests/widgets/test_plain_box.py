"""A message box shows a path as it is, whatever it is made of."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from widgets.plain_box import plain_box


def test_markup_and_hidden_characters_of_a_path_are_shown(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = plain_box(window, "Saved", "saved to /tmp/<b>bold</b>/\u202egpj.exe")
    box.show()
    assert box.windowTitle() == "Saved"
    shown = [label for label in box.findChildren(QLabel) if "bold" in label.text()]
    assert [label.text() for label in shown] == ["saved to /tmp/<b>bold</b>/⟨U+202E⟩gpj.exe"]
    assert shown[0].textFormat() is Qt.TextFormat.PlainText
    box.close()
