"""The lineage as a list with lanes, like a commit log: a row is painted when it is seen."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPen,
)
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.lineage.folding import FoldKey
from core.lineage.forest import NOBODY, NodeState
from core.lineage.layout import Picture
from core.readmodels import State
from widgets.lineage_content import (
    LineageContent,
    Looks,
    fold_words,
    folds_at,
    gist_of,
    spoken,
    state_of,
)
from widgets.lineage_lanes import LaneRow
from widgets.matched_line import draw_elided
from widgets.row_delegate import EDGE, GAP, PADDING, RowColours, row_height
from widgets.row_marks import draw_state, draw_warning, mark_size
from widgets.text_marks import one_line
from widgets.texts import minute, stub
from widgets.theme import small_font

_ROOT = QModelIndex()
_LANE = 18
_MOST_LANES = 10
_STATES = {
    NodeState.LIVE: State.LIVE,
    NodeState.SUPERSEDED: State.SUPERSEDED,
    NodeState.RETIRED: State.RETIRED,
}
_Index = QModelIndex | QPersistentModelIndex


class LaneModel(QAbstractListModel):
    """The rows of a picture; their words are made when they are asked for."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[LaneRow] = ()
        self.content: LineageContent | None = None
        self.picture: Picture | None = None
        self.looks = Looks(())
        self._row_of: dict[int, int] = {}

    def show_rows(
        self,
        content: LineageContent | None,
        picture: Picture | None,
        looks: Looks,
        rows: Sequence[LaneRow],
    ) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.content, self.picture, self.looks, self.rows = content, picture, looks, rows
        self._row_of = {row.spot: number for number, row in enumerate(rows)}
        self.endResetModel()

    def set_looks(self, looks: Looks) -> None:
        """Dim and place in time."""
        self.looks = looks
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def row_of(self, node: int) -> int | None:
        """Return the row of a node, or of the fold that hides it."""
        spot = None if self.picture is None else self.picture.spot_of.get(node)
        return None if spot is None else self._row_of.get(spot)

    def node_at(self, row: int) -> int:
        """Return the node of a row, NOBODY for a fold."""
        return NOBODY if self.picture is None else self.picture.spots[self.rows[row].spot].node

    @override
    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.content is None or self.picture is None:
            return None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        spot = self.picture.spots[self.rows[index.row()].spot]
        if spot.fold is not None:
            return f"{fold_words(spot.fold)}, Space unfolds them"
        if role == Qt.ItemDataRole.DisplayRole:
            return gist_of(self.content.forest, spot.node)
        return spoken(self.content, spot.node)


class LaneDelegate(QStyledItemDelegate):
    """Paint lanes, mark, gist, and below it state, date and who."""

    def __init__(self, model: LaneModel) -> None:
        super().__init__(model)
        self._model = model

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, row_height(option.font))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = self._model
        if model.picture is None or model.content is None:
            return
        colours = RowColours.of(option)
        painter.save()
        painter.setClipRect(option.rect)
        if colours.ground is not None:
            painter.fillRect(option.rect, colours.ground)
        row = model.rows[index.row()]
        node = model.picture.spots[row.spot].node
        if node in model.looks.dimmed or node in model.looks.absent:
            painter.setOpacity(0.4)
        self._paint_lanes(painter, option.rect, row, colours.muted)
        self._paint_row(painter, option.rect, row, option.font, colours)
        painter.restore()

    def _paint_lanes(self, painter: QPainter, box: QRect, row: LaneRow, colour: QColor) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1.4))
        top, middle, bottom = box.top(), box.center().y(), box.bottom() + 1
        for lane in row.through[:_MOST_LANES]:
            painter.drawLine(QPointF(_x(lane), top), QPointF(_x(lane), bottom))
        x, gap = _x(row.lane), mark_size(painter.font()) / 2
        if row.goes_up:
            painter.drawLine(QPointF(x, top), QPointF(x, middle - gap))
        if row.goes_down:
            painter.drawLine(QPointF(x, middle + gap), QPointF(x, bottom))
        if row.branches:
            path = QPainterPath(QPointF(_x(row.lane - 1), top))
            path.quadTo(QPointF(_x(row.lane - 1), middle), QPointF(x - gap, middle))
            painter.drawPath(path)

    def _paint_row(
        self, painter: QPainter, rect: QRect, row: LaneRow, font: QFont, colours: RowColours
    ) -> None:
        model = self._model
        assert model.picture is not None and model.content is not None
        spot, side = model.picture.spots[row.spot], mark_size(font)
        state = None if spot.node == NOBODY else model.looks.states[spot.node]
        mark = QRectF(_x(row.lane) - side / 2, rect.center().y() - side / 2, side, side)
        if state in _STATES:
            is_live = state is NodeState.LIVE
            draw_state(painter, mark, _STATES[state], colours.mark if is_live else colours.muted)
        else:
            painter.setPen(colours.text)
            sign = "…" if spot.node == NOBODY else "?"
            painter.drawText(mark, int(Qt.AlignmentFlag.AlignCenter), sign)
        left = int(mark.right()) + GAP
        box = QRect(left, rect.top() + PADDING, rect.right() - EDGE - left, rect.height())
        if spot.node in model.content.marks:
            corner = QRectF(box.right() - side, box.top(), side, side)
            draw_warning(painter, corner, colours.text)
            box.setRight(int(corner.left()) - GAP)
        self._paint_text(painter, box, spot.node, state, row, font, colours)

    def _paint_text(
        self,
        painter: QPainter,
        box: QRect,
        node: int,
        state: NodeState | None,
        row: LaneRow,
        font: QFont,
        colours: RowColours,
    ) -> None:
        line = QFont(font)
        line.setStrikeOut(state is NodeState.RETIRED)
        painter.setFont(line)
        painter.setPen(colours.text if state is NodeState.LIVE else colours.muted)
        metrics = QFontMetrics(line)
        first = QRect(box.x(), box.y(), box.width(), metrics.height())
        draw_elided(painter, first, *self._words(row, node, state)[:1], metrics)
        small = small_font(font)
        painter.setFont(small)
        painter.setPen(colours.muted)
        below = QRect(box.x(), first.bottom() + 4, box.width(), QFontMetrics(small).height())
        draw_elided(painter, below, self._words(row, node, state)[1], QFontMetrics(small))

    def _words(self, row: LaneRow, node: int, state: NodeState | None) -> tuple[str, str]:
        model = self._model
        assert model.picture is not None and model.content is not None
        fold = model.picture.spots[row.spot].fold
        if fold is not None:
            return fold_words(fold), "Space unfolds them"
        found = model.content.forest.nodes[node]
        words = state_of(state)
        if node in model.looks.absent:
            words = "not there yet"
        parts = [words, minute(found.created_at) if found.created_at else ""]
        parts.append(f"session {one_line(found.session_id, 40)}" if found.session_id else "")
        parts.append(stub(found.uuid))
        return gist_of(model.content.forest, node), " · ".join(p for p in parts if p)


def _x(lane: int) -> float:
    return EDGE + _LANE / 2 + min(lane, _MOST_LANES) * _LANE


class LineageList(QListView):
    """Show the rows. The signals are those of the picture."""

    node_chosen = Signal(int)
    node_opened = Signal(int)
    fold_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lanes = LaneModel(self)
        self._is_told = False
        self.unfolded: frozenset[FoldKey] = frozenset()
        self.setModel(self.lanes)
        self.setItemDelegate(LaneDelegate(self.lanes))
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(500)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Lineage as a list")
        self.doubleClicked.connect(lambda index: self._open(index.row()))

    def select(self, node: int | None) -> None:
        """Select a node, or the fold that hides it, without saying so."""
        row = None if node is None else self.lanes.row_of(node)
        self._is_told = True
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(_ROOT)
        elif self.currentIndex().row() != row:
            self.setCurrentIndex(self.lanes.index(row))
            self.scrollTo(self.lanes.index(row))
        self._is_told = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._is_told = True  # Qt goes to the first row; nobody asked for that memory
        super().focusInEvent(event)
        self._is_told = False

    @override
    def currentChanged(self, current: _Index, previous: _Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._is_told:
            node = self.lanes.node_at(current.row())
            if node != NOBODY:
                self.node_chosen.emit(node)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if row >= 0:
                self._open(row)
            case Qt.Key.Key_Space if row >= 0:
                self._toggle_fold(row)
            case _:
                super().keyPressEvent(event)

    def _open(self, row: int) -> None:
        node = self.lanes.node_at(row)
        if node == NOBODY:
            self._toggle_fold(row)
        else:
            self.node_opened.emit(node)

    def _toggle_fold(self, row: int) -> None:
        model = self.lanes
        if model.picture is None or model.content is None:
            return
        spot = model.picture.spots[model.rows[row].spot]
        if spot.fold is not None:
            self.fold_wanted.emit(spot.fold.key)
        elif key := folds_at(model.content.forest, spot.node, self.unfolded):
            self.fold_wanted.emit(key)
