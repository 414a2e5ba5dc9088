"""One memory: its gist and text as stored, what it is, what replaced it and what it replaced."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.readmodels import EventRow, LineageStep, LogCounts, MemoryDetail, MemoryHead
from core.retrieval.highlight import Spans
from core.retrieval.winning_chunk import WinningChunk
from widgets.badges import BadgeRow, badges_of, chain_badges
from widgets.clipboard import copy_text
from widgets.facts_view import NOT_IN_LOG, FactsView
from widgets.lineage_links import LineageLinks
from widgets.plain import ElidedLabel, muted, plain_label
from widgets.stored_text_view import StoredTextView, StoredTitle
from widgets.texts import counted, grouped, minute, state_words, tier_words
from widgets.theme import title_font

_EMPTY = "Select a memory to read it."


class DetailPanel(QWidget):
    """Show one memory. `memory_wanted` carries the uuid of another one that was asked for.

    `link_wanted` carries an address in the text that the person wants to open.
    """

    memory_wanted = Signal(object)
    link_wanted = Signal(str)
    changed = Signal()
    store = ""
    """What the store of the next memory is called, empty where no other one is open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detail: MemoryDetail | None = None
        self._is_opened_up = False
        self.title = StoredTitle()
        self.title.setFont(title_font(self.font()))
        self.title.setAccessibleName("Gist")
        self.text = StoredTextView()
        self.text.setAccessibleName("Text of the memory")
        self.text.document().setDocumentMargin(10)
        for view in (self.title, self.text):
            view.link_wanted.connect(self.link_wanted)
        self.facts = FactsView()
        self.badges = BadgeRow()
        self.links = LineageLinks()
        self.links.memory_wanted.connect(self.memory_wanted)
        self._summary = muted(ElidedLabel())
        self._rest = muted(plain_label())
        self._part = muted(plain_label())
        self._go_to_part = QPushButton("Go to it")
        self._go_to_part.setAccessibleName("Go to the part that the meaning search found")
        self._go_to_part.clicked.connect(self._show_part)
        self._show_all = QPushButton("Show all")
        self._show_all.clicked.connect(self._show_rest)
        self._copy_gist = QPushButton("Copy gist")
        self._copy_gist.clicked.connect(self._copy_the_gist)
        self._copy_text = QPushButton("Copy text")
        self._copy_text.clicked.connect(self._copy_the_text)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty_page())
        self._stack.addWidget(self._filled_page())

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
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
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
        self._rest_row = _row_of(self._rest, self._show_all)
        self._part_row = _row_of(self._part, self._go_to_part)
        self._part_row.hide()
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._part_row)
        layout.addWidget(self.text, 1)
        layout.addWidget(self._rest_row)
        return page

    def show_detail(
        self,
        detail: MemoryDetail,
        successors: Sequence[LineageStep],
        predecessors: Sequence[MemoryHead],
        events: Sequence[EventRow],
        counts: LogCounts = NOT_IN_LOG,
    ) -> None:
        """Show a memory, its replacements nearest first, what it replaced, its latest events and
        how many there are of it."""
        is_same = self._detail is not None and self._detail.head.uuid == detail.head.uuid
        is_unchanged = is_same and self._detail == detail
        self._detail = detail
        if not is_unchanged:
            self.title.set_stored(detail.head.gist)
            self._show_text(detail.content, is_same=is_same)
        if not is_same:
            self._part_row.hide()
        chain = chain_badges(detail.head, successors, predecessors)
        self.badges.set_badges((*badges_of(detail), *chain))
        self._summary.set_line(_summary(detail.head, self.store))
        self.links.show_lineage(successors, predecessors, detail.head.uuid)
        self.facts.show_facts(detail.head, events, counts)
        self._stack.setCurrentIndex(1)
        self.changed.emit()

    def show_marks(self, uuid: str, gist: Spans, content: Spans, part: WinningChunk | None) -> None:
        """Mark in the memory shown what was searched for and the part that was found by meaning.

        Spans are characters of the stored texts. Nothing happens where another one is shown.
        """
        if uuid != self.shown_uuid:
            return
        self.title.set_matches(gist)
        self.text.set_matches(content)
        is_one_of_many = part is not None and part.count > 1
        self.text.set_part((part.start, part.end) if part and is_one_of_many else None)
        self._part_row.setVisible(is_one_of_many)
        if part is not None:
            number, count = grouped(part.part_index + 1), grouped(part.count)
            self._part.setText(f"▌Found by meaning: part {number} of {count}")

    def clear(self) -> None:
        """Say that nothing is selected."""
        self._detail = None
        self._stack.setCurrentIndex(0)
        self.changed.emit()

    @property
    def shown(self) -> MemoryDetail | None:
        """Return the whole memory shown, or None."""
        return self._detail

    @property
    def shown_uuid(self) -> str | None:
        """Return the memory shown, or None."""
        return None if self._detail is None else self._detail.head.uuid

    def _show_text(self, content: str, *, is_same: bool) -> None:
        """Show a text; one that was changed meanwhile stays open and where it was scrolled to."""
        has_scrolled = is_same and self.text.verticalScrollBar().value() > 0
        top = self.text.cursorForPosition(QPoint(0, 0)).position() if has_scrolled else 0
        self._is_opened_up = self._is_opened_up and is_same
        self.text.set_stored(content)
        if self._is_opened_up:
            self.text.show_all()
        if has_scrolled:
            self._scroll_to(top)
        self._say_rest()

    def _scroll_to(self, position: int) -> None:
        """Put a place of the text at the top; lines are counted anew as they are laid out."""
        cursor = self.text.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        end = cursor.position()
        for place in (end, min(position, end)):
            cursor.setPosition(place)
            self.text.setTextCursor(cursor)

    def _say_rest(self) -> None:
        self._rest.setText(self.text.rest_words)
        self._rest_row.setVisible(bool(self.text.rest))

    def _show_rest(self) -> None:
        at = self.text.verticalScrollBar().value()
        self._is_opened_up = True
        self.text.show_all()
        self.text.verticalScrollBar().setValue(at)
        self._say_rest()

    def _show_part(self) -> None:
        self.text.show_part()
        self._say_rest()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy_the_gist(self) -> None:
        if self._detail is not None:
            copy_text(self._detail.head.gist)

    def _copy_the_text(self) -> None:
        if self._detail is not None:
            copy_text(self._detail.content)


def _row_of(label: QWidget, button: QWidget) -> QWidget:
    layout = QHBoxLayout()
    layout.setContentsMargins(10, 4, 10, 4)
    layout.addWidget(label, 1)
    layout.addWidget(button)
    row = QWidget()
    row.setLayout(layout)
    return row


def _summary(head: MemoryHead, store: str) -> str:
    parts = [f"in {store}"] if store else []
    parts += [state_words(head), tier_words(head.tier)]
    parts.append("version unknown" if head.version is None else f"version {head.version}")
    if head.token_count is not None:
        parts.append(counted(head.token_count, "token"))
    parts.append(f"created {minute(head.created_at)}")
    return " · ".join(parts)
