"""Small widgets of plain text: labels that guess no markup, elided ones, link-like buttons."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from widgets.text_marks import one_line, plain_tooltip, safe_tooltip
from widgets.theme import small_font

_LEAST_LINK = 110
_EDGE, _ABOVE = 10, 3


def plain_label(text: str = "", parent: QWidget | None = None) -> QLabel:
    """Return a label that shows its text as it is."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    return label


def muted[L: QLabel](label: L) -> L:
    """Make a label secondary: the palette's placeholder colour and a smaller font."""
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    label.setFont(small_font(label.font()))
    return label


def indented(widget: QWidget) -> QHBoxLayout:
    """Return a line with a widget as far from the edges as rows of lists are."""
    line = QHBoxLayout()
    line.setContentsMargins(_EDGE, _ABOVE, _EDGE, _ABOVE)
    line.addWidget(widget)
    return line


def line_between(parent: QWidget | None = None) -> QFrame:
    """Return a thin horizontal line."""
    line = QFrame(parent)
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFrameShadow(QFrame.Shadow.Plain)
    line.setForegroundRole(QPalette.ColorRole.Midlight)
    line.setFixedHeight(1)
    return line


def replace_widgets(layout: QBoxLayout, old: Sequence[QWidget], new: Sequence[QWidget]) -> None:
    """Put new widgets at the beginning of a layout in place of the old ones there."""
    for widget in old:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()
    for place, widget in enumerate(new):
        layout.insertWidget(place, widget)


def colour_handle(splitter: QSplitter) -> None:
    """Make the one-pixel handles of a splitter visible lines."""
    for place in range(1, splitter.count()):
        handle = splitter.handle(place)
        handle.setBackgroundRole(QPalette.ColorRole.Mid)
        handle.setAutoFillBackground(True)


class ElidedLabel(QLabel):
    """A label of one line that gives way to its neighbours; the whole text is in its tooltip."""

    def __init__(
        self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._mode = mode

    def set_line(self, text: str) -> None:
        """Show `text` on one line, with marks for what would not be seen."""
        self.setText(one_line(text) if text else "")
        self.setToolTip(plain_tooltip(text) if text else "")

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._mode, box.width())
        self.style().drawItemText(
            painter,
            box,
            int(self.alignment()),
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )
        painter.end()


class LinkButton(QAbstractButton):
    """A button that reads like a link; its text gives way to its neighbours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_line(self, text: str) -> None:
        """Show `text` on one line; spoken and in the tooltip whole."""
        self._show(one_line(text), plain_tooltip(text))

    def set_safe_line(self, line: str) -> None:
        """Show a line of ours in which hidden characters of stored texts are marks already."""
        self._show(line, safe_tooltip(line))

    def _show(self, line: str, tip: str) -> None:
        self.setText(line)
        self.setAccessibleName(line)
        self.setToolTip(tip)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height() + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), _LEAST_LINK), self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self.font()
        font.setUnderline(self.isEnabled() and (self.underMouse() or self.hasFocus()))
        painter.setFont(font)
        role = QPalette.ColorRole.Link if self.isEnabled() else QPalette.ColorRole.WindowText
        painter.setPen(self.palette().color(role))
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()
