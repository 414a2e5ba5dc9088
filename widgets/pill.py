"""The pill over a list: rows have come that are not shown yet. A click, or Home, brings them in."""

from typing import override

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from widgets.texts import grouped

_PAD_X, _PAD_Y = 14, 5
_FROM_TOP = 8


def pill_words(number: int) -> str:
    """Say how many rows are new: '4 new'."""
    return f"{grouped(number)} new"


class NewRowsPill(QAbstractButton):
    """Float at the top of `over`, in the middle; hidden while nothing is new."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        over.installEventFilter(self)
        self.hide()

    def set_number(self, number: int) -> None:
        """Say how many rows are new; hide at none."""
        self.setText(pill_words(number))
        words = f"{pill_words(number)}: show them (Home)"
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.setVisible(number > 0)
        self._place()

    def _place(self) -> None:
        self.resize(self.sizeHint())
        self.move((self._over.width() - self.width()) // 2, _FROM_TOP)
        self.raise_()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * _PAD_X
        return QSize(width, metrics.height() + 2 * _PAD_Y)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        role = QPalette.ColorRole
        ring = role.HighlightedText if self.hasFocus() else role.Highlight
        painter.setPen(QPen(palette.color(ring), 1.5))
        painter.setBrush(palette.color(QPalette.ColorRole.Highlight))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        font = self.font()
        font.setUnderline(self.underMouse() or self.hasFocus())
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.HighlightedText))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        painter.end()
