"""A read-only view of stored text: plain, every character visible, copied exactly as stored."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import override

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from widgets.clipboard import text_mime_data
from widgets.graphemes import cut_head, widened
from widgets.links import link_at
from widgets.paragraph_layout import ParagraphLayout
from widgets.stored_text import ShownText
from widgets.text_marks import button_text, hidden_runs, is_read_from_right_somewhere
from widgets.texts import grouped
from widgets.theme import match_colours

HEAD_CHARACTERS = 200_000
HEAD_MARKS = 1_000
_MORE_MARKS = 50_000
_MOST_COLOURED = 500
_BAR_WIDTH = 3
_BAR_LEFT = 3
_LONGEST_MENU_LINK = 60


def _head(text: str, most_marks: int) -> str:
    """Return the text up to a number of marks: each costs more than a thousand plain characters."""
    following = next(islice(hidden_runs(text), most_marks, None), None)
    return text if following is None else text[: following[0]]


class StoredTextView(QPlainTextEdit):
    """Show a text; at first its head where it is very long.

    What is selected and copied is the stored text, without marks and folds. Nothing in it is a
    link until the context menu is asked: `link_wanted` carries the address chosen there.
    """

    link_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = ParagraphLayout(self.document())
        self.document().setDocumentLayout(self._layout)
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
        self._matches: Sequence[tuple[int, int]] = ()
        self._part: tuple[int, int] | None = None

    def set_stored(self, text: str) -> None:
        """Show a text from its beginning, nothing marked in it."""
        self._whole = text
        self._matches, self._part = (), None
        self._show(_head(cut_head(text, HEAD_CHARACTERS), HEAD_MARKS))

    def set_matches(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark the places that were searched for, in characters of the stored text."""
        self._matches = tuple(widened(self._whole, *span) for span in spans[:_MOST_COLOURED])
        self._colour_marks()

    def set_part(self, part: tuple[int, int] | None) -> None:
        """Draw a bar beside one part, given in characters of the stored text."""
        self._part = part
        self.viewport().update()

    def show_part(self) -> None:
        """Bring the beginning of the part into view, with all the text if it is beyond the head."""
        if self._part is None:
            return
        if self._part[0] >= len(self._text.stored):
            self.show_all()
        cursor = self.textCursor()
        cursor.setPosition(self._text.shown_span(*self._shown_part(self._part))[0])
        self.setTextCursor(cursor)
        self.centerCursor()

    def _shown_part(self, part: tuple[int, int]) -> tuple[int, int]:
        end = len(self._text.stored)
        return min(part[0], end), min(part[1], end)

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
        self._layout.is_needed = is_read_from_right_somewhere(text)
        self.setPlainText(self._text.shown)
        self._colour_marks()

    def _colour_marks(self) -> None:
        text, ground = match_colours(self.palette())
        matched = QTextCharFormat()
        matched.setForeground(text)
        matched.setBackground(ground)
        matched.setFontUnderline(True)
        hidden = QTextCharFormat()
        hidden.setBackground(self.palette().color(QPalette.ColorRole.Midlight))
        hidden.setForeground(self.palette().color(QPalette.ColorRole.BrightText))
        end = len(self._text.stored)
        found = [self._text.shown_span(s, min(e, end)) for s, e in self._matches if s < end]
        marks = [(start, start + length) for start, length in self._text.marks[:_MOST_COLOURED]]
        self.setExtraSelections(
            [self._selection(*span, matched) for span in found]
            + [self._selection(*span, hidden) for span in marks]
        )

    def _selection(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor, selection.format = cursor, form
        return selection

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        if self._part is not None:
            span = self._text.shown_span(*self._shown_part(self._part))
            colour = self.palette().color(QPalette.ColorRole.Accent)
            for top, bottom in self._heights(*span):
                bar = QRectF(_BAR_LEFT, top, _BAR_WIDTH, bottom - top)
                painter.fillRect(bar, colour)
        if self.hasFocus():
            painter.setPen(self.palette().color(QPalette.ColorRole.Accent))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _heights(self, start: int, end: int) -> Iterator[tuple[float, float]]:
        """Yield top and bottom, in the viewport, of the lines on screen that a span touches."""
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height() or block.position() >= end:
                return
            if block.position() + block.length() > start:
                top, bottom = _lines_between(block, start, end)
                yield box.top() + top, box.top() + bottom
            block = block.next()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        link = self.link_near(None if by_key else event.pos())
        if link is not None:
            menu.addSeparator()
            shown = button_text(cut_head(link, _LONGEST_MENU_LINK))
            more = "…" if len(link) > _LONGEST_MENU_LINK else ""
            menu.addAction(f"Open {shown}{more}", lambda: self.link_wanted.emit(link))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def link_near(self, point: QPoint | None) -> str | None:
        """Return the address at a point of the viewport, or at the text cursor; None for none."""
        cursor = self.textCursor() if point is None else self.cursorForPosition(point)
        at = self._text.stored_index(cursor.position())
        return link_at(self._text.stored, at)

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        return text_mime_data(self._text.between(cursor.selectionStart(), cursor.selectionEnd()))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_marks()


def _lines_between(block: QTextBlock, start: int, end: int) -> tuple[float, float]:
    """Return top and bottom, in the block, of its lines that a span of the document touches."""
    layout = block.layout()
    last = block.length() - 1
    first_line = layout.lineForTextPosition(max(0, start - block.position()))
    last_line = layout.lineForTextPosition(min(last, end - block.position()))
    if not first_line.isValid() or not last_line.isValid():
        return 0.0, 0.0
    return first_line.y(), last_line.y() + last_line.height()


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
        room = self.viewport().size()
        if room.width() != event.size().width():
            # The new height brought or took the scroll bar, of which Qt tells nobody in here.
            super().resizeEvent(QResizeEvent(room, event.size()))
            self._fit()

    def _fit(self) -> None:
        lines = min(self._MOST_LINES, max(1, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2)
