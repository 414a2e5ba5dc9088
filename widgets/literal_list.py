"""The person's own finder below the ranked list: rows that contain the typed text, never ranked."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QListView, QVBoxLayout, QWidget

from core.retrieval.literal import LiteralMatches
from widgets.hit_view import make_quiet
from widgets.kept_selection import KeptSelection
from widgets.memory_list import MemoryList
from widgets.plain import ElidedLabel, LinkButton, plain_label
from widgets.row_content import in_store, literal_row
from widgets.row_delegate import EDGE, RowDelegate
from widgets.row_model import FixedRows
from widgets.store_labels import StoreLabel
from widgets.texts import LITERAL_HEADING, grouped, memories
from widgets.theme import small_font


def count_words(matches: LiteralMatches) -> str:
    """Say how many rows are shown of how many: '200 of 1,234 shown', '12 memories'."""
    if not matches.total and not matches.complete:
        return "looking…"
    shown = len(matches.matches)
    if shown < matches.total:
        words = f"{grouped(shown)} of {grouped(matches.total)} shown"
        return words if matches.complete else f"{words} so far, looking…"
    return memories(shown) if matches.complete else f"{grouped(shown)} so far, looking…"


_PATIENCE_MS = 300
_NOTHING_YET = LiteralMatches((), 0, complete=False)


class LiteralList(MemoryList):
    """Show literal matches, newest first; hidden while there are none.

    Looking that takes longer than 0.3 s is shown, with a way to end it: `cancel_wanted`.
    """

    match_selected = Signal(object)
    match_opened = Signal(object)
    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: FixedRows = FixedRows(self)
        self.list = QListView()
        self.list.setModel(self._model)
        make_quiet(self.list)
        self.list.setItemDelegate(RowDelegate(self.list))
        self.list.setAccessibleName(LITERAL_HEADING)
        self._heading = plain_label(LITERAL_HEADING)
        self._heading.setWordWrap(True)
        self._heading.setFont(small_font(self.font()))
        self._count = ElidedLabel()
        self._count.setFont(small_font(self.font()))
        self._count.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._selection = KeptSelection(self.list, self._model)
        self._selection.changed.connect(self.match_selected)
        self._serve_drags(self.list)
        self.list.activated.connect(lambda i: self.match_opened.emit(self._model.uuid_at(i) or ""))
        self._cancel = LinkButton()
        self._cancel.set_line("Stop looking")
        self._cancel.clicked.connect(self.cancel_wanted)
        self._cancel.hide()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_looking)
        self.setFocusProxy(self.list)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._heading.setContentsMargins(EDGE, 8, EDGE, 0)
        layout.addWidget(self._heading)
        progress = QHBoxLayout()
        progress.setContentsMargins(EDGE, 0, EDGE, 4)
        progress.setSpacing(12)
        progress.addWidget(self._count)
        progress.addWidget(self._cancel)
        progress.addStretch(1)
        layout.addLayout(progress)
        layout.addWidget(self.list)

    def start_looking(self) -> None:
        """Say that the rows are being looked through, once that takes long."""
        self._patience.start()

    def _say_looking(self) -> None:
        self._cancel.show()
        if not self._model.count():
            self._count.set_line(count_words(_NOTHING_YET))
            self.show()

    def stop_looking(self) -> None:
        """Say that what is shown is not all, because looking was ended."""
        self._patience.stop()
        self._cancel.hide()
        self._count.set_line(f"{grouped(self._model.count())} found before looking was stopped")

    def show_matches(
        self, matches: LiteralMatches, needle: str = "", labels: Sequence[StoreLabel | None] = ()
    ) -> None:
        """Show what is known so far; the selected memory stays selected where it is among them.

        `needle` is marked in the gists that contain it; `labels` tell the store of each match.
        """
        if matches.complete:
            self._patience.stop()
            self._cancel.hide()
        stores = labels or (None,) * len(matches.matches)
        found = zip(matches.matches, stores, strict=True)
        self._model.set_rows([in_store(literal_row(m, needle), label) for m, label in found])
        self._count.set_line(count_words(matches))
        self.setVisible(bool(matches.matches) or not self._cancel.isHidden())

    def clear(self) -> None:
        """Show nothing, select nothing and hide."""
        self._patience.stop()
        self._cancel.hide()
        self._model.set_rows([])
        self.hide()
