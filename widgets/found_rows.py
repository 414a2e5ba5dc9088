"""The model of a list of memories that were looked up elsewhere, each with what is said of it.

A row is known by its store and a number or a uuid; its head is loaded where one looks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload, override

from PySide6.QtCore import QObject

from core.readmodels import MemoryHead
from widgets.browse_model import PAGE
from widgets.row_content import RowContent, found_row, in_store, remark_row
from widgets.row_model import RowModel
from widgets.store_labels import StoreLabel
from widgets.texts import stub

_MOST_ATTEMPTS = 2
_NO_SUCH = "is not in this store any more"


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One row: the place of its store, the memory by number or uuid, what is said of it there.

    Without either it is a remark and no memory: `words` stand where the gist would.
    """

    place: int
    rowid: int | None = None
    uuid: str | None = None
    words: str = ""

    @property
    def is_memory(self) -> bool:
        """Tell whether the row stands for a memory."""
        return self.rowid is not None or self.uuid is not None

    @property
    def memory(self) -> tuple[int, int | None, str | None]:
        """Return what tells its memory from others."""
        return self.place, self.rowid, self.uuid


class Numbered(Sequence[FoundRow]):
    """Very many rows of which only store and number are known: each is made when asked for."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        self._pairs = tuple(pairs)
        self._places: dict[tuple[int, int], int] | None = None

    @override
    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, at: int) -> FoundRow: ...
    @overload
    def __getitem__(self, at: slice) -> "Numbered": ...
    @override
    def __getitem__(self, at: int | slice) -> "FoundRow | Numbered":
        if isinstance(at, slice):
            return Numbered(self._pairs[at])
        place, rowid = self._pairs[at]
        return FoundRow(place, rowid)

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbered) and self._pairs == other._pairs

    @override
    def __hash__(self) -> int:
        return hash(self._pairs)

    def number_of(self, row: FoundRow) -> int | None:
        """Return where a row stands."""
        if self._places is None:
            self._places = {pair: number for number, pair in enumerate(self._pairs)}
        return None if row.rowid is None else self._places.get((row.place, row.rowid))


def number_of(rows: Sequence[FoundRow], row: FoundRow) -> int | None:
    """Return where a row stands, or else the first one of its memory; None where none is."""
    if isinstance(rows, Numbered):
        return rows.number_of(row)
    same = [number for number, other in enumerate(rows) if other.memory == row.memory]
    return next((number for number in same if rows[number] == row), same[0] if same else None)


@dataclass(frozen=True, slots=True)
class FoundHead:
    """What was read for a row: its head, None where there is no such memory, and more words."""

    row: FoundRow
    head: MemoryHead | None
    words: str = ""


class FoundModel(RowModel):
    """Rows in the order given. What was read for a memory is shown until it is read anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[FoundRow] = ()
        self.labels: tuple[StoreLabel, ...] = ()
        self._known: dict[FoundRow, RowContent] = {}
        self._numbers: dict[tuple[str, str | None], int] = {}
        self._fresh: set[int] = set()
        self._attempts: dict[int, int] = {}

    def set_rows(self, rows: Sequence[FoundRow], labels: Sequence[StoreLabel]) -> None:
        """Replace the rows; the same rows again are no reset: what they say is read anew."""
        self._fresh, self._attempts = set(), {}
        rows = rows if isinstance(rows, Numbered) else tuple(rows)
        is_same_stores = tuple(labels) == self.labels
        if is_same_stores and rows == self.rows:
            return
        self.beginResetModel()
        kept = self._known if is_same_stores else {}
        self.rows, self.labels = rows, tuple(labels)
        self._known, self._numbers = {}, {}
        for row, content in kept.items():
            number = number_of(rows, row)
            if number is not None:  # what is said of it may be of before until it is read
                self._note(number, rows[number], content)
        self.endResetModel()

    def _note(self, number: int, row: FoundRow, content: RowContent) -> None:
        self._known[row] = content
        for key in ((content.uuid, content.store), (content.uuid, None)):
            self._numbers[key] = min(number, self._numbers.get(key, number))

    def wanted(self, first: int, last: int) -> list[int]:
        """Return the numbers of rows first..last that are still to be loaded, 256 at most."""
        numbers = range(max(0, first), min(last + 1, len(self.rows)))
        return [n for n in numbers if self._is_wanted(n)][:PAGE]

    def _is_wanted(self, number: int) -> bool:
        is_memory = self.rows[number].is_memory
        return (
            is_memory
            and number not in self._fresh
            and self._attempts.get(number, 0) < _MOST_ATTEMPTS
        )

    def put_heads(self, asked: Sequence[int], heads: Iterable[FoundHead]) -> None:
        """Fill in rows that were asked for; one left out twice is not asked for again."""
        found = {head.row: head for head in heads}
        for number in asked:
            self._attempts[number] = self._attempts.get(number, 0) + 1
            if number < len(self.rows) and (head := found.get(self.rows[number])) is not None:
                self._note(number, head.row, self._content(head))
                self._fresh.add(number)
        if found and asked and self.rows:
            self.dataChanged.emit(self.index(min(asked)), self.index(max(asked)))

    def _label(self, row: FoundRow) -> StoreLabel | None:
        return self.labels[row.place] if row.place < len(self.labels) else None

    def _content(self, found: FoundHead) -> RowContent:
        words = " · ".join(part for part in (found.row.words, found.words) if part)
        if found.head is None:
            gone = f"{stub(found.row.uuid or '')} {_NO_SUCH}"
            return remark_row(gone, words, self._label(found.row))
        return in_store(found_row(found.head, words), self._label(found.row))

    @override
    def count(self) -> int:
        return len(self.rows)

    @override
    def content_at(self, row: int) -> RowContent | None:
        found = self.rows[row]
        if not found.is_memory:
            return remark_row(found.words, "", self._label(found))
        return self._known.get(found)

    @override
    def row_of(self, uuid: str, store: str | None = None) -> int | None:
        return self._numbers.get((uuid, store)) if uuid else None
