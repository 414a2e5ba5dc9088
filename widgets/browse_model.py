"""The model of browsing: every row of the store by its number, heads loaded where one looks.

100,000 rows cost one list of integers; what a row says arrives later and is asked for by the view.
Of n stores listed together the number of a row is rowid * n + the place of its store.
"""

from collections.abc import Iterable, Sequence
from typing import override

from PySide6.QtCore import QObject

from core.readmodels import MemoryHead
from widgets.row_content import RowContent, browse_row, in_store
from widgets.row_model import RowModel
from widgets.store_labels import StoreLabel

PAGE = 256
_MOST_ATTEMPTS = 2


class BrowseModel(RowModel):
    """Rows by number. A head put earlier is shown until the row is loaded anew."""

    labels: tuple[StoreLabel, ...] = ()
    """The stores that are listed together; empty where lists know of only one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rowids: tuple[int, ...] = ()
        self._total = 0
        self._places: dict[int, int] = {}
        self._contents: dict[int, RowContent] = {}
        self._rowid_of: dict[tuple[str, str | None], int] = {}
        self._fresh: set[int] = set()
        self._attempts: dict[int, int] = {}

    def set_labels(self, labels: Sequence[StoreLabel]) -> None:
        """List other stores from now on; with their number every row's number changes."""
        if tuple(labels) == self.labels:
            return
        self.beginResetModel()
        self.labels = tuple(labels)
        self._rowids, self._total = (), 0
        self._places, self._contents, self._rowid_of = {}, {}, {}
        self._forget_loaded()
        self.endResetModel()

    def _label_of(self, rowid: int) -> StoreLabel | None:
        return self.labels[rowid % len(self.labels)] if self.labels else None

    def stored_rowid(self, rowid: int) -> int:
        """Return the number that a row has in its own store."""
        return rowid // len(self.labels) if self.labels else rowid

    def store_of(self, rowid: int) -> str:
        """Return the key of the store of a row, empty where lists know of only one."""
        label = self._label_of(rowid)
        return "" if label is None else label.key

    def _note(self, rowid: int, content: RowContent) -> None:
        self._rowid_of[content.uuid, content.store] = rowid
        self._rowid_of.setdefault((content.uuid, None), rowid)

    def set_rows(self, rowids: Sequence[int], total: int | None = None) -> None:
        """Replace the rows, in the order given; everything counts as not loaded.

        `total` is given where these are only the first of so many. The same rows again are no
        reset: what they say is read anew. Nor is the rest of rows whose first were known.
        """
        rows = tuple(rowids)
        length = len(rows) if total is None else total
        if length == self._total and rows[: len(self._rowids)] == self._rowids:
            self._extend(rows)
            return
        self.beginResetModel()
        self._rowids, self._total = rows, length
        self._places = {rowid: row for row, rowid in enumerate(rows)}
        kept = {r: c for r, c in self._contents.items() if r in self._places}
        self._contents = kept
        self._rowid_of = {}
        for rowid, content in kept.items():
            self._note(rowid, content)
        self._forget_loaded()
        self.endResetModel()

    def _extend(self, rows: tuple[int, ...]) -> None:
        known = len(self._rowids)
        if len(rows) == known:
            self._forget_loaded()
            return
        self._rowids = rows
        self._places.update((rowid, row) for row, rowid in enumerate(rows[known:], known))

    def _forget_loaded(self) -> None:
        self._fresh.clear()
        self._attempts.clear()

    @property
    def is_complete(self) -> bool:
        """Tell whether every row has its number."""
        return len(self._rowids) == self._total

    def put_heads(self, heads: Iterable[MemoryHead]) -> None:
        """Fill rows that are in the list; heads of others are dropped."""
        places: list[int] = []
        for head in heads:
            place = self._places.get(head.rowid)
            if place is None:
                continue
            content = in_store(browse_row(head), self._label_of(head.rowid))
            self._contents[head.rowid] = content
            self._note(head.rowid, content)
            self._fresh.add(head.rowid)
            places.append(place)
        if places:
            self.dataChanged.emit(self.index(min(places)), self.index(max(places)))

    def wanted(self, first: int, last: int) -> list[int]:
        """Return the rowids of rows first..last that are still to be loaded, 256 at most."""
        rows = self._rowids[max(0, first) : last + 1]
        return [
            r for r in rows if r not in self._fresh and self._attempts.get(r, 0) < _MOST_ATTEMPTS
        ][:PAGE]

    def note_answer(self, asked: Iterable[int]) -> None:
        """Count an answered request; a row left out twice is not asked for again."""
        for rowid in asked:
            if rowid not in self._fresh:
                self._attempts[rowid] = self._attempts.get(rowid, 0) + 1

    def has_rowid(self, rowid: int) -> bool:
        """Tell whether a row of this number is in the list."""
        return rowid in self._places

    def rowid_at(self, row: int) -> int | None:
        """Return the number of a row, or None beyond those known."""
        return self._rowids[row] if 0 <= row < len(self._rowids) else None

    def stored_rows(self, rows: Iterable[int] | None = None) -> list[tuple[str, int]]:
        """Return the store's key and the number there of some rows, or of all."""
        known = self._rowids
        found = known if rows is None else [known[row] for row in rows if row < len(known)]
        keys = [label.key for label in self.labels] or [""]
        return [(keys[rowid % len(keys)], rowid // len(keys)) for rowid in found]

    def uuid_of_rowid(self, rowid: int) -> str | None:
        """Return the memory of a row, or None while it is not loaded."""
        content = self._contents.get(rowid)
        return None if content is None else content.uuid

    def row_of_rowid(self, rowid: int) -> int | None:
        """Return where a rowid stands, or None."""
        return self._places.get(rowid)

    @override
    def count(self) -> int:
        return self._total

    @override
    def content_at(self, row: int) -> RowContent | None:
        rowid = self.rowid_at(row)
        return None if rowid is None else self._contents.get(rowid)

    @override
    def row_of(self, uuid: str, store: str | None = None) -> int | None:
        rowid = self._rowid_of.get((uuid, store))
        return None if rowid is None else self._places.get(rowid)
