"""One thread for work that blocks: model loads, embedding, layout of big graphs, file scans.

Jobs run one after another. SQL has threads of its own, in core/store.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, override


@dataclass(frozen=True, slots=True)
class _Job:
    future: Future[Any]
    call: Callable[[], Any]


class Worker(Executor):
    """Run blocking jobs in one named daemon thread, in the order they came.

    A job that is cancelled before its turn never starts. A running job cannot be stopped, so
    closing does not wait for it: a ThreadPoolExecutor is joined at interpreter exit and would
    keep a closed window's process alive until the model has loaded.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.RLock()
        self._closed = False
        self._thread: threading.Thread | None = None

    async def run[*Ts, T](self, job: Callable[[*Ts], T], *args: *Ts) -> T:
        """Return what `job(*args)` returns in the worker's thread, or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self, job, *args)

    @override
    def submit[**P, T](
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Queue a job. Raise RuntimeError once closed."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError(f"worker {self._name!r} is closed")
            self._jobs.put(_Job(future, partial(fn, *args, **kwargs)))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
        return future

    def close(self) -> None:
        """Cancel the queued jobs and drop the outcome of the running one, without waiting.

        Cancel the tasks that wait for the running job first: nobody will wake them.
        """
        with self._lock:
            self._closed = True
        for job in self._queued():
            job.future.cancel()
        self._jobs.put(None)

    @override
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close; never wait, whatever the arguments (the event loop calls this when it closes)."""
        self.close()

    def _queued(self) -> list[_Job]:
        jobs: list[_Job] = []
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return jobs
            if job is not None:
                jobs.append(job)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.future.set_running_or_notify_cancel():
                self._finish(job)
            del job  # an idle worker keeps no job's inputs alive

    def _finish(self, job: _Job) -> None:
        try:
            result = job.call()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the job gets it
            self._deliver(partial(job.future.set_exception, error))
        else:
            self._deliver(partial(job.future.set_result, result))

    def _deliver(self, outcome: Callable[[], None]) -> None:
        # Under the lock: after close() returned no news reaches an event loop that is gone.
        with self._lock:
            if not self._closed:
                outcome()
