"""A read-only view of stored text: plain, every character visible, copied exactly as stored."""

from itertools import islice
from typing import override

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QPalette, QResizeEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from widgets.clipboard import text_mime_data
from widgets.stored_text import ShownText
from widgets.text_marks import hidden_runs
from widgets.texts import grouped

HEAD_CHARACTERS = 200_000
HEAD_MARKS = 5_000
_MORE_MARKS = 50_000
_MOST_COLOURED_MARKS = 500


def _head(text: str, most_marks: int) -> str:
    """Return the text up to a number of marks: each costs more than a thousand plain characters."""
    following = next(islice(hidden_runs(text), most_marks, None), None)
    return text if following is None else text[: following[0]]


class StoredTextView(QPlainTextEdit):
    """Show a text; at first its head where it is very long.

    What is selected and copied is the stored text, without marks and folds.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._whole = ""
        self._text = ShownText("")

    def set_stored(self, text: str) -> None:
        """Show a text from its beginning."""
        self._whole = text
        self._show(_head(text[:HEAD_CHARACTERS], HEAD_MARKS))

    def show_all(self) -> None:
        """Show what was left out, too; of text full of hidden characters only the next part."""
        self._show(_head(self._whole, len(self._text.marks) + _MORE_MARKS))

    @property
    def rest(self) -> int:
        """Return how many characters are not shown yet."""
        return len(self._whole) - len(self._text.stored)

    @property
    def rest_words(self) -> str:
        """Say how much is shown, empty where all is."""
        if not self.rest:
            return ""
        return (
            f"The first {grouped(len(self._text.stored))} of {grouped(len(self._whole))} "
            "characters are shown."
        )

    def _show(self, text: str) -> None:
        self._text = ShownText(text)
        self.setPlainText(self._text.shown)
        self._colour_marks()

    def _colour_marks(self) -> None:
        form = QTextCharFormat()
        form.setBackground(self.palette().color(QPalette.ColorRole.Midlight))
        form.setForeground(self.palette().color(QPalette.ColorRole.BrightText))
        selections = []
        for start, length in self._text.marks[:_MOST_COLOURED_MARKS]:
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, form
            selections.append(selection)
        self.setExtraSelections(selections)

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        return text_mime_data(self._text.between(cursor.selectionStart(), cursor.selectionEnd()))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_marks()


class StoredTitle(StoredTextView):
    """A short stored text as a title: as high as its lines need, up to a few lines."""

    _MOST_LINES = 3

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)

    @override
    def set_stored(self, text: str) -> None:
        super().set_stored(text)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = min(self._MOST_LINES, max(1, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2)
