"""A label of a few wrapped lines: what does not fit ends in an ellipsis, never inside a line."""

from typing import override

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

_LEAST_LETTERS = 6


class FewLinesLabel(QLabel):
    """Plain text on at most `most_lines` lines, fewer where there is less room."""

    def __init__(self, most_lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most_lines = most_lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def set_most_lines(self, most_lines: int) -> None:
        """Show at most this many lines from now on."""
        if most_lines != self._most_lines:
            self._most_lines = most_lines
            self.updateGeometry()
            self.update()

    def shown_lines(self) -> list[str]:
        """Return the lines as they are drawn in the room there is."""
        metrics, box = self.fontMetrics(), self.contentsRect()
        room = max(1, min(self._most_lines, box.height() // max(1, metrics.height())))
        starts = self._starts(box.width())
        text = self.text()
        ends = [*starts[1:], len(text)]
        lines = [text[a:b].rstrip() for a, b in zip(starts, ends, strict=True)]
        if len(lines) <= room:
            return lines
        rest = text[starts[room - 1] :]
        cut = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, box.width())
        return [*lines[: room - 1], cut]

    def _starts(self, width: int) -> list[int]:
        """Return where each line begins when the text is wrapped at a width."""
        layout = QTextLayout(self.text(), self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        starts: list[int] = []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            starts.append(line.textStart())
        layout.endLayout()
        return starts or [0]

    @override
    def heightForWidth(self, width: int) -> int:
        lines = min(self._most_lines, len(self._starts(width)))
        return lines * self.fontMetrics().height()

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(_LEAST_LETTERS * metrics.averageCharWidth(), metrics.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        metrics, box = self.fontMetrics(), self.contentsRect()
        lines = self.shown_lines()
        top = box.top() + max(0, (box.height() - len(lines) * metrics.height()) // 2)
        for number, line in enumerate(lines):
            baseline = top + number * metrics.height() + metrics.ascent()
            painter.drawText(QPointF(box.left(), baseline), line)
        painter.end()


def padded(label: FewLinesLabel, edge: int) -> QHBoxLayout:
    """Return a layout that keeps a label off the sides: its own margins would cost it lines."""
    row = QHBoxLayout()
    row.setContentsMargins(edge, 0, edge, 0)
    row.addWidget(label, 1)
    return row
