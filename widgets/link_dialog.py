"""Asking before an address from a stored text is opened: the whole target, nothing done yet."""

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from widgets.links import shown_target
from widgets.plain import plain_label
from widgets.stored_text_view import StoredTextView

_WIDTH = 460
_LINES = 5


class LinkDialog(QDialog):
    """Show the full target; accepted means open it."""

    def __init__(self, url: QUrl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open this address?")
        self.target = StoredTextView()
        self.target.setAccessibleName("Full address")
        self.target.set_stored(shown_target(url))
        self.target.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 12)
        where = f"It leads to {url.host(QUrl.ComponentFormattingOption.EncodeUnicode)}."
        self.where = plain_label(where if url.host() else "It writes an e-mail.")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.open_button = buttons.addButton("Open", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        layout = QVBoxLayout(self)
        layout.addWidget(plain_label("A stored text names this address. It opens outside Genizah:"))
        layout.addWidget(self.target)
        layout.addWidget(self.where)
        layout.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)
