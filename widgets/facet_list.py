"""The facets of the list on screen: filters with the number of rows that each would keep.

A click chooses one in the place of all others; with Ctrl beside them, with Shift as one more
value, with Alt turned round. The keyboard has the same, and the context menu in words.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import override

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from core.filters.alternatives import is_chosen
from core.filters.facets import Facet, FacetGroup, FacetValue
from core.filters.filter import Filter
from core.filters.values import write_filter
from widgets.facet_words import FACET_NAMES, rest_words, value_words
from widgets.roomy_delegate import RoomyDelegate
from widgets.text_marks import one_line, plain_tooltip
from widgets.texts import PLACEHOLDER, counted, grouped, memories

_FILTER = Qt.ItemDataRole.UserRole
_LEAST_WIDTH = 150
_LEAST_ROWS = 5
_ORDER = tuple(Facet)
_OPEN_FIRST = frozenset({Facet.STATE, Facet.TIER, Facet.PROBLEM})
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Click(StrEnum):
    """How a filter is chosen."""

    REPLACE = "replace"
    AND = "and"
    OR = "or"
    NOT = "not"


_OFFERS: Mapping[Click, str] = MappingProxyType(
    {
        Click.REPLACE: "&Only these\tEnter",
        Click.AND: "&And these\tCtrl+Enter",
        Click.OR: "O&r these\tShift+Enter",
        Click.NOT: "&Not these\tAlt+Enter",
    }
)
_Modifier = Qt.KeyboardModifier


def click_of(modifiers: Qt.KeyboardModifier) -> Click:
    """Return what a click or Enter with some keys held means."""
    if modifiers & _Modifier.AltModifier:
        return Click.NOT
    if modifiers & _Modifier.ShiftModifier:
        return Click.OR
    return Click.AND if modifiers & _Modifier.ControlModifier else Click.REPLACE


class FacetList(QTreeWidget):
    """Show facets as blocks that fold. `chosen` carries a filter and how it was chosen."""

    chosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Filters with counts")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setIndentation(10)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformRowHeights(True)
        self.viewport().setAutoFillBackground(False)
        self.setItemDelegate(RoomyDelegate(self))
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(10)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)
        self._pressed: QTreeWidgetItem | None = None
        self._blocks: dict[Facet, QTreeWidgetItem] = {}
        self._groups: tuple[FacetGroup, ...] = ()
        self._missing = QTreeWidgetItem()
        self._missing.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.addTopLevelItem(self._missing)
        self._missing.setFirstColumnSpanned(True)
        self.say_missing(0)

    def show_groups(
        self,
        groups: Sequence[FacetGroup],
        active: Collection[Filter] = (),
        totals: Mapping[Filter, int] = MappingProxyType({}),
    ) -> None:
        """Show these facets, the filters in force marked; what is folded stays folded.

        `totals` are how many rows there are of a kind at all, where it is known.
        """
        self._groups = tuple(groups)
        current = self._current_filter()
        scrolled = self.verticalScrollBar().value()
        shown = {group.facet for group in groups}
        for group in groups:
            block = self._block(group.facet)
            block.takeChildren()
            block.addChildren([_value_item(value, active, totals) for value in group.values])
            if group.other_values:
                block.addChild(_rest_item(group))
        for facet, block in self._blocks.items():
            block.setHidden(facet not in shown)
            if facet not in shown:
                block.takeChildren()
        self._go_to(current)
        self.verticalScrollBar().setValue(scrolled)

    def say_missing(self, stores: int) -> None:
        """Say above all facets that so many stores are not in the numbers; nothing where none."""
        words = f"{counted(stores, 'store')} not counted" if stores else ""
        self._missing.setText(0, words)
        self._missing.setToolTip(0, words)
        self._missing.setHidden(not stores)

    def forget_counts(self) -> None:
        """Show no numbers: those there are belong to other stores. The filters stay."""
        for block in self._blocks.values():
            for row in range(block.childCount()):
                line = block.child(row)
                if line is not None:
                    _leave_open(line)
        self.say_missing(0)

    def counts(self) -> dict[str, str]:
        """Return what stands beside each line in view, by its words."""
        blocks = [block for block in self._blocks.values() if not block.isHidden()]
        lines = [block.child(row) for block in blocks for row in range(block.childCount())]
        return {line.text(0): line.text(1) for line in lines if line is not None}

    def groups(self) -> tuple[FacetGroup, ...]:
        """Return what is shown."""
        return self._groups

    def item_of(self, filter_: Filter) -> QTreeWidgetItem | None:
        """Return the line of a filter, if there is one."""
        for block in self._blocks.values():
            for row in range(block.childCount()):
                line = block.child(row)
                if line is not None and line.data(0, _FILTER) == filter_:
                    return line
        return None

    def _block(self, facet: Facet) -> QTreeWidgetItem:
        block = self._blocks.get(facet)
        if block is None:
            before = sum(_ORDER.index(other) < _ORDER.index(facet) for other in self._blocks)
            block = self._blocks[facet] = QTreeWidgetItem([FACET_NAMES[facet], ""])
            block.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.insertTopLevelItem(1 + before, block)  # the first one says what is missing
            block.setExpanded(facet in _OPEN_FIRST)
        return block

    def _current_filter(self) -> Filter | None:
        item = self.currentItem()
        found = None if item is None else item.data(0, _FILTER)
        return found if isinstance(found, Filter) else None

    def _go_to(self, filter_: Filter | None) -> None:
        """Keep the line of a filter current, its place where it went."""
        item = None if filter_ is None else self.item_of(filter_)
        if item is not None:
            self.setCurrentItem(item)
        if not self.hasFocus():
            self.clearSelection()

    # What is marked: only the keyboard's line, while it is here; ✓ says what is in force

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        item = self.currentItem()
        if item is not None:
            item.setSelected(True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.clearSelection()

    # Choosing

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = self.itemAt(event.position().toPoint()) if is_left else None
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        item, self._pressed = self._pressed, None
        if item is not None and item is self.itemAt(event.position().toPoint()):
            self._choose(item, click_of(event.modifiers()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if Qt.Key(event.key()) in _ENTER and item is not None:
            self._choose(item, click_of(event.modifiers()))
        else:
            super().keyPressEvent(event)

    def _choose(self, item: QTreeWidgetItem, how: Click) -> None:
        filter_ = item.data(0, _FILTER)
        if isinstance(filter_, Filter):
            self.chosen.emit(filter_, how.value)
        elif item.childCount():
            item.setExpanded(not item.isExpanded())

    def _offer(self, at: QPoint) -> None:
        item = self.itemAt(at) or self.currentItem()
        if item is None or item.data(0, _FILTER) is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for how, words in _OFFERS.items():
            menu.addAction(words).triggered.connect(
                lambda _checked=False, how=how: self._choose(item, how)
            )
        menu.popup(self.viewport().mapToGlobal(at))

    # Room

    @override
    def sizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, 12 * self._row_height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LEAST_ROWS * self._row_height())

    def _row_height(self) -> int:
        return max(self.sizeHintForRow(0), self.fontMetrics().height())


def _value_item(
    value: FacetValue, active: Collection[Filter], totals: Mapping[Filter, int]
) -> QTreeWidgetItem:
    words = one_line(value_words(value.filter))
    total = totals.get(value.filter)
    is_part = total is not None and total != value.count
    number = f"{grouped(value.count)} of {grouped(total or 0)}" if is_part else grouped(value.count)
    is_active = is_chosen(value.filter, active)
    item = QTreeWidgetItem([f"✓ {words}" if is_active else words, number])
    item.setData(0, _FILTER, value.filter)
    chosen = ", chosen" if is_active else ""
    spoken = f"{words}, {memories(value.count)} in the list{chosen}"
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
    item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    tip = plain_tooltip(f"{value_words(value.filter)}: {number}\n{write_filter(value.filter)}")
    for column in (0, 1):
        item.setToolTip(column, tip)
    if is_active:
        font = item.font(0)
        font.setBold(True)
        item.setFont(0, font)
    return item


def _leave_open(line: QTreeWidgetItem) -> None:
    """Say that a number is still to come."""
    line.setText(1, PLACEHOLDER)
    words = line.text(0)
    line.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{words}, being counted")
    for column in (0, 1):
        line.setToolTip(column, plain_tooltip(f"{words}: being counted"))


def _rest_item(group: FacetGroup) -> QTreeWidgetItem:
    item = QTreeWidgetItem([rest_words(group), grouped(group.other_rows)])
    item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    return item
