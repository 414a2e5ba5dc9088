"""What every list of memories on screen answers about its selection, whatever its rows are."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.readmodels import ChainEnd
from widgets.kept_selection import KeptSelection
from widgets.memory_drag import MemoryDrops
from widgets.row_model import RowModel


class Named(NamedTuple):
    """A memory of a list: the key of its store, empty where lists know of only one; its uuid, or
    its rowid there while it is not read."""

    store: str
    name: str | int


class MemoryList(QWidget):
    """A list and what stands around it; subclasses make `_model` and `_selection`.

    `memories_dropped` carries the memories that were dropped (a list) and the one they fell on.
    """

    selection_changed = Signal()
    memories_dropped = Signal(object, str)

    _model: RowModel
    _selection: KeptSelection
    is_exported = True
    """Whether it can be written to a file: its rows are memories, not groups of them."""

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

    def selected_store(self) -> str:
        """Return the key of the store of the selected memory, empty where there is only one."""
        return "" if self._selection.key is None else self._selection.key.store

    def number_selected(self, *, with_folds: bool = False) -> int:
        """Return how many memories are selected; of a closed fold the first, or all of them.

        Of several stores only those count that the memory being read comes from.
        """
        number = self._selection.number()
        if self._has_several_stores() and number > 1:
            number = len(self.selected_uuids()) + len(self.unread_selected())
        return len(self.selected_uuids(with_folds=True)) if with_folds and number == 1 else number

    def selected_uuids(self, *, with_folds: bool = False) -> list[str]:
        """Return the selected memories that are known; of a closed fold the first, or all.

        Of several stores only those that the memory being read comes from: no change reaches into
        two stores.
        """
        store = self.selected_store()
        rows = [self._model.keys_at(row) for row in self._selection.rows()]
        keys = [key for keys in rows for key in (keys if with_folds else keys[:1])]
        return [key.uuid for key in keys if key.store == store]

    def _has_several_stores(self) -> bool:
        return bool(self.selected_store())

    def named(self, *, only_selected: bool = False) -> list[Named]:
        """Return all memories in the order of the list, or the selected ones; those in folds too.

        Each once; of every store.
        """
        rows = self._selection.rows() if only_selected else range(self._model.count())
        keys = (key for row in rows for key in self._model.keys_at(row))
        return list(dict.fromkeys(Named(key.store, key.uuid) for key in keys if key.uuid))

    def unread_selected(self) -> list[int]:
        """Return the rowids of selected rows that are not read yet."""
        return []

    def _serve_drags(self, view: QAbstractItemView) -> None:
        """Let memories be dragged onto each other; subclasses call it once."""
        self._selection.several_changed.connect(self.selection_changed)
        self._drops = MemoryDrops(view, self._model, self.memories_dropped.emit)

    def select(self, uuid: str, store: str | None = None) -> bool:
        """Select a memory; tell whether it is in the list, and known there.

        Without a store it is the first one of that uuid.
        """
        return self._selection.select(uuid, store)

    def select_first(self) -> None:
        """Select the first row where nothing is selected."""
        if self._selection.uuid is None and self.has_rows:
            self._selection.select_row(0)

    def clear_selection(self) -> None:
        """Select nothing; the rows stay."""
        self._selection.clear()
