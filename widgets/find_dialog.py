"""The stores found below a folder, to be chosen from while the search still goes on."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from widgets.find_content import FindLine, FindTally, end_words, progress_words
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.text_marks import plain_tooltip

_KEY = Qt.ItemDataRole.UserRole
_SIZE = (640, 420)
_WIDTH_LETTERS = 84


class FoundList(QListWidget):
    """The list; the theme draws the boxes of this class with an outline that can be seen."""


class FindDialog(QDialog):
    """A list with check boxes: Space checks, Enter opens what is checked.

    `chosen()` is read after it was accepted; `stop_wanted` ends the search and keeps the list.
    """

    stop_wanted = Signal()

    def __init__(self, parent: QWidget, folder: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find stores")
        self._lines: dict[str, FindLine] = {}
        self._items: dict[str, QListWidgetItem] = {}
        self._checked: set[str] = set()
        self._place = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._place.set_line(f"Below {folder}")
        self.list = FoundList()
        self.progress = muted(plain_label())
        self.progress.setWordWrap(True)
        self.stop = QPushButton("&Stop")
        self.all = QPushButton("Check &all")
        self.open_button = QPushButton("&Open checked")
        self._dress_list()
        column = QVBoxLayout(self)
        column.setSpacing(8)
        for widget in (self._place, self.list, self.progress, self._foot()):
            column.addWidget(widget)
        letters = self.fontMetrics().averageCharWidth()
        self.resize(max(_SIZE[0], _WIDTH_LETTERS * letters), _SIZE[1])
        self._judge()
        self.list.setFocus()

    def _dress_list(self) -> None:
        self.list.setAccessibleName("Stores found")
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        make_roomy(self.list)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.itemChanged.connect(self._changed)

    def _foot(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        for button in (self.all, self.stop):
            box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        for button in (self.all, self.stop, box.button(QDialogButtonBox.StandardButton.Close)):
            button.setAutoDefault(False)  # Enter opens what is checked, or does nothing
        self.all.clicked.connect(self._check_all)
        self.stop.clicked.connect(self.stop_wanted)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        return box

    def show_lines(self, lines: Sequence[FindLine]) -> None:
        """Add stores at the end of the list, or say more of those that are in it."""
        was_blocked = self.list.blockSignals(True)
        for line in lines:
            item = self._items.get(line.key)
            if item is None:
                item = self._items[line.key] = QListWidgetItem()
                self.list.addItem(item)
                item.setData(_KEY, line.key)
            self._lines[line.key] = line
            _fill(item, line)
        self.list.blockSignals(was_blocked)
        if self.list.currentRow() < 0 and self._items:
            self.list.setCurrentRow(0)
        self._judge()

    def show_progress(self, tally: FindTally) -> None:
        """Say how far the search is."""
        self.progress.setText(progress_words(tally))

    def show_end(self, tally: FindTally, *, is_stopped: bool) -> None:
        """Say that the search is over, and what it looked through."""
        if self.stop.hasFocus():
            self.list.setFocus()
        self.stop.setEnabled(False)
        self.progress.setText(end_words(tally, is_stopped=is_stopped))

    def chosen(self) -> list[str]:
        """Return the keys of what is checked, in the order of the list."""
        return [
            key for key, line in self._lines.items() if key in self._checked and line.can_be_chosen
        ]

    def lines(self) -> tuple[FindLine, ...]:
        """Return what is listed."""
        return tuple(self._lines.values())

    def _check_all(self) -> None:
        for key, item in self._items.items():
            if self._lines[key].can_be_chosen:
                item.setCheckState(Qt.CheckState.Checked)

    def _changed(self, item: QListWidgetItem) -> None:
        key = str(item.data(_KEY))
        if item.checkState() is Qt.CheckState.Checked:
            self._checked.add(key)
        else:
            self._checked.discard(key)
        self._judge()

    def _judge(self) -> None:
        self.open_button.setEnabled(any(self._lines[k].can_be_chosen for k in self._checked))
        self.open_button.setDefault(self.open_button.isEnabled())
        self.all.setEnabled(any(line.can_be_chosen for line in self._lines.values()))


def _fill(item: QListWidgetItem, line: FindLine) -> None:
    item.setText(line.lines)
    item.setToolTip(plain_tooltip(line.tip))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, line.spoken)
    flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
    if line.can_be_chosen:
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
        if item.data(Qt.ItemDataRole.CheckStateRole) is None:
            item.setCheckState(Qt.CheckState.Unchecked)
    else:
        item.setFlags(flags)
        item.setData(Qt.ItemDataRole.CheckStateRole, None)
