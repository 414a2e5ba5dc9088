"""The filters of the search as chips below the box, and what was not understood of it.

What a chip takes out of the text is decided elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from widgets.chip_rows import ChipRows
from widgets.few_lines_label import FewLinesLabel
from widgets.plain import LinkButton
from widgets.text_marks import marked, menu_text, one_line, plain_tooltip
from widgets.theme import small_font

_LONGEST = 48
_MOST_LINES = 2
MOST_CHIPS = 40
"""Filters of one search that are shown as chips; whoever has more says so."""
_REMOVING_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


@dataclass(frozen=True, slots=True)
class ChipContent:
    """One chip: the filter as it is typed, and in words, to follow 'memories'."""

    text: str
    words: str


class _Chip(QPushButton):
    """A filter; pressing it, Delete and Backspace take it out, the arrows lead to the next."""

    removed = Signal()
    step_wanted = Signal(int)

    def __init__(self, content: ChipContent) -> None:
        short = one_line(content.text, _LONGEST)
        super().__init__(menu_text(f"{short}  ✕"))
        self.setAutoDefault(False)
        self.setFont(small_font(self.font()))
        self.setAccessibleName(one_line(f"Filter: memories {content.words}"))
        self.setAccessibleDescription("Press to take it out of the search")
        self.setToolTip(plain_tooltip(f"Only memories {content.words}. Press to take it out."))
        self.clicked.connect(self.removed)

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        width = self.fontMetrics().horizontalAdvance(self.text().replace("&&", "&"))
        return QSize(width + 2 * self.fontMetrics().averageCharWidth() + 6, hint.height())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _REMOVING_KEYS:
            self.removed.emit()
        elif key in _STEPS:
            self.step_wanted.emit(_STEPS[key])
        else:
            super().keyPressEvent(event)


class ChipBar(QFrame):
    """Show the filters of a search; hidden where there is none and nothing to be said.

    `removed` carries the place of a chip that was taken out.
    """

    removed = Signal(int)
    explain_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._contents: tuple[ChipContent, ...] = ()
        self.chips: list[QPushButton] = []
        self._rows = ChipRows()
        self._said = FewLinesLabel(_MOST_LINES)
        self._said.setFont(small_font(self._said.font()))
        self.explain = self._link("In words…", "This search in words", self.explain_wanted)
        self.clear = self._link("Clear filters", "Take all filters out", self.clear_wanted)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._rows, 1)
        row.addWidget(self.explain, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.clear, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 10, 6)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._said)
        self.show_search((), ())

    def _link(self, text: str, spoken: str, wanted: object) -> LinkButton:
        button = LinkButton()
        button.set_line(text)
        button.setAccessibleName(spoken)
        button.clicked.connect(wanted)
        return button

    def show_search(self, chips: Sequence[ChipContent], findings: Sequence[str]) -> None:
        """Show these filters, and what is to be said of the text."""
        if tuple(chips) != self._contents:
            self._rebuild(tuple(chips))
        said = " ".join(findings)
        self._said.setText(marked(said))
        self._said.setToolTip(plain_tooltip("\n".join(findings)) if said else "")
        self._said.setVisible(bool(said))
        self.clear.setVisible(bool(chips))
        self.setVisible(bool(chips) or bool(said))

    def said(self) -> str:
        """Return what is said of the text."""
        return self._said.text()

    def contents(self) -> tuple[ChipContent, ...]:
        """Return the chips in order."""
        return self._contents

    def focus_target(self) -> QWidget:
        """Return what takes the keyboard."""
        return self.chips[0] if self.chips else self.explain

    def _rebuild(self, contents: tuple[ChipContent, ...]) -> None:
        """Make the chips anew; one that had the keyboard gives it to the next."""
        old = self.chips
        had_focus = next((at for at, chip in enumerate(old) if chip.hasFocus()), None)
        before = self._stop_before(old)
        self._contents = contents
        self.chips = [self._chip(at, content) for at, content in enumerate(contents[:MOST_CHIPS])]
        self._rows.replace(old, self.chips)
        for chip in self.chips:
            self.setTabOrder(before, chip)
            chip.show()
            before = chip
        if had_focus is not None:
            self._focus(had_focus)
        for chip in old:
            chip.hide()
            chip.deleteLater()

    def _stop_before(self, old: Sequence[QWidget]) -> QWidget:
        """Return the widget that the Tab key comes from: the last one before the chips."""
        before: QWidget = self.explain.previousInFocusChain() or self
        while before is not self.explain and (
            before in old or before.focusPolicy() is Qt.FocusPolicy.NoFocus
        ):
            before = before.previousInFocusChain() or self.explain
        return before

    def _chip(self, at: int, content: ChipContent) -> QPushButton:
        chip = _Chip(content)
        chip.removed.connect(lambda: self.removed.emit(at))
        chip.step_wanted.connect(lambda by: self._focus(at + by))
        return chip

    def _focus(self, at: int) -> None:
        """Give the keyboard to a chip, the last one where there are fewer."""
        if self.chips:
            chip = self.chips[max(0, min(at, len(self.chips) - 1))]
            chip.setFocus()
            self._rows.ensureWidgetVisible(chip, 0, 0)
        else:
            self.explain.setFocus()
