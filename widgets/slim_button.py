"""A push button as wide as its text; a pressed one that stays so is bold, not only darker."""

from typing import override

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

_AROUND = 24


class SlimButton(QPushButton):
    """Say `text`; `name` is spoken and stands in the tooltip."""

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAutoDefault(False)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._embolden)

    @override
    def sizeHint(self) -> QSize:
        bold = QFont(self.font())
        bold.setBold(True)
        width = QFontMetrics(bold).horizontalAdvance(self.text()) + _AROUND
        return QSize(width, super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _embolden(self, is_on: bool) -> None:
        font = self.font()
        font.setBold(is_on)
        self.setFont(font)
