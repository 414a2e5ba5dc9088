"""Asking for the name of something that is kept: a saved search, a baseline."""

from collections.abc import Collection

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.plain import ElidedLabel, muted, plain_label

_LONGEST = 100
_BOX_WIDTH = 340


class NameDialog(QDialog):
    """Ask for a name; `name()` is read after it was accepted.

    `taken` are the names that would be replaced, which is said before it happens; `noun` says
    what is kept.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        query: str,
        name: str,
        taken: Collection[str],
        noun: str = "search",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._taken = frozenset(taken)
        self._noun = noun
        self.box = QLineEdit(name)
        self.box.setMaxLength(_LONGEST)
        self.box.setMinimumWidth(_BOX_WIDTH)
        self.box.setAccessibleName(f"Name of the {noun}")
        self.box.selectAll()
        query_line = ElidedLabel()
        query_line.set_line(query)
        self._warning = muted(plain_label(" "))
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.box.textChanged.connect(self._judge)
        form = QFormLayout()
        form.addRow("&Name", self.box)
        form.addRow("Query", query_line)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self._warning)
        column.addWidget(self._buttons)
        self._judge()

    def name(self) -> str:
        """Return the name without white space around it."""
        return self.box.text().strip()

    def warning(self) -> str:
        """Return what is said below the name."""
        return self._warning.text().strip()

    def save_button(self) -> QPushButton:
        """Return the button that accepts."""
        return self._buttons.button(QDialogButtonBox.StandardButton.Save)

    def _judge(self) -> None:
        name = self.name()
        # A space keeps the line's height: the dialog must not jump while somebody types.
        replaces = name in self._taken
        warning = f"Replaces the saved {self._noun} of this name."
        self._warning.setText(warning if replaces else " ")
        self.save_button().setEnabled(any(c.isprintable() and not c.isspace() for c in name))
