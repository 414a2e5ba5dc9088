"""The search box with its scope. Says what was typed; what to do with it is the controller's."""

from collections.abc import Iterable
from typing import override

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QWidget

from widgets.clipboard import copy_text
from widgets.graphemes import cut_head
from widgets.plain import muted, plain_label
from widgets.search_hint import SearchHint
from widgets.texts import counted

_LONGEST = 4_000_000
MOST_SHOWN = 5_000
"""Characters in the line: Qt lays the whole of it out at every blink of the cursor."""
_Key = QKeySequence.StandardKey


class SearchBox(QLineEdit):
    """A line edit that keeps pasted text as it is and is quiet while an input method composes.

    Of a very long text the line holds the head, which can be edited; `text` is the whole, and
    `rest_changed` carries how many characters follow the line. What replaces or copies the whole
    line is about the whole text.
    """

    changed = Signal(str)
    history_wanted = Signal()
    rest_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(_LONGEST)
        self.setClearButtonEnabled(True)
        self.setPlaceholderText("What would the agent look for?")
        self.setAccessibleName("Search")
        self.setTextMargins(4, 2, 4, 2)
        self._told = self._rest = ""
        self._is_all_selected = self._is_set = False
        self._is_composing = False
        self._left_to_the_window: frozenset[str] = frozenset()
        self.textChanged.connect(self._tell)
        self.selectionChanged.connect(self._note_selection)  # told of after an edit, not before

    @override
    def text(self) -> str:
        return super().text() + self._rest

    @override
    def setText(self, text: str | None) -> None:
        whole = text or ""
        head = cut_head(whole, MOST_SHOWN)
        self._is_set = True
        self._put_rest(whole[len(head) :])
        super().setText(head)
        self._is_set = False
        self._tell()

    def _put_rest(self, rest: str) -> None:
        if rest != self._rest:
            self._rest = rest
            self.rest_changed.emit(len(rest))

    def _note_selection(self) -> None:
        shown = super().text()
        self._is_all_selected = bool(shown) and self.selectedText() == shown

    def _follow_edit(self) -> None:
        """Forget the rest with the line before it; cut a line that grew by another way."""
        shown = super().text()
        if not shown or self._is_all_selected:
            self._put_rest("")
        if len(shown) > 2 * MOST_SHOWN:
            self.setText(shown + self._rest)

    @override
    def paste(self) -> None:
        pasted = QGuiApplication.clipboard().text()
        if len(pasted) <= MOST_SHOWN:
            super().paste()
            return
        shown = super().text()
        start = self.selectionStart() if self.hasSelectedText() else self.cursorPosition()
        end = start + self.selectionLength()
        rest = "" if self._is_all_selected else self._rest
        self.setText(_units(shown, 0, start) + pasted + _units(shown, end) + rest)

    @override
    def copy(self) -> None:
        if self._rest and self._is_all_selected:
            copy_text(self.text())
        else:
            super().copy()

    @override
    def cut(self) -> None:
        if self.hasSelectedText():
            self.copy()
            self.del_()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        ours = {"edit-paste": self.paste, "edit-copy": self.copy, "edit-cut": self.cut}
        for action in menu.actions():
            if action.objectName() in ours:
                action.triggered.disconnect()
                action.triggered.connect(ours[action.objectName()])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

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
            return
        ours = ((_Key.Paste, self.paste), (_Key.Copy, self.copy), (_Key.Cut, self.cut))
        act = next((act for key, act in ours if event.matches(key)), None)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def replace_text(self, text: str) -> None:
        """Set the text; a composition under way ends without its text."""
        self._is_composing = False
        self.setText(text)

    def _tell(self) -> None:
        if self._is_set:
            return
        self._follow_edit()
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
        self._more = muted(plain_label())
        self._more.hide()
        label = plain_label("&Search")
        label.setBuddy(self.box)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(8)
        for widget in (label, self.box, self._more, self.hint, self.include_retired):
            layout.addWidget(widget)
        layout.setStretchFactor(self.box, 1)
        self.setFocusProxy(self.box)
        self.box.changed.connect(self.query_changed)
        self.box.rest_changed.connect(self._say_rest)
        self.box.returnPressed.connect(self.submitted)
        self.box.history_wanted.connect(self.history_wanted)
        self.include_retired.toggled.connect(self.include_retired_changed)

    def _say_rest(self, left: int) -> None:
        words = f"… and {counted(left, 'character')} more" if left else ""
        self._more.setText(words)
        self._more.setVisible(bool(words))
        self.box.setAccessibleDescription(words)

    def text(self) -> str:
        """Return the text in the box, also what follows the line."""
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


def _units(text: str, start: int, end: int | None = None) -> str:
    """Return a part of a text between two positions as Qt counts them, in UTF-16 units."""
    raw = text.encode("utf-16-le", "surrogatepass")
    stop = len(raw) if end is None else 2 * end
    return raw[2 * start : stop].decode("utf-16-le", "surrogatepass")
