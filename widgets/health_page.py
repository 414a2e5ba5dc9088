"""The page of health: findings by severity, what can be done about the one that is selected.

Checks nothing: contents come from app/health_controller.
"""

from collections.abc import Mapping, Sequence
from typing import override

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.health.codes import Severity
from widgets.browsing_page import BrowsingPage
from widgets.few_lines_label import FewLinesLabel, padded
from widgets.flow_layout import flowing
from widgets.health_content import BUTTON_WORDS
from widgets.row_content import RowContent
from widgets.row_list import RowList
from widgets.slim_button import SlimButton
from widgets.text_marks import plain_tooltip
from widgets.texts import grouped
from widgets.theme import small_font

_EDGE = 10


class HealthPage(BrowsingPage):
    """List findings. `memory_chosen` carries a MemoryKey; `finding_chosen` the row, -1 for none."""

    check_wanted = Signal()
    deep_wanted = Signal()
    severities_wanted = Signal()
    memory_chosen = Signal(object)
    memory_opened = Signal(object)
    finding_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[Severity, SlimButton] = {}
        self.deep = SlimButton("Deep check", "Check word index and file on a private copy")
        self.again = SlimButton("Check again", "Look through all memories again")
        self.words = FewLinesLabel(6)
        self.findings = RowList("Findings, the worst first")
        self.advice = FewLinesLabel(6)
        for severity, words in BUTTON_WORDS.items():
            button = SlimButton(words, f"List findings of the kind {words.lower()}")
            button.setCheckable(True)
            button.setChecked(True)
            button.toggled.connect(lambda _on: self.severities_wanted.emit())
            self.buttons[severity] = button
        for label in (self.words, self.advice):
            label.setFont(small_font(self.font()))
        self._lay_out()
        self.again.clicked.connect(self.check_wanted)
        self.deep.clicked.connect(self.deep_wanted)
        self.findings.row_chosen.connect(self.memory_chosen)
        self.findings.row_opened.connect(self.memory_opened)
        current = self.findings.list.selectionModel().currentRowChanged
        current.connect(lambda index, _before: self.finding_chosen.emit(index.row()))
        self.show_state("")

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        column.addLayout(flowing((*self.buttons.values(), self.deep, self.again), _EDGE))
        column.addLayout(padded(self.words, _EDGE))
        column.addWidget(self.findings, 1)
        column.addLayout(padded(self.advice, _EDGE))

    def severities(self) -> frozenset[Severity]:
        """Return what is to be listed."""
        return frozenset(s for s, button in self.buttons.items() if button.isChecked())

    @override
    def focus_target(self) -> QWidget:
        return self.findings.list

    @override
    def panes(self) -> tuple[QWidget, ...]:
        return self.buttons[Severity.BROKEN], self.findings.list

    # What is shown

    def show_state(self, words: str) -> None:
        """Say what there is in place of findings."""
        self.findings.show_rows(())
        self.say(words)
        self.show_advice("")
        self.show_numbers({})

    def say(self, words: str) -> None:
        """Say what was checked, or what became of it."""
        self.words.setText(words)
        self.words.setToolTip(plain_tooltip(words))

    def show_numbers(self, numbers: Mapping[Severity, int]) -> None:
        """Say how many findings there are of each severity."""
        for severity, button in self.buttons.items():
            words = BUTTON_WORDS[severity]
            button.setText(
                f"{words} {grouped(numbers[severity])}" if severity in numbers else words
            )
            button.updateGeometry()

    def show_findings(self, rows: Sequence[RowContent], at: int | None) -> None:
        """List findings with the one at `at` selected, if any."""
        self.findings.show_rows(rows)
        if at is not None:
            self.findings.follow_row(at)

    def show_advice(self, words: str) -> None:
        """Say what can be done about the finding that is selected."""
        self.advice.setText(words)
        self.advice.setToolTip(plain_tooltip(words))
        self.advice.setVisible(bool(words))
