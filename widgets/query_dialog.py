"""Asking for one line of text: another query, say."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from widgets.plain import ElidedLabel, plain_label

_BOX_WIDTH = 420


class QueryDialog(QDialog):
    """Ask for a query to compare with another one; `query()` is read after it was accepted."""

    def __init__(self, parent: QWidget, title: str, prompt: str, query: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        first = ElidedLabel()
        first.set_line(query)
        self.box = QLineEdit(query)
        self.box.setMinimumWidth(_BOX_WIDTH)
        self.box.setAccessibleName(prompt)
        self.box.selectAll()
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.box.textChanged.connect(self._judge)
        column = QVBoxLayout(self)
        for widget in (first, plain_label(prompt), self.box, self._buttons):
            column.addWidget(widget)
        self._judge()

    def query(self) -> str:
        """Return the text."""
        return self.box.text()

    def _judge(self) -> None:
        button = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        button.setEnabled(bool(self.box.text().strip()))
