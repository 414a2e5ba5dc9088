"""Background tasks with an owner: kept, named, reported when they fail, ended within a bound.

A bare create_task() may be collected half-way and keeps its failure to itself.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any


class TaskSet:
    """Own the background tasks of one part of the application."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn[T](self, coro: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Start `coro` as a task called `name` and return it.

        When it fails, the loop's exception handler hears of it at once, whether or not anyone
        awaits the task. Raise RuntimeError once the set is closed.
        """
        if self._closed:
            coro.close()
            raise RuntimeError(f"cannot start {name!r}: its task set is closed")
        task = asyncio.get_running_loop().create_task(coro, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Cancel all tasks, wait at most `timeout_s` for their clean-up, accept no more.

        Return the names of those still running, sorted; each is also reported to the loop's
        exception handler. A task may close its own set: it is neither cancelled nor awaited.
        """
        self._closed = True
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        stuck = (await asyncio.wait(tasks, timeout=timeout_s))[1] if tasks else set()
        for task in stuck:
            self._report(task, f"task {task.get_name()!r} goes on after it was cancelled")
        return tuple(sorted(task.get_name() for task in stuck))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # The loop itself passes on the two that end the process.
        if error is not None and not isinstance(error, SystemExit | KeyboardInterrupt):
            self._report(task, f"task {task.get_name()!r} failed", error)

    def _report(
        self, task: asyncio.Task[Any], message: str, error: BaseException | None = None
    ) -> None:
        context: dict[str, Any] = {"message": message, "task": task}
        if error is not None:
            context["exception"] = error
        task.get_loop().call_exception_handler(context)
