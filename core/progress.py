"""How far a piece of long work is, and whether it is still wanted: shared by the thread that works
and the one that shows it. Who starts, shows and ends the work is the caller's.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator

type Report = Callable[[int, int], None]
"""Called with what is done and what there is in all; may raise WorkCancelledError."""


_BUSY_S, _PAUSE_S = 0.001, 0.0001


class WorkCancelledError(Exception):
    """The work is not wanted any more; it has left nothing behind."""


def unreported(_done: int, _total: int) -> None:
    """Report to nobody; the work goes on to its end."""


class Progress:
    """Amounts written by the worker and read by anyone; `cancel` reaches the next report."""

    def __init__(self) -> None:
        self._amount = (0, 0)
        self._cancelled = threading.Event()

    @property
    def amount(self) -> tuple[int, int]:
        """Return what is done and what there is in all; (0, 0) while nothing is known."""
        return self._amount

    def cancel(self) -> None:
        """Let the work end at its next report."""
        self._cancelled.set()

    def report(self, done: int, total: int) -> None:
        """Say how far the work is. Raises WorkCancelledError once it is cancelled."""
        if self._cancelled.is_set():
            raise WorkCancelledError
        self._amount = (done, max(done, total))

    def pieces[T](self, pieces: Iterable[T], total: int) -> Iterator[T]:
        """Pass on the pieces of a thread's work, each reported before it is used.

        In short pauses other threads have their turn: while one thread runs Python and never
        waits, the window's waits 5 ms for it at each of its many small steps.
        """
        since = time.monotonic()
        for number, piece in enumerate(pieces):
            self.report(min(number, total), total)
            if time.monotonic() - since > _BUSY_S:
                self._cancelled.wait(_PAUSE_S)
                since = time.monotonic()
            yield piece
