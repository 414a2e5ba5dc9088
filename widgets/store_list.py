"""The open stores as a short list with check boxes: which are searched, which one is in front."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem, QMenu

from widgets.roomy_delegate import RoomyDelegate
from widgets.text_marks import one_line, plain_tooltip
from widgets.texts import memories

_KEY = Qt.ItemDataRole.UserRole
_LEAST_WIDTH = 150
_MOST_ROWS = 8
_IN_FRONT = "▸"
_SHOWN_FRONT = "shown beside the list"


@dataclass(frozen=True, slots=True)
class StoreLine:
    """One store: `status` says what is odd about it, empty where it is searched like any other.

    `details` say it in a whole sentence.
    """

    key: str
    label: str
    path: str
    is_checked: bool
    is_front: bool = False
    memories: int | None = None
    status: str = ""
    details: str = ""
    staged: int = 0
    may_try_again: bool = False

    @property
    def lines(self) -> str:
        """Write its line, and a second one where there is more to say of it."""
        front = f"{_IN_FRONT} " if self.is_front else ""
        count = "" if self.memories is None else f" · {self.memories:,}"
        more = " · ".join(w for w in (self._staged_words, self.status) if w)
        first = f"{front}{one_line(self.label)}{count}"
        return f"{first}\n{one_line(more)}" if more else first

    @property
    def spoken(self) -> str:
        """Say the same in words."""
        parts = (
            one_line(self.label),
            "" if self.memories is None else memories(self.memories),
            _SHOWN_FRONT if self.is_front else "",
            "searched" if self.is_checked else "not searched",
            self._staged_words,
            one_line(self.status) if self.status else "",
            one_line(self.details) if self.details else "",
        )
        return ", ".join(part for part in parts if part)

    @property
    def tip(self) -> str:
        """Return the whole truth of it, its path first."""
        parts = (self.path, self._staged_words, self.status, self.details)
        return "\n".join(part for part in parts if part)

    @property
    def _staged_words(self) -> str:
        return f"{self.staged} staged" if self.staged else ""


class StoreList(QListWidget):
    """A list as high as its lines. Space checks, Enter brings to the front, Delete closes.

    Signals carry a store's key.
    """

    check_wanted = Signal(str, bool)
    front_wanted = Signal(str)
    close_wanted = Signal(str)
    only_wanted = Signal(str)
    again_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Open stores")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAutoFillBackground(False)
        self.setItemDelegate(RoomyDelegate(self))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)
        self.itemActivated.connect(lambda item: self.front_wanted.emit(_key_of(item)))
        self.itemChanged.connect(self._changed)
        self._lines: tuple[StoreLine, ...] = ()

    def show_lines(self, lines: Sequence[StoreLine]) -> None:
        """Show these stores in order; the line that has the keyboard keeps it."""
        wanted = tuple(lines)
        if wanted == self._lines:
            return
        is_as_long = len(wanted) == len(self._lines)
        was_in_front = self._front_key()
        before, self._lines = self.current_key(), wanted
        self.blockSignals(True)
        while self.count() > len(wanted):
            self.takeItem(self.count() - 1)
        while self.count() < len(wanted):
            self.addItem(QListWidgetItem())
        for row, line in enumerate(wanted):
            _fill(self.item(row), line)
        keys = [line.key for line in wanted]
        if before in keys:
            self.setCurrentRow(keys.index(before))
        self.blockSignals(False)
        self.viewport().update()
        self.updateGeometry()
        if not is_as_long:
            self.doItemsLayout()
        if self._front_key() not in ("", was_in_front) and not self.hasFocus():
            self.scrollToItem(self.item(keys.index(self._front_key())))

    def _front_key(self) -> str:
        return next((line.key for line in self._lines if line.is_front), "")

    def lines(self) -> tuple[StoreLine, ...]:
        """Return what is shown."""
        return self._lines

    def current_key(self) -> str:
        """Return the store whose line has the keyboard, empty for none."""
        row = self.currentRow()
        return self._lines[row].key if 0 <= row < len(self._lines) else ""

    @override
    def sizeHint(self) -> QSize:
        heights = [self.sizeHintForRow(row) for row in range(min(self.count(), _MOST_ROWS))]
        return QSize(_LEAST_WIDTH, sum(heights) + 2 * self.frameWidth() + 2)

    @override
    def minimumSizeHint(self) -> QSize:
        row = self.sizeHintForRow(0) if self.count() else 0
        return QSize(0, min(self.sizeHint().height(), 3 * row))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self.current_key()
        if key and event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.close_wanted.emit(key)
        else:
            super().keyPressEvent(event)

    def _changed(self, item: QListWidgetItem) -> None:
        is_checked = item.checkState() is Qt.CheckState.Checked
        line = next((line for line in self._lines if line.key == _key_of(item)), None)
        if line is not None and is_checked is not line.is_checked:
            self.check_wanted.emit(line.key, is_checked)

    def _offer(self, at: QPoint) -> None:
        row = self.indexAt(at).row()
        row = row if row >= 0 else self.currentRow()
        if not 0 <= row < len(self._lines):
            return
        line = self._lines[row]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offers = [("Search &only this one", self.only_wanted), ("&Close", self.close_wanted)]
        if line.may_try_again:
            offers.insert(0, ("&Try again", self.again_wanted))
        for words, signal in offers:
            menu.addAction(words).triggered.connect(
                lambda _checked=False, signal=signal: signal.emit(line.key)
            )
        menu.popup(self.viewport().mapToGlobal(at))


def _key_of(item: QListWidgetItem) -> str:
    return str(item.data(_KEY))


def _fill(item: QListWidgetItem, line: StoreLine) -> None:
    item.setFlags(
        Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
    )
    item.setData(_KEY, line.key)
    item.setText(line.lines)
    item.setToolTip(plain_tooltip(line.tip))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, line.spoken)
    font = item.font()
    font.setBold(line.is_front)
    item.setFont(font)
    item.setCheckState(Qt.CheckState.Checked if line.is_checked else Qt.CheckState.Unchecked)
