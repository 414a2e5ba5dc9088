"""The status bar: what looking does, which store is open with its totals, which arms search."""

from enum import StrEnum
from typing import override

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStatusBar, QWidget

from core.readmodels import StateCounts
from widgets.pending_content import staged_words
from widgets.plain import ElidedLabel, plain_label
from widgets.texts import READ_ONLY, totals

_NO_STORE = "no store open"
_APART = 14
_LEAST_NAME = 90
_MOST_REASON = 260
_LEAST_REASON = 160


class ArmStatus(StrEnum):
    """What an arm is doing; IDLE before anything was searched."""

    IDLE = "idle"
    RAN = "ran"
    SEARCHING = "searching"
    LOADING = "loading"
    REFINING = "refining"
    OFF = "off"


def arm_words(name: str, status: ArmStatus, reason: str = "") -> str:
    """Say one arm's status: 'words ✓', 'meaning off: no model', 'meaning: loading model…'."""
    match status:
        case ArmStatus.IDLE:
            return f"{name} –"
        case ArmStatus.RAN:
            return f"{name} ✓"
        case ArmStatus.SEARCHING:
            return f"{name}: searching…"
        case ArmStatus.LOADING:
            return f"{name}: loading model…"
        case ArmStatus.REFINING:
            return f"{name}: refining…"
        case ArmStatus.OFF:
            return f"{name} off: {reason}" if reason else f"{name} off"


class StatusStrip(QStatusBar):
    """Permanent words about the open store; nothing here goes away by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(6, 0, 6, 0)
        self._read_only = plain_label(READ_ONLY)
        self._store = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        # The path takes what room is left; in little room the counts are cut, too.
        self._store.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._counts = ElidedLabel()
        self._words = plain_label()
        self._words.setContentsMargins(_APART, 0, 0, 0)
        self._meaning = ElidedLabel()
        self._meaning.setMaximumWidth(_MOST_REASON)
        for label in (self._read_only, _divider(), self._store, self._counts):
            self.addWidget(label, 1 if label is self._store else 0)
        for label in (self._words, _divider(), self._meaning):
            self.addPermanentWidget(label)
        self.clear_store()
        self.set_words(ArmStatus.IDLE)
        self.set_meaning(ArmStatus.IDLE)

    def set_store(self, name: str, counts: StateCounts) -> None:
        """Say which store is open and how many memories of each state it holds."""
        self._name(name)
        self._counts.set_line(f"– {totals(counts)}")

    def clear_store(self) -> None:
        """Say that no store is open."""
        self._name(_NO_STORE)
        self._counts.set_line("")

    def _name(self, name: str) -> None:
        self._store.set_line(name)
        width = self.fontMetrics().horizontalAdvance(self._store.text()) + 2
        self._store.setMinimumWidth(min(_LEAST_NAME, width))
        self._store.setMaximumWidth(width)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._name(self._store.text())

    def set_staged(self, number: int) -> None:
        """Say that so many changes wait for a commit; looking itself changes nothing."""
        self._read_only.setText(staged_words(number) if number else READ_ONLY)

    def set_words(self, status: ArmStatus, reason: str = "") -> None:
        """Say what the word search does; `reason` belongs to OFF."""
        self._words.setText(arm_words("words", status, reason))

    def set_meaning(self, status: ArmStatus, reason: str = "") -> None:
        """Say what the meaning search does; `reason` belongs to OFF."""
        self._meaning.set_line(arm_words("meaning", status, reason))
        width = self.fontMetrics().horizontalAdvance(self._meaning.text()) + 2
        self._meaning.setMinimumWidth(min(_LEAST_REASON, width))  # the path gives way first

    def words(self) -> str:
        """Return everything the strip says, for tests and screen readers."""
        labels = (self._read_only, self._store, self._counts, self._words, self._meaning)
        return " | ".join(label.text() for label in labels if label.text())


def _divider() -> QLabel:
    label = plain_label("·")
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    label.setFrameShape(QFrame.Shape.NoFrame)
    return label
