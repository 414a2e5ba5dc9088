"""A banner above the ranked list: a sentence that stays as long as it is true, and its buttons."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from widgets.few_lines_label import FewLinesLabel
from widgets.notice_bar import WarningSign
from widgets.plain import line_between
from widgets.text_marks import marked, plain_tooltip
from widgets.theme import banner_palette, small_font

_BUTTON_EDGES = 22
_LEAST_LETTERS = 18
_MOST_LINES = 3
_MOST_LINES_WHERE_NARROW = 2


class ListBanner(QFrame):
    """Say one sentence. `pressed` carries the name of a button, as given.

    A warning stands on the colours of the notices with their sign; another is plain. Where the
    banner is narrow the buttons stand below the sentence, which is cut; its tooltip has it whole.
    """

    pressed = Signal(str)

    def __init__(
        self,
        buttons: Sequence[tuple[str, str, str]],
        *,
        is_warning: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Make it with buttons given as name, text and accessible name; hidden at first."""
        super().__init__(parent)
        self._is_warning = is_warning
        self.buttons: dict[str, QPushButton] = {}
        self._label = FewLinesLabel(_MOST_LINES)
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setContentsMargins(10, 3, 8, 3)
        row.setSpacing(8)
        row.addLayout(self._sentence_layout(), 1)
        row.addLayout(self._buttons_layout(buttons))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(line_between())
        self._colour()
        self._narrow()
        self.hide()

    def _sentence_layout(self) -> QHBoxLayout:
        sentence = QHBoxLayout()
        sentence.setSpacing(8)
        if self._is_warning:
            self.setAutoFillBackground(True)
            sentence.addWidget(WarningSign())
        else:
            self._label.setFont(small_font(self._label.font()))
        sentence.addWidget(self._label, 1)
        return sentence

    def _buttons_layout(self, buttons: Sequence[tuple[str, str, str]]) -> QHBoxLayout:
        side = QHBoxLayout()
        side.setSpacing(8)
        side.addStretch(1)
        for name, text, spoken in buttons:
            button = QPushButton(text)
            button.setAccessibleName(spoken)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
            self.buttons[name] = button
            side.addWidget(button)
        return side

    def say(self, text: str, more: str = "") -> None:
        """Say this, or hide where the text is empty; `more` is in the tooltip."""
        self._label.setText(marked(text))
        whole = "\n".join(t for t in (text, more) if t)
        self._label.setToolTip(plain_tooltip(whole) if whole else "")
        self.setVisible(bool(text))

    def text(self) -> str:
        """Return what is said, empty while hidden."""
        return "" if self.isHidden() else self._label.text()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
        elif event.type() == QEvent.Type.FontChange:
            self._narrow()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    @override
    def minimumSizeHint(self) -> QSize:
        """Return a width that the buttons alone need: the sentence gives way."""
        wanted = self._buttons_width() + self._row.contentsMargins().left() + 8
        return QSize(wanted, super().minimumSizeHint().height())

    def _narrow(self) -> None:
        """Keep the buttons narrow: the sentence beside them is worth more."""
        for button in self.buttons.values():
            width = button.fontMetrics().horizontalAdvance(button.text())
            button.setMaximumWidth(width + _BUTTON_EDGES)
        self._place_buttons()

    def _buttons_width(self) -> int:
        widths = [min(b.sizeHint().width(), b.maximumWidth()) for b in self.buttons.values()]
        return sum(widths) + self._row.spacing() * len(widths)

    def _place_buttons(self) -> None:
        """Put the buttons beside the sentence, or below it where too little of it would be left."""
        least = _LEAST_LETTERS * self._label.fontMetrics().averageCharWidth()
        is_narrow = self.width() - self._buttons_width() < least + 2 * _BUTTON_EDGES
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._row.setDirection(down if is_narrow else right)
        self._row.setSpacing(2 if is_narrow else 8)
        self._label.set_most_lines(_MOST_LINES_WHERE_NARROW if is_narrow else _MOST_LINES)

    def _colour(self) -> None:
        if not self._is_warning:
            return
        wanted = banner_palette(QGuiApplication.palette())
        if wanted.window().color() != self.palette().window().color():
            self.setPalette(wanted)
