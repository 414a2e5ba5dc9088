"""A long list of single lines to choose from, each with a key by which it stays chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QListView, QWidget

from widgets.roomy_delegate import RoomyDelegate
from widgets.text_marks import safe_tooltip

type _Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Line:
    """What a line shows, and what is spoken of it and stands in its tooltip; both are marked."""

    key: str
    text: str
    spoken: str


class LineModel(QAbstractListModel):
    """The lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: Sequence[Line] = ()

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    @override
    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.lines)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tooltip(line.spoken)
        return None


class LineList(QListView):
    """Show lines, one chosen. `line_chosen` carries the row of another one."""

    line_chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = LineModel(self)
        self._is_filling = False
        self.setModel(self.lines)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(RoomyDelegate(self))
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._choose)

    def chosen(self) -> int | None:
        """Return the row chosen."""
        index = self.currentIndex()
        return index.row() if index.isValid() else None

    def chosen_key(self) -> str | None:
        """Return the key of the line chosen."""
        row = self.chosen()
        return None if row is None else self.lines.lines[row].key

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these; the line chosen stays chosen while it is among them, else the first is."""
        kept, scrolled = self.chosen_key(), self.verticalScrollBar().value()
        if list(lines) == list(self.lines.lines):
            return
        self._is_filling = True
        self.lines.set_lines(lines)
        self._is_filling = False
        row = next((at for at, line in enumerate(lines) if line.key == kept), 0)
        if lines:
            self.setCurrentIndex(self.lines.index(row))
        if kept is not None:
            self.verticalScrollBar().setValue(scrolled)

    def _choose(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_filling:
            self.line_chosen.emit(index.row())
