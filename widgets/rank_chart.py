"""A chart of places over rrf_k, painted: lines with numbers at their ends, crossings as rings.

Left and Right step through the crossings; nothing is said by colour alone. What it shows is made
in widgets/rank_content.
"""

import math
from typing import override

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.matched_line import draw_elided
from widgets.rank_content import (
    LINE_COLOURS,
    RankContent,
    RankCrossing,
    RankLine,
    label_tops,
    meeting_point,
)
from widgets.theme import Scheme, is_dark, small_font

_LEAST = QSize(280, 150)
_USUAL = QSize(420, 200)
_EDGE = 10
_LABEL_SHARE = 0.32
_MOST_LABEL = 210
_MOST_PLACES = 16
_TICKS = (1, 10, 100, 1000)
_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_MIDDLE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
_REACH = 8.0
_LEAST_LINES = 3
_TOO_LOW = "Too low to draw: make it higher, or see it as a table."


class RankChart(QWidget):
    """Draw a RankContent. `crossing_changed` tells of another one; `k_wanted` carries an rrf_k."""

    crossing_changed = Signal()
    k_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = RankContent((), (), (), 60)
        self._at: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Chart of ranks over rrf_k")
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._describe(is_news=False)

    @override
    def minimumSizeHint(self) -> QSize:
        return _LEAST

    @override
    def sizeHint(self) -> QSize:
        return _USUAL

    def show_content(self, content: RankContent) -> None:
        """Draw this; the crossing stepped to stays while it is still there."""
        old = self.crossing()
        self._content = content
        same = [
            at
            for at, found in enumerate(content.crossings)
            if old is not None
            and (found.upper.uuid, found.lower.uuid) == (old.upper.uuid, old.lower.uuid)
        ]
        self._at = same[0] if same else None
        self._describe(is_news=False)
        self.update()

    def crossing(self) -> RankCrossing | None:
        """Return the crossing stepped to, or None."""
        return None if self._at is None else self._content.crossings[self._at]

    @property
    def has_crossings(self) -> bool:
        """Tell whether there is anything to step through."""
        return bool(self._content.crossings)

    def words(self) -> str:
        """Return what is said of the chart: the crossing stepped to, or the whole."""
        if self._at is None:
            return self._content.summary()
        return self._content.crossing_words(self._at)

    def _go_to(self, at: int) -> None:
        count = len(self._content.crossings)
        if count:
            self._at = max(0, min(count - 1, at))
            self._describe(is_news=True)
            self.update()

    def _describe(self, *, is_news: bool) -> None:
        self.setAccessibleDescription(self.words())
        self.crossing_changed.emit()
        if is_news and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._content.crossings) - 1
        at = self._at
        match event.key():
            case Qt.Key.Key_Right:
                self._go_to(self._next_after_k() if at is None else at + 1)
            case Qt.Key.Key_Left:
                self._go_to(self._next_after_k() - 1 if at is None else at - 1)
            case Qt.Key.Key_Home:
                self._go_to(0)
            case Qt.Key.Key_End:
                self._go_to(last)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if at is not None:
                self.k_wanted.emit(self._content.crossings[at].rrf_k)
            case _:
                super().keyPressEvent(event)

    def _next_after_k(self) -> int:
        """Return the first crossing beyond the k in force."""
        ks = [crossing.rrf_k for crossing in self._content.crossings]
        return sum(k <= self._content.current_k for k in ks)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        spots = [self._spot(crossing) for crossing in self._content.crossings]
        near = [
            (math.dist(spot.toTuple(), event.position().toTuple()), at)
            for at, spot in enumerate(spots)
        ]
        if near and min(near)[0] <= _REACH:
            self._go_to(min(near)[1])

    # Where things are

    def _plot(self) -> QRectF:
        label = min(_MOST_LABEL, int(self.width() * _LABEL_SHARE))
        metrics = QFontMetrics(small_font(self.font()))
        left = _EDGE + metrics.horizontalAdvance("00") + _EDGE
        height = metrics.height()
        return QRectF(self.rect()).adjusted(left, height + 4, -label - _EDGE, -height - 8)

    def _places(self) -> int:
        return max(2, min(self._content.lowest, _MOST_PLACES))

    def _x(self, rrf_k: float) -> float:
        plot = self._plot()
        return plot.left() + plot.width() * math.log10(max(1.0, rrf_k)) / 3

    def _y(self, place: float) -> float:
        plot, places = self._plot(), self._places()
        return plot.top() + plot.height() * (min(place, places + 0.4) - 1) / (places - 0.6)

    def _spot(self, crossing: RankCrossing) -> QPointF:
        rrf_k, place = meeting_point(self._content.rrf_ks, crossing)
        return QPointF(self._x(rrf_k), self._y(place))

    # Painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self.font()))
        if self._plot().height() < _LEAST_LINES * painter.fontMetrics().height():
            painter.drawText(self.rect(), int(_MIDDLE), _TOO_LOW)
            painter.end()
            return
        self._paint_axes(painter)
        scheme = Scheme.DARK if is_dark(self.palette()) else Scheme.LIGHT
        colours = [QColor(name) for name in LINE_COLOURS[scheme]]
        self._paint_current(painter)
        for place, line in enumerate(self._content.lines):
            self._paint_line(painter, line, place, colours[place % len(colours)])
        self._paint_labels(painter, colours)
        self._paint_crossings(painter)
        if self.hasFocus():
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_axes(self, painter: QPainter) -> None:
        plot, metrics = self._plot(), painter.fontMetrics()
        grid = self.palette().color(QPalette.ColorRole.Midlight)
        muted = self.palette().color(QPalette.ColorRole.PlaceholderText)
        for k in _TICKS:
            x = self._x(k)
            painter.setPen(QPen(grid, 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(muted)
            words = f"rrf_k {k}" if k == 1 else str(k)
            width = metrics.horizontalAdvance(words)
            # The last one ends where the lines do: what leads to their names begins there.
            before = {_TICKS[0]: 0.0, _TICKS[-1]: float(width)}.get(k, width / 2)
            painter.drawText(QPointF(x - before, self.height() - 6), words)
        step = 1 if self._places() <= plot.height() / metrics.height() else 5
        for place in range(1, self._places() + 1, step):
            painter.drawText(QPointF(_EDGE, self._y(place) + metrics.ascent() / 2 - 1), str(place))

    def _paint_current(self, painter: QPainter) -> None:
        plot, x = self._plot(), self._x(self._content.current_k)
        accent = self.palette().color(QPalette.ColorRole.Accent)
        painter.setPen(QPen(accent, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, plot.top() - 2), QPointF(x, plot.bottom()))
        words = f"k = {self._content.current_k}"
        width = painter.fontMetrics().horizontalAdvance(words)
        left = min(max(_EDGE, x - width / 2), self.width() - width - _EDGE)
        painter.drawText(QPointF(left, plot.top() - 6), words)

    def _paint_line(self, painter: QPainter, line: RankLine, at: int, colour: QColor) -> None:
        pen = QPen(colour, 2.2 if self._is_crossing(line) else 1.6, _DASHES[at % len(_DASHES)])
        painter.setPen(pen)
        painter.save()
        painter.setClipRect(self._plot().adjusted(-2, -8, 2, 4))
        points = [
            QPointF(self._x(k), self._y(place))
            for k, place in zip(self._content.rrf_ks, line.positions, strict=True)
            if place is not None
        ]
        painter.drawPolyline(QPolygonF(points))
        painter.restore()

    def _is_crossing(self, line: RankLine) -> bool:
        found = self.crossing()
        return found is not None and line.uuid in (found.upper.uuid, found.lower.uuid)

    def _paint_labels(self, painter: QPainter, colours: list[QColor]) -> None:
        """Write number and gist at the right ends, none over another."""
        plot, metrics = self._plot(), painter.fontMetrics()
        height = metrics.height()
        text = self.palette().color(QPalette.ColorRole.Text)
        ends = sorted(
            (self._y(line.positions[-1]), place, line)
            for place, line in enumerate(self._content.lines)
            if line.positions and line.positions[-1] is not None
        )
        ends = ends[: self.height() // height]  # the rest is in the table
        last = self.height() - height - 2  # inside the frame of the focus
        tops = label_tops([y - height / 2 for y, _, _ in ends], height, last)
        for top, (y, place, line) in zip(tops, ends, strict=True):
            left = plot.right() + 4
            painter.setPen(QPen(colours[place % len(colours)], 2, _DASHES[place % len(_DASHES)]))
            painter.drawLine(QPointF(left, y), QPointF(left + 8, top + height / 2))
            painter.setPen(text)
            box = QRect(int(left + 11), int(top), int(self.width() - left - 14), height)
            draw_elided(painter, box, f"{line.name} {line.gist}", metrics)

    def _paint_crossings(self, painter: QPainter) -> None:
        text = self.palette().color(QPalette.ColorRole.Text)
        ground = self.palette().color(QPalette.ColorRole.Base)
        for at, crossing in enumerate(self._content.crossings):
            if crossing.position > self._places():
                continue
            spot, is_chosen = self._spot(crossing), at == self._at
            painter.setPen(QPen(text, 1.4))
            painter.setBrush(text if is_chosen else ground)
            painter.drawEllipse(spot, 3.4, 3.4)
            if is_chosen:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(spot, 7.0, 7.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
