"""Background tasks: kept, named, reported, ended."""

import asyncio
import gc

import pytest

from app.tasks import TaskSet
from tests.support.wait import until
from tests.support.watch import Watch


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_failure_is_reported_at_once_though_the_task_is_still_held(watch: Watch) -> None:
    async def fail() -> None:
        raise ValueError("no such store")

    watch.expect_loop_error(r"'open store' failed ValueError\('no such store'\)")
    tasks = TaskSet()
    held = tasks.spawn(fail(), name="open store")
    await until(lambda: watch.loop_errors)
    assert held.done()
    assert len(watch.loop_errors) == 1
    await tasks.close()


async def test_a_task_nobody_holds_runs_to_its_end() -> None:
    tasks = TaskSet()
    done = asyncio.Event()

    async def work() -> None:
        here = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.01, here.set_result, None)
        gc.collect()
        await here
        done.set()

    tasks.spawn(work(), name="work")
    await asyncio.sleep(0)
    gc.collect()
    async with asyncio.timeout(10):
        await done.wait()
    await until(lambda: len(tasks) == 0)


async def test_a_task_carries_its_name_and_its_result() -> None:
    tasks = TaskSet()

    async def name() -> str:
        task = asyncio.current_task()
        assert task is not None
        return task.get_name()

    assert await tasks.spawn(name(), name="search") == "search"


async def test_a_cancelled_task_is_no_failure(watch: Watch) -> None:
    tasks = TaskSet()
    task = tasks.spawn(forever(), name="search")
    await asyncio.sleep(0)
    task.cancel()
    await until(lambda: len(tasks) == 0)
    assert watch.loop_errors == []


async def test_closing_cancels_all_and_waits_for_their_clean_up() -> None:
    tasks = TaskSet()
    cleaned: list[int] = []

    async def work(number: int) -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(number)

    for number in range(3):
        tasks.spawn(work(number), name=f"work {number}")
    await asyncio.sleep(0)
    assert await tasks.close() == ()
    assert sorted(cleaned) == [0, 1, 2]
    assert len(tasks) == 0


async def test_closing_reports_a_failing_clean_up(watch: Watch) -> None:
    async def work() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            raise RuntimeError("cannot tidy up") from None

    watch.expect_loop_error(r"'work' failed RuntimeError\('cannot tidy up'\)")
    tasks = TaskSet()
    tasks.spawn(work(), name="work")
    await asyncio.sleep(0)
    assert await tasks.close() == ()


async def test_closing_names_what_is_stuck_and_does_not_wait_for_it(watch: Watch) -> None:
    let_go = asyncio.Event()

    async def stubborn() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    watch.expect_loop_error("'reindex' goes on after it was cancelled")
    tasks = TaskSet()
    tasks.spawn(forever(), name="search")
    tasks.spawn(stubborn(), name="reindex")
    await asyncio.sleep(0)
    assert await tasks.close(timeout_s=0.05) == ("reindex",)
    let_go.set()
    await until(lambda: len(tasks) == 0)


async def test_a_task_can_close_its_own_set() -> None:
    tasks = TaskSet()
    other = tasks.spawn(forever(), name="other")
    closing = tasks.spawn(tasks.close(), name="closing")
    assert await closing == ()
    assert other.cancelled()


async def test_a_closed_set_starts_nothing() -> None:
    tasks = TaskSet()
    await tasks.close()
    with pytest.raises(RuntimeError, match=r"'late'.*closed"):
        tasks.spawn(forever(), name="late")
