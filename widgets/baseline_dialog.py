"""The kept baselines to choose from: use one, compare one with today, forget one."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.text_marks import one_line, safe_tooltip

_SIZE = (460, 320)
_KEY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class BaselineEntry:
    """One baseline: its name (what it is known by), its query, and when with how many rows."""

    name: str
    query: str
    facts: str


class BaselineDialog(QDialog):
    """Choose a baseline; `chosen()` and `wants_comparison` are read after it was accepted."""

    forget_wanted = Signal(str)

    def __init__(self, parent: QWidget, entries: Sequence[BaselineEntry]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Baselines")
        self.wants_comparison = False
        self.list = QListWidget()
        self.list.setAccessibleName("Baselines")
        for entry in entries:
            self._add(entry)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.compare = _button(box, "&Compare with today")
        self.use = _button(box, "&Use")
        self.forget = _button(box, "&Forget")
        self.compare.setDefault(True)
        self.compare.clicked.connect(self._compare)
        self.use.clicked.connect(self.accept)
        self.forget.clicked.connect(self._forget)
        self.list.itemActivated.connect(self._compare)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.list)
        column.addWidget(box)
        self.list.setCurrentRow(0)
        self.resize(*_SIZE)

    def _add(self, entry: BaselineEntry) -> None:
        name, query = one_line(entry.name), one_line(entry.query)
        words = f"{name} · {entry.facts}" if name == query else f"{name} · {query} · {entry.facts}"
        item = QListWidgetItem(words)
        item.setToolTip(safe_tooltip(words))
        item.setData(_KEY, entry.name)
        self.list.addItem(item)

    def chosen(self) -> str:
        """Return the name of the chosen baseline, empty where there is none."""
        index = self.list.currentIndex()
        return str(index.data(_KEY)) if index.isValid() else ""

    def _compare(self) -> None:
        self.wants_comparison = True
        self.accept()

    def _forget(self) -> None:
        name = self.chosen()
        self.list.takeItem(self.list.currentRow())
        if name:
            self.forget_wanted.emit(name)
        if self.list.count() == 0:
            self.reject()


def _button(box: QDialogButtonBox, text: str) -> QPushButton:
    button = box.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
    button.setAutoDefault(False)
    return button
