"""The left edge: the open stores and their totals, facets, saved searches, recent stores."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import override

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.filters.facets import Facet, FacetGroup
from core.filters.filter import Filter
from core.readmodels import State, StateCounts
from widgets.facet_list import FacetList
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.roomy_delegate import RoomyDelegate
from widgets.row_marks import draw_state, mark_size
from widgets.store_list import StoreLine, StoreList
from widgets.text_marks import one_line, plain_tooltip
from widgets.texts import STATE_WORDS, grouped, memories

_LEAST_WIDTH = 150
_INDENT = 7  # a list item has 3 pixels of its own
_KEY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class SidebarEntry:
    """One line to choose: `key` is what the signal carries, `tip` the whole truth of it."""

    key: str
    label: str
    tip: str = ""
    count: int | None = None
    is_least: bool = False
    """Whether there may be more than `count`: a store could not be read."""

    @property
    def line(self) -> str:
        """Write 'about tides · 12'."""
        label = one_line(self.label)
        more = "+" if self.is_least else ""
        return label if self.count is None else f"{label} · {grouped(self.count)}{more}"

    @property
    def whole(self) -> str:
        """Return the whole truth of it."""
        tip = self.tip or self.label
        more = " or more: a store could not be read" if self.is_least else ""
        return tip if self.count is None else f"{tip}\n{memories(self.count)}{more}"


def share_words(shown: int | None, total: int) -> str:
    """Write '610', or '23 of 610' where a search shows some of them."""
    return grouped(total) if shown is None else f"{grouped(shown)} of {grouped(total)}"


class _StateMark(QWidget):
    """The mark of a state as lists draw it."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(mark_size(self.font()), mark_size(self.font()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        role = QPalette.ColorRole
        colour = role.Accent if self._state is State.LIVE else role.PlaceholderText
        painter = QPainter(self)
        draw_state(painter, QRectF(self.rect()), self._state, self.palette().color(colour))
        painter.end()


class _Choices(QListWidget):
    """A short list that is as high as its lines; Enter or a click chooses."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.viewport().setAutoFillBackground(False)
        self.setItemDelegate(RoomyDelegate(self))
        self.itemActivated.connect(self._choose)
        self.itemClicked.connect(self._choose)

    def set_entries(self, entries: Sequence[SidebarEntry]) -> None:
        """Show these, in the order given; the line that has the keyboard keeps it."""
        before = self.currentItem().data(_KEY) if self.currentRow() >= 0 else None
        if [entry.key for entry in entries] != self.entry_keys():
            self.clear()
            self.addItems([""] * len(entries))
        for row, entry in enumerate(entries):
            item = self.item(row)
            item.setText(entry.line)
            item.setData(_KEY, entry.key)
            item.setToolTip(plain_tooltip(entry.whole))
            if entry.key == before:
                self.setCurrentRow(row)
        self.updateGeometry()

    def entry_keys(self) -> list[str]:
        """Return the keys in the order shown."""
        return [str(self.item(row).data(_KEY)) for row in range(self.count())]

    @override
    def sizeHint(self) -> QSize:
        row = self.sizeHintForRow(0) if self.count() else 0
        return QSize(_LEAST_WIDTH, row * self.count() + 2 * self.frameWidth() + 2)

    @override
    def minimumSizeHint(self) -> QSize:
        row = self.sizeHintForRow(0) if self.count() else 0
        return QSize(0, min(self.sizeHint().height(), 3 * row))

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(str(item.data(_KEY)))


class Sidebar(QWidget):
    """Show where one is. `store_wanted` carries a recent store's key, `saved_wanted` a search's."""

    store_wanted = Signal(str)
    saved_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_LEAST_WIDTH)
        self._totals: StateCounts | None = None
        self._shown: Mapping[State, int] | None = None
        self.store_name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._numbers: dict[State, QLabel] = {}
        self._all = muted(plain_label())
        self.counts = self._count_block()
        self.stores = StoreList()
        self.facets = FacetList()
        self.facets.hide()
        self.saved = _Choices("Saved searches")
        self.recent = _Choices("Recent stores")
        self.saved.chosen.connect(self.saved_wanted)
        self.recent.chosen.connect(self.store_wanted)
        self._saved_block = _block("Saved searches", self.saved)
        self._recent_block = _block("Recent stores", self.recent)
        self._lay_out()
        self.show_saved(())
        self.show_recent(())
        self.show_stores(())
        self.show_store("", None)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._say_counts()

    def _count_block(self) -> QWidget:
        block = QWidget()
        rows = self._count_rows = QVBoxLayout(block)
        rows.setContentsMargins(10, 0, 10, 0)
        rows.setSpacing(4)
        rows.addWidget(self._all)
        self._states = QWidget()
        by_state = QVBoxLayout(self._states)
        by_state.setContentsMargins(0, 0, 0, 0)
        by_state.setSpacing(4)
        rows.addWidget(self._states)
        for state in State:
            self._numbers[state] = plain_label()
            self._numbers[state].setAlignment(Qt.AlignmentFlag.AlignRight)
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(_StateMark(state))
            row.addWidget(plain_label(STATE_WORDS[state]))
            row.addStretch(1)
            row.addWidget(self._numbers[state])
            by_state.addLayout(row)
        return block

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(6)
        self._store_heading = _heading("Store")
        column.addWidget(self._store_heading)
        self.store_name.setContentsMargins(10, 0, 10, 0)
        column.addWidget(self.store_name)
        indent = QVBoxLayout()
        indent.setContentsMargins(_INDENT, 0, 4, 0)
        indent.addWidget(self.stores)
        column.addLayout(indent)
        column.addWidget(self.counts)
        facets = QVBoxLayout()
        facets.setContentsMargins(_INDENT, 0, 4, 0)
        facets.addWidget(self.facets)
        column.addLayout(facets, 1)
        column.addSpacing(10)
        column.addWidget(self._saved_block)
        column.addWidget(self._recent_block)
        self._rest = QWidget()
        column.addWidget(self._rest, 1)

    def show_facets(
        self,
        groups: Sequence[FacetGroup],
        active: Collection[Filter] = (),
        totals: Mapping[Filter, int] = MappingProxyType({}),
        missing: int = 0,
    ) -> None:
        """Show the facets of the list on screen; the first stand for the counts by state.

        `missing` stores could not be counted.
        """
        self.facets.show_groups(groups, active, totals)
        self.facets.say_missing(missing)
        has_facets = bool(groups) and self._totals is not None
        self.facets.setVisible(has_facets)
        self._states.setVisible(not any(group.facet is Facet.STATE for group in groups))
        self._rest.setVisible(not has_facets)

    def show_store(self, name: str, totals: StateCounts | None) -> None:
        """Name the open store; its totals, or None while they are not known."""
        self.store_name.set_line(name or "none open")
        self._totals = totals
        if totals is None:
            self.show_facets(())
        self._say_counts()

    def show_stores(self, lines: Sequence[StoreLine]) -> None:
        """List the open stores in the place of the one name; none where only one is open."""
        self.stores.show_lines(lines)
        self.stores.setVisible(bool(lines))
        self.store_name.setVisible(not lines)
        self._store_heading.setText("Stores" if lines else "Store")

    def show_shown(self, shown: Mapping[State, int] | None) -> None:
        """Say how many of each state the list on screen has; None where it has them all."""
        self._shown = shown
        self._say_counts()

    def show_saved(self, entries: Sequence[SidebarEntry]) -> None:
        """Show the saved searches; the section is hidden while there are none."""
        self.saved.set_entries(entries)
        self._saved_block.setVisible(bool(entries))

    def show_recent(self, entries: Sequence[SidebarEntry]) -> None:
        """Show the stores opened lately, without the open one; hidden while there are none."""
        self.recent.set_entries(entries)
        self._recent_block.setVisible(bool(entries))

    def count_words(self) -> dict[str, str]:
        """Return what stands beside each state, and beside 'all'."""
        words = {STATE_WORDS[state]: label.text() for state, label in self._numbers.items()}
        return {**words, "all": self._all.text()}

    def _say_counts(self) -> None:
        totals, shown = self._totals, self._shown
        self.counts.setVisible(totals is not None)
        if totals is None:
            return
        by_state = {
            State.LIVE: totals.live,
            State.SUPERSEDED: totals.superseded,
            State.RETIRED: totals.retired,
        }
        for state, total in by_state.items():
            part = None if shown is None else shown.get(state, 0)
            _say_steadily(self._numbers[state], share_words(part, total), share_words(total, total))
        whole = None if shown is None else sum(shown.values())
        words = memories(totals.total) if whole is None else _in_list(whole, totals.total)
        _say_steadily(self._all, words, _in_list(totals.total, totals.total))
        self._make_room()

    def _make_room(self) -> None:
        """Be wide enough for the counts at once, not only when layouts are looked at next."""
        rows = self._count_rows
        rows.invalidate()
        rows.activate()
        self.setMinimumWidth(max(_LEAST_WIDTH, rows.minimumSize().width()))


def _in_list(shown: int, total: int) -> str:
    return f"{share_words(shown, total)} in the list"


def _say_steadily(label: QLabel, words: str, widest: str) -> None:
    """Write words where the widest ones to come have room: the sidebar keeps its width."""
    label.setText(words)
    advance = label.fontMetrics().horizontalAdvance
    label.setMinimumWidth(max(advance(words), advance(widest)) + 2)


def _heading(text: str, left: int = 10) -> QLabel:
    label = muted(plain_label(text))
    label.setContentsMargins(left, 0, 10, 0)
    return label


def _block(title: str, choices: _Choices) -> QWidget:
    block = QWidget()
    column = QVBoxLayout(block)
    column.setContentsMargins(_INDENT, 0, 4, 0)
    column.setSpacing(2)
    column.addWidget(_heading(title, 10 - _INDENT))
    column.addWidget(choices)
    return block
