"""The Why panel: the plain sentence, then every step with its numbers; all of it selectable."""

from typing import override

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFont, QPalette, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QTextEdit, QVBoxLayout, QWidget

from widgets.clipboard import copy_text, text_mime_data
from widgets.plain import plain_label
from widgets.text_marks import marked
from widgets.theme import fixed_font
from widgets.why_content import WhyContent
from widgets.why_lines import Line, LineStyle, Section
from widgets.why_text import as_text, why_sections

_EMPTY = "Select a ranked memory to see why it stands where it does."
_LABEL_GAP = "  "


class _Lines(QTextEdit):
    """A read-only text written piece by piece with formats; never given markup to read."""

    _sections: tuple[Section, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(10)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        return text_mime_data(self.textCursor().selection().toPlainText())

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.write(self._sections)

    def write(self, sections: tuple[Section, ...]) -> None:
        """Replace the text."""
        self._sections = sections
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for place, section in enumerate(sections):
            self._write_section(cursor, section, is_first=place == 0)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _write_section(
        self, cursor: QTextCursor, section: Section, *, is_first: bool
    ) -> None:
        above = QTextBlockFormat()
        if is_first:
            cursor.setBlockFormat(above)
        else:
            above.setTopMargin(10)
            cursor.insertBlock(above)
        cursor.insertText(section.title, self._form(weight=QFont.Weight.DemiBold))
        for line in section.lines:
            block = QTextBlockFormat()
            block.setTopMargin(2)
            block.setLeftMargin(10)
            cursor.insertBlock(block)
            self._write_line(cursor, line)

    def _write_line(self, cursor: QTextCursor, line: Line) -> None:
        muted = self._form(role=QPalette.ColorRole.PlaceholderText)
        if line.label:
            cursor.insertText(line.label + _LABEL_GAP, muted)
        cursor.insertText(line.value, self._value_form(line.style))
        if line.note:
            cursor.insertText(_LABEL_GAP + line.note, muted)

    def _value_form(self, style: LineStyle) -> QTextCharFormat:
        if style is LineStyle.FIXED:
            form = self._form()
            form.setFont(fixed_font(self.font()))
            return form
        if style is LineStyle.PLAIN:
            return self._form()
        form = self._form(role=QPalette.ColorRole.PlaceholderText)
        form.setFontStrikeOut(style is LineStyle.STRUCK)
        form.setFontItalic(style is LineStyle.ABSENT)
        return form

    def _form(
        self,
        role: QPalette.ColorRole = QPalette.ColorRole.Text,
        weight: QFont.Weight = QFont.Weight.Normal,
    ) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setForeground(self.palette().color(role))
        form.setFontWeight(weight)
        return form


class WhyPanel(QWidget):
    """Explain one ranked memory, or say why there is nothing to explain."""

    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = _EMPTY
        self._sections: tuple[Section, ...] = ()
        self.lines = _Lines()
        self.lines.setAccessibleName("Why it ranks where it does")
        self._copy = QPushButton("Copy")
        self._copy.setAccessibleName("Copy the explanation")
        self._copy.clicked.connect(self._copy_all)
        self._headline = plain_label()
        self._headline.setWordWrap(True)
        self._headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 4, 10, 6)
        bar.setSpacing(12)
        bar.addWidget(self._headline, 1)
        bar.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.lines)
        self.clear()

    def show_why(self, why: WhyContent) -> None:
        """Explain the hit; raises ValueError for one that is not in its outcome."""
        self._show(why.sentence, why_sections(why))

    def show_outside(self, text: str) -> None:
        """Say in words why the selected memory has no place in the ranking."""
        self._show(text, ())

    def clear(self) -> None:
        """Say that nothing is selected."""
        self._show(_EMPTY, ())

    def text(self) -> str:
        """Return what the panel says, as it is copied."""
        return as_text(self._sentence, self._sections)

    def _show(self, sentence: str, sections: tuple[Section, ...]) -> None:
        at = self.lines.verticalScrollBar().value() if sections and self._sections else 0
        self._sentence, self._sections = sentence, sections
        self._headline.setText(marked(sentence))
        self._copy.setEnabled(bool(sections))
        self.lines.write(sections)
        self.lines.verticalScrollBar().setValue(at)

    def _copy_all(self) -> None:
        copy_text(self.text())
        self.copied.emit()
