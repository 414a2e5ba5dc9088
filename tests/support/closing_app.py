"""A small application that is closed in the state its argument names; run as a process.

Prints "ready" when it is in that state and waits to be closed. A blocking job or query in it
takes minutes: a process that ends soon did not wait for it.
"""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import override

import aiosqlite
from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMessageBox

from app.ask import ask
from app.loop import Stop, leave, run
from app.tasks import TaskSet
from app.worker import Worker
from tests.support.wait import until

_BLOCKED_S = 300
_HELD_UP_S = 3  # twice the limit of an end
_LONG_SQL = (
    "WITH RECURSIVE n(x) AS (SELECT started() UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"
)


class Window(QMainWindow):
    """A window that says when the user closes it."""

    closing = Signal()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closing.emit()


class State:
    """What a state may use to bring itself about."""

    def __init__(self, window: Window, tasks: TaskSet, worker: Worker) -> None:
        self.window = window
        self.tasks = tasks
        self.worker = worker
        self.database = aiosqlite.connect(":memory:")
        self.started = threading.Event()

    async def idle(self) -> None:
        pass

    async def blocking_job(self) -> None:
        self.tasks.spawn(self.worker.run(self._block), name="model load")
        await until(self.started.is_set)

    async def default_executor_job(self) -> None:
        self.tasks.spawn(asyncio.to_thread(self._block), name="scan")
        await until(self.started.is_set)

    async def long_query(self) -> None:
        self.tasks.spawn(self._interruptible_query(), name="search")
        await until(self.started.is_set)

    async def open_dialog(self) -> None:
        box = QMessageBox(self.window)
        self.tasks.spawn(ask(box), name="question")
        await until(box.isVisible)

    async def open_menu(self) -> None:
        menu = QMenu(self.window)
        menu.addAction("Copy")
        QTimer.singleShot(0, lambda: menu.exec(QPoint(0, 0)))
        await until(menu.isVisible)

    async def all_at_once(self) -> None:
        await self.blocking_job()
        self.started.clear()
        await self.long_query()
        await self.open_dialog()

    async def stubborn_query(self) -> None:
        """A query that nobody interrupts: its thread stays busy."""
        self.tasks.spawn(self._query(), name="search")
        await until(self.started.is_set)

    async def nested_loop_in_a_task(self) -> None:
        """What no code here should do; still it must not keep the process alive."""
        QTimer.singleShot(50, lambda: say("ready"))
        QMessageBox(self.window).exec()

    async def held_up_loop(self) -> None:
        """Something that does not come to an end at once keeps the loop itself from turning."""
        self.tasks.spawn(self._slow_goodbye(), name="goodbye")
        await until(self.started.is_set)
        say("ready")
        threading.Event().wait(_HELD_UP_S)  # the subject: what imports do on a busy machine

    async def _slow_goodbye(self) -> None:
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.5)

    def _block(self) -> None:
        self.started.set()
        time.sleep(_BLOCKED_S)  # the subject: a job in a worker that does not come back

    def _note_start(self) -> int:
        self.started.set()
        return 1

    async def _query(self) -> None:
        await self.database.create_function("started", 0, self._note_start)
        async with self.database.execute(_LONG_SQL) as cursor:
            await cursor.fetchall()

    async def _interruptible_query(self) -> None:
        try:
            await self._query()
        except asyncio.CancelledError:
            await self.database.interrupt()
            raise


@asynccontextmanager
async def background(window: Window) -> AsyncIterator[State]:
    """Own the tasks, the worker and the database, and end them in that order."""
    tasks, worker = TaskSet(), Worker("encoder")
    state = State(window, tasks, worker)
    async with state.database:
        try:
            yield state
        finally:
            say("stopping")
            window.hide()
            await tasks.close()
            worker.close()


async def serve(stop: Stop, name: str, close_itself: bool) -> int:
    """Bring about the state `name` and wait to be stopped."""
    window = Window()
    window.closing.connect(stop)
    window.show()
    async with background(window) as state:
        reach: Callable[[], Awaitable[None]] = getattr(state, name)
        await reach()
        if close_itself:
            QTimer.singleShot(0, window.close)
        else:
            say("ready")
        await asyncio.Event().wait()
    return 9


def say(line: str) -> None:
    """Tell the parent process."""
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Run as `closing_app STATE window|signal|quit`."""
    name, way = sys.argv[1:]
    app = QApplication([])
    if way == "quit":
        QTimer.singleShot(300, app.quit)
    code = run(lambda stop: serve(stop, name, way == "window"), app)
    say("stopped")
    leave(code)


if __name__ == "__main__":
    main()
