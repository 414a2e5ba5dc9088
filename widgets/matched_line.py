"""Painting one line of text in a box, elided between whole characters, with places marked in it."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from widgets.line_spans import ShownSpans, utf16_length
from widgets.text_marks import reads_from_right


def draw_elided(painter: QPainter, box: QRect, text: str, metrics: QFontMetrics) -> None:
    """Draw one line, cut with an ellipsis between whole characters as read (graphemes)."""
    if box.width() <= 0:
        return
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
    if reads_from_right(text):
        flags |= int(Qt.TextFlag.TextForceRightToLeft)
    painter.drawText(box, flags, shown)


def draw_matched(
    painter: QPainter,
    box: QRect,
    text: str,
    spans: ShownSpans,
    metrics: QFontMetrics,
    colours: tuple[QColor, QColor],
) -> None:
    """Draw one line as `draw_elided` does, `spans` in `colours` (text, ground) and underlined."""
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    kept = utf16_length(shown) - (shown != text)
    inside = [(start, min(length, kept - start)) for start, length in spans if start < kept]
    if not inside or box.width() <= 0:
        draw_elided(painter, box, text, metrics)
        return
    layout = QTextLayout(shown, painter.font(), painter.device())
    from_right = reads_from_right(text)
    side = Qt.AlignmentFlag.AlignRight if from_right else Qt.AlignmentFlag.AlignLeft
    option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
    )
    layout.setTextOption(option)
    layout.setFormats(_ranges(inside, colours))
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(box.width())
    layout.endLayout()
    top = box.y() + (box.height() - line.height()) / 2
    layout.draw(painter, QPointF(box.x(), top))


def _ranges(
    spans: Sequence[tuple[int, int]], colours: tuple[QColor, QColor]
) -> list[QTextLayout.FormatRange]:
    form = QTextCharFormat()
    form.setForeground(colours[0])
    form.setBackground(colours[1])
    form.setFontUnderline(True)
    ranges: list[QTextLayout.FormatRange] = []
    for start, length in spans:
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = start, length, form
        ranges.append(found)
    return ranges
