"""What every page is that stands in place of the lists until a list is asked for again."""

from typing import override

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget


class BrowsingPage(QWidget):
    """A page that is read while it can be seen; subclasses say what takes the keyboard."""

    became_visible = Signal()

    def focus_target(self) -> QWidget:
        """Return what takes the keyboard."""
        raise NotImplementedError

    def panes(self) -> tuple[QWidget, ...]:
        """Return what F6 goes through."""
        return (self.focus_target(),)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()
