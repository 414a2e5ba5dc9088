"""The mouse on the lineage's picture: dragging a memory onto another one, or the picture itself."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QDrag, QDropEvent
from PySide6.QtWidgets import QApplication

from widgets.memory_drag import dragged, memories_mime_data

if TYPE_CHECKING:
    from widgets.lineage_canvas import LineageCanvas

_DRAGGED = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class NodeDrag:
    """Tell a drag of a memory from a pan."""

    def __init__(self, canvas: "LineageCanvas") -> None:
        self._canvas = canvas
        self._from: QPoint | None = None
        self._uuid: str | None = None

    def press(self, at: QPoint) -> None:
        """Note where the button went down."""
        self._from, self._uuid = at, self._canvas.uuid_at(at)

    def move(self, at: QPoint) -> None:
        """Start a drag, or move the picture."""
        if self._from is None:
            return
        if self._uuid is None:
            self._canvas.pan_by(at - self._from)
            self._from = at
        elif (at - self._from).manhattanLength() >= QApplication.startDragDistance():
            uuid, self._from = self._uuid, None
            drag = QDrag(self._canvas)
            drag.setMimeData(memories_mime_data([uuid]))
            drag.exec(Qt.DropAction.LinkAction)  # from a mouse event, as Qt's own lists do it

    def release(self) -> None:
        """Forget the button."""
        self._from = None

    def handle(self, event: QEvent) -> bool:
        """Take a memory that is dragged over the picture; tell whether it was one."""
        if not isinstance(event, QDropEvent) or event.type() not in _DRAGGED:
            return False
        uuids = dragged(event.mimeData())
        if not uuids:
            return False  # a folder or a file is the window's
        target = self._canvas.uuid_at(event.position().toPoint())
        falls = target is not None and any(uuid != target for uuid in uuids)
        event.setDropAction(Qt.DropAction.LinkAction)
        event.setAccepted(falls or event.type() == QEvent.Type.DragEnter)
        if falls and target is not None and event.type() == QEvent.Type.Drop:
            self._canvas.memories_dropped.emit(uuids, target)
        return True
