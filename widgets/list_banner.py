"""A banner above the ranked list: a sentence that stays as long as it is true, and its buttons."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from widgets.notice_bar import WarningSign
from widgets.plain import line_between, plain_label
from widgets.text_marks import marked, plain_tooltip
from widgets.theme import banner_palette, small_font

_BUTTON_EDGES = 22


class ListBanner(QFrame):
    """Say one sentence. `pressed` carries the name of a button, as given.

    A warning stands on the colours of the notices with their sign; another is plain.
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
        self._label = plain_label()
        self._label.setWordWrap(True)
        row = QHBoxLayout()
        row.setContentsMargins(10, 3, 8, 3)
        row.setSpacing(8)
        if is_warning:
            self.setAutoFillBackground(True)
            row.addWidget(WarningSign())
        else:
            self._label.setFont(small_font(self._label.font()))
        row.addWidget(self._label, 1)
        for name, text, spoken in buttons:
            button = QPushButton(text)
            button.setAccessibleName(spoken)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
            self.buttons[name] = button
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(line_between())
        self._colour()
        self._narrow()
        self.hide()

    def say(self, text: str, more: str = "") -> None:
        """Say this, or hide where the text is empty; `more` is in the tooltip."""
        self._label.setText(marked(text))
        self._label.setToolTip(plain_tooltip(more) if more else "")
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

    def _narrow(self) -> None:
        """Keep the buttons narrow: the sentence beside them is worth more."""
        for button in self.buttons.values():
            width = button.fontMetrics().horizontalAdvance(button.text())
            button.setMaximumWidth(width + _BUTTON_EDGES)

    def _colour(self) -> None:
        if not self._is_warning:
            return
        wanted = banner_palette(QGuiApplication.palette())
        if wanted.window().color() != self.palette().window().color():
            self.setPalette(wanted)
