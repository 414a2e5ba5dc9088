"""A list of memories looked up elsewhere: a session's, a moment's; choosing a row shows it."""

from collections.abc import Iterable, Sequence
from typing import override

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.found_rows import FoundHead, FoundModel, FoundRow, number_of
from widgets.kept_selection import KeptSelection
from widgets.matched_line import draw_elided
from widgets.memory_list import MemoryList, Named
from widgets.row_content import RowContent
from widgets.row_delegate import RowColours, RowDelegate
from widgets.row_table import RowTable
from widgets.store_labels import StoreLabel
from widgets.theme import small_font

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class _FoundDelegate(RowDelegate):
    """Paint rows; a remark has no mark, for it stands for no memory."""

    @override
    def paint_content(
        self, painter: QPainter, box: QRect, content: RowContent, font: QFont, colours: RowColours
    ) -> None:
        if content.uuid:
            super().paint_content(painter, box, content, font, colours)
            return
        painter.setFont(font)
        painter.setPen(colours.text)
        first = QRect(box.x(), box.y(), box.width(), QFontMetrics(font).height())
        draw_elided(painter, first, content.gist, QFontMetrics(font))
        metrics = QFontMetrics(small_font(font))
        second = QRect(box.x(), box.bottom() + 1 - metrics.height(), box.width(), metrics.height())
        painter.setFont(small_font(font))
        self.paint_second_line(painter, second, content, metrics, colours)


class _FoundTable(RowTable):
    """A table in which the first key chooses the row that the keyboard has come to."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in _MOVES and current.isValid() and not self.selectionModel().hasSelection():
            number = self.model().rowCount() - 1 if event.key() == Qt.Key.Key_End else current.row()
            self.selectRow(number)
        else:
            super().keyPressEvent(event)


class FoundList(MemoryList):
    """Show found rows; ask for the heads near the viewport.

    `heads_wanted` carries rows. Answer each with exactly one `put_heads` (with no heads where
    reading failed): the next are only asked for then. `memory_chosen` and `memory_opened` carry
    the key of a store and a uuid.
    """

    heads_wanted = Signal(object)
    memory_chosen = Signal(str, str)
    memory_opened = Signal(str, str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: FoundModel = FoundModel(self)
        self.table = _FoundTable(self._model)
        self.table.setItemDelegate(_FoundDelegate(self.table))
        self.table.setAccessibleName(name)
        self._selection = KeptSelection(self.table, self._model)
        self._selection.changed.connect(self._choose)
        self.table.setSelectionMode(RowTable.SelectionMode.SingleSelection)
        self.table.activated.connect(self._open)
        self.table.looked_elsewhere.connect(self._ask)
        self._asked: list[int] = []
        self._asked_for: list[FoundRow] = []
        self.setFocusProxy(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)

    @property
    def rows(self) -> Sequence[FoundRow]:
        """Return what is listed."""
        return self._model.rows

    @override
    def named(self, *, only_selected: bool = False) -> list[Named]:
        """Return all memories, read or not, or the selected ones; each once."""
        if only_selected:
            return super().named(only_selected=True)
        keys = [label.key for label in self._model.labels]
        found = (row for row in self._model.rows if row.is_memory and row.place < len(keys))
        return list(dict.fromkeys(Named(keys[r.place], _name(r)) for r in found))

    def set_rows(self, rows: Sequence[FoundRow], labels: Sequence[StoreLabel]) -> None:
        """Show these rows of stores; selection and scroll stay with their memories."""
        top = self._at_top()
        self._asked, self._asked_for = [], []
        self._model.set_rows(rows, labels)
        self.table.doItemsLayout()  # the scroll bar knows the new length at once
        self._scroll_back(top)
        self._ask()

    def _at_top(self) -> tuple[FoundRow, int] | None:
        """Return the topmost row and how far it is scrolled out, None where none is."""
        if not self.table.verticalScrollBar().value():
            return None
        number = self.table.rowAt(0)
        if number < 0:
            return None
        return self._model.rows[number], self.table.rowViewportPosition(number)

    def _scroll_back(self, top: tuple[FoundRow, int] | None) -> None:
        if top is None:
            self.table.scrollToTop()
            return
        row, offset = top
        number = number_of(self._model.rows, row)
        if number is not None:
            hint = RowTable.ScrollHint.PositionAtTop
            self.table.scrollTo(self._model.index(number), hint)
            bar = self.table.verticalScrollBar()
            bar.setValue(bar.value() - offset)

    def put_heads(self, rows: Sequence[FoundRow], heads: Iterable[FoundHead]) -> None:
        """Fill in rows that were asked for; ask for more where unloaded ones are in view.

        An answer about rows that were replaced meanwhile is dropped.
        """
        if rows != self._asked_for:
            return
        asked, self._asked, self._asked_for = self._asked, [], []
        self._model.put_heads(asked, heads)
        self._ask()

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked = self._model.wanted(*self.table.near_rows())
        if self._asked:
            self._asked_for = [self._model.rows[number] for number in self._asked]
            self.heads_wanted.emit(list(self._asked_for))

    def _choose(self, uuid: str) -> None:
        if uuid:
            self.memory_chosen.emit(self.selected_store(), uuid)

    def _open(self, index: QModelIndex) -> None:
        self.table.selectRow(index.row())
        if uuid := self.selected_uuid():
            self.memory_opened.emit(self.selected_store(), uuid)


def _name(row: FoundRow) -> str | int:
    """Return what a memory is known by in its store."""
    return row.rowid if row.uuid is None and row.rowid is not None else row.uuid or ""
