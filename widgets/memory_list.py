"""What every list of memories on screen answers about its selection, whatever its rows are."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from widgets.kept_selection import KeptSelection
from widgets.row_model import RowModel


class MemoryList(QWidget):
    """A list and what stands around it; subclasses make `_model` and `_selection`."""

    _model: RowModel
    _selection: KeptSelection

    @property
    def has_rows(self) -> bool:
        """Tell whether there is any row."""
        return self._model.count() > 0

    def set_dead(self, dead: frozenset[str]) -> None:
        """Warn at the memories whose chain ends in a retired one."""
        self._model.set_dead(dead)

    def set_grades(self, grades: Mapping[str, int]) -> None:
        """Mark memories with a person's grades, 0 to 3."""
        self._model.set_grades(grades)

    def selected_uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return self._selection.uuid

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
