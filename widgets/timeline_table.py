"""The timeline as a table, for those who read it: a line for each bin with something in it."""

from typing import override

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from widgets.timeline_content import TimelineContent, table_cells, table_columns

type _Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TimelineModel(QAbstractTableModel):
    """The bins of a content; cells are written when they are seen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._content: TimelineContent | None = None
        self._columns: tuple[str, ...] = ()

    def show_content(self, content: TimelineContent | None) -> None:
        """Show another one."""
        self.beginResetModel()
        self._content = content
        self._columns = () if content is None else table_columns(content)
        self.endResetModel()

    @override
    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._content is None else len(self._content.bins)

    @override
    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._content is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column():
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.AccessibleTextRole and not index.column():
            return self._content.bin_words(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return table_cells(self._content, index.row())[index.column()]
        return None

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_head = orientation is Qt.Orientation.Horizontal and section < len(self._columns)
        if role == Qt.ItemDataRole.DisplayRole and is_head:
            return self._columns[section]
        return None


class TimelineTable(QTableView):
    """Show the bins; `row_opened` carries one whose rows are wanted, `row_chosen` one come to."""

    row_opened = Signal(int)
    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bins = TimelineModel(self)
        self.setModel(self.bins)
        self.setAccessibleName("Timeline as a table")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.activated.connect(lambda index: self.row_opened.emit(index.row()))
        self.selectionModel().currentRowChanged.connect(self._choose)

    def go_to(self, row: int | None) -> None:
        """Come to a row that was come to elsewhere."""
        if row is not None and row != self.currentIndex().row():
            self.setCurrentIndex(self.bins.index(row, 0))

    def _choose(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.row_chosen.emit(index.row())
