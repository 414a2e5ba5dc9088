"""The shapes in list rows: state, tier, warning and the relative bar. Shape says it, not colour."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen

from core.readmodels import State, Tier

MARK_SIZE = 14
_LINE = 1.4
_DOT = 4.0
_OF_LINE = 0.95


def mark_size(font: QFont) -> int:
    """Return the side of a mark beside text of this font, in logical pixels."""
    return max(MARK_SIZE, round(_OF_LINE * QFontMetrics(font).height()))


@contextmanager
def _drawn_in(painter: QPainter, box: QRectF, colour: QColor) -> Iterator[None]:
    """Draw around (0, 0) in a field of MARK_SIZE that fills the width of `box`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(colour))
    painter.translate(box.center())
    painter.scale(box.width() / MARK_SIZE, box.width() / MARK_SIZE)
    yield
    painter.restore()


def _pen(colour: QColor) -> QPen:
    pen = QPen(colour, _LINE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def draw_state(painter: QPainter, box: QRectF, state: State, colour: QColor) -> None:
    """Draw a filled dot (live), a hollow one with a corner arrow (replaced) or struck (retired)."""
    with _drawn_in(painter, box, colour):
        if state is State.LIVE:
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(0, 0), _DOT - 0.7, _DOT - 0.7)
        elif state is State.SUPERSEDED:
            _draw_replaced(painter)
        else:
            painter.drawEllipse(QPointF(0, 0), _DOT, _DOT)
            painter.drawLine(QPointF(-5.6, 5.6), QPointF(5.6, -5.6))


def _draw_replaced(painter: QPainter) -> None:
    painter.drawEllipse(QPointF(-2.4, 2.2), 3.4, 3.4)
    path = QPainterPath(QPointF(-1.0, -5.0))
    path.lineTo(QPointF(4.6, -5.0))
    path.lineTo(QPointF(4.6, 3.0))
    path.moveTo(QPointF(2.5, 1.0))
    path.lineTo(QPointF(4.6, 3.4))
    path.lineTo(QPointF(6.7, 1.0))
    painter.drawPath(path)


def draw_tier(painter: QPainter, box: QRectF, tier: str, colour: QColor) -> None:
    """Draw a bookmark: filled for a long-term memory, hollow for a journal entry."""
    path = QPainterPath(QPointF(-3.5, -5.0))
    for x, y in ((3.5, -5.0), (3.5, 5.0), (0.0, 2.0), (-3.5, 5.0)):
        path.lineTo(QPointF(x, y))
    path.closeSubpath()
    with _drawn_in(painter, box, colour):
        if tier == Tier.LONG_TERM:
            painter.setBrush(colour)
        painter.drawPath(path)


def draw_warning(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """Draw a warning triangle with its exclamation mark."""
    path = QPainterPath(QPointF(0, -5.2))
    path.lineTo(QPointF(5.6, 4.8))
    path.lineTo(QPointF(-5.6, 4.8))
    path.closeSubpath()
    with _drawn_in(painter, box, colour):
        painter.drawPath(path)
        painter.drawLine(QPointF(0, -1.6), QPointF(0, 1.2))
        painter.drawPoint(QPointF(0, 3.1))


def draw_bar(painter: QPainter, box: QRectF, share: float, fill: QColor, track: QColor) -> None:
    """Draw a bar filled to `share` (0..1) of its width; a share above 0 always shows."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    radius = box.height() / 2
    painter.setBrush(track)
    painter.drawRoundedRect(box, radius, radius)
    width = box.width() * min(1.0, max(0.0, share))
    if width > 0:
        painter.setBrush(fill)
        filled = QRectF(box.topLeft(), box.bottomLeft() + QPointF(max(width, box.height()), 0))
        painter.drawRoundedRect(filled, radius, radius)
    painter.restore()
