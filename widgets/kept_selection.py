"""The selection of a list as a memory, not as a row: it stays through every change of the model."""

from PySide6.QtCore import QItemSelectionModel, QObject, Signal
from PySide6.QtWidgets import QAbstractItemView

from widgets.row_model import RowModel

_Flag = QItemSelectionModel.SelectionFlag


class KeptSelection(QObject):
    """Follow one view's selection; make it after the view has its model.

    `changed` carries the selected uuid, or an empty text where nothing is selected. A row whose
    memory is not known yet counts as selected once it is.
    """

    changed = Signal(object)

    def __init__(self, view: QAbstractItemView, model: RowModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._uuid: str | None = None
        self._is_restoring = False
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.selectionModel().selectionChanged.connect(self._follow)
        model.dataChanged.connect(self._after_change)
        model.modelAboutToBeReset.connect(self._before_reset)
        model.modelReset.connect(self._after_reset)

    @property
    def uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return self._uuid

    def select(self, uuid: str) -> bool:
        """Select a memory and bring it into view; tell whether it is in the list."""
        row = self._model.row_of(uuid)
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
        if self._uuid is not None and self._uuid_of_selected() not in (None, self._uuid):
            self.clear()  # another memory has taken its place in the store
        else:
            self._follow()

    def _uuid_of_selected(self) -> str | None:
        selected = self._view.selectionModel().selectedIndexes()
        return self._model.uuid_at(selected[0]) if selected else None

    def _before_reset(self) -> None:
        self._is_restoring = True

    def _after_reset(self) -> None:
        row = None if self._uuid is None else self._model.row_of(self._uuid)
        if row is not None:
            index = self._model.index(row)
            self._view.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
        self._is_restoring = False
        self._follow()

    def _follow(self) -> None:
        if self._is_restoring:
            return
        uuid = self._uuid_of_selected()
        if uuid != self._uuid:
            self._uuid = uuid
            self.changed.emit(uuid or "")
