"""Trying again what met a locked store: after 1 s, then 2, 4, 8, and every 10 s from there on.

Says nothing itself; whoever starts it says what is being waited for.
"""

import asyncio
from collections.abc import Callable

from app.tasks import TaskSet

FIRST_S = 1.0
LONGEST_S = 10.0


class Retry:
    """One thing that is tried again until it works or is given up."""

    def __init__(self, tasks: TaskSet) -> None:
        self._tasks = tasks
        self._waiting: asyncio.Task[None] | None = None
        self._next_s = FIRST_S

    @property
    def is_waiting(self) -> bool:
        """Tell whether a further attempt is due."""
        return self._waiting is not None and not self._waiting.done()

    def later(self, attempt: Callable[[], None]) -> float:
        """Plan one more attempt in place of any other; return in how many seconds."""
        self._stop()
        delay = self._next_s
        self._next_s = min(LONGEST_S, 2 * delay)
        self._waiting = self._tasks.spawn(self._wait(delay, attempt), name="retry")
        return delay

    def end(self) -> None:
        """Plan nothing any more, because it worked or was given up; start over at 1 s."""
        self._stop()
        self._next_s = FIRST_S

    def _stop(self) -> None:
        # An attempt that gives up itself is not to be cancelled half-way.
        if self._waiting is not None and self._waiting is not asyncio.current_task():
            self._waiting.cancel()
        self._waiting = None

    @staticmethod
    async def _wait(delay: float, attempt: Callable[[], None]) -> None:
        await asyncio.sleep(delay)
        attempt()
