"""Going to a memory by a part of its gist or the beginning of its uuid; also a list of others."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QListView, QWidget

from core.readmodels import MemoryHead
from widgets.hit_view import make_quiet
from widgets.pick_dialog import PickDialog
from widgets.row_content import browse_row
from widgets.row_delegate import RowDelegate
from widgets.row_model import FixedRows
from widgets.text_marks import one_line
from widgets.texts import memories

_LONGEST_ERROR = 200


class QuickOpen(PickDialog):
    """Show what was found. `text_changed` asks for rows; `picked` carries the head chosen."""

    text_changed = Signal(str)
    picked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        rows = QListView()
        super().__init__("Quick open", rows, parent)
        self._model = FixedRows(self)
        self._heads: tuple[MemoryHead, ...] = ()
        rows.setModel(self._model)
        make_quiet(rows)
        rows.setItemDelegate(RowDelegate(rows))
        rows.setAccessibleName("Memories found")
        self.box.changed.connect(self.text_changed)

    def begin(self, title: str = "Quick open") -> None:
        """Ask for a memory of the open store."""
        self.setWindowTitle(title)
        self.box.setAccessibleName(title)
        self.box.setPlaceholderText("Part of a gist, or the beginning of a uuid")
        self.box.show()
        self.present()
        self.text_changed.emit(self.box.text())

    def begin_list(self, title: str) -> None:
        """Show a list without a box; its rows follow."""
        self.setWindowTitle(title)
        self.box.hide()
        self.show_rows((), "Looking…")
        self.present()
        self.view.setFocus()

    def show_found(self, heads: Sequence[MemoryHead], total: int) -> None:
        """Show memories, newest first, and say how many there are in all."""
        if total > len(heads):
            hint = f"{len(heads)} of {memories(total)} shown, newest first"
        else:
            hint = memories(total) if total else "No memory has this in its gist or uuid"
        self.show_rows(heads, hint)

    def show_rows(self, heads: Sequence[MemoryHead], hint: str) -> None:
        """Show memories in the order given, with a line below."""
        self._heads = tuple(heads)
        self._model.set_rows([browse_row(head) for head in heads])
        self.select_row(0)
        self.hint.setText(hint)

    def show_failure(self, sentence: str) -> None:
        """Say why nothing could be found."""
        self.show_rows((), one_line(sentence, _LONGEST_ERROR))

    def uuids(self) -> list[str]:
        """Return the memories shown, in order."""
        return [head.uuid for head in self._heads]

    def choose(self, index: QModelIndex) -> None:
        """Close and say which memory was chosen."""
        head = self._heads[index.row()]
        self.accept()
        self.picked.emit(head)
