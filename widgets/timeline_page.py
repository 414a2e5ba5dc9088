"""The page of memories and events over time: chart or table, kinds, and the rows of a time.

Reads nothing: contents come from app/timeline_controller.
"""

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QButtonGroup, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from widgets.browsing_page import BrowsingPage
from widgets.few_lines_label import FewLinesLabel
from widgets.found_list import FoundList
from widgets.kind_list import KindBox, KindList
from widgets.page_head import PageHead
from widgets.plain import colour_handle, indented, line_between, muted
from widgets.slim_button import SlimButton
from widgets.text_marks import plain_tooltip
from widgets.theme import small_font
from widgets.timeline_chart import TimelineChart, looks_of
from widgets.timeline_content import Kind, Subject, TimelineContent
from widgets.timeline_table import TimelineTable

_ICON = 12
_NO_ROWS = "Enter lists what is in a bin here."


class TimelinePage(BrowsingPage):
    """Show a TimelineContent in two forms; signals say what is wanted of its bins."""

    content_wanted = Signal()
    zoom_wanted = Signal(int)
    fit_wanted = Signal()
    rows_wanted = Signal(int, int)
    marked = Signal(int, int)
    read_again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline")
        self.head = PageHead("Read the times again")
        self._kinds: Sequence[Kind] = ()
        self._subjects = QButtonGroup(self)
        self.subjects: dict[Subject, SlimButton] = {}
        self.kinds = KindList("Kinds shown")
        self.chart = TimelineChart()
        self.table = TimelineTable()
        self.words = FewLinesLabel(2)
        self.summary = muted(FewLinesLabel(2))
        self.rows_words = FewLinesLabel(2)
        self.found = FoundList("What is in the time chosen")
        self._forms = QStackedWidget()
        self.as_table = SlimButton("As table", "Show the chart as a table")
        self.zoom_in = SlimButton("+", "Smaller bins, more of them (+)")
        self.zoom_out = SlimButton("−", "Larger bins, fewer of them (-)")
        self.fit = SlimButton("Fit", "Bins of the size that fits all of it")
        self._make_controls()
        self._lay_out()
        self._connect()
        self.show_state("")

    def _make_controls(self) -> None:
        names = {Subject.MEMORIES: "Memories", Subject.EVENTS: "Events"}
        for number, (subject, name) in enumerate(names.items()):
            button = SlimButton(name, f"{name} over time")
            button.setCheckable(True)
            self._subjects.addButton(button, number)
            self.subjects[subject] = button
        self.subjects[Subject.MEMORIES].setChecked(True)
        self.as_table.setCheckable(True)
        for label in (self.words, self.rows_words):
            label.setFont(small_font(self.font()))
        self.rows_words.setText(_NO_ROWS)

    def _lay_out(self) -> None:
        self.head.add(*self.subjects.values(), self.as_table)
        self.head.add_below(self.zoom_out, self.zoom_in, self.fit)
        self._forms.addWidget(self.chart)
        self._forms.addWidget(self.table)
        top, below = QWidget(), QWidget()
        upper, lower = QVBoxLayout(top), QVBoxLayout(below)
        upper.addWidget(self.kinds)
        upper.addLayout(indented(self.words))
        upper.addLayout(indented(self.summary))
        upper.addWidget(self._forms, 1)
        lower.addLayout(indented(self.rows_words))
        lower.addWidget(line_between())
        lower.addWidget(self.found, 1)
        for inner in (upper, lower):
            inner.setContentsMargins(0, 0, 0, 0)
            inner.setSpacing(2)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(top)
        parts.addWidget(below)
        parts.setChildrenCollapsible(False)
        parts.setHandleWidth(1)
        colour_handle(parts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.head)
        column.addWidget(parts, 1)

    def _connect(self) -> None:
        self._subjects.idToggled.connect(self._turn)
        self.as_table.toggled.connect(lambda on: self._forms.setCurrentIndex(int(on)))
        self.kinds.changed.connect(self.content_wanted)
        self.zoom_in.clicked.connect(lambda: self.zoom_wanted.emit(-1))
        self.zoom_out.clicked.connect(lambda: self.zoom_wanted.emit(1))
        self.fit.clicked.connect(self.fit_wanted)
        self.head.again.clicked.connect(self.read_again_wanted)
        chart, table = self.chart, self.table
        chart.bin_changed.connect(self._say)
        chart.rows_wanted.connect(self.rows_wanted)
        chart.marked.connect(self.marked)
        chart.zoom_wanted.connect(self.zoom_wanted)
        table.row_chosen.connect(self._follow_table)
        table.row_opened.connect(lambda row: self.rows_wanted.emit(row, row))

    def _turn(self, _number: int, is_on: bool) -> None:
        if is_on:
            self.content_wanted.emit()

    def _follow_table(self, row: int) -> None:
        if row != self.chart.current:
            self.chart.go_to(row)

    @override
    def focus_target(self) -> QWidget:
        return self.table if self.as_table.isChecked() else self.chart

    @override
    def panes(self) -> tuple[QWidget, ...]:
        return self.kinds, self.focus_target(), self.found.table

    @property
    def subject(self) -> Subject:
        """Return what is counted."""
        is_memories = self.subjects[Subject.MEMORIES].isChecked()
        return Subject.MEMORIES if is_memories else Subject.EVENTS

    # What is shown

    def show_state(self, words: str, *, may_read: bool = False) -> None:
        """Say what there is to say of the whole page, nothing where all is well."""
        self.head.show_state(words, may_read=may_read)

    def show_kinds(self, kinds: Sequence[Kind], unchecked: frozenset[str]) -> None:
        """Show the kinds there are, those checked that are not left out."""
        self._kinds = kinds
        self.kinds.show_boxes(
            [
                KindBox(kind.label, kind.words, kind.count, self._icon(kind.label, place))
                for place, kind in enumerate(kinds)
            ],
            unchecked,
        )

    def show_content(self, content: TimelineContent | None) -> None:
        """Draw this in both forms."""
        self.chart.show_content(content, {k.label: n for n, k in enumerate(self._kinds)})
        self.table.bins.show_content(content)
        self.table.go_to(self.chart.current)

    def show_rows_words(self, words: str) -> None:
        """Say what is listed."""
        self.rows_words.setText(words or _NO_ROWS)

    def _say(self) -> None:
        content = self.chart.content
        self.words.setText("" if content is None else self.chart.words())
        self.summary.setText("" if content is None else content.summary())
        for label in (self.words, self.summary):
            label.setToolTip(plain_tooltip(label.text()))
        self.table.go_to(self.chart.current)

    def _icon(self, label: str, place: int) -> QIcon:
        """Paint what a kind looks like in the chart."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(QSize(_ICON, _ICON) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self.palette().color(QPalette.ColorRole.Base))
        colour, brush = looks_of(self.subject, label, place, self.palette())
        painter = QPainter(pixmap)
        painter.setPen(colour)
        painter.setBrush(brush)
        painter.drawRect(0, 0, _ICON - 1, _ICON - 1)
        painter.end()
        return QIcon(pixmap)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._kinds:
            self.show_kinds(self._kinds, self.kinds.unchecked())
