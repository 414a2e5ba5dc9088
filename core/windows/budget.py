"""The bounds of a search and what of them is used: records, results, bytes, time, cancellation."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.windows.errors import over_budget
from core.windows.measure import JsonMeasure, Measure

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds, all inclusive: `max_batch_bytes` holds for one merge, `max_query_read_bytes` and
    `deadline_s` for all branches of one search.
    """

    max_scan_records: int = 10_000
    max_results: int = 1_000
    max_batch_bytes: int = 8 * _MIB
    max_query_read_bytes: int = 64 * _MIB
    deadline_s: float = 30.0

    def __post_init__(self) -> None:
        counts = (self.max_scan_records, self.max_results)
        sizes = (self.max_batch_bytes, self.max_query_read_bytes)
        if min(*counts, *sizes) < 1 or not self.deadline_s > 0:
            raise ValueError("every bound is above zero")


DEFAULT_LIMITS = Limits()
_JSON = JsonMeasure()


class Budget:
    """What one search may use, shared by its merges one after the other; time runs from here.

    Bytes are charged before anything is kept of them, and nothing is ever given back.
    """

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        *,
        measure: Measure = _JSON,
        clock: Callable[[], float] = time.monotonic,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.limits = limits
        self.measure = measure
        self._clock = clock
        self._cancelled = cancelled
        self._latest = clock() + limits.deadline_s
        self._query_bytes = 0
        self._batch_bytes = 0

    @property
    def query_bytes(self) -> int:
        """Return what all merges so far were charged, failed ones too."""
        return self._query_bytes

    @property
    def batch_bytes(self) -> int:
        """Return what the latest merge was charged."""
        return self._batch_bytes

    def begin_merge(self) -> None:
        """Open the ledger of one merge."""
        self._batch_bytes = 0

    def check(self) -> None:
        """Go on, or not: raises asyncio.CancelledError, or WindowError after the deadline."""
        if self._cancelled is not None and self._cancelled():
            raise asyncio.CancelledError
        if self._clock() > self._latest:
            raise over_budget(f"The search took longer than {self.limits.deadline_s:g} s.")

    def charge(self, size: int) -> None:
        """Admit so many bytes to both ledgers, or to neither: then raises WindowError."""
        batch, query = self._batch_bytes + size, self._query_bytes + size
        if batch > self.limits.max_batch_bytes:
            raise over_budget(
                f"The windows of one branch hold more than {self.limits.max_batch_bytes} bytes."
            )
        if query > self.limits.max_query_read_bytes:
            raise over_budget(
                f"The search read more than {self.limits.max_query_read_bytes} bytes."
            )
        self._batch_bytes, self._query_bytes = batch, query
