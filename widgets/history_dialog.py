"""A list of versions or writes beside the text of one, or what differs between two."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from widgets.diff_view import DiffView
from widgets.plain import colour_handle, muted, plain_label
from widgets.roomy_delegate import make_roomy
from widgets.text_marks import marked, safe_tooltip

_SIZE = (860, 540)
_LIST_WIDTH = 280


@dataclass(frozen=True, slots=True)
class HistoryButton:
    """A button of the page; `needs_row` keeps it off while nothing is selected."""

    name: str
    text: str
    needs_row: bool = True


class HistoryDialog(QDialog):
    """Show rows; `picked` carries the selected places in order, `pressed` a button's name.

    Whoever answers `picked` puts a text or a comparison into `view`.
    """

    picked = Signal(object)
    pressed = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        list_name: str,
        buttons: Sequence[HistoryButton],
        *,
        picks_two: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._buttons = tuple(buttons)
        self.headline = plain_label()
        self.headline.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(list_name)
        make_roomy(self.list)
        mode = QAbstractItemView.SelectionMode
        self.list.setSelectionMode(
            mode.ExtendedSelection if picks_two else mode.SingleSelection
        )
        self.list.itemSelectionChanged.connect(self._follow)
        self.caption = muted(plain_label())
        self.caption.setWordWrap(True)
        self.view = DiffView("Text and differences")
        self._lay_out()

    def _lay_out(self) -> None:
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(6, 0, 0, 0)
        beside.addWidget(self.caption)
        beside.addWidget(self.view, 1)
        self._panes = splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setSizes([_LIST_WIDTH, _SIZE[0] - _LIST_WIDTH])
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        colour_handle(splitter)
        column = QVBoxLayout(self)
        column.addWidget(self.headline)
        column.addWidget(splitter, 1)
        column.addStretch()
        column.addWidget(self._box())
        self.resize(*_SIZE)

    def _box(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons: dict[str, QPushButton] = {}
        for spec in self._buttons:
            button = box.addButton(spec.text, QDialogButtonBox.ButtonRole.ActionRole)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _c=False, name=spec.name: self.pressed.emit(name))
            self.buttons[spec.name] = button
        box.rejected.connect(self.reject)
        return box

    def show_rows(self, headline: str, rows: Sequence[tuple[str, str]]) -> None:
        """Show rows (line, tooltip), the first one selected."""
        self.headline.setText(marked(headline))
        self.list.clear()
        for line, tip in rows:
            item = QListWidgetItem(line)
            item.setToolTip(safe_tooltip(tip))
            self.list.addItem(item)
        self._panes.setVisible(bool(rows))
        if rows:
            self.list.setCurrentRow(0)
            self.list.setFocus()
        else:
            self.view.say("")
            self.caption.setText("")
        self._enable()

    def lines(self) -> list[str]:
        """Return the lines of the list."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def places(self) -> list[int]:
        """Return the selected places in order."""
        return sorted(index.row() for index in self.list.selectedIndexes())

    def _follow(self) -> None:
        self._enable()
        if self.places():
            self.picked.emit(self.places())

    def _enable(self) -> None:
        for spec in self._buttons:
            self.buttons[spec.name].setEnabled(bool(self.places()) or not spec.needs_row)
