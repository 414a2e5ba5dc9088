"""Dragging memories onto another one: what is carried, and where it may fall."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractItemView

if TYPE_CHECKING:
    from widgets.row_model import RowModel

MEMORIES_MIME = "application/x-genizah-memories"
_STORE_MIME = "application/x-genizah-store"


def memories_mime_data(uuids: Sequence[str], store: str = "") -> QMimeData:
    """Return what a drag of memories of a store carries; no other program is given a text."""
    data = QMimeData()
    data.setData(_STORE_MIME, QByteArray(store.encode()))
    lines = "\n".join(uuids).encode("utf-8", "surrogatepass")
    data.setData(MEMORIES_MIME, QByteArray(lines))
    return data


def dragged(data: QMimeData) -> list[str]:
    """Return the memories that a drag carries, none where it carries something else."""
    raw = bytes(data.data(MEMORIES_MIME).data())
    return raw.decode("utf-8", "surrogatepass").split("\n") if raw else []


class MemoryDrops(QObject):
    """Let memories of a view be dragged onto another row of it; `dropped` is told."""

    def __init__(
        self,
        view: QAbstractItemView,
        model: "RowModel",
        dropped: Callable[[list[str], str], object],
    ) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._dropped = dropped
        view.setDragEnabled(True)
        view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        view.setDefaultDropAction(Qt.DropAction.LinkAction)
        view.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() in (
            QEvent.Type.DragEnter,
            QEvent.Type.DragMove,
            QEvent.Type.Drop,
        ):
            return self._drag(event)
        return False

    def _drag(self, event: QDropEvent) -> bool:
        uuids = dragged(event.mimeData())
        if not uuids:
            return False  # a folder or a file is the window's
        target = self._model.key_at(self._view.indexAt(event.position().toPoint()))
        falls = (
            target is not None
            and any(uuid != target.uuid for uuid in uuids)
            and _store_of(event.mimeData()) in ("", target.store)  # never into another store
        )
        event.setDropAction(Qt.DropAction.LinkAction)
        event.setAccepted(falls or event.type() == QEvent.Type.DragEnter)
        if falls and target is not None and event.type() == QEvent.Type.Drop:
            self._dropped(uuids, target.uuid)
        return True


def _store_of(data: QMimeData) -> str:
    return bytes(data.data(_STORE_MIME).data()).decode()
