"""The head of a page: its buttons, which stores it is about, and what went wrong with it."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from widgets.few_lines_label import FewLinesLabel
from widgets.plain import ElidedLabel, muted
from widgets.slim_button import SlimButton


class PageHead(QWidget):
    """A row of buttons; below it the scope, and a state with a way to read again where that helps.

    `again` is named by what it does.
    """

    def __init__(self, again_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scope = muted(ElidedLabel())
        self.state = FewLinesLabel(6)
        self.again = SlimButton("Read again", again_name)
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        self._row.addStretch(1)
        self._below = QHBoxLayout()
        self._below.setSpacing(4)
        self._below.addWidget(self.scope)
        self._below.addStretch(1)
        said = QHBoxLayout()
        said.addWidget(self.state, 1)
        said.addWidget(self.again)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 10, 0)
        column.setSpacing(2)
        column.addLayout(self._row)
        column.addLayout(self._below)
        column.addLayout(said)

    def add(self, *widgets: QWidget) -> None:
        """Put widgets beside those that are there."""
        for widget in widgets:
            self._row.insertWidget(self._row.count() - 1, widget)

    def add_below(self, *widgets: QWidget) -> None:
        """Put widgets beside the scope, which gives way to them."""
        for widget in widgets:
            self._below.addWidget(widget)

    def set_scope(self, words: str) -> None:
        """Say which stores the page is about."""
        self.scope.set_line(words)

    def show_state(self, words: str, *, may_read: bool = False) -> None:
        """Say this, or nothing where all is well."""
        self.state.setText(words)
        self.state.setVisible(bool(words))
        self.again.setVisible(may_read)
