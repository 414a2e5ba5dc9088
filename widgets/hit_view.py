"""The ranked list: the whole pool of one search with the agent's cut drawn as a line."""

from typing import override

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from core.retrieval.outcome import SearchOutcome
from widgets.hit_delegate import HitDelegate
from widgets.hit_model import HitModel
from widgets.kept_selection import KeptSelection
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.row_delegate import EDGE
from widgets.texts import grouped, memories
from widgets.theme import small_font

_BATCH = 500
REFINING = "refining by meaning…"


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
    """A list that draws the cut below the last row the agent sees."""

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

    def _paint_cut(self, y: int) -> None:
        painter = QPainter(self.viewport())
        colour = self.palette().color(QPalette.ColorRole.Accent)
        font = small_font(self.font())
        painter.setFont(font)
        text = f"the agent sees {self._hits.limit}"
        width = painter.fontMetrics().horizontalAdvance(text) + 2 * EDGE
        height = painter.fontMetrics().height()
        right = self.viewport().width()
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
        painter.drawLine(0, y, right, y)
        box = QRect(right - width - EDGE, y - height // 2, width, height)
        painter.fillRect(box, self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(colour)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.end()


class HitView(QWidget):
    """Show the hits of one outcome. `hit_selected` carries a uuid, empty for no selection."""

    hit_selected = Signal(object)
    hit_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = HitModel(self)
        self.list = _HitList(self._model)
        self.list.setItemDelegate(HitDelegate(self.list))
        self.list.setAccessibleName("Ranked memories")
        self._count = ElidedLabel()
        self._progress = muted(plain_label())
        self._selection = KeptSelection(self.list, self._model)
        self._selection.changed.connect(self.hit_selected)
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
        at = bar.value() if text == self._text else 0
        self._text = text
        self._model.show_outcome(outcome, limit)
        self.list.doItemsLayout()
        bar.setValue(at)
        self._keep_in_view()
        self._count.set_line(_count_line(outcome, limit))
        self._progress.setText(REFINING if refining else "")

    def clear(self) -> None:
        """Show nothing and select nothing."""
        self._text = None
        self._model.clear()
        self._count.set_line("")
        self._progress.setText("")

    def selected_uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return self._selection.uuid

    def select(self, uuid: str) -> bool:
        """Select a memory of the pool; tell whether it is in it."""
        return self._selection.select(uuid)

    def select_first(self) -> None:
        """Select the first row where nothing is selected."""
        if self._selection.uuid is None and self._model.count():
            self._selection.select_row(0)

    def clear_selection(self) -> None:
        """Select nothing; the rows stay."""
        self._selection.clear()

    def _keep_in_view(self) -> None:
        uuid = self._selection.uuid
        row = None if uuid is None else self._model.row_of(uuid)
        if row is not None:
            self.list.scrollTo(self._model.index(row))


def _count_line(outcome: SearchOutcome, limit: int) -> str:
    pool = len(outcome.hits)
    ranked = f"{grouped(pool)} ranked of {memories(outcome.memories)}"
    return f"{ranked} · the agent sees all" if 0 < pool <= limit else ranked
