"""Painting a row of the ranked list: the position before the state mark, the bar at the end."""

from typing import override

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from widgets.row_content import RowContent
from widgets.row_delegate import GAP, RowColours, RowDelegate, draw_elided
from widgets.row_marks import draw_bar

_BAR_WIDTH = 46
_BAR_HEIGHT = 4
_USUAL_RANKS = "words #00 · meaning #00"


class HitDelegate(RowDelegate):
    """Paint position, marks and gist; ranks in both arms, replacement and relative bar below."""

    @override
    def paint_content(
        self, painter: QPainter, box: QRect, content: RowContent, font: QFont, colours: RowColours
    ) -> None:
        metrics = QFontMetrics(font)
        width = metrics.horizontalAdvance("000")
        place = QRect(box.x(), box.y(), width, metrics.height())
        painter.setFont(font)
        painter.setPen(colours.muted)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags), str(content.position))
        box = box.adjusted(width + GAP, 0, 0, 0)
        super().paint_content(painter, box, content, font, colours)

    @override
    def paint_second_line(
        self,
        painter: QPainter,
        box: QRect,
        content: RowContent,
        metrics: QFontMetrics,
        colours: RowColours,
    ) -> None:
        bar = QRectF(
            box.right() + 1 - _BAR_WIDTH,
            box.center().y() - _BAR_HEIGHT / 2,
            _BAR_WIDTH,
            _BAR_HEIGHT,
        )
        draw_bar(painter, bar, content.share or 0.0, colours.fill, colours.track)
        box = box.adjusted(0, 0, -_BAR_WIDTH - GAP, 0)
        painter.setPen(colours.muted)
        draw_elided(painter, box, content.detail, metrics)
        column = max(map(metrics.horizontalAdvance, (_USUAL_RANKS, content.detail)))
        box = box.adjusted(column + GAP, 0, 0, 0)
        draw_elided(painter, box, content.aside, metrics)
