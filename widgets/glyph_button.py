"""The buttons of the slim toolbar: one action each, a line glyph in the palette's colour."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import override

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

_SIDE = 28
_GLYPH = 16.0
_LINE = 1.6
_OF_LINE = 1.6


def _chevron(points: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))
    return path


def _back() -> QPainterPath:
    path = _chevron(((7.0, 3.0), (2.5, 8.0), (7.0, 13.0)))
    path.moveTo(2.5, 8.0)
    path.lineTo(13.5, 8.0)
    return path


def _forward() -> QPainterPath:
    path = _chevron(((9.0, 3.0), (13.5, 8.0), (9.0, 13.0)))
    path.moveTo(13.5, 8.0)
    path.lineTo(2.5, 8.0)
    return path


def _refresh() -> QPainterPath:
    path = QPainterPath()
    path.arcMoveTo(QRectF(2.5, 2.5, 11, 11), 40)
    path.arcTo(QRectF(2.5, 2.5, 11, 11), 40, 290)
    path.moveTo(8.6, 4.6)
    path.lineTo(12.4, 4.6)
    path.lineTo(12.4, 0.9)
    return path


def _sidebar() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(1.5, 2.5, 13, 11), 1.5, 1.5)
    path.moveTo(6.0, 2.5)
    path.lineTo(6.0, 13.5)
    return path


_GLYPHS: Mapping[str, QPainterPath] = MappingProxyType(
    {"back": _back(), "forward": _forward(), "refresh": _refresh(), "sidebar": _sidebar()}
)
GLYPHS = tuple(_GLYPHS)


class GlyphButton(QToolButton):
    """Trigger an action; enabled, checked and explained as the action is."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        """Take an action whose object name is one of GLYPHS."""
        super().__init__(parent)
        self._glyph = _GLYPHS[action.objectName()]
        self.setDefaultAction(action)
        self.setAccessibleName(action.text().replace("&", ""))
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        side = max(_SIDE, round(_OF_LINE * self.fontMetrics().height()))
        return QSize(side, side)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():  # the style shows it after a key only
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _LINE))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 3, 3)
        group = self.palette().currentColorGroup()
        pen = QPen(self.palette().color(group, self.foregroundRole()), _LINE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(self.width() / _SIDE, self.width() / _SIDE)
        painter.translate(-_GLYPH / 2, -_GLYPH / 2)
        painter.drawPath(self._glyph)
        painter.end()
