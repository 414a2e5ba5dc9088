"""An ordinary list of memories that are all known at once, for pages beside the lists."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.kept_selection import KeptSelection
from widgets.memory_list import MemoryList
from widgets.row_content import RowContent
from widgets.row_model import FixedRows, MemoryKey
from widgets.row_table import RowTable


class _Rows(RowTable):
    """A table whose first arrow key goes to the first row: Qt makes that current unselected."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.selectionModel().hasSelection():
            self.selectionModel().clearCurrentIndex()
        super().keyPressEvent(event)


class RowList(MemoryList):
    """Show rows. `row_chosen` carries a MemoryKey that a person went to, None for no selection.

    `row_opened` carries one to be read.
    """

    row_chosen = Signal(object)
    row_opened = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_following = False
        self._model: FixedRows = FixedRows(self)
        self.list = _Rows(self._model)
        self.list.setAccessibleName(name)
        self._selection = KeptSelection(self.list, self._model)
        self._selection.changed.connect(self._tell)
        self._serve_drags(self.list)
        self.list.activated.connect(lambda i: self.row_opened.emit(self._model.key_at(i)))
        self.setFocusProxy(self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)

    def show_rows(self, rows: Sequence[RowContent]) -> None:
        """Show these; selection and scroll stay where the memory is still among them."""
        bar = self.list.verticalScrollBar()
        at = bar.value()
        self._model.set_rows(list(rows))
        self.list.doItemsLayout()
        bar.setValue(at)

    @property
    def selected_key(self) -> MemoryKey | None:
        """Return the selected memory, or None."""
        return self._selection.key

    def selected_keys(self) -> list[MemoryKey]:
        """Return every selected memory in order, of whatever store."""
        return [key for row in self._selection.rows() for key in self._model.keys_at(row)]

    def follow(self, key: MemoryKey | None) -> None:
        """Select a memory that was gone to elsewhere, nothing where it is not among the rows."""
        if key == self._selection.key:
            return
        self._is_following = True
        if key is None or not self.select(*key):
            self.clear_selection()
        self._is_following = False

    def follow_row(self, row: int) -> None:
        """Select a row as `follow` does, where a memory has several."""
        self._is_following = True
        self._selection.select_row(row)
        self._is_following = False

    def _tell(self, _uuid: str) -> None:
        if not self._is_following:
            self.row_chosen.emit(self._selection.key)
