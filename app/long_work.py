"""Work that may take long: after a moment a line says how far it is, with a button to cancel it.

What the work is, and what is said of its end, is its owner's.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from app import patience
from app.message_controller import MessageController
from app.worker import Worker
from core.progress import Progress, WorkCancelledError

_STEP_S = 0.1
_END_S = 0.7  # less than tasks have for ending when the window is closed


@dataclass(frozen=True, slots=True)
class WorkWords:
    """One kind of work: `key` of its message, 'Copying the store', and its amounts in words."""

    key: str
    doing: str
    amount: Callable[[int, int], str]

    def line(self, done: int, total: int) -> str:
        """Say how far it is: 'Copying the store… 40 of 120 MB'."""
        return f"{self.doing}… {self.amount(done, total)}" if total else f"{self.doing}…"


class LongWork:
    """Run work of several kinds, one of each at a time, and show it in the message bar."""

    def __init__(self, messages: MessageController) -> None:
        self.messages = self._messages = messages
        self._jobs: dict[str, tuple[asyncio.Task[Any], Progress]] = {}
        messages.cancel_wanted = self.cancel

    def is_running(self, key: str) -> bool:
        """Tell whether work of this kind is under way."""
        return key in self._jobs

    def cancel(self, key: str) -> None:
        """End the work of this kind, if there is any: its task is cancelled."""
        if key in self._jobs:
            job, progress = self._jobs[key]
            progress.cancel()
            job.cancel()
            self._messages.end(key)

    async def run[T](
        self, words: WorkWords, work: Callable[[Progress], Coroutine[Any, Any, T]]
    ) -> T:
        """Run `work` as a task of its own and return what it returns.

        Raises what it raises, and WorkCancelledError where it was cancelled here; where that came
        too late, its result counts. A cancellation of the caller ends it, too. RuntimeError where
        work of this kind is under way.
        """
        if self.is_running(words.key):
            raise RuntimeError(f"{words.doing!r} is under way")
        progress = Progress()
        job = asyncio.get_running_loop().create_task(work(progress), name=words.key)
        self._jobs[words.key] = (job, progress)
        try:
            await self._show_until_done(job, words, progress)
        finally:
            del self._jobs[words.key]
            self._messages.end(words.key)
        if job.cancelled():
            raise WorkCancelledError
        return job.result()

    async def _show_until_done(
        self, job: asyncio.Task[Any], words: WorkWords, progress: Progress
    ) -> None:
        try:
            await asyncio.wait({job}, timeout=patience.PATIENCE_S)
            while not job.done():
                if not job.cancelling():
                    line = words.line(*progress.amount)
                    self._messages.show_work(words.key, line, progress.amount)
                await asyncio.wait({job}, timeout=_STEP_S)
        except asyncio.CancelledError:
            progress.cancel()
            job.cancel()
            await asyncio.wait({job})
            _see(job)
            raise


async def in_worker[T](worker: Worker, progress: Progress, job: Callable[[], T]) -> T:
    """Run a blocking job that reports to `progress`; a cancellation ends it at its next report.

    A job that has ended meanwhile has its result. The end is waited for, but not for long: a job
    that hangs in a file is left to itself.
    """
    pending = worker.submit(job)
    waiting = asyncio.wrap_future(pending)
    waiting.add_done_callback(_see)
    try:
        await asyncio.wait({waiting})  # unlike a plain await, leaves it alone when cancelled
    except asyncio.CancelledError:
        progress.cancel()
        if not pending.cancel():
            await asyncio.wait({waiting}, timeout=_END_S)
        if not waiting.done() or waiting.cancelled():
            raise
    return waiting.result()


def _see(ended: asyncio.Future[Any]) -> None:
    """Look at how a job ended, or asyncio reports it as a fault once nobody waits any more."""
    if not ended.cancelled():
        ended.exception()
