"""An area as high as its content needs, but never more than a share of what it stands in."""

from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget


class _Content(QWidget):
    """A widget that says when what is in it needs another height."""

    laid_out = Signal()

    @override
    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.laid_out.emit()
        return is_done


class FittedArea(QScrollArea):
    """Hold `column`; scroll what would take more than `share` of the parent's height.

    The parent calls `fit` when its own size changes.
    """

    def __init__(self, share: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = share
        content = _Content()
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content.laid_out.connect(self.fit)

    def add_text(self, label: QLabel) -> None:
        """Add a label that wraps; it is as high as its text is at the width it gets."""
        label.setWordWrap(True)
        # Where it is given more height than its text, what is seen of it is the text.
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.column.addWidget(label)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def fit(self) -> None:
        """Take the height that the content needs at this width."""
        parent = self.parentWidget()
        if parent is not None:
            width = max(1, self.viewport().width())
            wanted = self.column.totalHeightForWidth(width)
            if wanted < 0:  # nothing in it depends on the width
                wanted = self.column.totalSizeHint().height()
            self.setFixedHeight(max(1, min(wanted, int(parent.height() * self._share))))
