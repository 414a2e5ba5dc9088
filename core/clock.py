"""Wall time behind a protocol, so that tests can stop it."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tell the time."""

    def now(self) -> datetime:
        """Return the current moment, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        return datetime.now(UTC)
