"""The changes that wait for a commit, below everything else and only while there are any."""

from collections.abc import Sequence
from itertools import pairwise
from typing import override

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.pending_content import PendingRow, VerdictKind
from widgets.plain import line_between, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.text_marks import menu_text, safe_tooltip

_Direction = QBoxLayout.Direction
_MOST_ROWS = 4
_TITLE_LETTERS = 42
_Flag = QItemSelectionModel.SelectionFlag
_LEAVE = _Flag.NoUpdate
_ALONE = _Flag.ClearAndSelect | _Flag.Rows
_NUMBER = Qt.ItemDataRole.UserRole
_SIGNS = {
    VerdictKind.CHECKING: "…",
    VerdictKind.FITS: "✓",
    VerdictKind.REFUSED: "✗",
    VerdictKind.CONFLICT: "⚠",
}
_BUTTONS = (
    ("edit", "Ed&it…", "Edit this staged change"),
    ("discard", "Dis&card", "Discard the selected staged changes"),
    ("resolve", "Reso&lve…", "Resolve the conflict of this staged change"),
    ("show", "Sho&w", "Show the memory of this staged change"),
    ("radius", "&Try…", "Show how searches would rank after this change alone"),
)


class _Entries(QTreeWidget):
    """One line a change: what, which memory, the verdict. Delete discards, Enter edits."""

    discard_wanted = Signal()
    edit_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Staged changes")
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        make_roomy(self)
        self.setAllColumnsShowFocus(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        self.itemActivated.connect(lambda _item, _column: self.edit_wanted.emit())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.discard_wanted.emit()
            return
        super().keyPressEvent(event)

    def spread(self) -> None:
        """Share the width among the columns."""
        width = self.viewport().width()
        self.setColumnWidth(0, width * 26 // 100)
        self.setColumnWidth(1, width * 34 // 100)


class PendingBar(QFrame):
    """Show the staged changes of the open store.

    `pressed` carries commit, discard_all, blast, undo or redo; `entry_pressed` the name edit,
    discard, resolve or show, and the numbers of the entries it is about.
    """

    pressed = Signal(str)
    entry_pressed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[PendingRow, ...] = ()
        self.entries = _Entries()
        self.buttons: dict[str, QPushButton] = {}
        self._title = plain_label()
        self._title.setWordWrap(True)
        self.entries.itemSelectionChanged.connect(self._follow)
        self.entries.discard_wanted.connect(lambda: self._press_entry("discard"))
        self.entries.edit_wanted.connect(self._open_current)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        steps = QHBoxLayout()
        steps.setSpacing(6)
        steps.addStretch(1)
        for name, text, spoken in (
            ("undo", "&Undo", "Undo the last step of staging"),
            ("redo", "Re&do", "Redo the step of staging that was undone"),
            ("blast", "&Blast radius…", "Show how searches would rank after these changes"),
            ("discard_all", "Discard &all", "Discard all staged changes"),
            ("commit", "Commit", "Commit"),
        ):
            steps.addWidget(self._button(name, text, spoken))
            self.buttons[name].clicked.connect(lambda _c=False, name=name: self.pressed.emit(name))
        self._top = top = QBoxLayout(_Direction.LeftToRight)
        top.setContentsMargins(10, 5, 8, 3)
        top.setSpacing(6)
        top.addWidget(self._title, 1)
        top.addLayout(steps)
        side = QGridLayout()
        side.setContentsMargins(6, 0, 8, 0)
        side.setSpacing(4)
        for at, (name, text, spoken) in enumerate(_BUTTONS):
            side.addWidget(self._button(name, text, spoken), at % 2, at // 2)
            self.buttons[name].clicked.connect(lambda _c=False, name=name: self._press_entry(name))
        side.setRowStretch(2, 1)
        middle = QHBoxLayout()
        middle.setContentsMargins(10, 0, 0, 6)
        middle.setSpacing(0)
        middle.addWidget(self.entries, 1)
        middle.addLayout(side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line_between())
        column.addLayout(top)
        column.addLayout(middle)
        self._chain_tabs()

    def _chain_tabs(self) -> None:
        order = [self.entries, *(self.buttons[name] for name, _, _ in _BUTTONS)]
        order += [self.buttons[n] for n in ("undo", "redo", "blast", "discard_all", "commit")]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def _button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(spoken)
        button.setToolTip(safe_tooltip(spoken))
        button.setAutoDefault(False)
        self.buttons[name] = button
        return button

    def show_rows(
        self, title: str, rows: Sequence[PendingRow], commit: str, *, undo: bool, redo: bool
    ) -> None:
        """Show these lines, or nothing; the selected entries stay selected where they are left.

        `commit` is what the button that commits says.
        """
        chosen, had_focus = set(self.selected()), self.entries.hasFocus()
        at = self.entries.currentIndex().row()
        self.rows = tuple(rows)
        self._title.setText(title)
        self.buttons["commit"].setText(f"{menu_text(commit)}…")
        self.buttons["commit"].setAccessibleName(commit)
        self.buttons["undo"].setEnabled(undo)
        self.buttons["redo"].setEnabled(redo)
        self.entries.clear()
        for row in rows:
            item = _item(row)
            self.entries.addTopLevelItem(item)
            item.setSelected(row.number in chosen)
        if rows and not self.entries.selectedItems():
            place = min(max(at, 0), len(rows) - 1)
            self.entries.setCurrentIndex(self.entries.model().index(place, 0))
        elif self.entries.selectedItems():
            chosen_item = self.entries.selectedItems()[0]
            self.entries.setCurrentItem(chosen_item, 0, _LEAVE)
        self.setVisible(bool(rows))
        self._fit()
        self._follow()
        if had_focus and rows:
            self.entries.setFocus(Qt.FocusReason.OtherFocusReason)

    def title(self) -> str:
        """Return what the bar says above its list."""
        return self._title.text()

    def selected(self) -> list[int]:
        """Return the numbers of the selected entries, in their order."""
        chosen = self.entries.selectedItems()
        return sorted(int(item.data(0, _NUMBER)) for item in chosen)

    def select(self, number: int) -> None:
        """Select one entry alone."""
        for place in range(self.entries.topLevelItemCount()):
            item = self.entries.topLevelItem(place)
            if item is not None and item.data(0, _NUMBER) == number:
                self.entries.setCurrentItem(item, 0, _ALONE)

    def _chosen_row(self) -> PendingRow | None:
        chosen = self.selected()
        return next((r for r in self.rows if chosen == [r.number]), None)

    def _follow(self) -> None:
        row = self._chosen_row()
        self.buttons["discard"].setEnabled(bool(self.selected()))
        self.buttons["radius"].setEnabled(bool(self.selected()))
        self.buttons["edit"].setEnabled(row is not None and row.can_edit)
        self.buttons["show"].setEnabled(row is not None and row.can_show)
        is_conflict = row is not None and row.verdict.kind is VerdictKind.CONFLICT
        self.buttons["resolve"].setEnabled(is_conflict)

    def _press_entry(self, name: str) -> None:
        if self.selected():
            self.entry_pressed.emit(name, self.selected())

    def _open_current(self) -> None:
        row = self._chosen_row()
        if row is None:
            return
        if row.verdict.kind is VerdictKind.CONFLICT:
            self._press_entry("resolve")
        else:
            self._press_entry("edit" if row.can_edit else "show")

    def _fit(self) -> None:
        metrics = self.entries.fontMetrics().height() + 8
        least = sum(self.buttons[n].sizeHint().height() for n in ("edit", "resolve")) + 10
        shown = min(max(len(self.rows), 1), _MOST_ROWS)
        self.entries.setFixedHeight(max(shown * metrics + 4, least))
        self._turn()

    def _turn(self) -> None:
        """Put the title above the buttons where there is no room for it beside them."""
        names = ("undo", "redo", "blast", "discard_all", "commit")
        buttons = sum(self.buttons[name].sizeHint().width() + 6 for name in names)
        title = _TITLE_LETTERS * self.fontMetrics().averageCharWidth()
        is_narrow = buttons + title > self.width()
        self._top.setDirection(_Direction.TopToBottom if is_narrow else _Direction.LeftToRight)
        self.entries.spread()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()


def _item(row: PendingRow) -> QTreeWidgetItem:
    code = f"  ({row.verdict.code})" if row.verdict.code else ""
    verdict = f"{_SIGNS[row.verdict.kind]} {row.verdict.sentence}{code}"
    if row.radius:
        verdict += f" · {row.radius}"
    item = QTreeWidgetItem([row.what, row.subject, verdict])
    item.setData(0, _NUMBER, row.number)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, row.spoken)
    for column, text in enumerate((row.what, row.subject, verdict)):
        item.setToolTip(column, safe_tooltip(text))
    return item
