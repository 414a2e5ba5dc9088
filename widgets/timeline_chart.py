"""A histogram over time, painted: piled bars, one bin that the keys move over, a time marked.

Nothing is said by colour alone: kinds have patterns, the words of each bin are spoken.
"""

from bisect import bisect_left
from typing import override

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QBrush,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.audit.timeline import TimeBin
from widgets.rank_content import LINE_COLOURS
from widgets.theme import Scheme, is_dark, small_font
from widgets.timeline_content import (
    NOTHING_WRITTEN,
    Subject,
    TimelineContent,
    bin_name,
    moment_of,
    number_of,
)

_LEAST_WIDTH, _LEAST_PLOT = 240, 64
_USUAL = QSize(420, 200)
_EDGE = 10
_AROUND = 12
_LEAST_BAR, _MOST_BAR = 6.0, 44.0
_LEAST_HEIGHT = 2.0
_PAGE = 10
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -_PAGE,
    Qt.Key.Key_PageDown: _PAGE,
}
_ZOOMS = {Qt.Key.Key_Plus: -1, Qt.Key.Key_Equal: -1, Qt.Key.Key_Minus: 1}
_PATTERNS = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense5Pattern,
    Qt.BrushStyle.CrossPattern,
    Qt.BrushStyle.NoBrush,
)
_STATE_PATTERNS = {
    "live": Qt.BrushStyle.SolidPattern,
    "superseded": Qt.BrushStyle.NoBrush,
    "retired": Qt.BrushStyle.BDiagPattern,
}


def looks_of(subject: Subject, label: str, place: int, palette: QPalette) -> tuple[QColor, QBrush]:
    """Return outline and filling of a kind; `place` tells kinds of events apart."""
    if subject is Subject.MEMORIES:
        role = QPalette.ColorRole.Accent if label == "live" else QPalette.ColorRole.Text
        colour = palette.color(role)
        return colour, QBrush(colour, _STATE_PATTERNS.get(label, Qt.BrushStyle.NoBrush))
    names = LINE_COLOURS[Scheme.DARK if is_dark(palette) else Scheme.LIGHT]
    colour = QColor(names[place % len(names)])
    return colour, QBrush(colour, _PATTERNS[place % len(_PATTERNS)])


class TimelineChart(QWidget):
    """Draw a TimelineContent; `places` tells its kinds apart while some of them are left out.

    `rows_wanted` and `marked` carry the first and the last bin, `zoom_wanted` 1 for larger bins.
    """

    bin_changed = Signal()
    rows_wanted = Signal(int, int)
    marked = Signal(int, int)
    zoom_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content: TimelineContent | None = None
        self._places: dict[str, int] = {}
        self._numbers: list[int] = []
        self._at = 0
        self._from: int | None = None
        self._first = 0
        self._pressed = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Timeline as a chart")
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, _LEAST_PLOT + 2 * self.fontMetrics().height() + _AROUND)

    @override
    def sizeHint(self) -> QSize:
        return _USUAL

    # What is shown

    def show_content(self, content: TimelineContent | None, places: dict[str, int]) -> None:
        """Draw this; bin and mark stay where they are in time, else the last bin is gone to."""
        old, at, start = self.content, self._at, self._from
        here = None if old is None or not old.bins else old.bins[at]
        since = None if old is None or start is None else old.bins[start]
        self.content, self._places = content, places
        bins = () if content is None else content.bins
        size = None if content is None else content.timeline.size
        self._numbers = [] if size is None else [number_of(one.start, size) for one in bins]
        is_same = old is not None and content is not None and old.subject is content.subject
        self._at = self._bin_near(here) if here is not None and bins else max(0, len(bins) - 1)
        self._from = self._bin_near(since) if since is not None and bins and is_same else None
        self._describe(is_news=False)

    def _bin_near(self, one: TimeBin) -> int:
        starts = [] if self.content is None else [b.end for b in self.content.bins]
        return max(0, min(len(starts) - 1, bisect_left(starts, one.end)))

    @property
    def current(self) -> int | None:
        """Return the bin that the keys have come to."""
        return self._at if self._numbers else None

    @property
    def mark(self) -> tuple[int, int] | None:
        """Return the first and last bin marked."""
        if self._from is None or not self._numbers:
            return None
        return min(self._from, self._at), max(self._from, self._at)

    def words(self) -> str:
        """Return what is said of the chart: what is marked, else the bin that is come to."""
        if self.content is None or not self._numbers:
            return NOTHING_WRITTEN
        if self.mark is not None:
            return self.content.range_words(*self.mark)
        return self.content.bin_words(self._at)

    def go_to(self, at: int, *, marks: bool = False) -> None:
        """Come to a bin; the way to it is marked where wanted, else nothing is any more."""
        if not self._numbers:
            return
        if marks and self._from is None:
            self._from = self._at
        elif not marks:
            self._from = None
        self._at = max(0, min(len(self._numbers) - 1, at))
        self._describe(is_news=True)

    def clear_mark(self) -> None:
        """Mark no time."""
        self._from = None
        self._describe(is_news=True)

    def _describe(self, *, is_news: bool) -> None:
        self.setAccessibleDescription(self.words())
        self.bin_changed.emit()
        if is_news and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))
        self.update()

    # Keys and pointer

    @override
    def event(self, event: QEvent) -> bool:
        """Escape takes the mark back before it means anything to the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self._from is not None
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        marks = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._numbers) - 1}
        if key in _STEPS or key in ends:
            self.go_to(ends[key] if key in ends else self._at + _STEPS[key], marks=marks)
            if marks and self.mark is not None:
                self.marked.emit(*self.mark)
        elif key in _ZOOMS:
            self.zoom_wanted.emit(_ZOOMS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._numbers:
            self.rows_wanted.emit(*(self.mark or (self._at, self._at)))
        elif key == Qt.Key.Key_Escape and self._from is not None:
            self.clear_mark()
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._numbers:
            marks = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._pressed = True
            self.go_to(self._bin_at(event.position().x()), marks=marks)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._bin_at(event.position().x())
        if self._pressed and at != self._at:
            self.go_to(at, marks=True)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._pressed or event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = False
        if self.mark is not None:
            self.marked.emit(*self.mark)
        elif self._numbers:
            self.rows_wanted.emit(self._at, self._at)

    def _bin_at(self, x: float) -> int:
        """Return the bin nearest to a place across."""
        if not self._numbers:
            return 0
        first, _, width = self._window()
        number = first + int((x - self._plot().left()) // width)
        after = min(bisect_left(self._numbers, number), len(self._numbers) - 1)
        before = max(0, after - 1)
        is_before = abs(self._numbers[before] - number) < abs(self._numbers[after] - number)
        return before if is_before else after

    # Where things are

    def _plot(self) -> QRectF:
        height = self.fontMetrics().height()
        box = QRectF(self.rect())
        return box.adjusted(_EDGE, height + _AROUND / 3, -_EDGE, -height - _AROUND * 2 / 3)

    def _window(self) -> tuple[int, int, float]:
        """Return the first slot in view, how many there are, and how wide each is."""
        plot = self._plot()
        first, last = self._numbers[0], self._numbers[-1]
        all_slots = last - first + 1
        slots = max(1, min(all_slots, int(plot.width() / _LEAST_BAR)))
        here = self._numbers[self._at]
        if not self._first <= here < self._first + slots:  # turned over like a page
            self._first = here - slots // 2
        self._first = max(first, min(self._first, last - slots + 1))
        return self._first, slots, min(_MOST_BAR, max(1.0, plot.width()) / slots)

    # Painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(small_font(self.font()))
        content = self.content
        if content is None or not self._numbers:
            words = NOTHING_WRITTEN if content is not None else ""
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), words)
        else:
            self._paint_mark(painter)
            self._paint_axes(painter, content)
            first, slots, _ = self._window()
            begin = bisect_left(self._numbers, first)
            end = bisect_left(self._numbers, first + slots)
            for at in range(begin, end):
                self._paint_bar(painter, content, at)
            self._paint_current(painter)
        if self.hasFocus():
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _slot(self, at: int) -> QRectF:
        """Return the whole height of a bin's place."""
        first, _, width = self._window()
        plot = self._plot()
        left = plot.left() + (self._numbers[at] - first) * width
        return QRectF(left, plot.top(), width, plot.height())

    def _paint_mark(self, painter: QPainter) -> None:
        if self.mark is None:
            return
        begin, end = self.mark
        ground = self.palette().color(QPalette.ColorRole.Midlight)
        painter.save()
        painter.setClipRect(self._plot().adjusted(-2, 0, 2, 0))
        painter.fillRect(self._slot(begin).united(self._slot(end)), ground)
        painter.restore()

    def _paint_axes(self, painter: QPainter, content: TimelineContent) -> None:
        plot, metrics = self._plot(), painter.fontMetrics()
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        most = f"most: {content.highest:,}"
        is_left = self._slot(self._at).center().x() > plot.center().x()  # beside the pointer
        left = _EDGE if is_left else plot.right() - metrics.horizontalAdvance(most)
        painter.drawText(QPointF(left, metrics.ascent() + 2), most)
        first, slots, width = self._window()
        size = content.timeline.size
        free = 0.0
        for slot in range(slots):
            left = plot.left() + slot * width
            words = bin_name(moment_of(first + slot, size), size).removeprefix("week of ")
            wide = metrics.horizontalAdvance(words)
            if left >= free and left + wide <= plot.right() + _EDGE:
                painter.drawLine(QPointF(left, plot.bottom()), QPointF(left, plot.bottom() + 4))
                painter.drawText(QPointF(left, self.height() - 5), words)
                free = left + wide + 2 * _EDGE

    def _paint_bar(self, painter: QPainter, content: TimelineContent, at: int) -> None:
        slot, one = self._slot(at), content.bins[at]
        gap = 1.0 if slot.width() > 4 else 0.0
        whole = max(_LEAST_HEIGHT, slot.height() * one.total / max(1, content.highest))
        bottom, left = slot.bottom(), slot.left() + gap
        for label in content.labels:
            count = one.counts.get(label, 0)
            if not count:
                continue
            height = whole * count / one.total
            place = self._places.get(label, 0)
            colour, brush = looks_of(content.subject, label, place, self.palette())
            painter.setPen(QPen(colour, 1))
            painter.setBrush(brush)
            box = QRectF(left, bottom - height, max(1.0, slot.width() - 2 * gap), height)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, 0))
            bottom -= height

    def _paint_current(self, painter: QPainter) -> None:
        """Point at the bin that the keys have come to, from above and by a line."""
        slot = self._slot(self._at)
        text, x = self.palette().color(QPalette.ColorRole.Text), slot.center().x()
        painter.setPen(QPen(text, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, slot.top()), QPointF(x, slot.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(text)
        top = slot.top() - 8
        tip = QPointF(x, top + 7)
        painter.drawPolygon(QPolygonF([QPointF(x - 5, top), QPointF(x + 5, top), tip]))
