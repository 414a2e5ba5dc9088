"""The What-if panel: sliders for the numbers that shape a ranking. Ranks nothing itself."""

from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from widgets.clipboard import copy_text
from widgets.knob import Knob
from widgets.plain import muted, plain_label
from widgets.what_if_content import BANNER, KnobName, Knobs, config_lines

_EDGES = 44  # the margins and a scroll bar
_LEFT = Qt.AlignmentFlag.AlignLeft
_OWN = "The agent's own numbers: turn one to see what would change. Nothing is saved."
_COPIED = (
    "Copied. No settings file was changed. Where one has a [retrieval] section already, put the "
    "lines into it."
)
_NOTHING_TO_COPY = "Only settings of the store can be copied, and none is changed."


class WhatIfPanel(QWidget):
    """Hold the knobs. `turned` carries Knobs whenever somebody moves one."""

    turned = Signal(object)
    reset_wanted = Signal()
    compare_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = Knobs()
        self._shown = Knobs()
        self.knobs = {name: Knob(name, self) for name in KnobName}
        self._headline = plain_label()
        self._headline.setWordWrap(True)
        self._buttons = QGridLayout()
        self._progress = muted(plain_label())
        self._progress.setWordWrap(True)
        self.reset = _button("Reset", "Reset to the agent's own numbers")
        self.copy = _button("Copy as config.toml lines", "Copy the changed settings as lines")
        self.compare = _button("Compare with own…", "Compare with the agent's own list")
        self.reset.clicked.connect(self.reset_wanted)
        self.compare.clicked.connect(self.compare_wanted)
        self.copy.clicked.connect(self._copy_lines)
        for knob in self.knobs.values():
            knob.moved.connect(lambda value, name=knob.name: self._turn(name, value))
        self._lay_out()
        self.show_knobs(self._own, self._own)

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(10, 6, 10, 8)
        column.setSpacing(6)
        column.addWidget(self._headline)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for row, knob in enumerate(self.knobs.values()):
            knob.add_to(grid, row)
        column.addLayout(grid)
        self._buttons.setSpacing(6)
        column.addLayout(self._buttons)
        self._place_buttons()
        column.addWidget(self._progress)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place_buttons()

    def _place_buttons(self) -> None:
        """Put the buttons on one row, or one below the other where they do not fit."""
        buttons = (self.reset, self.compare, self.copy)
        wanted = sum(button.sizeHint().width() + 6 for button in buttons) + _EDGES
        columns = len(buttons) if self.width() >= wanted else 2
        for place, button in enumerate(buttons):
            row, column = divmod(place, columns)
            self._buttons.addWidget(button, row, column, 1, columns if row else 1, _LEFT)
        self._buttons.setColumnStretch(2, 1)

    def focus_target(self) -> QWidget:
        """Return what takes the keyboard first."""
        return self.knobs[KnobName.RRF_K].slider

    def show_knobs(self, shown: Knobs, own: Knobs) -> None:
        """Show these numbers beside the agent's own."""
        self._shown, self._own = shown, own
        for name, knob in self.knobs.items():
            knob.show_value(shown.value(name), own.value(name))
        words = shown.words(own)
        self._headline.setText(f"{BANNER}: {words}." if words else _OWN)
        self.reset.setEnabled(bool(words))
        self.compare.setEnabled(bool(words))
        self.copy.setEnabled(bool(config_lines(shown, own)))
        self.copy.setToolTip("" if config_lines(shown, own) else _NOTHING_TO_COPY)
        self._progress.setText("")

    def say(self, text: str) -> None:
        """Say what is going on below the buttons, until a knob is turned."""
        self._progress.setText(text)

    def said(self) -> str:
        """Return what is said above and below the knobs."""
        return "\n".join(t for t in (self._headline.text(), self._progress.text()) if t)

    def _turn(self, name: KnobName, value: float) -> None:
        knobs = self._shown.turned(name, value)
        if knobs != self._shown:
            self.show_knobs(knobs, self._own)
            self.turned.emit(knobs)

    def _copy_lines(self) -> None:
        copy_text(config_lines(self._shown, self._own))
        self.say(_COPIED)


def _button(text: str, spoken: str) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(spoken)
    button.setAutoDefault(False)
    return button
