"""The chart of ranks over rrf_k with the words for it, and the same as a table."""

from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.few_lines_label import FewLinesLabel
from widgets.rank_chart import RankChart
from widgets.rank_content import RankContent, table_columns, table_rows
from widgets.text_marks import plain_tooltip
from widgets.theme import small_font

_NAME_WIDTH = 220
_MOST_LINES = 5
_HINT = "Left and Right step through the crossings, Enter tries that rrf_k."


class RankPanel(QWidget):
    """Show a RankContent as chart or as table. `k_wanted` carries an rrf_k to try."""

    k_wanted = Signal(int)
    became_visible = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = RankChart()
        self.table = _table()
        self.words = FewLinesLabel(_MOST_LINES)
        self.words.setFont(small_font(self.font()))
        self.as_table = QPushButton("As table")
        self.as_table.setCheckable(True)
        self.as_table.setAutoDefault(False)
        self.as_table.setAccessibleName("Show the chart as a table")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.chart)
        self._pages.addWidget(self.table)
        self.as_table.toggled.connect(self._turn_page)
        self.chart.crossing_changed.connect(self._say)
        self.chart.k_wanted.connect(self.k_wanted)
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 4, 10, 4)
        bar.addWidget(self.words, 1)
        bar.addWidget(self.as_table, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self._pages, 1)
        self._say()

    def focus_target(self) -> QWidget:
        """Return what takes the keyboard: the chart or the table."""
        return self.table if self.as_table.isChecked() else self.chart

    def show_content(self, content: RankContent) -> None:
        """Show this in both forms."""
        self.chart.show_content(content)
        columns = table_columns(content)
        rows = table_rows(content, columns)
        crossings = [crossing.words for crossing in content.crossings]
        self.table.clear()
        self.table.setColumnCount(1 + len(columns))
        self.table.setRowCount(len(rows) + len(crossings))
        self.table.setHorizontalHeaderLabels(["memory", *(f"k {k}" for k in columns)])
        for row, (line, places) in enumerate(rows):
            for column, text in enumerate((f"{line.name} {line.gist}", *places)):
                self.table.setItem(row, column, _cell(text))
        self._add_crossings(len(rows), crossings)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.table.setColumnWidth(0, _NAME_WIDTH)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()

    def _add_crossings(self, first: int, crossings: list[str]) -> None:
        self.table.clearSpans()
        for row, words in enumerate(crossings, first):
            self.table.setItem(row, 0, _cell(words[:1].upper() + words[1:]))
            if self.table.columnCount() > 1:
                self.table.setSpan(row, 0, 1, self.table.columnCount())

    def _turn_page(self, is_table: bool) -> None:
        self._pages.setCurrentWidget(self.table if is_table else self.chart)
        self._say()

    def _say(self) -> None:
        has_hint = self.chart.has_crossings and self.chart.crossing() is None
        hint = f" {_HINT}" if has_hint else ""
        told = self.chart.words() + ("" if self.as_table.isChecked() else hint)
        self.words.setText(told)
        self.words.setToolTip(plain_tooltip(told))


def _cell(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item


def _table() -> QTableWidget:
    table = QTableWidget()
    table.setAccessibleName("Ranks over rrf_k as a table")
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    return table
