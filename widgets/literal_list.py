"""The person's own finder below the ranked list: rows that contain the typed text, never ranked."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from core.retrieval.literal import LiteralMatches
from widgets.hit_view import make_quiet
from widgets.kept_selection import KeptSelection
from widgets.plain import ElidedLabel
from widgets.row_content import literal_row
from widgets.row_delegate import EDGE, RowDelegate
from widgets.row_model import FixedRows
from widgets.texts import LITERAL_HEADING, grouped
from widgets.theme import small_font


def count_words(matches: LiteralMatches) -> str:
    """Say how many rows are shown of how many: '200 of 1,234 shown', '12 so far, looking…'."""
    shown = len(matches.matches)
    if shown < matches.total:
        words = f"{grouped(shown)} of {grouped(matches.total)} shown"
        return words if matches.complete else f"{words} so far, looking…"
    return grouped(shown) if matches.complete else f"{grouped(shown)} so far, looking…"


class LiteralList(QWidget):
    """Show literal matches, newest first; hidden while there are none."""

    match_selected = Signal(object)
    match_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FixedRows(self)
        self.list = QListView()
        self.list.setModel(self._model)
        make_quiet(self.list)
        self.list.setItemDelegate(RowDelegate(self.list))
        self.list.setAccessibleName(LITERAL_HEADING)
        self._heading = ElidedLabel()
        self._heading.setFont(small_font(self.font()))
        self._count = ElidedLabel()
        self._count.setFont(small_font(self.font()))
        self._count.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._selection = KeptSelection(self.list, self._model)
        self._selection.changed.connect(self.match_selected)
        self.list.activated.connect(lambda i: self.match_opened.emit(self._model.uuid_at(i) or ""))
        self.setFocusProxy(self.list)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        self._heading.set_line(LITERAL_HEADING)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for label, above, below in ((self._heading, 8, 0), (self._count, 0, 4)):
            label.setContentsMargins(EDGE, above, EDGE, below)
            layout.addWidget(label)
        layout.addWidget(self.list)

    def show_matches(self, matches: LiteralMatches) -> None:
        """Show what is known so far; the selected memory stays selected where it is among them."""
        self._model.set_rows([literal_row(m) for m in matches.matches])
        self._count.set_line(count_words(matches))
        self.setVisible(bool(matches.matches))

    def clear(self) -> None:
        """Show nothing, select nothing and hide."""
        self._model.set_rows([])
        self.hide()

    def selected_uuid(self) -> str | None:
        """Return the selected memory, or None."""
        return self._selection.uuid

    def select(self, uuid: str) -> bool:
        """Select a memory; tell whether it is in the list."""
        return self._selection.select(uuid)

    def clear_selection(self) -> None:
        """Select nothing; the rows stay."""
        self._selection.clear()
