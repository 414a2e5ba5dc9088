"""The box in which a text of a memory is written: plain, and exact to the letter."""

from typing import override

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit

from widgets.editable_text import from_editor, pasted, to_editor

_BLOCK_END = "\u2029"


class EditorText(QPlainTextEdit):
    """Edit one text. Tab leaves the box; `stage_wanted` follows Ctrl+Enter."""

    stage_wanted = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(6)

    def set_stored(self, text: str) -> None:
        """Show a stored text; undo begins here."""
        self.setPlainText(to_editor(text))

    def stored(self) -> str:
        """Return the text as it would be stored."""
        # toPlainText() would put spaces in the place of those that do not break.
        return from_editor(self.document().toRawText().replace(_BLOCK_END, "\n"))

    def take(self, text: str) -> None:
        """Put a stored text in place of what stands there; one step of undo brings that back."""
        cursor = self.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(to_editor(text))

    def fit_lines(self, lines: int) -> None:
        """Stand this many lines high."""
        edges = 2 * int(self.document().documentMargin()) + 2 * self.frameWidth()
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + edges + 2)

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.textCursor().insertText(pasted(source.text()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.stage_wanted.emit()
            return
        super().keyPressEvent(event)
