"""Painting a row of the ranked list: the position before the state mark, the bar at the end."""

from typing import override

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from widgets.matched_line import draw_elided
from widgets.row_content import Fold, RowContent, RowMove
from widgets.row_delegate import (
    EDGE,
    GAP,
    PADDING,
    PILL_EDGE,
    RowColours,
    RowDelegate,
    paint_badge,
    paint_pill,
)
from widgets.row_marks import draw_bar
from widgets.theme import small_font

_BAR_WIDTH = 46
_BAR_HEIGHT = 4
_IN_FOLD = 14
_USUAL_RANKS = "words #00 · meaning #00"


def fold_words(fold: Fold) -> str:
    """Return what a fold's button says: whether it is open, how many, which positions."""
    return f"{'▾' if fold.is_open else '▸'} {fold.words}"


def fold_box(row: QRect, font: QFont, fold: Fold) -> QRectF:
    """Return where a row paints its fold's button: at the end of its second line."""
    metrics = QFontMetrics(small_font(font))
    width = metrics.horizontalAdvance(fold_words(fold)) + 2 * PILL_EDGE
    right = row.right() - EDGE - _BAR_WIDTH - GAP
    height = metrics.height() + 2
    return QRectF(right - width + 1, row.bottom() - PADDING - height + 2, width, height)


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
        if content.move is not None:
            self._paint_move(painter, box, width, content.move, font, colours)
        indent = _IN_FOLD if content.is_in_fold else 0
        box = box.adjusted(width + GAP + indent, 0, 0, 0)
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
        if content.fold is not None:
            box = paint_pill(painter, box, fold_words(content.fold), metrics, colours)
        if content.grade is not None:
            box = paint_pill(painter, box, f"grade {content.grade}", metrics, colours)
        box = paint_badge(painter, box, content, metrics, colours)
        painter.setPen(colours.muted)
        draw_elided(painter, box, content.detail, metrics)
        column = max(map(metrics.horizontalAdvance, (_USUAL_RANKS, content.detail)))
        box = box.adjusted(column + GAP, 0, 0, 0)
        draw_elided(painter, box, content.aside, metrics)

    def _paint_move(
        self,
        painter: QPainter,
        box: QRect,
        width: int,
        move: RowMove,
        font: QFont,
        colours: RowColours,
    ) -> None:
        """Paint below the position how far the row has moved."""
        small = small_font(font)
        height = QFontMetrics(small).height()
        place = QRect(box.left() - EDGE + 1, box.bottom() + 1 - height, width + EDGE, height)
        painter.setFont(small)
        painter.setPen(colours.text)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags), move.words)
