"""What may go wrong without any assertion noticing it: the guard of every test.

A Watch collects loop errors, log records and Qt messages while one test runs, and knows which
of them the test expects. tests/conftest.py makes one per test (fixture `watch`) and fails the
test on the rest.
"""

import asyncio
import gc
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, override

from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, Qt, QTimer, QtMsgType
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

# Exact lines of Qt that say nothing about this product.
HARMLESS_QT_LINES = {
    # The offscreen platform has no window manager to pass size hints to, no stacking order and
    # no keyboard: menus and dialogs that open say so.
    "This plugin does not support propagateSizeHints()",
    "This plugin does not support raise()",
    "This plugin does not support grabbing the keyboard",
}
_QT_PROBLEMS = {QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg}


class Watch:
    """The unseen problems of one test, and those it expects."""

    def __init__(self) -> None:
        self.loop_errors: list[str] = []
        """Contexts given to the loop's exception handler, as text, in order."""
        self.log_lines: list[str] = []
        """Records of WARNING and above as "LEVEL logger: message", in order."""
        self.qt_lines: list[str] = []
        """Qt messages of warning level and above, without the harmless ones, in order."""
        self.notes: list[str] = []
        """Whatever else is wrong; never expected."""
        self._expected: list[tuple[list[str], re.Pattern[str]]] = []

    def expect_loop_error(self, pattern: str) -> None:
        """Let the loop report what `pattern` finds; it must happen."""
        self._expected.append((self.loop_errors, re.compile(pattern)))

    def expect_log(self, pattern: str) -> None:
        """Let log records through that `pattern` finds; one must come."""
        self._expected.append((self.log_lines, re.compile(pattern)))

    def expect_qt(self, pattern: str) -> None:
        """Let Qt messages through that `pattern` finds; one must come."""
        self._expected.append((self.qt_lines, re.compile(pattern)))

    def note_loop_error(self, loop: object, context: dict[str, Any]) -> None:
        """Take a loop's error; a loop's exception handler."""
        parts = [str(context.get("message")), repr(context.get("exception"))]
        parts += [repr(context[key]) for key in ("task", "future", "handle") if key in context]
        self.loop_errors.append(" ".join(parts))

    def problems(self) -> list[str]:
        """Say what happened unexpectedly, and what was expected in vain."""
        return [
            *self.notes,
            *self._unexpected("loop error", self.loop_errors),
            *self._unexpected("log", self.log_lines),
            *self._unexpected("Qt message", self.qt_lines),
            *(
                f"expected in vain: {pattern.pattern}"
                for lines, pattern in self._expected
                if not any(pattern.search(line) for line in lines)
            ),
        ]

    def _unexpected(self, kind: str, lines: list[str]) -> Iterable[str]:
        patterns = [pattern for place, pattern in self._expected if place is lines]
        for line in lines:
            if not any(pattern.search(line) for pattern in patterns):
                yield f"{kind}: {line}"


class LogWatch(logging.Handler):
    """Pass log records of WARNING and above to the watch of the running test."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.watch: Watch | None = None

    @override
    def emit(self, record: logging.LogRecord) -> None:
        if self.watch is not None:
            line = f"{record.levelname} {record.name}: {record.getMessage()}"
            self.watch.log_lines.append(line)


class QtWatch:
    """Pass Qt's messages to the watch of the running test; a Qt message handler."""

    def __init__(self, echo: Callable[[str], object]) -> None:
        self.watch: Watch | None = None
        self._echo = echo

    def __call__(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        self._echo(f"{kind.name}: {text}")
        if self.watch is not None and kind in _QT_PROBLEMS and text not in HARMLESS_QT_LINES:
            self.watch.qt_lines.append(text)


def failed_unnoticed() -> list[asyncio.Future[Any]]:
    """Return the futures and tasks whose error nobody has asked for; they report it no more.

    asyncio itself says so only when the last reference goes.
    """
    futures = [thing for thing in gc.get_objects() if isinstance(thing, asyncio.Future)]
    failed = [future for future in futures if future._log_traceback]
    for future in failed:
        future.exception()
    return failed


def threads_left(before: set[threading.Thread], grace_s: float = 1.0) -> list[str]:
    """Return the names of new threads that are still alive after a grace for ending ones."""
    deadline = time.monotonic() + grace_s
    left = set(threading.enumerate()) - before
    for thread in left:
        if not isinstance(thread, threading._DummyThread):  # one that Qt started has no join
            thread.join(max(0.0, deadline - time.monotonic()))
    return sorted(thread.name for thread in left if thread.is_alive())


def delete_what_is_due() -> None:
    """Carry out Qt's pending deletions and Python's collection of cycles."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def let_go_of_keys() -> None:
    """Let go of Shift, Ctrl and Alt: Qt remembers what was held at the last key of a test.

    selectRow() and setCurrentIndex() choose by it, in whatever test comes next.
    """
    if QGuiApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)


def active_timers() -> list[QTimer]:
    """Return the running timers that Python code has made."""
    return [
        wrapper
        for wrapper in Shiboken.getAllValidWrappers()
        if isinstance(wrapper, QTimer) and wrapper.isActive()
    ]
