"""The Why panel: the plain sentence, then every step with its numbers; all of it selectable."""

from collections.abc import Sequence
from enum import StrEnum
from typing import override

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QPalette,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.explain.steps.lines import Line, LineStyle, Step
from widgets.clipboard import copy_text, text_mime_data
from widgets.fitted_area import FittedArea
from widgets.plain import plain_label
from widgets.text_marks import marked
from widgets.theme import fixed_font
from widgets.why_lines import as_text, shown_label, shown_note, shown_value

_EMPTY = "Select a ranked memory to see why it stands where it does."
_LABEL_GAP = "  "
_MOST_ABOVE = 0.5


class _Lines(QTextEdit):
    """A read-only text written piece by piece with formats; never given markup to read."""

    _steps: tuple[Step, ...] = ()

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
            self.write(self._steps)

    def write(self, steps: tuple[Step, ...]) -> None:
        """Replace the text."""
        self._steps = steps
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for place, step in enumerate(steps):
            self._write_step(cursor, step, is_first=place == 0)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _write_step(
        self, cursor: QTextCursor, step: Step, *, is_first: bool
    ) -> None:
        above = QTextBlockFormat()
        if is_first:
            cursor.setBlockFormat(above)
        else:
            above.setTopMargin(10)
            cursor.insertBlock(above)
        cursor.insertText(step.title, self._form(weight=QFont.Weight.DemiBold))
        for line in step.lines:
            block = QTextBlockFormat()
            block.setTopMargin(2)
            block.setLeftMargin(10)
            cursor.insertBlock(block)
            self._write_line(cursor, line)

    def _write_line(self, cursor: QTextCursor, line: Line) -> None:
        muted = self._form(role=QPalette.ColorRole.PlaceholderText)
        if line.label:
            cursor.insertText(shown_label(line) + _LABEL_GAP, muted)
        cursor.insertText(shown_value(line), self._value_form(line.style))
        if line.note:
            cursor.insertText(_LABEL_GAP + shown_note(line), muted)

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


class CopyForm(StrEnum):
    """What an explanation can be copied as."""

    TEXT = "text"
    MARKDOWN = "Markdown"
    JSON = "JSON"


class WhyPanel(QWidget):
    """Explain one memory or the search, or say why there is nothing to explain.

    `copy_wanted` asks for the forms that the panel does not make itself.
    """

    copied = Signal()
    copy_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = _EMPTY
        self._steps: tuple[Step, ...] = ()
        self.lines = _Lines()
        self.lines.setAccessibleName("Why it ranks where it does")
        self._copy = self._copy_button()
        self._headline = plain_label()
        self._headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 4, 10, 6)
        bar.setSpacing(12)
        self._above = FittedArea(_MOST_ABOVE)
        self._above.add_text(self._headline)
        bar.addWidget(self._above, 1, Qt.AlignmentFlag.AlignTop)
        bar.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.lines)
        self.clear()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._above.fit()

    def _copy_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Copy")
        button.setAccessibleName("Copy the explanation")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self.copy(CopyForm.TEXT))
        menu = QMenu(button)
        for form in CopyForm:
            action = menu.addAction(f"Copy as {form.value}")
            action.triggered.connect(lambda _on=False, form=form: self.copy(form))
        button.setMenu(menu)
        return button

    def show_steps(self, sentence: str, steps: Sequence[Step]) -> None:
        """Explain: the sentence first, then the steps with their numbers."""
        self._show(sentence, tuple(steps))

    def show_outside(self, text: str) -> None:
        """Say in words why there is nothing to explain."""
        self._show(text, ())

    def clear(self) -> None:
        """Say that nothing is selected."""
        self._show(_EMPTY, ())

    def text(self) -> str:
        """Return what the panel says, as it is copied."""
        return as_text(self._sentence, self._steps)

    def copy(self, form: CopyForm) -> None:
        """Copy the explanation; nothing where there is none."""
        if not self._steps:
            return
        if form is CopyForm.TEXT:
            copy_text(self.text())
            self.copied.emit()
        else:
            self.copy_wanted.emit(form)

    def _show(self, sentence: str, steps: tuple[Step, ...]) -> None:
        at = self.lines.verticalScrollBar().value() if steps and self._steps else 0
        self._sentence, self._steps = sentence, steps
        self._headline.setText(marked(sentence))
        self._copy.setEnabled(bool(steps))
        self.lines.write(steps)
        self.lines.verticalScrollBar().setValue(at)
