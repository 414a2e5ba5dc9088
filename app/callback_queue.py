"""The callbacks of an asyncio loop, drained by Qt timers.

Ready ones run first in, first out; timed ones in order of their deadline and never before it.
What a callback is (a task's step, a future's news) is not known here; app/loop feeds it.
"""

import asyncio
import heapq
import itertools
import math
from collections import deque
from typing import override

from PySide6.QtCore import QObject, Qt, QTimerEvent, Signal

_RETRY_MS = 5
_LONGEST_MS = 2**31 - 1
_PURGE_ABOVE = 100
_STOPPED = 0


class CallbackQueue(QObject):
    """Run handles of `loop` from the Qt event loop of the thread that made this object."""

    _woken = Signal()

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self._ready: deque[asyncio.Handle] = deque()
        self._timed: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._order = itertools.count()
        self._cancelled = 0
        self._ready_timer = _STOPPED
        self._due_timer = _STOPPED
        self.fatal: BaseException | None = None
        """What a callback raised to end the process (SystemExit, KeyboardInterrupt)."""
        self._woken.connect(self.wake, Qt.ConnectionType.QueuedConnection)

    def add(self, handle: asyncio.Handle) -> None:
        """Queue `handle` behind all that are ready."""
        self._ready.append(handle)
        self.wake()

    def add_from_thread(self, handle: asyncio.Handle) -> None:
        """Queue `handle` from any thread."""
        self._ready.append(handle)
        self._woken.emit()

    def add_at(self, handle: asyncio.TimerHandle) -> None:
        """Queue `handle` once its deadline has passed; equal deadlines keep their order."""
        heapq.heappush(self._timed, (handle.when(), next(self._order), handle))
        if self._timed[0][2] is handle:
            self._await_next_deadline()

    def note_cancelled_timer(self) -> None:
        """Drop cancelled timers when there are many, so that unused timeouts do not pile up."""
        self._cancelled += 1
        if self._cancelled > max(_PURGE_ABOVE, len(self._timed) // 2):
            self._timed = [entry for entry in self._timed if not entry[2].cancelled()]
            heapq.heapify(self._timed)
            self._cancelled = 0

    def wake(self) -> None:
        """See to it that the ready ones run when Qt gets to it."""
        if self._ready and self._ready_timer == _STOPPED:
            self._ready_timer = self.startTimer(0)

    def clear(self) -> None:
        """Forget all callbacks."""
        self._sleep()
        self._ready.clear()
        self._timed.clear()
        self._await_next_deadline()

    @override
    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._ready_timer:
            self._run_ready()
        else:
            self._collect_due()

    def _run_ready(self) -> None:
        self._sleep()
        if not self._loop.is_running():
            return  # Qt events are handled between two runs: the next run wakes the queue.
        if asyncio.current_task(self._loop) is not None:
            # A Qt loop nested in a task (dialog.exec()). No other task can be entered now, and
            # a wake-up that is tried all the same is lost for ever. So they wait.
            self._ready_timer = self.startTimer(_RETRY_MS)
            return
        for _ in range(len(self._ready)):  # as asyncio: what comes in meanwhile waits a turn
            if not self._ready:
                break  # a Qt loop nested in a callback has run the others
            handle = self._ready.popleft()
            self.wake()  # the others go on even if this one opens a nested Qt loop
            if not handle.cancelled():
                self._run(handle)
        self._sleep()
        self.wake()

    def _run(self, handle: asyncio.Handle) -> None:
        try:
            handle._run()
        except (SystemExit, KeyboardInterrupt) as error:
            # PySide would end the process, or print and go on: neither runs any clean-up.
            self.fatal = error
            self._loop.stop()

    def _collect_due(self) -> None:
        now = self._loop.time()
        while self._timed and (self._timed[0][0] <= now or self._timed[0][2].cancelled()):
            handle = heapq.heappop(self._timed)[2]
            if not handle.cancelled():
                self._ready.append(handle)
        self._await_next_deadline()
        self.wake()

    def _await_next_deadline(self) -> None:
        if self._due_timer != _STOPPED:
            self.killTimer(self._due_timer)
            self._due_timer = _STOPPED
        if self._timed:
            wait_ms = math.ceil((self._timed[0][0] - self._loop.time()) * 1000)
            self._due_timer = self.startTimer(
                min(max(wait_ms, 0), _LONGEST_MS), Qt.TimerType.PreciseTimer
            )

    def _sleep(self) -> None:
        if self._ready_timer != _STOPPED:
            self.killTimer(self._ready_timer)
            self._ready_timer = _STOPPED
