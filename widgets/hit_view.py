"""The ranked list: the whole pool of one search with the agent's cut drawn as a line."""

from collections.abc import Collection, Mapping
from typing import override

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from core.retrieval.highlight import Spans
from core.retrieval.outcome import SearchOutcome
from widgets.hit_delegate import HitDelegate, fold_box
from widgets.hit_model import HitModel, Whose
from widgets.kept_selection import KeptSelection
from widgets.memory_list import MemoryList
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.row_content import RowContent, RowMove
from widgets.row_delegate import EDGE
from widgets.row_model import ROW_ROLE
from widgets.store_labels import StoreLabel
from widgets.texts import grouped, memories
from widgets.theme import small_font

_BATCH = 500
REFINING = "refining by meaning…"
#: Of a filtered list the banner above it says so.
_NOT_THE_AGENTS = {
    Whose.WITH_RETIRED: "with retired, not the agent's list",
    Whose.AGENT_FAILS: "the agent's own search fails here",
    Whose.WORDS_ONLY: "by words only, not the agent's list",
    Whose.WHAT_IF: "what if: not the agent's list",
    Whose.SEVERAL_STORES: "several stores, no agent's list",
    Whose.BORROWED: "by another store's settings, not the agent's list",
    Whose.BY_LIKENESS: "by likeness to a memory, no agent's list",
}


def make_quiet(view: QListView) -> None:
    """Set what every list of rows has in common: no frame, equal rows laid out in batches."""
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setUniformItemSizes(True)
    view.setLayoutMode(QListView.LayoutMode.Batched)
    view.setBatchSize(_BATCH)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)


class _HitList(QListView):
    """A list that draws the cut below the last row the agent sees; folds open and close.

    `fold_wanted` carries a uuid and whether its fold is to be open.
    """

    fold_wanted = Signal(str, bool)

    def __init__(self, model: HitModel) -> None:
        super().__init__()
        self._hits = model
        self.setModel(model)
        make_quiet(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        row = self._hits.cut_row
        if row is None:
            return
        y = self.visualRect(self._hits.index(row)).bottom()
        if -EDGE <= y <= self.viewport().height() + EDGE:
            self._paint_cut(y)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Right: True, Qt.Key.Key_Left: False}
        uuid = self._hits.uuid_at(self.currentIndex())
        if event.key() not in keys or event.modifiers() or uuid is None:
            super().keyPressEvent(event)
            return
        self.fold_wanted.emit(uuid, keys[Qt.Key(event.key())])

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        content = index.data(ROW_ROLE)
        if not isinstance(content, RowContent) or content.fold is None:
            return
        box = fold_box(self.visualRect(index), self.font(), content.fold)
        if event.button() == Qt.MouseButton.LeftButton and box.contains(event.position()):
            self.fold_wanted.emit(content.uuid, not content.fold.is_open)

    def cut_text(self) -> str:
        """Return what stands at the cut; the agent is named only where the list is its own."""
        who = "the agent sees" if self._hits.whose is Whose.AGENTS else "cut at"
        text = f"{who} {self._hits.limit}"
        return f"{text}, the cut is inside this fold" if self._hits.cut_is_in_fold else text

    def _paint_cut(self, y: int) -> None:
        painter = QPainter(self.viewport())
        colour = self.palette().color(QPalette.ColorRole.Accent)
        font = small_font(self.font())
        painter.setFont(font)
        text = self.cut_text()
        width = painter.fontMetrics().horizontalAdvance(text) + 2 * EDGE
        height = painter.fontMetrics().height()
        right = self.viewport().width()
        base = self.palette().color(QPalette.ColorRole.Base)
        painter.fillRect(0, y, right, 1, base)  # on a selected row its dashes would not be seen
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
        painter.drawLine(0, y, right, y)
        box = QRect(right - width - EDGE, y - height // 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(base)
        pill = box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.end()


class HitView(MemoryList):
    """Show the hits of one outcome. `hit_selected` carries a uuid, empty for no selection."""

    hit_selected = Signal(object)
    hit_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: HitModel = HitModel(self)
        self.list = _HitList(self._model)
        self.list.fold_wanted.connect(self.set_fold_open)
        self.list.setItemDelegate(HitDelegate(self.list))
        self.list.setAccessibleName("Ranked memories")
        self._count = ElidedLabel()
        self._progress = muted(plain_label())
        self._selection = KeptSelection(self.list, self._model)
        self._selection.changed.connect(self.hit_selected)
        self._serve_drags(self.list)
        self.list.activated.connect(lambda i: self.hit_opened.emit(self._model.uuid_at(i) or ""))
        self._text: str | None = None
        self.setFocusProxy(self.list)
        self._lay_out()

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(EDGE, 6, EDGE, 6)
        header.addWidget(self._count)
        header.addStretch(1)
        header.addWidget(self._progress)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(header)
        layout.addWidget(self.list)

    def show_outcome(self, outcome: SearchOutcome, limit: int, refining: bool) -> None:
        """Show the pool; the selected memory stays selected where it is still in it.

        `refining` says that the meaning search is still to come.
        """
        text = outcome.query.text
        bar = self.list.verticalScrollBar()
        is_same, was_in_view = text == self._text, self._is_selected_in_view()
        at = bar.value() if is_same else 0
        if text != self._text:
            self._model.set_spans({})
        self._text = text
        self._model.show_outcome(outcome, limit, self._selection.key, refining=refining)
        self.list.doItemsLayout()
        bar.setValue(at)
        if was_in_view or not is_same:
            self._keep_in_view()
        self._count.set_line(_count_line(outcome, limit, self._model.whose))
        self._progress.setText(REFINING if refining else "")

    def set_spans(self, spans: Mapping[str, Spans]) -> None:
        """Mark the places in the gists that the search matched."""
        self._model.set_spans(spans)

    def set_labels(self, labels: Mapping[str, StoreLabel]) -> None:
        """Say which store each memory of the next list comes from."""
        self._model.labels = labels

    def set_what_if(self, is_what_if: bool) -> None:
        """Say of the next list that it is ranked with other numbers than the agent's."""
        self._model.is_what_if = is_what_if

    def set_borrowed(self, is_borrowed: bool) -> None:
        """Say of the next list that it is ranked by the settings of another store."""
        self._model.is_borrowed = is_borrowed

    def set_moves(self, moves: Mapping[str, RowMove]) -> None:
        """Show how far memories have moved against another list."""
        self._model.set_moves(moves)

    def announce(self, text: str) -> None:
        """Say something to a screen reader that a key has just done."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.list, text))

    def fold_equal(self, equal: Collection[tuple[int, int]]) -> None:
        """Fold adjacent rows whose texts are equal, given as pairs of rowids."""
        self._model.fold_equal(equal, self._selection.key)

    def set_fold_open(self, uuid: str, is_open: bool) -> None:
        """Open or close the fold a memory is in; a closed one is selected by its first row."""
        selected = self._selection.uuid
        if not is_open and selected is not None:
            self._select_head_of_fold(selected)
        self._model.set_open(uuid, is_open)

    def _select_head_of_fold(self, uuid: str) -> None:
        row = self._model.row_of(uuid)
        while row is not None and row > 0 and self._model.is_in_fold(row):
            row -= 1
        if row is not None:
            self._selection.select_row(row)

    def positions_in_view(self) -> tuple[int, int]:
        """Return the positions of the first and the last row on screen; (1, 0) for none."""
        corners = (self.list.viewport().rect().topLeft(), self.list.viewport().rect().bottomLeft())
        first, last = (self.list.indexAt(corner).row() for corner in corners)
        if not self._model.count():
            return 1, 0
        last = last if last >= 0 else self._model.count() - 1
        return self._model.position_at(max(0, first)), self._model.position_at(last)

    def clear(self) -> None:
        """Show nothing and select nothing."""
        self._model.set_spans({})
        self._text = None
        self._model.clear()
        self._count.set_line("")
        self._progress.setText("")

    @override
    def select(self, uuid: str, store: str | None = None) -> bool:
        self._model.reveal(uuid)
        return super().select(uuid, store)

    def _is_selected_in_view(self) -> bool:
        key = self._selection.key
        row = None if key is None else self._model.row_of(*key)
        if row is None:
            return False
        place = self.list.visualRect(self._model.index(row))
        return self.list.viewport().rect().intersects(place)

    def _keep_in_view(self) -> None:
        key = self._selection.key
        row = None if key is None else self._model.row_of(*key)
        if row is not None:
            self.list.scrollTo(self._model.index(row))


def _count_line(outcome: SearchOutcome, limit: int, whose: Whose) -> str:
    pool = len(outcome.hits)
    ranked = f"{grouped(pool)} ranked of {memories(outcome.memories)}"
    if whose in _NOT_THE_AGENTS:
        return f"{ranked} · {_NOT_THE_AGENTS[whose]}"
    sees_all = whose is Whose.AGENTS and 0 < pool <= limit
    return f"{ranked} · the agent sees all" if sees_all else ranked
