"""The base of every list model here: one column of RowContent, and what Qt's roles make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, override

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from core.readmodels import ChainEnd
from core.retrieval.highlight import Spans
from widgets.memory_drag import MEMORIES_MIME, memories_mime_data
from widgets.row_content import RowContent, RowExtras, RowMove
from widgets.text_marks import plain_tooltip
from widgets.texts import PLACEHOLDER

type Index = QModelIndex | QPersistentModelIndex

ROOT = QModelIndex()
ROW_ROLE = Qt.ItemDataRole.UserRole


class MemoryKey(NamedTuple):
    """A memory of a store; the store is empty where lists know of only one."""

    uuid: str
    store: str


class RowModel(QAbstractListModel):
    """A list of rows that may not be known yet; subclasses say how many and which."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._extras = RowExtras()

    def count(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def content_at(self, row: int) -> RowContent | None:
        """Return the row, or None while it is not known; `row` is valid."""
        raise NotImplementedError

    def row_of(self, uuid: str, store: str | None = None) -> int | None:
        """Return where a memory stands, or None where it is not in the list (or not known).

        Without a store it is the first one of that uuid.
        """
        raise NotImplementedError

    def key_at(self, index: Index) -> MemoryKey | None:
        """Return the memory at an index, or None for no row or one not known yet."""
        if not index.isValid():
            return None
        content = self.content_at(index.row())
        return None if content is None else MemoryKey(content.uuid, content.store)

    def uuid_at(self, index: Index) -> str | None:
        """Return the uuid of the memory at an index, or None like key_at."""
        key = self.key_at(index)
        return None if key is None else key.uuid

    def keys_at(self, row: int) -> list[MemoryKey]:
        """Return every memory that a row stands for, all of one store."""
        content = self.content_at(row)
        store = "" if content is None else content.store
        return [MemoryKey(uuid, store) for uuid in self.uuids_at(row)]

    def uuids_at(self, row: int) -> list[str]:
        """Return every memory that a row stands for: more than one where it is a closed fold."""
        content = self.content_at(row)
        return [] if content is None else [content.uuid]

    @property
    def spans(self) -> Mapping[str, Spans]:
        """Return the matched places known by now, in characters of the stored gists."""
        return self._extras.spans

    def set_spans(self, spans: Mapping[str, Spans]) -> None:
        """Mark where the gists of these memories match; all others match nowhere."""
        self._set_extras(replace(self._extras, spans=spans))

    def set_dead(self, dead: frozenset[str]) -> None:
        """Warn at the memories whose chain ends in a retired one."""
        if dead != self._extras.dead:
            self._set_extras(replace(self._extras, dead=dead))

    def set_ends(self, ends: Mapping[str, ChainEnd]) -> None:
        """Name what replaced these memories and where their chains end."""
        if ends != self._extras.ends:
            self._set_extras(replace(self._extras, ends=ends))

    def set_moves(self, moves: Mapping[str, RowMove]) -> None:
        """Say how far these memories have moved; nothing of all others."""
        if moves != self._extras.moves:
            self._set_extras(replace(self._extras, moves=moves))

    def set_grades(self, grades: Mapping[str, int]) -> None:
        """Mark these memories with a person's grades, 0 to 3; all others have none."""
        if grades != self._extras.grades:
            self._set_extras(replace(self._extras, grades=grades))

    def _set_extras(self, extras: RowExtras) -> None:
        self._extras = extras
        if self.count():
            self.dataChanged.emit(self.index(0), self.index(self.count() - 1))

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        drag = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | drag if index.isValid() else super().flags(index)

    @override
    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.LinkAction | Qt.DropAction.CopyAction  # a row is never moved away

    @override
    def mimeTypes(self) -> list[str]:
        return [MEMORIES_MIME]

    @override
    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        keys = [key for index in indexes for key in self.keys_at(index.row())]
        store = keys[0].store if keys else ""
        return memories_mime_data([key.uuid for key in keys if key.store == store], store)

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self.count()

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < self.count():
            return None
        content = self.content_at(index.row())
        if content is not None:
            content = self._extras.dress(content)
        if role == ROW_ROLE:
            return content
        if role == Qt.ItemDataRole.DisplayRole:
            return PLACEHOLDER if content is None else content.gist
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return "not loaded yet" if content is None else content.spoken
        if role == Qt.ItemDataRole.ToolTipRole and content is not None:
            return plain_tooltip(content.tip)
        return None


class FixedRows(RowModel):
    """Rows that are all known at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[RowContent, ...] = ()
        self._places: dict[tuple[str, str | None], int] = {}

    def set_rows(self, rows: list[RowContent]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self._places = {(content.uuid, content.store): row for row, content in enumerate(rows)}
        for row, content in enumerate(rows):
            self._places.setdefault((content.uuid, None), row)
        self.endResetModel()

    @override
    def count(self) -> int:
        return len(self._rows)

    @override
    def content_at(self, row: int) -> RowContent | None:
        return self._rows[row]

    @override
    def row_of(self, uuid: str, store: str | None = None) -> int | None:
        return self._places.get((uuid, store))
