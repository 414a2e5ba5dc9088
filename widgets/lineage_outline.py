"""The lineage as a tree that a screen reader can walk: each row speaks its state and its edges."""

from collections.abc import Mapping, Sequence
from typing import override

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QTreeView, QWidget

from core.lineage.forest import NOBODY, Component, Forest
from core.lineage.words import NODE_STATE_WORDS
from widgets.lineage_content import LineageContent, edge_of, gist_of, spoken

_ROOT = QModelIndex()
_DEEPEST = 200  # further down a row is not opened by itself: each level costs a walk
type _Index = QModelIndex | QPersistentModelIndex


def places_below(forest: Forest, trees: Sequence[Component]) -> dict[int, int]:
    """Return the row of each node below its replacement, of a head among the heads."""
    rows = {tree.head: row for row, tree in enumerate(trees)}
    for tree in trees:
        for node in tree.members:
            rows.update((n, r) for r, n in enumerate(forest.replaced(node)[::-1]))
    return rows


class OutlineModel(QAbstractItemModel):
    """Heads, and below each memory what it replaced, newest first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._content: LineageContent | None = None
        self._heads: Sequence[int] = ()
        self._rows: Mapping[int, int] = {}

    def show_trees(
        self,
        content: LineageContent | None,
        trees: Sequence[Component],
        places_below: Mapping[int, int],
    ) -> None:
        """Show these lineages in this order."""
        self.beginResetModel()
        self._content = content
        self._heads = [tree.head for tree in trees]
        self._rows = places_below
        self.endResetModel()

    def _below(self, node: int) -> Sequence[int]:
        return () if self._content is None else self._content.forest.replaced(node)[::-1]

    def node_at(self, index: _Index) -> int:
        """Return the node of a row, NOBODY for none."""
        return index.internalId() if index.isValid() else NOBODY

    def index_of(self, node: int) -> QModelIndex:
        """Return the row of a node, an invalid one where it is not shown."""
        if node not in self._rows:
            return QModelIndex()
        return self.createIndex(self._rows[node], 0, node)

    def depth_of(self, node: int) -> int:
        """Return how far below its head a node stands."""
        return 0 if self._content is None else self._content.forest.depth[node]

    @override
    def rowCount(self, parent: _Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._heads)
        return len(self._below(parent.internalId()))

    @override
    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 1

    @override
    def index(self, row: int, column: int, parent: _Index = _ROOT) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, self._heads[row])
        return self.createIndex(row, 0, self._below(parent.internalId())[row])

    @override
    def parent(self, child: _Index) -> QModelIndex:  # type: ignore[override]  # QObject's has none
        if not child.isValid() or self._content is None:
            return QModelIndex()
        node, forest = child.internalId(), self._content.forest
        after = NOBODY if node in forest.cut else forest.after(node)
        return QModelIndex() if after == NOBODY else self.index_of(after)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._content is None:
            return None
        node, content = index.internalId(), self._content
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(content, node)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        forest = content.forest
        words = [gist_of(forest, node), NODE_STATE_WORDS[forest.nodes[node].state]]
        words += [f"⚠ {mark}" for mark in content.marks.get(node, ())]
        if edge := edge_of(forest, node):
            words.append(edge)
        return " · ".join(words)


class LineageOutline(QTreeView):
    """Show the tree. `node_chosen` carries a node gone to, `node_opened` one to be read."""

    node_chosen = Signal(int)
    node_opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outline = OutlineModel(self)
        self._is_told = False
        self.setModel(self.outline)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Lineage as an outline")
        self.doubleClicked.connect(lambda index: self.node_opened.emit(index.internalId()))

    def show_trees(
        self,
        content: LineageContent | None,
        trees: Sequence[Component],
        places_below: Mapping[int, int],
    ) -> None:
        """Show lineages; what was open is closed."""
        self._is_told = True
        self.outline.show_trees(content, trees, places_below)
        self._is_told = False

    def select(self, node: int | None) -> None:
        """Select a node without saying so; the way to it is opened."""
        index = QModelIndex() if node is None else self.outline.index_of(node)
        if node is not None and self.outline.depth_of(node) > _DEEPEST:
            index = QModelIndex()
        self._is_told = True
        self.setCurrentIndex(index)
        if index.isValid():
            self.scrollTo(index)
        self._is_told = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._is_told = True  # Qt goes to the first row; nobody asked for that memory
        super().focusInEvent(event)
        self._is_told = False

    @override
    def currentChanged(self, current: _Index, previous: _Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._is_told:
            self.node_chosen.emit(current.internalId())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        node = self.outline.node_at(self.currentIndex())
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and node != NOBODY:
            self.node_opened.emit(node)
        else:
            super().keyPressEvent(event)
