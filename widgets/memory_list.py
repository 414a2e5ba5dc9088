"""What every list of memories on screen answers about its selection, whatever its rows are."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.readmodels import ChainEnd
from widgets.kept_selection import KeptSelection
from widgets.memory_drag import MemoryDrops
from widgets.row_model import RowModel


class MemoryList(QWidget):
    """A list and what stands around it; subclasses make `_model` and `_selection`.

    `memories_dropped` carries the memories that were dropped (a list) and the one they fell on.
    """

    selection_changed = Signal()
    memories_dropped = Signal(object, str)

    _model: RowModel
    _selection: KeptSelection

    @property
    def has_rows(self) -> bool:
        """Tell whether there is any row."""
        return self._model.count() > 0

    def set_dead(self, dead: frozenset[str]) -> None:
        """Warn at the memories whose chain ends in a retired one."""
        self._model.set_dead(dead)

    def set_ends(self, ends: Mapping[str, ChainEnd]) -> None:
        """Name what replaced these memories and where their chains end."""
        self._model.set_ends(ends)

    def set_grades(self, grades: Mapping[str, int]) -> None:
        """Mark memories with a person's grades, 0 to 3."""
        self._model.set_grades(grades)

    def selected_uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return self._selection.uuid

    def number_selected(self, *, with_folds: bool = False) -> int:
        """Return how many memories are selected; of a closed fold the first, or all of them."""
        number = self._selection.number()
        return len(self.selected_uuids(with_folds=True)) if with_folds and number == 1 else number

    def selected_uuids(self, *, with_folds: bool = False) -> list[str]:
        """Return the selected memories that are known; of a closed fold the first, or all."""
        rows = [self._model.uuids_at(row) for row in self._selection.rows()]
        return [uuid for uuids in rows for uuid in (uuids if with_folds else uuids[:1])]

    def unread_selected(self) -> list[int]:
        """Return the rowids of selected rows that are not read yet."""
        return []

    def _serve_drags(self, view: QAbstractItemView) -> None:
        """Let memories be dragged onto each other; subclasses call it once."""
        self._selection.several_changed.connect(self.selection_changed)
        self._drops = MemoryDrops(view, self._model, self.memories_dropped.emit)

    def select(self, uuid: str) -> bool:
        """Select a memory; tell whether it is in the list, and known there."""
        return self._selection.select(uuid)

    def select_first(self) -> None:
        """Select the first row where nothing is selected."""
        if self._selection.uuid is None and self.has_rows:
            self._selection.select_row(0)

    def clear_selection(self) -> None:
        """Select nothing; the rows stay."""
        self._selection.clear()
