"""The quiet line beside the search box: what a search or a model load is doing, and one button.

What it says, and when, is decided elsewhere.
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from widgets.plain import LinkButton, muted, plain_label
from widgets.state_content import StateAction


@dataclass(frozen=True, slots=True)
class Hint:
    """A line and what can be done; `spoken` names the button where its label alone says little."""

    text: str
    action: StateAction
    spoken: str


class SearchHint(QWidget):
    """Show one hint or nothing; `action_wanted` carries the name of the button pressed."""

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Hint | None = None
        self._text = muted(plain_label())
        self._button = LinkButton()
        self._button.clicked.connect(self._press)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._text)
        layout.addWidget(self._button)
        self.hide()

    @property
    def shown(self) -> Hint | None:
        """Return what is shown, or None."""
        return self._shown

    def show_hint(self, hint: Hint | None) -> None:
        """Show a hint, or nothing; the keyboard then goes to what the hint stands beside."""
        had_focus = self._button.hasFocus()
        self._shown = hint
        if hint is not None:
            self._text.setText(hint.text)
            self._button.set_line(hint.action.label)
            self._button.setAccessibleName(hint.spoken)
            self._button.setToolTip(hint.spoken)
        self.setVisible(hint is not None)
        parent = self.parentWidget()
        if hint is None and had_focus and parent is not None:
            parent.setFocus(Qt.FocusReason.OtherFocusReason)

    def press(self) -> None:
        """Press the button."""
        self._button.click()

    def _press(self) -> None:
        if self._shown is not None:
            self.action_wanted.emit(self._shown.action.name)
