"""The list of the last queries that drops down from the search box. Keeps nothing itself."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from widgets.plain import muted, plain_label
from widgets.text_marks import one_line, plain_tooltip

HINT = "Enter: search again · Delete: forget"
_TEXT = Qt.ItemDataRole.UserRole
_MOST_ROWS = 12
_SPACING = 2
_LONGEST_TIP = 400


class _Queries(QListWidget):
    """The queries, one a line; Delete asks to forget the current one."""

    forget_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Last queries, newest first")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setSpacing(_SPACING)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.forget_wanted.emit()
        else:
            super().keyPressEvent(event)


class QueryHistory(QFrame):
    """A popup below the box. Both signals carry the text of a query as it was noted."""

    query_wanted = Signal(object)
    query_dropped = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName("Search history")
        self.list = _Queries()
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self.list.forget_wanted.connect(self._forget)
        self._hint = muted(plain_label())
        self._hint.setContentsMargins(8, 4, 8, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.list)
        column.addWidget(self._hint)

    def drop_down(self, box: QWidget, queries: Sequence[str], why_none: str) -> None:
        """Open below `box`; `why_none` is said where there is no query."""
        self._fill(queries)
        self.list.setVisible(bool(queries))
        self._hint.setText(HINT if queries else why_none)
        self.setFixedWidth(box.width())
        self._fit()
        self.move(box.mapToGlobal(QPoint(0, box.height())))
        self.show()
        if queries:
            self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def queries(self) -> list[str]:
        """Return the queries shown, as they were noted."""
        return [str(self.list.item(row).data(_TEXT)) for row in range(self.list.count())]

    def words(self) -> str:
        """Return what is said below the list."""
        return self._hint.text()

    def _fill(self, queries: Sequence[str]) -> None:
        self.list.clear()
        for text in queries:
            item = QListWidgetItem(one_line(text))
            item.setData(_TEXT, text)
            item.setToolTip(plain_tooltip(text[:_LONGEST_TIP]))
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _fit(self) -> None:
        rows = min(self.list.count(), _MOST_ROWS)
        row = self.list.sizeHintForRow(0) + 2 * _SPACING
        self.list.setFixedHeight(rows * row + 2)
        self.adjustSize()

    def _choose(self, item: QListWidgetItem) -> None:
        self.close()
        self.query_wanted.emit(item.data(_TEXT))

    def _forget(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        self.query_dropped.emit(item.data(_TEXT))
        self.list.takeItem(self.list.row(item))
        if self.list.count():
            self._fit()
        else:
            self.close()
