"""Chips in a few rows; more of them are scrolled to."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from widgets.flow_layout import FlowLayout

_SPACING = 6
_MOST_ROWS = 3


class ChipRows(QScrollArea):
    """Lay widgets out as words in a paragraph; as high as they need, up to three rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        content = QWidget()
        self._flow = FlowLayout(_SPACING)
        content.setLayout(self._flow)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    def replace(self, old: Sequence[QWidget], new: Sequence[QWidget]) -> None:
        """Take widgets out and put others in their place."""
        for widget in old:
            self._flow.removeWidget(widget)
        for widget in new:
            self._flow.addWidget(widget)
        self._fit()

    def _fit(self) -> None:
        """Take the height of the rows, and scroll by rows."""
        first = self._flow.itemAt(0)
        row = 0 if first is None else first.sizeHint().height()
        most = _MOST_ROWS * row + (_MOST_ROWS - 1) * _SPACING
        wanted = self._flow.heightForWidth(max(1, self.viewport().width()))
        self.verticalScrollBar().setSingleStep(row + _SPACING)
        self.setFixedHeight(min(wanted, most))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
