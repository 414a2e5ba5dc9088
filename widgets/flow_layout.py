"""A layout that puts widgets side by side and goes on in the next line where there is no room."""

from collections.abc import Iterable
from typing import override

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Lay widgets out as words are laid out in a paragraph."""

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        self._items: list[QLayoutItem] = []

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_trial=True)

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_trial=False)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, is_trial: bool) -> int:
        """Put the widgets into a rectangle and return how high they are together."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            width = min(hint.width(), rect.width())
            if line and x + width > rect.x() + rect.width():
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if not is_trial:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, hint.height())))
            x += width + self.spacing()
            line = max(line, hint.height())
        return y + line - rect.y()


def flowing(widgets: Iterable[QWidget], edge: int, spacing: int = 6) -> QHBoxLayout:
    """Return a layout of widgets that flow, kept off the sides."""
    flow = FlowLayout(spacing)
    for widget in widgets:
        flow.addWidget(widget)
    row = QHBoxLayout()
    row.setContentsMargins(edge, 0, edge, 0)
    row.addLayout(flow, 1)
    return row
