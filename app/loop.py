"""asyncio on the Qt event loop, and the one entry that runs the application on it.

Leans on details of qasync 0.28.0 (pinned; tests/app/test_loop_*.py notice a change): it runs
`app.exec()` in run_forever() and leaves it in stop(), and its signal and socket callbacks arrive
through call_soon() and `_add_callback`; and on asyncio's `Handle._run`, `_timer_handle_cancelled`
and `_asyncgen_*_hook`. The queue is in app/callback_queue, background tasks are in app/tasks.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any, NoReturn, override

import qasync
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.callback_queue import CallbackQueue
from app.worker import Worker

type Stop = Callable[[], None]
type Main = Callable[[Stop], Coroutine[Any, Any, int]]

CLOSE_LIMIT_MS = 1500
_LAST_CHANCE_MS = 200
_TICK_MS = 100
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger(__name__)


class LoopStoppedError(RuntimeError):
    """Qt's loop was left before the future that was run had ended."""


class QtLoop(qasync.QEventLoop):
    """qasync's loop with the order, the clock and the errors of asyncio's own.

    WORKAROUND for https://github.com/CabbageDevelopment/qasync/issues/59: a Qt loop nested in a
    task loses the wake-ups of other tasks for ever; here they wait.
    WORKAROUND for https://github.com/CabbageDevelopment/qasync/pull/123: call_soon() may run out
    of order; here one queue keeps it.
    Not reported there: timers fire up to 5 % early, call_soon_threadsafe() drops the context and
    is silent on a closed loop, run_until_complete() handles events while no loop is running,
    async generators are not closed, and the default executor holds up close().
    """

    def __init__(self, app: QApplication) -> None:
        self._callbacks = CallbackQueue(self)
        super().__init__(app)
        self.set_default_executor(Worker("default"))

    @override
    def call_soon[*Ts](
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self._refuse_if_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._callbacks.add(handle)
        return handle

    @override
    def call_soon_threadsafe[*Ts](
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self._refuse_if_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._callbacks.add_from_thread(handle)
        return handle

    @override
    def call_later[*Ts](
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    @override
    def call_at[*Ts](
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        self._refuse_if_closed()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._callbacks.add_at(handle)
        return handle

    @override
    def run_forever(self) -> None:
        """Run until stop(); raise the SystemExit or KeyboardInterrupt of a callback."""
        self._callbacks.wake()
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(self._asyncgen_firstiter_hook, self._asyncgen_finalizer_hook)
        try:
            super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*hooks)
        fatal, self._callbacks.fatal = self._callbacks.fatal, None
        if fatal is not None:
            raise fatal

    @override
    def run_until_complete[T](self, future: Awaitable[T]) -> T:
        """Return the future's result. Raise LoopStoppedError if Qt's loop ends before it."""
        self._refuse_if_closed()
        ours: asyncio.Future[T] = asyncio.ensure_future(future, loop=self)

        def stop(_: asyncio.Future[T]) -> None:
            self.stop()

        ours.add_done_callback(stop)
        try:
            self.run_forever()
        finally:
            ours.remove_done_callback(stop)
        if not ours.done():
            raise LoopStoppedError("Event loop stopped before Future completed.")
        return ours.result()

    @override
    def close(self) -> None:
        super().close()
        self._callbacks.clear()

    @override
    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        # asyncio's signal handling comes in here.
        self._callbacks.add(handle)
        return handle

    @override
    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._callbacks.note_cancelled_timer()

    def _refuse_if_closed(self) -> None:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")


class _Deadline:
    """A limit to the time in which the loop turns: what holds it up meanwhile counts as one tick.

    A start on a busy machine imports for seconds; a clean-up after it has its time all the same.
    """

    def __init__(self, passed: Callable[[], None]) -> None:
        self._passed = passed
        self._left_ms = 0
        # A Qt timer, for it also ends a Qt loop nested in a task, which no asyncio timer can.
        self._timer = QTimer()
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        return self._timer.isActive()

    def start(self, limit_ms: int) -> None:
        self._left_ms = limit_ms
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        self._left_ms -= _TICK_MS
        if self._left_ms <= 0:
            self._timer.stop()
            self._passed()


class _Stopper:
    """Cancel the main coroutine once, and leave the loop by force if that is not enough."""

    def __init__(self, loop: QtLoop) -> None:
        self.asked = False
        self.forced = False
        self._late: set[str] = set()
        self._loop = loop
        self._main: asyncio.Task[Any] | None = None
        self._signals_before = {number: signal.getsignal(number) for number in _STOP_SIGNALS}
        self._deadline = _Deadline(self._force)

    async def run(self, main: Main) -> int:
        self._main = asyncio.current_task()
        assert self._main is not None
        self._main.set_name("main")
        self._catch_signals()
        return await main(self.stop)

    def stop(self) -> None:
        if self.asked or self._main is None:
            return
        self.asked = True
        self._release_signals()
        self._deadline.start(CLOSE_LIMIT_MS)
        self._main.cancel()

    def close(self, runner: asyncio.Runner) -> None:
        """Close the runner, which cancels what is left, within what remains of the limit."""
        if not self._deadline.is_running:
            self._deadline.start(_LAST_CHANCE_MS if self.forced else CLOSE_LIMIT_MS)
        try:
            runner.close()
        except LoopStoppedError:
            self._force()
        self._deadline.stop()
        for number, handler in self._signals_before.items():
            # None: not set by Python, and not for Python to set again
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if self.forced:
            _log.error(
                "did not stop within %d ms: %s", CLOSE_LIMIT_MS, ", ".join(sorted(self._late))
            )

    def _force(self) -> None:
        self._late |= {task.get_name() for task in asyncio.all_tasks(self._loop)}
        self.forced = True
        self._loop.set_exception_handler(_keep_to_errors)
        self._loop.stop()

    def _catch_signals(self) -> None:
        for number in _STOP_SIGNALS:
            with contextlib.suppress(NotImplementedError):  # Windows
                self._loop.add_signal_handler(number, self.stop)  # wakes an idle Qt loop
            # Its callback waits while a Qt loop is nested in a task; this does not.
            signal.signal(number, lambda *_: self.stop())

    def _release_signals(self) -> None:
        """Let a second signal end the process at once."""
        for number in _STOP_SIGNALS:
            with contextlib.suppress(NotImplementedError):
                self._loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)


def _keep_to_errors(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Pass on what went wrong; a task that is only abandoned is named by whoever abandons it."""
    if "exception" in context:
        loop.default_exception_handler(context)


def run(main: Main, app: QApplication) -> int:
    """Run `main(stop)` and return the exit code: what it returns, 0 when it was stopped.

    `stop()` asks for an orderly end: it cancels `main`, whose clean-up then runs. SIGINT and
    SIGTERM call it; connect it to the window's closing. app.quit() has the same effect, closing
    the last window alone has none. The end takes at most 2 s of a loop that turns: what goes on
    longer is logged by name and abandoned, and the exit code is 1. Call it in the main thread.
    """
    app.setQuitOnLastWindowClosed(False)
    runner = asyncio.Runner(loop_factory=lambda: QtLoop(app))
    loop = runner.get_loop()
    assert isinstance(loop, QtLoop)
    stopper = _Stopper(loop)
    code = 0
    try:
        code = runner.run(stopper.run(main))
    except asyncio.CancelledError:
        if not stopper.asked:
            raise
    except LoopStoppedError:
        _log.debug("the Qt application was told to quit")
    finally:
        stopper.close(runner)
    return 1 if stopper.forced else code


def leave(code: int, grace_s: float = 0.25) -> NoReturn:
    """End the process with `code`, without waiting for threads that are still at work.

    Idle threads end within the grace. If one is busy (a model load, a query that ignores its
    interrupt), neither it nor exit handlers that pull memory from under it get to run.
    """
    deadline = time.monotonic() + grace_s
    while threading.active_count() > 1 and time.monotonic() < deadline:
        time.sleep(0.01)  # reason: no event loop runs any more, the process is ending
    if threading.active_count() == 1:
        sys.exit(code)
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a windowed build has none
            stream.flush()
    os._exit(code)
