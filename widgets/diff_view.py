"""What differs between two texts: taken out struck through, put in underlined, never by colour
alone. Every character is visible; long texts are shown from their beginning.
"""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QPalette, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from core.diff import Change, Piece, TextDiff
from widgets.text_marks import marked
from widgets.texts import grouped
from widgets.theme import match_colours

_MOST_CHARACTERS = 100_000
_LONGEST_LINE = 2_000
_SIGNS = {Change.REMOVED: ("{−", "−}"), Change.ADDED: ("{+", "+}")}


class DiffView(QPlainTextEdit):
    """Show pieces of two texts in one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._pieces: Sequence[Piece] = ()
        self._note = ""

    def show_diff(self, found: TextDiff) -> None:
        """Show the pieces of a comparison."""
        rough = "Too much differs for a finer comparison.\n\n" if found.is_rough else ""
        same = "The texts are the same.\n\n" if found.is_same else ""
        self._show(found.pieces, rough + same)

    def say(self, note: str, text: str = "") -> None:
        """Show a sentence of ours and a text of which nothing is compared."""
        self._show((Piece(Change.SAME, text),) if text else (), f"{note}\n\n" if note else "")

    def text(self) -> str:
        """Return what is shown with signs around what differs: 'a {−b−}{+c+}'."""
        return self._note + "".join(_signed(piece) for piece in self._pieces)

    def _show(self, pieces: Sequence[Piece], note: str) -> None:
        self._pieces, self._note = tuple(pieces), note
        self.clear()
        cursor = self.textCursor()
        muted = QTextCharFormat()
        muted.setForeground(self.palette().color(QPalette.ColorRole.PlaceholderText))
        cursor.insertText(note, muted)
        left = _MOST_CHARACTERS
        for piece in pieces:
            cursor.insertText(_folded(piece.text[: max(0, left)]), self._format(piece.change))
            left -= len(piece.text)
        if left < 0:
            cursor.insertText(f"\n… ({grouped(-left)} more characters)", muted)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _format(self, change: Change) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(self.palette().color(QPalette.ColorRole.Text))
        if change is Change.ADDED:
            text, ground = match_colours(self.palette())
            look.setForeground(text)
            look.setBackground(ground)
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        elif change is Change.REMOVED:
            look.setForeground(self.palette().color(QPalette.ColorRole.BrightText))
            look.setFontStrikeOut(True)
            look.setFontWeight(QFont.Weight.Normal)
        return look

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (self._pieces or self._note):
            self._show(self._pieces, self._note)


def _signed(piece: Piece) -> str:
    before, after = _SIGNS.get(piece.change, ("", ""))
    return f"{before}{piece.text}{after}"


def _folded(text: str) -> str:
    """Mark what is not seen; a line of thousands of characters is cut, as it would freeze."""
    lines = marked(text).split("\n")
    return "\n".join(
        line
        if len(line) <= _LONGEST_LINE
        else f"{line[:_LONGEST_LINE]}… ({grouped(len(line) - _LONGEST_LINE)} more)"
        for line in lines
    )
