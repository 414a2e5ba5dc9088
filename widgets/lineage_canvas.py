"""The lineage as a picture: zoom, fit and pan; arrows walk the edges; drag one memory onto another.

What is drawn is given; how a tile is painted is widgets/lineage_sketch.
"""

from typing import override

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import QGraphicsScene, QToolTip, QWidget

from core.lineage.folding import FoldKey
from core.lineage.forest import NOBODY, NodeState
from widgets.lineage_content import LineageContent, Looks, fold_words, folds_at, spoken
from widgets.lineage_drag import NodeDrag
from widgets.lineage_plan import Plan
from widgets.lineage_sketch import Sketch, Tile, line_pen
from widgets.text_marks import safe_tooltip
from widgets.zoom_view import PAN, ZoomView

_READABLE = 0.75
_MARGIN = 24.0
_ALT = Qt.KeyboardModifier.AltModifier
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class LineageCanvas(ZoomView):
    """Show a picture: `node_chosen` carries a node gone to, `node_opened` one to be read.

    `fold_wanted` carries the key of what is to be folded or unfolded, `typed` a text to dim by.
    """

    node_chosen = Signal(int)
    node_opened = Signal(int)
    fold_wanted = Signal(object)
    typed = Signal(str)
    memories_dropped = Signal(object, str)

    # Qt calls overrides before __init__ has come that far.
    _sketch: Sketch | None = None
    _drag: NodeDrag | None = None

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = QGraphicsScene(self)  # the view itself keeps none alive
        self._scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setScene(self._scene)
        self.setAccessibleName(name)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.tiles: list[Tile] = []
        self._at: int | None = None
        self.unfolded: frozenset[FoldKey] = frozenset()
        """What of the picture is unfolded and can be folded again."""
        self._drag = NodeDrag(self)
        self.setAcceptDrops(True)
        self.viewport().setAcceptDrops(True)

    # What is shown

    @property
    def sketch(self) -> Sketch | None:
        """Return what is drawn, None for nothing."""
        return self._sketch

    @property
    def node(self) -> int | None:
        """Return the node selected, None for a fold or nothing."""
        if self._sketch is None or self._at is None:
            return None
        node = self._sketch.picture.spots[self._at].node
        return None if node == NOBODY else node

    def clear(self) -> None:
        """Show nothing."""
        self._scene.clear()
        self._sketch, self._at, self.tiles = None, None, []
        self._is_fitted = True

    def show_plan(
        self, content: LineageContent, plan: Plan, looks: Looks, node: int | None
    ) -> None:
        """Draw this with a node selected; zoom and place stay unless all was in view."""
        middle = self.mapToScene(self.viewport().rect().center())
        self._scene.clear()
        self._sketch = Sketch(content, plan, looks, self.palette(), self.font())
        self.tiles = self._sketch.tiles()
        picture = plan.picture
        for tile in self.tiles:
            self._scene.addItem(tile)
        whole = QRectF(0, 0, picture.width, picture.height)
        self._scene.setSceneRect(whole.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN))
        self._at = None if node is None else picture.spot_of.get(node)
        if self._is_fitted:
            self.fit()
        else:
            self.centerOn(middle)
        self._describe()

    def show_whole(
        self, content: LineageContent, plan: Plan, looks: Looks, node: int
    ) -> None:
        """Draw this fitted into the view or, where it could not be read then, around a node."""
        self._is_fitted = True
        self.show_plan(content, plan, looks, node)
        if self.scale_now < _READABLE and self._sketch is not None and self._at is not None:
            self.zoom(_READABLE / self.scale_now)
            self.centerOn(self._sketch.boxes[self._at].center())

    def set_looks(self, looks: Looks) -> None:
        """Dim and place in time without laying out again."""
        if self._sketch is not None:
            self._sketch.looks = looks
            self._sketch.texts.clear()
            for tile in self.tiles:
                tile.relook()
            self.viewport().update()

    def select(self, node: int | None) -> None:
        """Select a node, or the fold that hides it, without saying so."""
        if self._sketch is None:
            return
        self._at = None if node is None else self._sketch.picture.spot_of.get(node)
        if self._at is not None:
            self._reveal()
        self._describe()
        self.viewport().update()

    def words(self) -> str:
        """Return what is said of the selection, empty for none."""
        if self._sketch is None or self._at is None:
            return ""
        spot = self._sketch.picture.spots[self._at]
        if spot.fold is not None:
            return f"{fold_words(spot.fold)}, Space unfolds them"
        return spoken(self._sketch.content, spot.node)

    def _describe(self) -> None:
        self.setAccessibleDescription(self.words())
        if self.hasFocus() and self._at is not None and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))

    def _reveal(self) -> None:
        if self._sketch is not None and self._at is not None:
            box = self._sketch.boxes[self._at]
            if not self._is_fitted:
                self.ensureVisible(box, 20, 20)

    # Keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._sketch is None or not self._act(event):
            event.ignore()

    def _act(self, event: QKeyEvent) -> bool:
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        text = event.text()
        if event.matches(QKeySequence.StandardKey.ZoomIn) or (plain and text == "+"):
            self.zoom_in()
        elif event.matches(QKeySequence.StandardKey.ZoomOut) or (plain and text == "-"):
            self.zoom_out()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self._act_with_control(Qt.Key(key))
        elif key in _ARROWS or key == Qt.Key.Key_Home:
            self._go(self._next(Qt.Key(key)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        elif key == Qt.Key.Key_Space:
            self._toggle_fold()
        elif text.isprintable() and text and not event.modifiers() & _ALT:
            self.typed.emit(text)
        else:
            return False
        return True

    def _act_with_control(self, key: Qt.Key) -> bool:
        steps = {
            Qt.Key.Key_Left: (-PAN, 0),
            Qt.Key.Key_Right: (PAN, 0),
            Qt.Key.Key_Up: (0, -PAN),
            Qt.Key.Key_Down: (0, PAN),
        }
        if key in steps:
            self.pan(*steps[key])
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            return False
        return True

    def _next(self, key: Qt.Key) -> int | None:
        """Return the spot to go to: right what replaced it, left what it replaced, beside it."""
        assert self._sketch is not None
        spots = self._sketch.picture.spots
        if self._at is None:
            return 0 if spots else None
        at = spots[self._at]
        if key == Qt.Key.Key_Right:
            return at.parent if at.parent != NOBODY else None
        if key == Qt.Key.Key_Left:
            before = [n for n, spot in enumerate(spots) if spot.parent == self._at]
            return before[-1] if before else None
        if key == Qt.Key.Key_Home:
            place = self._at
            while spots[place].parent != NOBODY:
                place = spots[place].parent
            return place
        beside = [n for n, spot in enumerate(spots) if spot.parent == at.parent]
        step = beside.index(self._at) + (1 if key == Qt.Key.Key_Down else -1)
        return beside[step] if 0 <= step < len(beside) else None

    def _go(self, place: int | None) -> None:
        if place is None or self._sketch is None:
            return
        self._at = place
        self._reveal()
        self._describe()
        self.viewport().update()
        node = self._sketch.picture.spots[place].node
        if node != NOBODY:
            self.node_chosen.emit(node)

    def _open(self) -> None:
        if self.node is not None:
            self.node_opened.emit(self.node)
        else:
            self._toggle_fold()

    def _toggle_fold(self) -> None:
        if self._sketch is None or self._at is None:
            return
        spot = self._sketch.picture.spots[self._at]
        if spot.fold is not None:
            self.fold_wanted.emit(spot.fold.key)
        elif key := folds_at(self._sketch.content.forest, spot.node, self.unfolded):
            self.fold_wanted.emit(key)

    # Mouse

    def spot_at(self, at: QPoint) -> int | None:
        """Return the spot below a point of the viewport."""
        if self._sketch is None:
            return None
        point = self.mapToScene(at)
        return next((n for n, box in enumerate(self._sketch.boxes) if box.contains(point)), None)

    def uuid_at(self, at: QPoint) -> str | None:
        """Return the memory below a point of the viewport; a missing record is none."""
        place = self.spot_at(at)
        if place is None or self._sketch is None:
            return None
        node = self._sketch.picture.spots[place].node
        found = None if node == NOBODY else self._sketch.content.forest.nodes[node]
        return None if found is None or found.state is NodeState.MISSING else found.uuid

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            at = event.position().toPoint()
            if self._drag is not None:
                self._drag.press(at)
            self._go(self.spot_at(at))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._drag is not None:
            self._drag.move(event.position().toPoint())

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            self._drag.release()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.spot_at(event.position().toPoint()) is not None:
            self._open()

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._sketch is not None:
            place = self.spot_at(event.pos())
            spot = None if place is None else self._sketch.picture.spots[place]
            if spot is not None and spot.node != NOBODY:
                words = spoken(self._sketch.content, spot.node)
                QToolTip.showText(event.globalPos(), safe_tooltip(words), self)
            else:
                QToolTip.hideText()
            return True
        is_drag = self._drag is not None and self._drag.handle(event)
        return is_drag or super().viewportEvent(event)

    # Painting over the tiles

    @override
    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        sketch = self._sketch
        if sketch is None or self._at is None:
            return
        accent = self.palette().color(QPalette.ColorRole.Accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._draw_path(painter, sketch, accent)
        box = sketch.boxes[self._at].adjusted(-3, -3, 3, 3)
        painter.setPen(line_pen(self.palette().color(QPalette.ColorRole.Text), 2.5))
        painter.drawRoundedRect(box, 6, 6)

    def _draw_path(self, painter: QPainter, sketch: Sketch, accent: QColor) -> None:
        """Light the way from the selection to its head."""
        painter.setPen(line_pen(accent, 3.0))
        at = self._at if self._at is not None else NOBODY
        while at != NOBODY:
            painter.drawRoundedRect(sketch.boxes[at], 4, 4)
            painter.drawLines(sketch.lines[at])
            at = sketch.picture.spots[at].parent

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sketch is not None:
            self._sketch.palette = self.palette()
            self.viewport().update()
