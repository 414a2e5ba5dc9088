"""The thread for blocking work."""

import asyncio
import threading
import weakref
from collections.abc import Iterator

import pytest

from app.worker import Worker
from tests.support.wait import until


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("encoder")
    yield worker
    worker.close()


async def test_a_job_runs_in_the_named_thread_and_its_result_comes_back(worker: Worker) -> None:
    def job(first: int, second: int) -> tuple[str, bool, int]:
        thread = threading.current_thread()
        return thread.name, thread.daemon, first + second

    assert await worker.run(job, 2, 3) == ("encoder", True, 5)


async def test_a_jobs_error_is_raised_where_it_is_awaited(worker: Worker) -> None:
    def job() -> None:
        raise ValueError("damaged model")

    with pytest.raises(ValueError, match="damaged model"):
        await worker.run(job)
    assert await worker.run(lambda: "alive") == "alive"


async def test_the_loop_goes_on_while_a_job_blocks(worker: Worker) -> None:
    go_on = threading.Event()
    job = asyncio.create_task(worker.run(go_on.wait, 10))
    await asyncio.sleep(0.01)
    assert not job.done()
    go_on.set()
    assert await job


async def test_superseded_jobs_never_start(worker: Worker) -> None:
    started, go_on = threading.Event(), threading.Event()
    ran: list[int] = []

    def job(number: int) -> int:
        started.set()
        go_on.wait(10)
        ran.append(number)
        return number

    tasks = [asyncio.create_task(worker.run(job, number)) for number in range(10)]
    await until(started.is_set)
    for task in tasks[:-1]:
        task.cancel()
    await asyncio.wait(tasks[:-1])
    go_on.set()
    assert await tasks[-1] == 9
    assert ran == [0, 9]


async def test_closing_cancels_what_is_queued_and_leaves_the_running_job_alone() -> None:
    worker = Worker("encoder")
    started, go_on = threading.Event(), threading.Event()

    def job() -> None:
        started.set()
        go_on.wait(10)

    running, queued = worker.submit(job), worker.submit(job)
    await until(started.is_set)
    worker.close()
    assert queued.cancelled()
    assert not running.done()
    go_on.set()


async def test_the_outcome_of_a_job_is_dropped_after_closing() -> None:
    worker = Worker("encoder")
    started, go_on = threading.Event(), threading.Event()
    told: list[object] = []

    def job() -> None:
        started.set()
        go_on.wait(10)

    running = worker.submit(job)
    running.add_done_callback(told.append)
    await until(started.is_set)
    worker.close()
    go_on.set()
    await until(lambda: not [t for t in threading.enumerate() if t.name == "encoder"])
    assert told == []


def test_a_closed_worker_refuses_jobs() -> None:
    worker = Worker("encoder")
    worker.close()
    worker.close()
    with pytest.raises(RuntimeError, match="'encoder' is closed"):
        worker.submit(print)


async def test_an_idle_worker_keeps_no_inputs_alive(worker: Worker) -> None:
    class Text:
        pass

    text = Text()
    gone = weakref.ref(text)
    await worker.run(id, text)
    del text
    await until(lambda: gone() is None)
