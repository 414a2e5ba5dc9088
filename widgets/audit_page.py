"""The page of what the agent was shown: sessions played again, and lists that the log tells of.

Reads nothing: contents come from app/audit_controller.
"""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from widgets.audit_content import LIST_NAMES, AuditList
from widgets.browsing_page import BrowsingPage
from widgets.few_lines_label import FewLinesLabel
from widgets.found_list import FoundList
from widgets.line_list import Line, LineList
from widgets.page_head import PageHead
from widgets.plain import colour_handle, indented, line_between, plain_label
from widgets.slim_button import SlimButton
from widgets.theme import small_font

_WIDE = 760
_MOST_OFTEN = 999
_TABS = (("Replay", "Sessions played again"), ("Lists", "Lists of memories"))


class AuditPage(BrowsingPage):
    """Sessions and prompts beside (or, where it is narrow, above) what was shown and done."""

    session_chosen = Signal(int)
    prompt_chosen = Signal(int)
    list_wanted = Signal()
    read_again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("audit")
        self.head = PageHead("Read the event log again")
        self.sessions = LineList("Sessions, those with prompts first, the latest first")
        self.prompts = LineList("Prompts of the session")
        self.shown = FoundList("What the agent was shown, and what it did next")
        self.words = FewLinesLabel(4)
        self.which = QComboBox()
        self.often = QSpinBox()
        self.list_words = FewLinesLabel(4)
        self.listed = FoundList("Memories of the list")
        self.tabs: list[SlimButton] = []
        self._tab_group = QButtonGroup(self)
        self._pages = QStackedWidget()
        self._make_controls()
        self._lay_out()
        self._connect()
        self.show_state("")

    def _make_controls(self) -> None:
        for number, (text, name) in enumerate(_TABS):
            button = SlimButton(text, name)
            button.setCheckable(True)
            self._tab_group.addButton(button, number)
            self.tabs.append(button)
        self.tabs[0].setChecked(True)
        for which, name in LIST_NAMES.items():
            self.which.addItem(name, which)
        self.which.setAccessibleName("Which list")
        self.which.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.often.setRange(1, _MOST_OFTEN)
        self.often.setKeyboardTracking(False)
        self.often.setAccessibleName("How many times is often")
        self.often.setToolTip("How many times is often")
        self.often.setSuffix("×")
        for label in (self.words, self.list_words):
            label.setFont(small_font(self.font()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.head)
        self.head.add(*self.tabs)
        column.addWidget(self._pages, 1)
        self._pages.addWidget(self._replay_page())
        self._pages.addWidget(self._lists_page())

    def _replay_page(self) -> QWidget:
        self._chosen = QSplitter(Qt.Orientation.Vertical)
        self._chosen.addWidget(self.sessions)
        self._chosen.addWidget(self.prompts)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(indented(self.words))
        column.addWidget(line_between())
        column.addWidget(self.shown, 1)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._parts.addWidget(self._chosen)
        self._parts.addWidget(right)
        self._chosen.setStretchFactor(0, 1)
        self._chosen.setStretchFactor(1, 2)
        self._parts.setStretchFactor(0, 2)
        self._parts.setStretchFactor(1, 3)
        for splitter in (self._chosen, self._parts):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
            colour_handle(splitter)
        return self._parts

    def _lists_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        self._often_label = plain_label("&Often is")
        self._often_label.setBuddy(self.often)
        row.addWidget(self.which, 1)
        row.addWidget(self._often_label)
        row.addWidget(self.often)
        column.addLayout(row)
        column.addLayout(indented(self.list_words))
        column.addWidget(line_between())
        column.addWidget(self.listed, 1)
        return page

    def _connect(self) -> None:
        self._tab_group.idToggled.connect(self._turn)
        self.sessions.line_chosen.connect(self.session_chosen)
        self.prompts.line_chosen.connect(self.prompt_chosen)
        self.which.currentIndexChanged.connect(lambda _row: self._ask_for_list())
        self.often.valueChanged.connect(lambda _value: self.list_wanted.emit())
        self.head.again.clicked.connect(self.read_again_wanted)

    @override
    def focus_target(self) -> QWidget:
        return self.which if self.shows_lists else self.sessions

    @override
    def panes(self) -> tuple[QWidget, ...]:
        if self.shows_lists:
            return self.which, self.listed.table
        return self.sessions, self.prompts, self.shown.table

    @property
    def shows_lists(self) -> bool:
        """Tell whether the lists are on screen, not the replay."""
        return self._tab_group.checkedId() == 1

    def show_lists(self, which: AuditList) -> None:
        """Turn to one of the lists."""
        self.which.setCurrentIndex(self.which.findData(which))
        self.tabs[1].setChecked(True)

    def chosen_list(self) -> AuditList:
        """Return the list chosen."""
        return AuditList(str(self.which.currentData()))

    def _turn(self, number: int, is_on: bool) -> None:
        if is_on:
            self._pages.setCurrentIndex(number)
            self.list_wanted.emit()

    def _ask_for_list(self) -> None:
        is_often = self.chosen_list() is AuditList.IGNORED
        self.often.setVisible(is_often)
        self._often_label.setVisible(is_often)
        self.list_wanted.emit()

    # What is shown

    def show_state(self, words: str, *, may_read: bool = False) -> None:
        """Say what there is to say of the whole page, nothing where all is well."""
        self.head.show_state(words, may_read=may_read)

    def show_sessions(self, lines: Sequence[Line]) -> None:
        """Show these sessions; the one chosen stays chosen."""
        self.sessions.show_lines(lines)
        if not lines:
            self.show_prompts(())
            self.words.setText("")

    def show_prompts(self, lines: Sequence[Line]) -> None:
        """Show the prompts of the session chosen; the one chosen stays chosen."""
        self.prompts.show_lines(lines)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _WIDE
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._parts.setOrientation(across if is_wide else down)
