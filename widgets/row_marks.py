"""The shapes in list rows: state, tier, warning and the relative bar. Shape says it, not colour."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from core.readmodels import State, Tier

MARK_SIZE = 14
_LINE = 1.4
_DOT = 4.0


def _pen(colour: QColor) -> QPen:
    pen = QPen(colour, _LINE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def draw_state(painter: QPainter, box: QRectF, state: State, colour: QColor) -> None:
    """Draw a filled dot (live), a hollow one with a corner arrow (replaced) or struck (retired)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(colour))
    middle = box.center()
    if state is State.LIVE:
        painter.setBrush(colour)
        painter.drawEllipse(middle, _DOT - 0.7, _DOT - 0.7)
    elif state is State.SUPERSEDED:
        _draw_replaced(painter, middle)
    else:
        painter.drawEllipse(middle, _DOT, _DOT)
        painter.drawLine(middle + QPointF(-5.6, 5.6), middle + QPointF(5.6, -5.6))
    painter.restore()


def _draw_replaced(painter: QPainter, middle: QPointF) -> None:
    painter.drawEllipse(middle + QPointF(-2.4, 2.2), 3.4, 3.4)
    path = QPainterPath(middle + QPointF(-1.0, -5.0))
    path.lineTo(middle + QPointF(4.6, -5.0))
    path.lineTo(middle + QPointF(4.6, 3.0))
    path.moveTo(middle + QPointF(2.5, 1.0))
    path.lineTo(middle + QPointF(4.6, 3.4))
    path.lineTo(middle + QPointF(6.7, 1.0))
    painter.drawPath(path)


def draw_tier(painter: QPainter, box: QRectF, tier: str, colour: QColor) -> None:
    """Draw a bookmark: filled for a long-term memory, hollow for a journal entry."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(colour))
    left, top = box.center().x() - 3.5, box.center().y() - 5
    path = QPainterPath(QPointF(left, top))
    for x, y in ((7.0, 0.0), (7.0, 10.0), (3.5, 7.0), (0.0, 10.0)):
        path.lineTo(QPointF(left + x, top + y))
    path.closeSubpath()
    if tier == Tier.LONG_TERM:
        painter.setBrush(colour)
    painter.drawPath(path)
    painter.restore()


def draw_warning(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """Draw a warning triangle with its exclamation mark."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(colour))
    middle = box.center()
    path = QPainterPath(middle + QPointF(0, -5.2))
    path.lineTo(middle + QPointF(5.6, 4.8))
    path.lineTo(middle + QPointF(-5.6, 4.8))
    path.closeSubpath()
    painter.drawPath(path)
    painter.drawLine(middle + QPointF(0, -1.6), middle + QPointF(0, 1.2))
    painter.drawPoint(middle + QPointF(0, 3.1))
    painter.restore()


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
