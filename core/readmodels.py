"""What views read: immutable rows of a store. No SQL, no behaviour."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """The state of a row, from active and superseded_by."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    RETIRED = "retired"


class Tier(StrEnum):
    """Where a memory lies in the agent's own life cycle."""

    JOURNAL = "journal"
    LONG_TERM = "long_term"


@dataclass(frozen=True, slots=True)
class MemoryHead:
    """A row without its content, as lists show it. Times are the stored texts.

    `version` is None where the stored value is no positive integer: such a row is read-only.
    """

    rowid: int
    uuid: str
    tier: str
    gist: str
    active: bool
    superseded_by: str | None
    version: int | None
    created_at: str
    updated_at: str
    session_id: str | None
    token_count: int | None

    @property
    def state(self) -> State:
        """Return live, superseded or retired."""
        if self.active:
            return State.LIVE
        return State.RETIRED if self.superseded_by is None else State.SUPERSEDED


@dataclass(frozen=True, slots=True)
class MemoryDetail:
    """A whole row: its head, its content as stored and whether any text was not valid UTF-8."""

    head: MemoryHead
    content: str
    is_damaged: bool


@dataclass(frozen=True, slots=True)
class StateCounts:
    """Totals of a store, never page lengths."""

    live: int
    superseded: int
    retired: int

    @property
    def total(self) -> int:
        """Return the number of rows of any state."""
        return self.live + self.superseded + self.retired


@dataclass(frozen=True, slots=True)
class EventRow:
    """One row of the store's event log; `detail` is the stored JSON text."""

    id: int
    at: str
    session_id: str | None
    client_kind: str
    op_id: str
    kind: str
    memory_uuid: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class LogCounts:
    """How many events the log has of one memory: in all, injected with a prompt, fetched by
    agents, and amended by a session that had been shown it."""

    events: int = 0
    injected: int = 0
    fetched: int = 0
    amended_after: int = 0


@dataclass(frozen=True, slots=True)
class LineageStep:
    """A neighbour in the supersession lineage: the row, or None where it is missing."""

    uuid: str
    head: MemoryHead | None


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """What replaced a row, and the last row of that chain (the same one for a single step).

    A row that is missing is None; so is the end of a circle, or of a chain over 1,024 rows.
    """

    replacement: MemoryHead | None
    end: MemoryHead | None
    steps: int
