"""The licences of all that is shipped: a list that a search narrows, and the text of one part."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.licences import Licensed
from widgets.plain import muted, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.texts import counted
from widgets.theme import fixed_font

_SIZE = (820, 560)
_LIST_SHARE = (260, 560)


class LicencesDialog(QDialog):
    """Show parts of the program; the search looks through names, licences and texts."""

    def __init__(self, parent: QWidget, parts: Sequence[Licensed]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Licences of all that is shipped")
        self._parts = tuple(parts)
        self._shown: list[Licensed] = []
        self.box = QLineEdit()
        self.box.setPlaceholderText("Search names, licences and texts")
        self.box.setAccessibleName("Search the licences")
        self.box.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Parts of the program")
        make_roomy(self.list)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("Licence text")
        self.text.setFont(fixed_font(self.font()))
        self.count = muted(plain_label())
        self._lay_out()
        self.box.textChanged.connect(lambda _text: self._narrow())
        self.list.currentRowChanged.connect(self._show)
        self.resize(*_SIZE)
        self._narrow()
        self.box.setFocus()

    def _lay_out(self) -> None:
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.addWidget(self.list)
        panes.addWidget(self.text)
        panes.setSizes(list(_LIST_SHARE))
        panes.setChildrenCollapsible(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        for widget in (self.box, panes, self.count, buttons):
            column.addWidget(widget)
        column.setStretchFactor(panes, 1)

    def _narrow(self) -> None:
        """List the parts that hold what is searched, and go to it in the text of the first."""
        wanted = self.box.text().casefold()
        self._shown = [part for part in self._parts if wanted in part.whole.casefold()]
        self.list.blockSignals(True)
        self.list.clear()
        for part in self._shown:
            self.list.addItem(QListWidgetItem(f"{part.title} · {part.licence}"))
        self.list.blockSignals(False)
        total = counted(len(self._parts), "part")
        self.count.setText(f"{len(self._shown)} of {total}" if wanted else total)
        self.list.setCurrentRow(0 if self._shown else -1)
        self._show(self.list.currentRow())

    def _show(self, row: int) -> None:
        self.text.setPlainText(self._shown[row].whole if row >= 0 else "")
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        if self.box.text() and self.text.find(self.box.text()):
            self.text.centerCursor()
