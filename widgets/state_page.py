"""The page shown where there is no list: welcome, empty, no match, loading, error."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from widgets.clipboard import copy_text
from widgets.plain import muted, plain_label
from widgets.recent_list import RecentList
from widgets.state_content import FIND_STORES, StateAction, StateContent, StateKind
from widgets.text_marks import marked, one_line
from widgets.theme import fixed_font, title_font

_COLUMN_WIDTH = 460
_BUTTON_WIDTH = 170
_LONGEST = 2000


class StatePage(QWidget):
    """Show one StateContent; `action_wanted` carries the name of the button pressed."""

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._details = ""
        self._title = _wrapped()
        self._title.setFont(title_font(self.font()))
        self._text = _wrapped()
        self._code = muted(_wrapped())
        self._code.setFont(fixed_font(self._code.font()))
        self._busy = QProgressBar()
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(4)
        self._busy.setAccessibleName("Working")
        self._copy = QPushButton("Copy details")
        self._copy.setMinimumWidth(_BUTTON_WIDTH)
        self._copy.clicked.connect(lambda: copy_text(self._details))
        self._buttons: list[QPushButton] = []
        self._shown: StateContent | None = None
        self._can_find = False
        self.recents = RecentList()
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QWidget()
        column.setMaximumWidth(_COLUMN_WIDTH)
        # Not Maximum: wrapped lines may need more than the size hint has.
        column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        inner = QVBoxLayout(column)
        inner.setSpacing(10)
        for widget in (self._title, self._text, self._code, self._busy):
            inner.addWidget(widget)
        inner.addSpacing(4)
        inner.addLayout(self._column)
        self._column.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignLeft)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(column, 100)
        across.addStretch(1)
        # Not below the wrapping labels: a column with them can be given less than it needs.
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self.recents, 100)
        below.addStretch(1)
        self.recents.setMaximumWidth(_COLUMN_WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(2)
        layout.addLayout(across)
        layout.addLayout(below)
        layout.addStretch(3)

    def show_state(self, content: StateContent) -> None:
        """Show a page."""
        self._shown = content
        self._title.setText(one_line(content.title))
        self._text.setText(marked(content.text, _LONGEST))
        self._text.setVisible(bool(content.text))
        self._code.setText(one_line(content.code) if content.code else "")
        self._code.setVisible(bool(content.code))
        self._busy.setVisible(content.kind is StateKind.LOADING)
        self._details = content.details
        self.recents.set_wanted(content.kind is StateKind.WELCOME)
        self._copy.setVisible(bool(content.details))
        self._set_buttons(content)

    def offer_finding(self) -> None:
        """Offer to find stores beside the other ways to begin, now and later."""
        self._can_find = True
        if self._shown is not None:
            self._set_buttons(self._shown)

    def _actions(self, content: StateContent) -> Sequence[StateAction]:
        if self._can_find and content.kind is StateKind.WELCOME:
            first, *rest = content.actions
            return (first, FIND_STORES, *rest)
        return content.actions

    def _set_buttons(self, content: StateContent) -> None:
        for button in self._buttons:
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []
        for place, action in enumerate(self._actions(content)):
            button = QPushButton(action.label)
            button.setDefault(place == 0)
            button.setMinimumWidth(_BUTTON_WIDTH)
            button.clicked.connect(
                lambda _checked=False, name=action.name: self.action_wanted.emit(name)
            )
            self._column.insertWidget(place, button, 0, Qt.AlignmentFlag.AlignLeft)
            button.show()
            self._buttons.append(button)

    def focus_target(self) -> QWidget | None:
        """Return the button that takes the keyboard, or None where there is none."""
        return next((b for b in (*self._buttons, self._copy) if not b.isHidden()), None)


def _wrapped() -> QLabel:
    label = plain_label()
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
