"""The facts of a memory as stored, and its latest events."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFormLayout,
    QFrame,
    QLabel,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.readmodels import EventRow, LogCounts, MemoryHead
from widgets.plain import muted, plain_label
from widgets.text_marks import one_line, plain_tooltip
from widgets.texts import counted, grouped, second, state_words, tier_words
from widgets.theme import fixed_font

NOT_IN_LOG = LogCounts()
_SHORT_LIST = 20
_NONE = "–"


def facts_of(head: MemoryHead, counts: LogCounts) -> list[tuple[str, str]]:
    """Return label and value of every stored fact, in reading order, then what the log counts."""
    by = head.superseded_by
    return [
        ("uuid", one_line(head.uuid)),
        ("state", state_words(head) if by is None else f"replaced by {one_line(by)}"),
        ("tier", tier_words(head.tier)),
        ("version", "no positive number" if head.version is None else grouped(head.version)),
        ("created", second(head.created_at)),
        ("updated", second(head.updated_at)),
        ("session", _NONE if head.session_id is None else one_line(head.session_id)),
        ("tokens", _NONE if head.token_count is None else grouped(head.token_count)),
        ("injected", _times(counts.injected)),
        ("fetched", _times(counts.fetched)),
        ("amended after injection", _times(counts.amended_after)),
    ]


def _times(number: int) -> str:
    return counted(number, "time") if number else "never"


class FactsView(QScrollArea):
    """Show facts as label and value, then the events newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._values: dict[str, QLabel] = {}
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(3)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._event_count = plain_label()
        self.events = _event_list()
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(8)
        layout.addLayout(self._form)
        layout.addWidget(self._event_count)
        layout.addWidget(self.events, 1)
        self.setWidget(page)

    def show_facts(
        self, head: MemoryHead, events: Sequence[EventRow], counts: LogCounts = NOT_IN_LOG
    ) -> None:
        """Show one memory's facts and its first 20 events, given newest first.

        `counts` are those of the whole log: `events` may be only the latest ones.
        """
        for name, value in facts_of(head, counts):
            self._value(name).setText(value)
        shown, total = min(len(events), _SHORT_LIST), max(len(events), counts.events)
        more = f", the latest {shown}" if shown < total else ""
        self._event_count.setText(counted(total, "event") + more)
        self.events.clear()
        for event in events[:shown]:
            self.events.addTopLevelItem(_event_item(event))
        self.events.setVisible(bool(events))

    def values(self) -> dict[str, str]:
        """Return what is shown, by label."""
        return {name: label.text() for name, label in self._values.items()}

    def _value(self, name: str) -> QLabel:
        if name not in self._values:
            label = plain_label()
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            label.setWordWrap(True)
            label.setAccessibleName(name)
            if name == "uuid":
                label.setFont(fixed_font(label.font()))
            self._values[name] = label
            self._form.addRow(muted(plain_label(name)), label)
        return self._values[name]


def _event_list() -> QTreeWidget:
    view = QTreeWidget()
    view.setHeaderLabels(["When", "Event", "By", "Session"])
    view.setRootIsDecorated(False)
    view.setUniformRowHeights(True)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setAccessibleName("Events of the memory")
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setMinimumHeight(90)
    for column, width in enumerate((170, 90, 70)):
        view.setColumnWidth(column, width)
    return view


def _event_item(event: EventRow) -> QTreeWidgetItem:
    session = "" if event.session_id is None else one_line(event.session_id)
    columns = [second(event.at), one_line(event.kind), one_line(event.client_kind), session]
    item = QTreeWidgetItem(columns)
    if event.detail is not None:
        item.setToolTip(1, plain_tooltip(event.detail))
    return item
