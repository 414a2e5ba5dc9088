"""Message boxes whose sentence may hold a path or a stored text: never read as markup."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from widgets.text_marks import marked


def plain_box(parent: QWidget, title: str, text: str) -> QMessageBox:
    """Return a box that shows every character of `text` as it is, hidden ones as marks."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(marked(text))
    return box
