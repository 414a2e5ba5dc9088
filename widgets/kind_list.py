"""Check boxes that flow over as many lines as they need, for the kinds that a picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QListWidgetItem, QWidget

from widgets.texts import grouped

_KEY = Qt.ItemDataRole.UserRole
_MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class KindBox:
    """One box: its key, what it says, how many there are, and how it looks in the picture."""

    key: str
    words: str
    count: int
    icon: QIcon


class KindList(QListWidget):
    """A list of boxes; Space checks, the arrow keys move. `changed` tells of another choice."""

    changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSpacing(1)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self.viewport().setAutoFillBackground(False)
        self.itemChanged.connect(lambda _item: self.changed.emit())

    def show_boxes(self, boxes: Sequence[KindBox], unchecked: frozenset[str]) -> None:
        """Show these boxes, checked unless left out; the one with the keyboard keeps it."""
        before = self.currentRow()
        self.blockSignals(True)
        self.clear()
        for box in boxes:
            item = QListWidgetItem(box.icon, f"{box.words} {grouped(box.count)}")
            item.setData(_KEY, box.key)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsSelectable
            )
            is_out = box.key in unchecked
            item.setCheckState(Qt.CheckState.Unchecked if is_out else Qt.CheckState.Checked)
            self.addItem(item)
        self.setCurrentRow(min(before, self.count() - 1))
        self.blockSignals(False)
        self._fit()

    def unchecked(self) -> frozenset[str]:
        """Return the keys that are left out."""
        items = [self.item(row) for row in range(self.count())]
        return frozenset(
            str(item.data(_KEY)) for item in items if item.checkState() is Qt.CheckState.Unchecked
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHintForRow(0) + 4 if self.count() else 0)

    def _fit(self) -> None:
        """Be as high as the boxes need, a few lines at the most."""
        line = self.sizeHintForRow(0) + 2 if self.count() else 0
        lines, left = 1, 0
        for row in range(self.count()):
            width = self.visualItemRect(self.item(row)).width() or self.sizeHintForColumn(0)
            if left and left + width > self.viewport().width():
                lines, left = lines + 1, 0
            left += width + 2
        self.setFixedHeight(min(lines, _MOST_LINES) * line + 4)
