"""A page with a headline, numbers with their definitions, and a table; all of it can be copied."""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.clipboard import copy_text
from widgets.fitted_area import FittedArea
from widgets.plain import muted, plain_label
from widgets.table_content import TableContent, TableFact
from widgets.text_marks import safe_tooltip
from widgets.theme import fixed_font

_SIZE = (720, 480)
_WIDTH_LETTERS = 90
_MOST_ABOVE = 0.55
_MOST_COLUMN = 420


class TableDialog(QDialog):
    """Show a TableContent. `pressed` carries the name of one of `buttons` (name, text)."""

    pressed = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        content: TableContent,
        buttons: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(parent)
        self.content = content
        self._headline = plain_label()
        self._headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._facts = QGridLayout()
        self._facts.setColumnStretch(2, 1)
        self._facts.setHorizontalSpacing(12)
        self._fact_labels: list[QWidget] = []
        self.table = _table()
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = box.addButton("&Copy as Markdown", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: copy_text(self.content.as_markdown()))
        self.buttons = {"copy": copy}
        for name, text in buttons:
            button = box.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
            self.buttons[name] = button
        for button in self.buttons.values():
            button.setAutoDefault(False)
        box.rejected.connect(self.reject)
        self._above = self._headline_and_facts()
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self._above)
        column.addWidget(self.table, 1)
        column.addWidget(box)
        letters = self.fontMetrics().averageCharWidth()
        self.resize(max(_SIZE[0], _WIDTH_LETTERS * letters), _SIZE[1])
        self.show_content(content)
        self.table.setFocus()

    def _headline_and_facts(self) -> FittedArea:
        area = FittedArea(_MOST_ABOVE)
        area.add_text(self._headline)
        # In a widget of its own: a layout within a layout is given no more height than its hint.
        facts = QWidget()
        facts.setLayout(self._facts)
        self._facts.setContentsMargins(0, 0, 0, 0)
        area.column.addWidget(facts)
        return area

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._above.fit()

    def show_content(self, content: TableContent) -> None:
        """Show this; the row that was current stays so where it is still there."""
        self.content = content
        self.setWindowTitle(content.title)
        self._headline.setText(content.headline)
        self._headline.setVisible(bool(content.headline))
        self._show_facts(content.facts)
        at = self.table.currentRow()
        at = at if at >= 0 else content.chosen or 0
        self.table.setAccessibleDescription(content.spoken())
        self.table.setColumnCount(len(content.columns))
        self.table.setHorizontalHeaderLabels(list(content.columns))
        self.table.setRowCount(len(content.rows))
        for row, cells in enumerate(content.rows):
            for column, text in enumerate(cells):
                self.table.setItem(row, column, _cell(text, is_bold=row == content.chosen))
        if content.rows:
            self.table.setCurrentCell(min(at, len(content.rows) - 1), 0)

    def _show_facts(self, facts: Sequence[TableFact]) -> None:
        for label in self._fact_labels:
            self._facts.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._fact_labels = []
        for row, fact in enumerate(facts):
            name, value = plain_label(fact.label), plain_label(fact.value)
            value.setFont(fixed_font(self.font()))
            meaning = muted(plain_label(fact.meaning))
            meaning.setWordWrap(True)
            for column, label in enumerate((name, value, meaning)):
                self._facts.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)
            self._fact_labels += (name, value, meaning)

    def text(self) -> str:
        """Return what the page says, as it is copied."""
        return self.content.as_markdown()


def _cell(text: str, *, is_bold: bool) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    item.setToolTip(safe_tooltip(text))
    font = item.font()
    font.setBold(is_bold)
    item.setFont(font)
    return item


def _table() -> QTableWidget:
    table = QTableWidget()
    table.setAccessibleName("Details")
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setMaximumSectionSize(_MOST_COLUMN)
    header.setStretchLastSection(True)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    table.setWordWrap(False)
    return table
