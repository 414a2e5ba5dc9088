"""A graphics view that zooms, fits and pans without any animation, and shows where the focus is."""

from typing import override

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

_LEAST, _MOST = 0.002, 3.0
_STEP = 1.25
_EDGE = 4  # pixels; without them rounding brings scroll bars
PAN = 80


class ZoomView(QGraphicsView):
    """Show a scene; one that was fitted stays fitted when the view gets another size."""

    _is_fitted = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)

    @property
    def scale_now(self) -> float:
        """Return how many pixels a unit of the picture has."""
        return self.transform().m11()

    def zoom(self, factor: float) -> None:
        """Make everything larger or smaller."""
        wanted = min(_MOST, max(_LEAST, self.scale_now * factor))
        self._is_fitted = False
        self.scale(wanted / self.scale_now, wanted / self.scale_now)

    def zoom_in(self) -> None:
        """Make everything larger."""
        self.zoom(_STEP)

    def zoom_out(self) -> None:
        """Make everything smaller."""
        self.zoom(1 / _STEP)

    def fit(self) -> None:
        """Show the whole picture, at its own size at the most."""
        self._is_fitted = True
        whole = self.sceneRect()
        if whole.isEmpty():
            return
        room = self.maximumViewportSize()  # once it fits there are no scroll bars
        across, down = max(1, room.width() - _EDGE), max(1, room.height() - _EDGE)
        factor = min(1.0, across / whole.width(), down / whole.height())
        # In one step: one at full size in between would bring scroll bars and resize the view.
        self.setTransform(QTransform.fromScale(max(_LEAST, factor), max(_LEAST, factor)))
        self.centerOn(whole.center())

    def pan(self, across: int, down: int) -> None:
        """Move the view by so many pixels."""
        bars = (self.horizontalScrollBar(), across), (self.verticalScrollBar(), down)
        for bar, by in bars:
            bar.setValue(bar.value() + by)
        self._is_fitted = False

    def pan_by(self, moved: QPoint) -> None:
        """Move the picture with the mouse."""
        self.pan(-moved.x(), -moved.y())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_STEP if event.angleDelta().y() > 0 else 1 / _STEP)
        else:
            super().wheelEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))
            painter.end()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
