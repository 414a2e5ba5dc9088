"""Long work that a test holds back in the middle, where its files are half there."""

import threading
from collections.abc import Callable
from typing import Any

from core.progress import Report

_HANG_S = 10.0


class HeldReport:
    """Stand between a piece of work and its reports; the first one past `at` waits for the gate."""

    def __init__(self, at: int) -> None:
        self._at = at
        self._report: Report | None = None
        self.reached = threading.Event()
        self.gate = threading.Event()

    def wrap[T](self, work: Callable[..., T]) -> Callable[..., T]:
        """Return `work`, whose last argument is its report, held back."""

        def held(*args: Any) -> T:
            *others, self._report = args
            return work(*others, self.report)

        return held

    def report(self, done: int, total: int) -> None:
        """Pass a report on, and once more when the gate is open."""
        assert self._report is not None
        self._report(done, total)
        if done > self._at and not self.reached.is_set():
            self.reached.set()
            assert self.gate.wait(_HANG_S), "nobody opened the gate"
            self._report(done, total)
