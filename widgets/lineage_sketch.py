"""Painting a laid-out lineage: one tile for each part of the plane, in three levels of detail.

From afar shapes in batches, nearer the marks of each state, then gist and facts. A tile paints
only what is exposed. Which picture is shown and what is selected is widgets/lineage_canvas's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import override

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from core.lineage.forest import NOBODY, NodeState
from core.lineage.layout import Metrics, Picture
from core.readmodels import State
from widgets.lineage_content import LineageContent, Looks, facts, fold_words, gist_of
from widgets.lineage_plan import Part, Plan
from widgets.row_marks import draw_state, draw_warning, mark_size
from widgets.theme import small_font

_PAD = 7.0
_TEXT_FROM = 0.55
_MARKS_FROM = 0.28
_DETAIL_FROM = 0.08
_EDGES_FROM = 0.02
_DIM = 0.28
_ABSENT = 0.14
_STATES = {
    NodeState.LIVE: State.LIVE,
    NodeState.SUPERSEDED: State.SUPERSEDED,
    NodeState.RETIRED: State.RETIRED,
}
_Role = QPalette.ColorRole


def metrics_for(font: QFont) -> Metrics:
    """Return sizes of boxes that hold two lines of this font."""
    first, second = QFontMetricsF(font), QFontMetricsF(small_font(font))
    height = first.height() + second.height() + 2 * _PAD
    return Metrics(round(first.averageCharWidth() * 32), round(height), 40.0, 12.0, 40.0)


def line_pen(colour: QColor, width: float = 1.2) -> QPen:
    """Return a pen whose width does not grow with the zoom."""
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen


@dataclass
class Sketch:
    """A plan with all that is needed to paint it; `looks` and `palette` may change."""

    content: LineageContent
    plan: Plan
    looks: Looks
    palette: QPalette
    font: QFont
    texts: dict[tuple[int, bool], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.small = small_font(self.font)

    @property
    def picture(self) -> Picture:
        """Return what is painted."""
        return self.plan.picture

    @property
    def boxes(self) -> Sequence[QRectF]:
        """Return the box of each spot."""
        return self.plan.boxes

    @property
    def lines(self) -> Sequence[Sequence[QLineF]]:
        """Return the lines that leave each spot."""
        return self.plan.lines

    def is_dimmed(self, place: int) -> bool:
        """Tell whether a spot stands back; a fold only where all that it hides does."""
        spot = self.picture.spots[place]
        dimmed = self.looks.dimmed
        if not dimmed:
            return False
        return all(n in dimmed for n in spot.fold.hidden) if spot.fold else spot.node in dimmed

    def is_absent(self, place: int) -> bool:
        """Tell whether a spot was not there at the moment asked for."""
        spot = self.picture.spots[place]
        absent = self.looks.absent
        if not absent:
            return False
        return all(n in absent for n in spot.fold.hidden) if spot.fold else spot.node in absent

    def opacity(self, place: int) -> float:
        """Return how strongly a spot is drawn."""
        if self.is_absent(place):
            return _ABSENT
        return _DIM if self.is_dimmed(place) else 1.0

    def has_mark(self, place: int) -> bool:
        """Tell whether there is a problem at a spot that was there, or at one that it hides."""
        if self.is_absent(place):
            return False
        spot, marks = self.picture.spots[place], self.content.marks
        return any(n in marks for n in spot.fold.hidden) if spot.fold else spot.node in marks

    def tiles(self) -> list["Tile"]:
        """Return the items that paint the whole picture."""
        return [Tile(self, part) for part in self.plan.parts]

    def text(self, place: int, *, is_second: bool, width: float) -> str:
        """Return a line of a box, elided once."""
        key = (place, is_second)
        if key not in self.texts:
            spot = self.picture.spots[place]
            if spot.fold is not None:
                whole = "Space unfolds" if is_second else fold_words(spot.fold)
            elif is_second:
                whole = facts(self.content, spot.node, self.looks)
            else:
                whole = gist_of(self.content.forest, spot.node)
            metrics = QFontMetricsF(self.small if is_second else self.font)
            self.texts[key] = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, width)
        return self.texts[key]


def _middle(box: QRectF) -> QLineF:
    return QLineF(box.left(), box.center().y(), box.right(), box.center().y())


type _Batch = tuple[NodeState | None, float]


class Tile(QGraphicsItem):
    """Paint the spots of one part of the plane, and the lines that leave them."""

    def __init__(self, sketch: Sketch, part: Part) -> None:
        super().__init__()
        self._sketch = sketch
        self._places = part.places
        self._bounds = part.bounds
        self._far: dict[_Batch, list[QRectF]] | None = None
        self._middles: dict[_Batch, list[QLineF]] = {}
        self._dots: list[QPointF] = []
        self._marked: list[QRectF] = []
        self._edges: dict[tuple[bool, float], list[QLineF]] | None = None
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    @override
    def boundingRect(self) -> QRectF:
        return self._bounds

    def relook(self) -> None:
        """Paint with other looks."""
        self._far = self._edges = None
        self.update()

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        scale = option.levelOfDetailFromTransform(painter.worldTransform())
        self.draw(painter, scale, option.exposedRect)

    def draw(self, painter: QPainter, scale: float, exposed: QRectF) -> None:
        """Paint at a scale (pixels a unit) what is inside `exposed`."""
        painter.save()
        is_far = scale < _MARKS_FROM
        # All edges run straight along the axes: from afar they are sharper and faster without.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not is_far)
        if scale >= _EDGES_FROM:
            self._draw_edges(painter, scale)
        if is_far:
            self._draw_far(painter, scale)
        else:
            for place in self._places:
                if self._sketch.boxes[place].intersects(exposed):
                    self._draw_box(painter, place, scale)
        painter.restore()

    def _draw_edges(self, painter: QPainter, scale: float) -> None:
        if self._edges is None:
            self._edges = self._sorted_edges()
        colour = self._sketch.palette.color(_Role.Shadow)
        if self._sketch.palette.color(_Role.Base).lightness() < 128:
            colour = self._sketch.palette.color(_Role.PlaceholderText)
        for (is_known, opacity), lines in self._edges.items():
            pen = line_pen(colour, 1.2 if scale >= _MARKS_FROM else 1.0)
            if not is_known and scale >= _MARKS_FROM:
                pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.setOpacity(opacity)
            painter.drawLines(lines)
        painter.setOpacity(1.0)

    def _sorted_edges(self) -> dict[tuple[bool, float], list[QLineF]]:
        """Gather lines by whether an event tells of them, and by how strong they are."""
        sketch = self._sketch
        found: dict[tuple[bool, float], list[QLineF]] = {}
        for place in self._places:
            if sketch.lines[place]:
                node = sketch.picture.spots[place].node
                edge = None if node == NOBODY else sketch.content.forest.edges[node]
                is_known = edge is None or edge.at is not None
                opacity = _ABSENT if node in sketch.looks.unlinked else sketch.opacity(place)
                found.setdefault((is_known, opacity), []).extend(sketch.lines[place])
        return found

    def _draw_far(self, painter: QPainter, scale: float) -> None:
        """Draw shapes alone: live filled, replaced hollow, retired a thin bar, folds half high."""
        if self._far is None:
            self._far = self._sorted_boxes()
            self._middles = {batch: list(map(_middle, b)) for batch, b in self._far.items()}
            self._marked = [self._sketch.boxes[p] for p in self._places if self._sketch.has_mark(p)]
            self._dots = [box.center() for box in self._marked]
        palette = self._sketch.palette
        for (state, opacity), boxes in self._far.items():
            painter.setOpacity(opacity)
            is_live = state is NodeState.LIVE
            muted = palette.color(_Role.PlaceholderText)
            is_hollow = state not in (NodeState.RETIRED, NodeState.MISSING) and not is_live
            solid = palette.color(_Role.Accent) if is_live else muted
            if scale < _DETAIL_FROM:  # too low for a box: a line is seen at any scale
                painter.setPen(line_pen(solid, 1.0))
                painter.drawLines(self._middles[state, opacity])
                continue
            painter.setPen(line_pen(muted, 1.0))
            painter.setBrush(palette.color(_Role.Base) if is_hollow else solid)
            painter.drawRects(boxes)
        self._draw_far_marks(painter, scale)

    def _draw_far_marks(self, painter: QPainter, scale: float) -> None:
        """Frame what has a problem twice; from very far away, a dot."""
        palette = self._sketch.palette
        painter.setOpacity(1.0)
        if self._marked and scale < _DETAIL_FROM:
            painter.setPen(line_pen(palette.color(_Role.BrightText), 3.0))
            painter.drawPoints(self._dots)
        elif self._marked:
            # A wide pen costs many times what two thin ones do.
            painter.setPen(line_pen(palette.color(_Role.BrightText), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRects(self._marked)
            out = 3.0 / scale
            painter.drawRects([box.adjusted(-out, -out, out, out) for box in self._marked])

    def _sorted_boxes(self) -> dict[_Batch, list[QRectF]]:
        sketch = self._sketch
        found: dict[_Batch, list[QRectF]] = {}
        for place in self._places:
            node, box = sketch.picture.spots[place].node, sketch.boxes[place]
            state = None if node == NOBODY else sketch.looks.states[node]
            third = box.height() / 3
            if state in (NodeState.RETIRED, NodeState.MISSING):
                box = box.adjusted(0, third, 0, -third)
            found.setdefault((state, sketch.opacity(place)), []).append(box)
        return found

    def _draw_box(self, painter: QPainter, place: int, scale: float) -> None:
        sketch, box = self._sketch, self._sketch.boxes[place]
        node = sketch.picture.spots[place].node
        state = None if node == NOBODY else sketch.looks.states[node]
        painter.setOpacity(sketch.opacity(place))
        pen = line_pen(sketch.palette.color(_Role.PlaceholderText))
        if state is NodeState.LIVE:
            pen = line_pen(sketch.palette.color(_Role.Accent), 2.0)
        elif state is NodeState.MISSING or node == NOBODY:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        ground = _Role.AlternateBase if node == NOBODY else _Role.Base
        painter.setBrush(sketch.palette.color(ground))
        painter.drawRoundedRect(box, 4, 4)
        side = float(mark_size(sketch.font))
        left = box.left() + _PAD
        self._draw_mark(painter, QRectF(left, box.top() + _PAD, side, side), node, state)
        room = box.width() - 2 * _PAD - side - 4
        if sketch.has_mark(place):
            room -= side + 4
            corner = QRectF(box.right() - _PAD - side, box.top() + _PAD, side, side)
            draw_warning(painter, corner, sketch.palette.color(_Role.BrightText))
        if scale >= _TEXT_FROM:
            self._draw_text(painter, place, left + side + 4, room)

    def _draw_mark(
        self, painter: QPainter, box: QRectF, node: int, state: NodeState | None
    ) -> None:
        palette = self._sketch.palette
        if node == NOBODY or state is None or state is NodeState.MISSING:
            painter.setPen(palette.color(_Role.Text))
            painter.setFont(self._sketch.font)
            sign = "…" if node == NOBODY else "?"
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)
            return
        role = _Role.Accent if state is NodeState.LIVE else _Role.PlaceholderText
        draw_state(painter, box, _STATES[state], palette.color(role))

    def _draw_text(self, painter: QPainter, place: int, left: float, room: float) -> None:
        sketch, box = self._sketch, self._sketch.boxes[place]
        node = sketch.picture.spots[place].node
        state = None if node == NOBODY else sketch.looks.states[node]
        font = sketch.font
        if state is NodeState.RETIRED:
            font = QFont(font)
            font.setStrikeOut(True)
        lines = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
        painter.setFont(font)
        painter.setPen(sketch.palette.color(_Role.Text))
        first = QRectF(left, box.top() + _PAD, room, box.height() / 2)
        painter.drawText(first, int(lines), sketch.text(place, is_second=False, width=room))
        painter.setFont(sketch.small)
        painter.setPen(sketch.palette.color(_Role.PlaceholderText))
        second = QRectF(left, box.center().y(), room, box.height() / 2 - _PAD + 2)
        bottom = Qt.AlignmentFlag.AlignBottom | lines
        painter.drawText(second, int(bottom), sketch.text(place, is_second=True, width=room))
