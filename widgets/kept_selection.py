"""The selection of a list as a memory, not as a row: it stays through every change of the model.

A memory is told by its store and its uuid: a copied store has the same uuids.
"""

from PySide6.QtCore import QItemSelectionModel, QObject, Signal
from PySide6.QtWidgets import QAbstractItemView

from widgets.row_model import MemoryKey, RowModel

_MOST_KEPT = 1000
_Flag = QItemSelectionModel.SelectionFlag


class KeptSelection(QObject):
    """Follow one view's selection; make it after the view has its model.

    `changed` carries the selected uuid, or an empty text where nothing is selected. A row whose
    memory is not known yet counts as selected once it is.
    """

    changed = Signal(object)
    several_changed = Signal()

    def __init__(self, view: QAbstractItemView, model: RowModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._key: MemoryKey | None = None
        self._is_restoring = False
        self._others: list[MemoryKey] = []
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.selectionModel().selectionChanged.connect(self._follow)
        view.selectionModel().selectionChanged.connect(self._tell_several)
        model.dataChanged.connect(self._after_change)
        model.modelAboutToBeReset.connect(self._before_reset)
        model.modelReset.connect(self._after_reset)

    @property
    def uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return None if self._key is None else self._key.uuid

    @property
    def key(self) -> MemoryKey | None:
        """Return the selected memory with its store, or None."""
        return self._key

    def number(self) -> int:
        """Return how many rows are selected."""
        return sum(last - first + 1 for first, last in self._ranges())

    def rows(self) -> list[int]:
        """Return the selected rows in order."""
        return sorted(row for first, last in self._ranges() for row in range(first, last + 1))

    def _ranges(self) -> list[tuple[int, int]]:
        # Never index by index: all of a large store may be selected.
        chosen = self._view.selectionModel().selection()
        parts = [chosen.at(place) for place in range(chosen.count())]
        return [(part.top(), part.bottom()) for part in parts]

    def select(self, uuid: str, store: str | None = None) -> bool:
        """Select a memory and bring it into view; tell whether it is in the list."""
        row = self._model.row_of(uuid, store)
        if row is None:
            return False
        self.select_row(row)
        return True

    def select_row(self, row: int) -> None:
        """Select a row and bring it into view."""
        index = self._model.index(row)
        self._view.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
        self._view.scrollTo(index)

    def clear(self) -> None:
        """Select nothing."""
        self._view.selectionModel().clear()
        self._follow()

    def _after_change(self) -> None:
        if self._key is not None and self._key_of_selected() not in (None, self._key):
            self.clear()  # another memory has taken its place in the store
        else:
            self._follow()

    def _key_of_selected(self) -> MemoryKey | None:
        chosen = self._view.selectionModel()
        current = chosen.currentIndex()
        if current.isValid() and chosen.isSelected(current):
            return self._model.key_at(current)
        first = next(iter(self._ranges()), None)
        return None if first is None else self._model.key_at(self._model.index(first[0]))

    def _tell_several(self) -> None:
        self.several_changed.emit()

    def _before_reset(self) -> None:
        self._is_restoring = True
        rows = self.rows() if 1 < self.number() <= _MOST_KEPT else []
        self._others = [key for row in rows for key in self._model.keys_at(row)]

    def _after_reset(self) -> None:
        row = None if self._key is None else self._model.row_of(*self._key)
        if row is not None:
            index = self._model.index(row)
            self._view.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
            self._select_others()
        self._is_restoring = False
        self._follow()

    def _select_others(self) -> None:
        """Select again what was selected beside the memory that is read."""
        for key in self._others:
            row = self._model.row_of(*key)
            if row is not None:
                self._view.selectionModel().select(self._model.index(row), _Flag.Select)

    def _follow(self) -> None:
        if self._is_restoring:
            return
        key = self._key_of_selected()
        if key != self._key:
            self._key = key
            self.changed.emit("" if key is None else key.uuid)
