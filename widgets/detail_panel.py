"""One memory: its gist and text as stored, what it is, what replaced it and what it replaced."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.readmodels import EventRow, LineageStep, MemoryDetail, MemoryHead
from widgets.badges import BadgeRow, badges_of
from widgets.clipboard import copy_text
from widgets.facts_view import FactsView
from widgets.lineage_links import LineageLinks
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.stored_text_view import StoredTextView, StoredTitle
from widgets.texts import counted, minute, state_words, tier_words
from widgets.theme import title_font

_EMPTY = "Select a memory to read it."


class DetailPanel(QWidget):
    """Show one memory. `memory_wanted` carries the uuid of another one that was asked for."""

    memory_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detail: MemoryDetail | None = None
        self.title = StoredTitle()
        self.title.setFont(title_font(self.font()))
        self.title.setAccessibleName("Gist")
        self.text = StoredTextView()
        self.text.setAccessibleName("Text of the memory")
        self.text.document().setDocumentMargin(10)
        self.facts = FactsView()
        self.badges = BadgeRow()
        self.links = LineageLinks()
        self.links.memory_wanted.connect(self.memory_wanted)
        self._summary = muted(ElidedLabel())
        self._rest = muted(plain_label())
        self._show_all = QPushButton("Show all")
        self._show_all.clicked.connect(self._show_rest)
        self._copy_gist = QPushButton("Copy gist")
        self._copy_gist.clicked.connect(self._copy_the_gist)
        self._copy_text = QPushButton("Copy text")
        self._copy_text.clicked.connect(self._copy_the_text)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty_page())
        self._stack.addWidget(self._filled_page())
        self.setFocusProxy(self.text)

    def _empty_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        label = plain_label(_EMPTY)
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        label.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(label)
        layout.addStretch(1)
        return page

    def _filled_page(self) -> QWidget:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._text_page(), "Text")
        self.tabs.addTab(self.facts, "Facts and events")
        self.tabs.tabBar().setAccessibleName("Parts of the memory")
        copies = QHBoxLayout()
        copies.setContentsMargins(0, 0, 10, 4)
        copies.setSpacing(6)
        corner = QWidget()
        corner.setLayout(copies)
        copies.addWidget(self._copy_gist)
        copies.addWidget(self._copy_text)
        head = QVBoxLayout()
        head.setContentsMargins(10, 10, 10, 8)
        head.setSpacing(5)
        for widget in (self.badges, self.title, self._summary, self.links):
            head.addWidget(widget)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.tabs, 1)
        self.tabs.setCornerWidget(corner)
        return page

    def _text_page(self) -> QWidget:
        row = QHBoxLayout()
        row.setContentsMargins(10, 4, 10, 4)
        row.addWidget(self._rest, 1)
        row.addWidget(self._show_all)
        self._rest_row = QWidget()
        self._rest_row.setLayout(row)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.text, 1)
        layout.addWidget(self._rest_row)
        return page

    def show_detail(
        self,
        detail: MemoryDetail,
        successors: Sequence[LineageStep],
        predecessors: Sequence[MemoryHead],
        events: Sequence[EventRow],
    ) -> None:
        """Show a memory, its replacements nearest first, what it replaced, its events."""
        is_same = self._detail is not None and self._detail.head.uuid == detail.head.uuid
        is_unchanged = is_same and self._detail == detail
        self._detail = detail
        if not is_unchanged:
            self.title.set_stored(detail.head.gist)
            self.text.set_stored(detail.content)
            self._say_rest()
        self.badges.set_badges(badges_of(detail))
        self._summary.set_line(_summary(detail.head))
        self.links.show_lineage(successors, predecessors)
        self.facts.show_facts(detail.head, events)
        self._stack.setCurrentIndex(1)

    def clear(self) -> None:
        """Say that nothing is selected."""
        self._detail = None
        self._stack.setCurrentIndex(0)

    @property
    def shown_uuid(self) -> str | None:
        """Return the memory shown, or None."""
        return None if self._detail is None else self._detail.head.uuid

    def _say_rest(self) -> None:
        self._rest.setText(self.text.rest_words)
        self._rest_row.setVisible(bool(self.text.rest))

    def _show_rest(self) -> None:
        at = self.text.verticalScrollBar().value()
        self.text.show_all()
        self.text.verticalScrollBar().setValue(at)
        self._say_rest()

    def _copy_the_gist(self) -> None:
        if self._detail is not None:
            copy_text(self._detail.head.gist)

    def _copy_the_text(self) -> None:
        if self._detail is not None:
            copy_text(self._detail.content)


def _summary(head: MemoryHead) -> str:
    parts = [state_words(head), tier_words(head.tier)]
    parts.append("version unknown" if head.version is None else f"version {head.version}")
    if head.token_count is not None:
        parts.append(counted(head.token_count, "token"))
    parts.append(f"created {minute(head.created_at)}")
    return " · ".join(parts)
