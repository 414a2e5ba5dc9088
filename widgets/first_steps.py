"""The strip of first steps in the demo store: three things to try, ticked off as they are done."""

from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from widgets.plain import LinkButton, line_between, plain_label
from widgets.text_marks import safe_tooltip

_TITLE = "First steps"
_FINISHED = "First steps: all done"


class FirstStep(StrEnum):
    """What there is to try, in order."""

    FIND = "find"
    EXPLAIN = "explain"
    SUPERSEDE = "supersede"


_WORDS = {
    FirstStep.FIND: ("Find", "search for something", "Type into the search box what a memory says"),
    FirstStep.EXPLAIN: (
        "Explain",
        "ask why a result ranks there ({key})",
        "Select a row of the list and ask why it ranks where it does",
    ),
    FirstStep.SUPERSEDE: (
        "Supersede",
        "stage a replacement ({key})",
        "Select a memory that another one should replace; nothing is written until you commit",
    ),
}


class FirstStepsStrip(QFrame):
    """Show the steps; `step_wanted` carries the one that was pressed, `dismissed` ends it."""

    step_wanted = Signal(str)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: dict[FirstStep, str] = {}
        self.done: frozenset[FirstStep] = frozenset()
        self._title = plain_label(_TITLE)
        self.buttons = {step: LinkButton() for step in FirstStep}
        self.dismiss = LinkButton()
        self.dismiss.set_line("Dismiss")
        self.dismiss.setAccessibleName("Dismiss the first steps")
        self.dismiss.clicked.connect(self.dismissed)
        row = QHBoxLayout()
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(18)
        row.addWidget(self._title)
        for step, button in self.buttons.items():
            button.clicked.connect(
                lambda _checked=False, step=step: self.step_wanted.emit(step.value)
            )
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.dismiss)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line_between())
        column.addLayout(row)
        self.show_done(frozenset())
        self.hide()

    def set_keys(self, keys: dict[FirstStep, str]) -> None:
        """Say which keys do the steps."""
        self._keys = keys
        self.show_done(self.done)

    def show_done(self, done: frozenset[FirstStep]) -> None:
        """Tick off the steps that are done."""
        self.done = done
        self._title.setText(_FINISHED if len(done) == len(FirstStep) else _TITLE)
        for number, (step, button) in enumerate(self.buttons.items(), 1):
            name, what, how = _WORDS[step]
            what = what.format(key=self._keys.get(step, "")).replace(" ()", "")
            button.set_safe_line(f"{'✓' if step in done else number} {name}: {what}")
            button.setToolTip(safe_tooltip(how))
            button.setAccessibleName(f"{name}, {'done' if step in done else 'to do'}: {what}")
            button.setAccessibleDescription(how)

    def focus_target(self) -> QWidget:
        """Return the step that comes next, or the way to put the strip away."""
        left = [step for step in FirstStep if step not in self.done]
        return self.buttons[left[0]] if left else self.dismiss
