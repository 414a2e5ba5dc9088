"""Messages about what just happened, beside the list and never in its place; nothing waits here.

Degraded modes stand in the notice bar, a page without a list on the state page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import override

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from widgets.clipboard import copy_text
from widgets.notice_bar import WarningSign
from widgets.plain import LinkButton, line_between, plain_label
from widgets.row_marks import MARK_SIZE
from widgets.state_content import StateAction
from widgets.text_marks import marked, one_line
from widgets.theme import banner_palette, fixed_font, small_font

_LONGEST = 600
_CONFIRMATION_MS = 6000
_MARGIN = 10
_STEPS = 1000  # a count of bytes may be larger than Qt's integers


class MessageKind(StrEnum):
    """What a message is; only a confirmation goes away by itself."""

    ERROR = "error"
    WORKING = "working"
    NEWS = "news"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Message:
    """One message. A later one with the same key takes its place."""

    key: str
    kind: MessageKind
    text: str
    code: str = ""
    details: str = ""
    actions: tuple[StateAction, ...] = ()
    amount: tuple[int, int] | None = None
    """Of WORKING: what is done and what there is in all; (0, 0) while nothing is known."""

    def goes_on(self, earlier: "Message") -> bool:
        """Tell whether this is the same work as before, further on."""
        here = replace(self, text=earlier.text, amount=earlier.amount)
        return here == earlier and None not in (self.amount, earlier.amount)


class _Line(QFrame):
    """One message: what it is, its sentence, its code, what can be done."""

    action_wanted = Signal(str)
    dismissed = Signal()

    def __init__(self, message: Message) -> None:
        super().__init__()
        self.message = message
        self.setAutoFillBackground(True)
        self._text = plain_label()
        self._busy: QProgressBar | None = None
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(_MARGIN, 5, _MARGIN, 5)
        self._row.setSpacing(12)
        self._add_sign(message.kind)
        self._row.addWidget(self._text, 1)
        if message.code:
            code = plain_label(one_line(message.code))
            code.setFont(fixed_font(small_font(self.font())))
            code.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            self._row.addWidget(code)
        self._add_buttons(message)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line_between())
        column.addLayout(self._row)
        self.go_on(message)
        self.colour()

    def go_on(self, message: Message) -> None:
        """Say how far the same work is now; buttons and keyboard focus stay."""
        self.message = message
        self.setAccessibleName(one_line(message.text))
        self._text.setText(marked(message.text, _LONGEST))
        done, total = message.amount or (0, 0)
        if self._busy is not None and total:
            self._busy.setRange(0, _STEPS)
            self._busy.setValue(_STEPS * done // total)

    def _add_sign(self, kind: MessageKind) -> None:
        if kind is MessageKind.ERROR:
            self._row.addWidget(WarningSign())
        elif kind is MessageKind.WORKING:
            self._busy = QProgressBar()
            self._busy.setRange(0, 0)
            self._busy.setTextVisible(False)
            self._busy.setFixedSize(3 * MARK_SIZE, 4)
            self._busy.setAccessibleName("Working")
            self._row.addWidget(self._busy)

    def _add_buttons(self, message: Message) -> None:
        for action in message.actions:
            self._add_button(action.label).clicked.connect(
                lambda _checked=False, name=action.name: self.action_wanted.emit(name)
            )
        if message.details:
            button = self._add_button("Copy details")
            button.clicked.connect(lambda: copy_text(message.details))
        if message.kind is not MessageKind.WORKING:
            self._add_button("Dismiss").clicked.connect(self.dismissed)

    def _add_button(self, label: str) -> LinkButton:
        button = LinkButton()
        button.set_line(label)
        self._row.addWidget(button)
        return button

    def colour(self) -> None:
        """Take the colours of a warning, or those of the window."""
        palette = QGuiApplication.palette()
        if self.message.kind is MessageKind.ERROR:
            palette = banner_palette(palette)
        if palette.window().color() != self.palette().window().color():
            self.setPalette(palette)


class MessageBar(QWidget):
    """Stand above the lists while there is a message.

    `action_wanted` carries the key of the message and the name of the button pressed.
    """

    action_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: dict[str, _Line] = {}
        self._timers: dict[str, QTimer] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message, newest at the top; the same one again changes nothing."""
        known = self._lines.get(message.key)
        if known is not None and known.message == message:
            return
        if known is not None and message.goes_on(known.message):
            known.go_on(message)
            return
        self.end_message(message.key)
        line = _Line(message)
        line.action_wanted.connect(lambda name: self.action_wanted.emit(message.key, name))
        line.dismissed.connect(lambda: self.end_message(message.key))
        self._lines[message.key] = line
        self._column.insertWidget(0, line)
        line.show()
        self.show()
        if message.kind is MessageKind.DONE:
            self._end_later(message.key)
        QAccessible.updateAccessibility(QAccessibleEvent(line, QAccessible.Event.Alert))

    def end_message(self, key: str) -> None:
        """Take a message away, if it is there."""
        line = self._lines.pop(key, None)
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
        if line is not None:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.setVisible(bool(self._lines))

    def clear(self) -> None:
        """Take every message away."""
        for key in tuple(self._lines):
            self.end_message(key)

    def messages(self) -> Sequence[Message]:
        """Return what is shown, oldest first."""
        return tuple(line.message for line in self._lines.values())

    def _end_later(self, key: str) -> None:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: self.end_message(key))
        timer.start(_CONFIRMATION_MS)
        self._timers[key] = timer

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for line in self._lines.values():
                line.colour()
