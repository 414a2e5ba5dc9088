"""The layout of plain text in which each paragraph stands on the side it is read from.

Qt gives each paragraph its own direction, but puts all of them to the left.
"""

from typing import override

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout


class ParagraphLayout(QPlainTextDocumentLayout):
    """Move the lines of paragraphs that are read from the right to the right edge."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.is_needed = False
        """Whether any paragraph may be read from the right."""

    @override
    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        box = super().blockBoundingRect(block)  # this is what lays the lines out
        if self.is_needed and block.textDirection() is Qt.LayoutDirection.RightToLeft:
            _move_right(block)
        return box


def _move_right(block: QTextBlock) -> None:
    layout = block.layout()
    margin = block.document().documentMargin()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        x = margin + max(0.0, line.width() - line.naturalTextWidth())
        if abs(line.x() - x) > 0.5:
            line.setPosition(QPointF(x, line.y()))
