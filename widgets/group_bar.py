"""The bar above a list where a search has more than one: a tab for each group of stores.

Lists of different groups are never mixed: their ranks are not comparable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QTabBar, QVBoxLayout, QWidget

from widgets.few_lines_label import FewLinesLabel
from widgets.plain import line_between
from widgets.text_marks import marked, menu_text, one_line, plain_tooltip
from widgets.theme import small_font

_MOST_LINES = 2
_NAME = "Lists that cannot be compared with each other"
_LEAST_TAB = 110


class _Tabs(QTabBar):
    """Tabs that scroll before they are too narrow to be told apart."""

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        whole = self.tabSizeHint(index)
        return QSize(min(whole.width(), _LEAST_TAB), whole.height())


@dataclass(frozen=True, slots=True)
class GroupTab:
    """One group: its stores in few words, how many memories it ranks, why it is apart."""

    label: str
    count: int
    reason: str
    stores: tuple[str, ...]

    @property
    def words(self) -> str:
        """Write '12 · notes, quay': of a long line the end is cut off."""
        return f"{self.count:,} · {self.label}"


class GroupBar(QFrame):
    """Show the groups of a search; `group_wanted` carries the place of the one chosen."""

    group_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs: QTabBar = _Tabs()
        self.tabs.setAccessibleName(_NAME)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setUsesScrollButtons(True)
        self._reason = FewLinesLabel(_MOST_LINES)
        self._reason.setFont(small_font(self._reason.font()))
        self._groups: tuple[GroupTab, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        indent = QVBoxLayout()
        indent.setContentsMargins(10, 3, 10, 4)
        indent.addWidget(self._reason)
        layout.addWidget(self.tabs)
        layout.addLayout(indent)
        layout.addWidget(line_between())
        self.tabs.currentChanged.connect(self._chosen)
        self.hide()

    def show_groups(self, groups: Sequence[GroupTab], at: int) -> None:
        """Show these groups with the one at a place in front; hidden where there is only one."""
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(groups):
            self.tabs.removeTab(self.tabs.count() - 1)
        while self.tabs.count() < len(groups):
            self.tabs.addTab("")
        for place, group in enumerate(groups):
            self.tabs.setTabText(place, menu_text(one_line(group.words)))
            self.tabs.setTabToolTip(place, plain_tooltip("\n".join((*group.stores, group.reason))))
            self.tabs.setAccessibleTabName(place, one_line(f"{group.words}. {group.reason}"))
        self._groups = tuple(groups)
        if groups:
            self.tabs.setCurrentIndex(at)
        self.tabs.blockSignals(False)
        self._say(at)
        self.setVisible(len(groups) > 1)

    def words(self) -> list[str]:
        """Return what the tabs say; nothing while hidden."""
        return [] if self.isHidden() else [group.words for group in self._groups]

    def reason(self) -> str:
        """Return what is said of the group in front."""
        return self._reason.text()

    def _say(self, at: int) -> None:
        reason = self._groups[at].reason if self._groups else ""
        self._reason.setText(marked(reason))
        self._reason.setToolTip(plain_tooltip(reason) if reason else "")
        self._reason.setVisible(bool(reason))

    def _chosen(self, at: int) -> None:
        self._say(at)
        self.group_wanted.emit(at)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())
