"""Badges above a memory: what a person must know before trusting what is shown."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import override

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.readmodels import LineageStep, MemoryDetail, MemoryHead, State
from widgets.plain import plain_label, replace_widgets
from widgets.text_marks import needs_badge
from widgets.texts import DAMAGED_TEXT, DEAD_CHAIN, DEAD_HEAD, HIDDEN_CHARACTERS, ODD_VERSION
from widgets.theme import banner_palette, small_font

_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        DAMAGED_TEXT: "Some stored bytes are no valid UTF-8; each is shown as \ufffd.",
        HIDDEN_CHARACTERS: "The agent reads characters that cannot be seen; they are shown as "
        "marks such as ⟨U+202E⟩. What is copied is the stored text.",
        ODD_VERSION: "The stored version is no positive number: no change can be based on it.",
        DEAD_HEAD: "Other memories were replaced by this one, and it was retired without a "
        "replacement: their chain ends here.",
        DEAD_CHAIN: "Whoever follows the replacements ends at a memory that was retired without "
        "one.",
    }
)


def badges_of(detail: MemoryDetail) -> tuple[str, ...]:
    """Return the badges of a memory, by its gist and its whole text."""
    hides = needs_badge(detail.head.gist) or needs_badge(detail.content)
    found = (
        (detail.is_damaged, DAMAGED_TEXT),
        (hides, HIDDEN_CHARACTERS),
        (detail.head.version is None, ODD_VERSION),
    )
    return tuple(words for is_so, words in found if is_so)


def chain_badges(
    head: MemoryHead, successors: Sequence[LineageStep], predecessors: Sequence[MemoryHead]
) -> tuple[str, ...]:
    """Return the badge of a chain that ends in a retired memory: this one, or one after it."""
    if head.state is State.RETIRED:
        return (DEAD_HEAD,) if predecessors else ()
    last = successors[-1].head if successors else None
    return (DEAD_CHAIN,) if last is not None and last.state is State.RETIRED else ()


class BadgeRow(QWidget):
    """A row of badges; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badges: tuple[str, ...] = ()
        self._labels: list[QLabel] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addStretch(1)
        self.hide()

    @property
    def badges(self) -> tuple[str, ...]:
        """Return the words shown."""
        return self._badges

    def set_badges(self, badges: Sequence[str]) -> None:
        """Show these badges."""
        if tuple(badges) == self._badges:
            return
        self._badges = tuple(badges)
        before, self._labels = self._labels, [_badge(words) for words in badges]
        replace_widgets(self._row, before, self._labels)
        self._colour()
        self.setVisible(bool(badges))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        palette = banner_palette(self.palette())
        for label in self._labels:
            label.setPalette(palette)


def _badge(words: str) -> QLabel:
    label = plain_label(f"⚠ {words}")
    label.setToolTip(_MEANINGS.get(words, ""))
    label.setAutoFillBackground(True)
    label.setContentsMargins(6, 2, 6, 2)
    label.setFont(small_font(label.font()))
    return label
