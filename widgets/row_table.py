"""A table of one column for lists of memories, because a table knows where row 90,000 lies without
laying out the rows before it.
"""

from typing import override

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from widgets.browse_model import PAGE
from widgets.row_delegate import RowDelegate, row_height
from widgets.row_model import RowModel

_Move = QAbstractItemView.CursorAction


class RowTable(QTableView):
    """One column of rows of fixed height that moves like a list; tells when it shows others."""

    looked_elsewhere = Signal()
    top_wanted = Signal()

    def __init__(self, model: RowModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(RowDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self._fit_rows()
        self.verticalScrollBar().valueChanged.connect(self.looked_elsewhere)

    def near_rows(self) -> tuple[int, int]:
        """Return the first and last row in view or at most a page around them."""
        first = max(0, self.rowAt(0))
        shown = self.viewport().height() // self.verticalHeader().defaultSectionSize() + 2
        margin = max(0, (PAGE - shown) // 2)
        return first - margin, first + shown + margin

    def _fit_rows(self) -> None:
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(row_height(self.font()))

    @override
    def moveCursor(self, action: _Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action is _Move.MoveHome:
            self.top_wanted.emit()
        last = self.model().rowCount() - 1
        if last >= 0 and action in (_Move.MoveHome, _Move.MoveEnd):
            return self.model().index(0 if action is _Move.MoveHome else last, 0)
        return super().moveCursor(action, modifiers)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.looked_elsewhere.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()
