"""The stores of one window in the order they were opened: open, on their way, locked or failed.

Plain facts; opening and closing is app/opening_controller's.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.open_store import OpenStore
from app.retry import Retry
from app.tasks import TaskSet
from core.errors import ErrorCode, GenizahError
from core.readmodels import StateCounts
from widgets.store_labels import StoreLabel, short_labels


class StoreState(StrEnum):
    """Where a store of the window stands."""

    OPENING = "opening"
    OPEN = "open"
    LOCKED = "locked"
    FAILED = "failed"


@dataclass(eq=False)
class StoreEntry:
    """One store: `asked` is what a person named, None for the nearest one."""

    asked: Path | None
    path: str
    retry: Retry
    store: OpenStore | None = None
    error: GenizahError | None = None
    is_checked: bool = True
    counts: StateCounts | None = None
    kept: str | None = None
    """The memory that is selected again once it is open."""
    opening: asyncio.Task[None] | None = None
    """What opens it, also when that has ended."""
    tasks: TaskSet = field(default_factory=TaskSet)
    """What ends before the store is closed."""

    @property
    def key(self) -> str:
        """Return what tells it apart, in a form that survives a signal."""
        return ascii(self.path)

    @property
    def name(self) -> str:
        """Return what it is called."""
        if self.store is not None:
            return self.store.facts.location.name
        place = Path(self.path)
        return place.parent.parent.name if place.parent.name == ".zikaron" else place.name

    @property
    def is_being_opened(self) -> bool:
        """Tell whether something is about to open it."""
        return self.opening is not None and not self.opening.done()

    @property
    def state(self) -> StoreState:
        """Return where it stands."""
        if self.store is not None:
            return StoreState.OPEN
        if self.error is None or self.is_being_opened:
            return StoreState.OPENING
        is_locked = self.error.code is ErrorCode.STORE_BUSY and self.retry.is_waiting
        return StoreState.LOCKED if is_locked else StoreState.FAILED


class OpenStores:
    """The entries of a window, and the one in front."""

    def __init__(self) -> None:
        self.entries: list[StoreEntry] = []
        self.front: StoreEntry | None = None

    def __contains__(self, entry: StoreEntry) -> bool:
        return entry in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, key: str) -> StoreEntry | None:
        """Return the store of a key."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def of(self, store: OpenStore) -> StoreEntry | None:
        """Return the entry of an open store."""
        return next((entry for entry in self.entries if entry.store is store), None)

    @property
    def open(self) -> list[StoreEntry]:
        """Return those that are open."""
        return [entry for entry in self.entries if entry.store is not None]

    @property
    def searched(self) -> list[StoreEntry]:
        """Return those that a search is about: checked, and open or known to have failed."""
        return [e for e in self.entries if e.is_checked and (e.store or e.error) is not None]

    @property
    def open_and_checked(self) -> list[StoreEntry]:
        """Return those that can be read and are searched."""
        return [entry for entry in self.open if entry.is_checked]

    def labels(self) -> dict[str, StoreLabel]:
        """Return by key how each is told apart from the others."""
        entries: Sequence[StoreEntry] = self.entries
        short = short_labels([(entry.name, entry.path) for entry in entries])
        return {
            entry.key: StoreLabel(entry.key, label, entry.path)
            for entry, label in zip(entries, short, strict=True)
        }
