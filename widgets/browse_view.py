"""Browsing: the memories that nothing ranks, all or some, in the order of a column."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from core.readmodels import MemoryHead
from widgets.browse_model import BrowseModel
from widgets.kept_selection import KeptSelection
from widgets.memory_list import MemoryList, Named
from widgets.pill import NewRowsPill
from widgets.plain import ElidedLabel, LinkButton
from widgets.row_delegate import EDGE
from widgets.row_table import RowTable
from widgets.store_labels import StoreLabel
from widgets.texts import grouped, memories


@dataclass(frozen=True, slots=True)
class BrowsePlace:
    """Where somebody reads, told by memories: rows may get other numbers meanwhile.

    `in_view` holds the memories in view, topmost first, and where each begins in pixels. `store`
    is the key of the selected one's store.
    """

    selected: str | None
    in_view: tuple[tuple[str, int], ...]
    store: str | None = None

    @property
    def uuids(self) -> tuple[str, ...]:
        """Return the memories whose heads are needed to find the place again."""
        selected = () if self.selected is None else (self.selected,)
        return (*selected, *(uuid for uuid, _ in self.in_view))


class BrowseView(MemoryList):
    """Show every row; ask for heads near the viewport.

    `page_wanted` carries a list of at most 256 rowids. Answer each with exactly one `put_heads`
    (an empty one where reading failed): the next is only asked for then. `row_selected` carries
    a uuid, empty for no selection.
    """

    page_wanted = Signal(object)
    row_selected = Signal(object)
    row_opened = Signal(object)
    sort_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: BrowseModel = BrowseModel(self)
        self.table = RowTable(self._model)
        self._order = "newest first"
        self._out_of: int | None = None
        self.table.setAccessibleName(f"All memories, {self._order}")
        self._count = ElidedLabel()
        self._count.setContentsMargins(EDGE, 6, EDGE, 6)
        self._selection = KeptSelection(self.table, self._model)
        self._selection.changed.connect(self.row_selected)
        self._serve_drags(self.table)
        self.table.activated.connect(lambda i: self.row_opened.emit(self._model.uuid_at(i) or ""))
        self.table.looked_elsewhere.connect(self._ask)
        self._asked: list[int] = []
        self._waiting: Sequence[int] | None = None
        self.pill = NewRowsPill(self.table)
        self.pill.clicked.connect(self._show_top)
        self.table.top_wanted.connect(self.bring_in)
        self.setFocusProxy(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.sort_button = LinkButton()
        self.sort_button.set_line("Sort…")
        self.sort_button.setAccessibleName("Sort the list")
        self.sort_button.setToolTip("Sort the list by another column, or the other way")
        self.sort_button.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.sort_button.clicked.connect(self._ask_sort)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, EDGE, 0)
        top.addWidget(self._count)
        top.addStretch(1)
        top.addWidget(self.sort_button)
        layout.addLayout(top)
        layout.addWidget(self.table)

    def _ask_sort(self) -> None:
        self.sort_wanted.emit(self.sort_button.mapToGlobal(self.sort_button.rect().bottomLeft()))

    def name_list(self, order: str, out_of: int | None = None) -> None:
        """Say of the next rows in which order they are; `out_of` how many they are part of."""
        self._order, self._out_of = order, out_of
        which = "All memories" if out_of is None else "Memories that pass the filters"
        self.table.setAccessibleName(f"{which}, {order}")

    def set_labels(self, labels: Sequence[StoreLabel]) -> None:
        """List these stores together, or the only one where there is none."""
        self._asked = []
        self._model.set_labels(labels)

    def set_rows(self, rowids: Sequence[int]) -> None:
        """Show these rows in the order given; selection and scroll stay with their memories."""
        self._waiting = None
        self.pill.set_number(0)
        self._put(rowids, len(rowids))

    def show_first(self, heads: Sequence[MemoryHead], total: int) -> None:
        """Show the top of so many rows, the others empty; their order follows with `set_rows`."""
        self._waiting = None
        self.pill.set_number(0)
        self._put([head.rowid for head in heads], total, heads)

    def refresh_rows(self, rowids: Sequence[int]) -> None:
        """Show a store that has moved: what left it goes, what is new waits behind the pill.

        At the top and with nothing selected new rows come by themselves.
        """
        is_shown = self._model.has_rowid
        left = [rowid for rowid in rowids if is_shown(rowid)]
        new = len(rowids) - len(left)
        if not new or self.is_at_rest() or not self._model.is_complete:
            self.set_rows(rowids)
            return
        self._waiting = tuple(rowids)
        self._put(left, len(rowids))
        self.pill.set_number(new)

    def bring_in(self) -> None:
        """Show the rows that wait behind the pill, if there are any."""
        if self._waiting is not None:
            self.set_rows(self._waiting)

    def _show_top(self) -> None:
        self.bring_in()
        self.table.scrollToTop()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_at_rest(self) -> bool:
        """Tell whether nobody reads here: the top is in view and nothing selected."""
        at_top = self.table.verticalScrollBar().value() == 0
        return at_top and not self.table.selectionModel().hasSelection()

    def _put(self, rowids: Sequence[int], total: int, first: Sequence[MemoryHead] = ()) -> None:
        in_view = self._in_view()
        was_at_top = self.table.verticalScrollBar().value() == 0
        self._asked = []
        self._model.set_rows(rowids, total if first else None)
        self._model.put_heads(first)
        self.table.doItemsLayout()  # the scroll bar knows the new length at once
        if was_at_top:
            self.table.scrollToTop()  # restoring the selection may have left it
        else:
            self._scroll_to_one_of(in_view)
        part = "" if self._out_of is None else f"{grouped(total)} of "
        whole = memories(total if self._out_of is None else self._out_of)
        self._count.set_line(f"{part}{whole}, {self._order}")
        self._ask()

    def _in_view(self) -> list[tuple[int, int]]:
        """Return the numbers of the rows in view, topmost first, and where each begins."""
        first = self.table.rowAt(0)
        found: list[tuple[int, int]] = []
        while first >= 0 and (rowid := self._model.rowid_at(first)) is not None:
            at = self.table.rowViewportPosition(first)
            if at > self.table.viewport().height():
                break
            found.append((rowid, at))
            first += 1
        return found

    def _scroll_to_one_of(self, rows: Sequence[tuple[int, int]]) -> None:
        """Put the first of the rows that is still there where it was."""
        for rowid, offset in rows:
            row = self._model.row_of_rowid(rowid)
            if row is not None:
                hint = QAbstractItemView.ScrollHint.PositionAtTop
                self.table.scrollTo(self._model.index(row), hint)
                bar = self.table.verticalScrollBar()
                bar.setValue(bar.value() - offset)
                return

    def place(self) -> BrowsePlace:
        """Return where somebody reads."""
        shown = ((self._model.uuid_of_rowid(rowid), at) for rowid, at in self._in_view())
        in_view = tuple((uuid, at) for uuid, at in shown if uuid is not None)
        return BrowsePlace(self.selected_uuid(), in_view, self.selected_store() or None)

    def go_back_to(self, place: BrowsePlace, heads: Sequence[MemoryHead]) -> None:
        """Select and scroll as in `place`, as far as its memories are among the rows.

        `heads` are those of `place.uuids`.
        """
        self._model.put_heads(heads)
        if place.selected is not None:
            has_store = any(label.key == place.store for label in self._model.labels)
            self.select(place.selected, place.store if has_store else None)
        rowid_of = {head.uuid: head.rowid for head in heads}
        left = [(rowid_of[uuid], at) for uuid, at in place.in_view if uuid in rowid_of]
        self._scroll_to_one_of(left)

    def put_heads(self, heads: Sequence[MemoryHead]) -> None:
        """Fill in rows that were asked for; ask for more where the view shows unloaded ones."""
        asked, self._asked = self._asked, []
        self._model.put_heads(heads)
        self._model.note_answer(asked)
        self._ask()

    def note_head(self, head: MemoryHead) -> None:
        """Fill in one row that was found elsewhere, so that it can be selected."""
        self._model.put_heads([head])

    @override
    def named(self, *, only_selected: bool = False) -> list[Named]:
        rows = self._selection.rows() if only_selected else None
        return [Named(store, rowid) for store, rowid in self._model.stored_rows(rows)]

    @property
    def is_complete(self) -> bool:
        """Tell whether the order of all rows is known."""
        return self._model.is_complete

    @override
    def unread_selected(self) -> list[int]:
        rowids = (self._model.rowid_at(row) for row in self._selection.rows())
        unread = [r for r in rowids if r is not None and self._model.uuid_of_rowid(r) is None]
        store = self.selected_store()
        return [self._model.stored_rowid(r) for r in unread if self._model.store_of(r) == store]

    def number_of_rows(self) -> int:
        """Return how many rows the list has."""
        return self._model.count()

    def heading(self) -> str:
        """Return the line above the list."""
        return self._count.text()

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked = self._model.wanted(*self.table.near_rows())
        if self._asked:
            self.page_wanted.emit(list(self._asked))
