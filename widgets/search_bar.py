"""The search box with its scope. Says what was typed; what to do with it is the controller's."""

from collections.abc import Iterable
from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QWidget

from widgets.plain import plain_label
from widgets.search_hint import SearchHint

_LONGEST = 4_000_000


class SearchBox(QLineEdit):
    """A line edit that keeps pasted text as it is and is quiet while an input method composes."""

    changed = Signal(str)
    history_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(_LONGEST)
        self.setClearButtonEnabled(True)
        self.setPlaceholderText("What would the agent look for?")
        self.setAccessibleName("Search")
        self.setTextMargins(4, 2, 4, 2)
        self._told = ""
        self._is_composing = False
        self._left_to_the_window: frozenset[str] = frozenset()
        self.textChanged.connect(self._tell)

    def leave_to_the_window(self, keys: Iterable[QKeySequence]) -> None:
        """Let these keys act in the window where they carry Ctrl: Qt cuts the line on Ctrl+K."""
        self._left_to_the_window = frozenset(
            key.toString() for key in keys if "Ctrl+" in key.toString()
        )

    @override
    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and QKeySequence(event.keyCombination()).toString() in self._left_to_the_window
        ):
            event.ignore()
            return False
        return super().event(event)

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        composes_on = bool(event.preeditString())
        self._is_composing = True  # one event may remove, insert and compose at once
        super().inputMethodEvent(event)
        self._is_composing = composes_on
        self._tell()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()  # files are for the window
        else:
            super().dragEnterEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not _modified(event):
            self.history_wanted.emit()
        else:
            super().keyPressEvent(event)

    def replace_text(self, text: str) -> None:
        """Set the text; a composition under way ends without its text."""
        self._is_composing = False
        self.setText(text)

    def _tell(self) -> None:
        text = self.text()
        if not self._is_composing and text != self._told:
            self._told = text
            self.changed.emit(text)


class SearchBar(QWidget):
    """The box, its label, the switch for retired memories, and a hint while a search takes long.

    `query_changed` carries every text once, never a half-composed one.
    """

    query_changed = Signal(str)
    include_retired_changed = Signal(bool)
    submitted = Signal()
    history_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = SearchBox()
        self.include_retired = QCheckBox("Include &retired")
        self.include_retired.setToolTip("The agent's own search never returns retired memories.")
        self.include_retired.setAccessibleName("Include retired memories")
        self.hint = SearchHint()
        label = plain_label("&Search")
        label.setBuddy(self.box)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(8)
        for widget in (label, self.box, self.hint, self.include_retired):
            layout.addWidget(widget)
        layout.setStretchFactor(self.box, 1)
        self.setFocusProxy(self.box)
        self.box.changed.connect(self.query_changed)
        self.box.returnPressed.connect(self.submitted)
        self.box.history_wanted.connect(self.history_wanted)
        self.include_retired.toggled.connect(self.include_retired_changed)

    def text(self) -> str:
        """Return the text in the box."""
        return self.box.text()

    def set_text(self, text: str) -> None:
        """Put a text into the box, as if it had been typed."""
        self.box.replace_text(text)

    def includes_retired(self) -> bool:
        """Tell whether retired memories are asked for."""
        return self.include_retired.isChecked()

    def clear(self) -> None:
        """Empty the box."""
        self.box.replace_text("")

    def focus_box(self) -> None:
        """Give the box the keyboard with its text selected."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()


def _modified(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
