"""The stores opened lately: a list for the first page and a submenu, both able to forget one."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from widgets.plain import ElidedLabel, LinkButton, muted, plain_label
from widgets.text_marks import button_text, one_line, plain_tooltip

_SHOWN = 5
_LONGEST_NAME = 40
_LONGEST_FOLDER = 60
_BELOW = 6


@dataclass(frozen=True, slots=True)
class RecentLine:
    """One store: `key` is what the signals carry."""

    key: str
    name: str
    folder: str


class RecentList(QWidget):
    """At most five stores, each a link with its folder below and a button that forgets it."""

    store_wanted = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: QWidget | None = None
        self._has_any = False
        self._is_wanted = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(9, 6, 9, 0)
        self._column.setSpacing(6)
        self._column.addWidget(muted(plain_label("Recent stores")))
        self.hide()

    def show_lines(self, lines: Sequence[RecentLine]) -> None:
        """Show these, newest first; hidden where there is none."""
        if self._rows is not None:
            self._column.removeWidget(self._rows)
            self._rows.hide()
            self._rows.deleteLater()
        self._rows = QWidget()
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for place, line in enumerate(lines[:_SHOWN]):
            self._add(grid, 2 * place, line)
        self._column.addWidget(self._rows)
        self._rows.show()
        self._has_any = bool(lines)
        self.setVisible(self._has_any and self._is_wanted)

    def set_wanted(self, is_wanted: bool) -> None:
        """Show the list where there is anything in it, or never."""
        self._is_wanted = is_wanted
        self.setVisible(self._has_any and self._is_wanted)

    def _add(self, grid: QGridLayout, row: int, line: RecentLine) -> None:
        link = LinkButton()
        link.set_line(line.name)
        link.clicked.connect(lambda: self.store_wanted.emit(line.key))
        folder = muted(ElidedLabel(Qt.TextElideMode.ElideMiddle))
        folder.set_line(line.folder)
        forget = QPushButton("Forget")
        forget.setFlat(True)
        forget.setAutoDefault(False)
        forget.setAccessibleName(f"Forget {one_line(line.name)}")
        forget.setToolTip("Take it off this list; the store itself is not touched.")
        forget.clicked.connect(lambda: self.forget_wanted.emit(line.key))
        wide = QSizePolicy.Policy.Expanding
        link.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        folder.setSizePolicy(wide, wide)
        folder.setAlignment(Qt.AlignmentFlag.AlignTop)  # closer to its name than to the next
        grid.addWidget(link, row, 0)
        grid.addWidget(folder, row + 1, 0)
        grid.addWidget(forget, row, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setRowMinimumHeight(row, link.sizeHint().height())
        grid.setRowMinimumHeight(row + 1, folder.sizeHint().height() + _BELOW)


class RecentMenu(QMenu):
    """The submenu 'Open recent'."""

    store_wanted = Signal(str)
    forget_wanted = Signal(str)
    clear_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self.setToolTipsVisible(True)
        self._forget = QMenu("&Forget", self)
        self.show_lines(())

    def show_lines(self, lines: Sequence[RecentLine]) -> None:
        """Fill the menu; it cannot be opened where there is nothing."""
        self.clear()
        self._forget.clear()
        for line in lines:
            _entry(self, line, self.store_wanted.emit)
            _entry(self._forget, line, self.forget_wanted.emit)
        self._forget.addSeparator()
        self._forget.addAction("&All of them").triggered.connect(
            lambda _checked=False: self.clear_wanted.emit()
        )
        self.addSeparator()
        self.addMenu(self._forget)
        self.menuAction().setEnabled(bool(lines))


def _entry(menu: QMenu, line: RecentLine, wanted: Callable[[str], object]) -> None:
    name = one_line(line.name, _LONGEST_NAME)
    action = menu.addAction(button_text(f"{name} – {_end_of(line.folder)}"))
    action.setToolTip(plain_tooltip(line.folder))
    action.triggered.connect(lambda _checked=False: wanted(line.key))


def _end_of(folder: str) -> str:
    """Return the last folders of a path, which tell two stores apart; at least the last one."""
    parts = Path(folder).parts
    kept = parts
    while len(kept) > 1 and len(str(Path(*kept))) > _LONGEST_FOLDER:
        kept = kept[1:]
    end = str(Path(*kept)) if kept else folder
    return end if kept == parts else f"…{os.sep}{end}"
