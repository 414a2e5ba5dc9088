"""Background work of several kinds of which only the newest of each kind counts."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from app.tasks import TaskSet

type Work = Callable[[], Coroutine[Any, Any, None]]


class NewestTasks:
    """Run work under names: what is started anew ends what ran before it, and begins after that."""

    def __init__(self) -> None:
        self._tasks: TaskSet | None = None
        self._running: dict[str, asyncio.Task[None]] = {}

    def use(self, tasks: TaskSet) -> bool:
        """Start work among these tasks from now on; tell whether work of others was ended."""
        was_busy = tasks is not self._tasks and self.is_busy
        if tasks is not self._tasks:
            self._tasks = tasks
            self.end(*self._running)
        return was_busy

    def start(self, name: str, work: Work) -> None:
        """Start work in the place of the last one of this name."""
        self.end(name)
        if self._tasks is not None:
            before = self._running.get(name)
            self._running[name] = self._tasks.spawn(_after(before, work), name=name)

    def end(self, *names: str) -> None:
        """End the work of some names, if there is any."""
        for name in names:
            if name in self._running:
                self._running[name].cancel()

    def is_running(self, name: str) -> bool:
        """Tell whether work of a name is under way and wanted."""
        task = self._running.get(name)
        return task is not None and not task.done() and not task.cancelling()

    @property
    def is_busy(self) -> bool:
        """Tell whether anything is under way."""
        return any(not task.done() for task in self._running.values())

    async def settled(self) -> None:
        """Wait until nothing is under way any more."""
        while tasks := {task for task in self._running.values() if not task.done()}:
            await asyncio.wait(tasks)


async def _after(before: asyncio.Task[None] | None, work: Work) -> None:
    if before is not None:
        await asyncio.wait({before})
    await work()
