"""A box to type into above a list to choose from: the frame of the palette and of quick open.

Typing stays in the box while the arrows move in the list; Enter or a click chooses.
"""

from typing import override

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QFrame,
    QVBoxLayout,
    QWidget,
)

from widgets.plain import muted, plain_label
from widgets.search_bar import SearchBox

_SIZE = (560, 420)
_FROM_TOP = 70
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class PickDialog(QDialog):
    """Hold the box and a list; subclasses fill the list and say what choosing does."""

    def __init__(self, title: str, view: QAbstractItemView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.box = SearchBox()
        self.box.setAccessibleName(title)
        self.view = view
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.hint = muted(plain_label())
        self.hint.setContentsMargins(2, 0, 2, 0)
        self.hint.setWordWrap(True)  # what cannot be done is said in a sentence
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        for widget in (self.box, view, self.hint):
            layout.addWidget(widget)
        self.box.installEventFilter(self)
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        self.resize(*_SIZE)

    def choose(self, index: QModelIndex) -> None:
        """Act on a row of the list."""
        raise NotImplementedError

    def present(self) -> None:
        """Show the dialog near the top of its window with the text selected."""
        parent = self.parentWidget()
        if parent is not None:
            left = (parent.width() - self.width()) // 2
            self.move(parent.mapToGlobal(QPoint(max(0, left), _FROM_TOP)))
        self.box.setFocus(Qt.FocusReason.PopupFocusReason)
        self.box.selectAll()
        self.open()

    def select_row(self, row: int) -> None:
        """Move to a row where there is one."""
        index = self.view.model().index(row, 0)
        if index.isValid():
            self.view.setCurrentIndex(index)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.box
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
        ):
            if event.key() in _MOVES:
                QApplication.sendEvent(self.view, event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.view.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and self.isVisible():  # a click may also count as activating
            self.choose(index)
