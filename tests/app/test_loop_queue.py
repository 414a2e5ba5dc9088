"""Order, clock and context of callbacks on the product's loop."""

import asyncio
import contextvars
import gc
import sys
import threading
import time
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QApplication

from app.loop import QtLoop
from tests.support.wait import until
from tests.support.watch import Watch


async def test_async_tests_run_on_the_products_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), QtLoop)


async def test_callbacks_run_in_the_order_they_came() -> None:
    loop = asyncio.get_running_loop()
    ran: list[int] = []
    for number in range(1000):
        loop.call_soon(ran.append, number)
    await until(lambda: len(ran) == 1000)
    assert ran == list(range(1000))


async def test_callbacks_from_threads_keep_their_order_among_the_others() -> None:
    loop = asyncio.get_running_loop()
    ran: list[int] = []

    def from_thread() -> None:
        for number in range(1, 500):
            loop.call_soon_threadsafe(ran.append, number)

    loop.call_soon(ran.append, 0)
    thread = threading.Thread(target=from_thread)
    thread.start()
    thread.join()
    loop.call_soon(ran.append, 500)
    await until(lambda: len(ran) == 501)
    assert ran == list(range(501))


async def test_a_thread_wakes_an_idle_loop() -> None:
    loop = asyncio.get_running_loop()
    woken = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.call_soon_threadsafe(woken.set))
    loop.call_later(0.01, thread.start)
    async with asyncio.timeout(10):
        await woken.wait()


@pytest.mark.parametrize("delay_s", [0.0, 0.0001, 0.001, 0.0099, 0.02, 0.05, 0.3])
async def test_a_timer_never_fires_early(delay_s: float) -> None:
    loop = asyncio.get_running_loop()
    fired: asyncio.Future[float] = loop.create_future()
    due = loop.time() + delay_s
    loop.call_at(due, lambda: fired.set_result(time.monotonic()))
    assert await fired >= due


async def test_a_timer_does_not_fire_early_in_the_company_of_others() -> None:
    loop = asyncio.get_running_loop()
    late_s: list[float] = []
    start = loop.time()
    for due in [start + number / 2000 for number in range(100)]:
        loop.call_at(due, lambda due: late_s.append(loop.time() - due), due)
    await until(lambda: len(late_s) == 100)
    assert min(late_s) >= 0


async def test_timers_run_in_the_order_of_their_deadlines() -> None:
    loop = asyncio.get_running_loop()
    ran: list[float] = []
    start = loop.time() + 0.01
    offsets = [0.0009, 0.0001, 0.0005, 0.003, 0.0, 0.0004]
    for offset in offsets:
        loop.call_at(start + offset, ran.append, offset)
    await until(lambda: len(ran) == len(offsets))
    assert ran == sorted(offsets)


async def test_timers_of_one_deadline_run_first_in_first_out() -> None:
    loop = asyncio.get_running_loop()
    ran: list[int] = []
    when = loop.time() + 0.005
    for number in range(100):
        loop.call_at(when, ran.append, number)
    await until(lambda: len(ran) == 100)
    assert ran == list(range(100))


async def test_a_timer_knows_its_deadline() -> None:
    loop = asyncio.get_running_loop()
    timer = loop.call_at(loop.time() + 60, print)
    assert timer.when() == pytest.approx(loop.time() + 60, abs=5)
    timer.cancel()


async def test_cancelled_callbacks_never_run() -> None:
    loop = asyncio.get_running_loop()
    ran: list[str] = []
    loop.call_soon(ran.append, "soon").cancel()
    loop.call_later(0.001, ran.append, "later").cancel()
    loop.call_later(0.002, ran.append, "kept")
    await until(lambda: ran)
    assert ran == ["kept"]


async def test_unused_timeouts_do_not_pile_up() -> None:
    class Inputs:
        """What a timeout's callback holds on to."""

    loop = asyncio.get_running_loop()
    gc.collect()
    for _ in range(5000):
        inputs = Inputs()
        loop.call_later(3600, lambda kept: None, inputs).cancel()
    kept = loop.call_later(3600, print)
    # Handles drop their arguments at once; the entries themselves go in bulk.
    handles = [entry for entry in gc.get_objects() if isinstance(entry, asyncio.TimerHandle)]
    assert len(handles) < 500
    kept.cancel()


async def test_callbacks_run_in_the_context_they_were_given() -> None:
    loop = asyncio.get_running_loop()
    place: contextvars.ContextVar[str] = contextvars.ContextVar("place", default="none")
    seen: list[str] = []
    context = contextvars.copy_context()
    context.run(place.set, "given")
    loop.call_soon(lambda: seen.append(place.get()), context=context)
    loop.call_soon_threadsafe(lambda: seen.append(place.get()), context=context)
    loop.call_later(0.001, lambda: seen.append(place.get()), context=context)
    await until(lambda: len(seen) == 3)
    assert seen == ["given"] * 3


def test_a_closed_loop_refuses_callbacks(qapp: QApplication) -> None:
    loop = QtLoop(qapp)
    loop.close()
    for schedule in (loop.call_soon, loop.call_soon_threadsafe):
        with pytest.raises(RuntimeError, match="closed"):
            schedule(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_later(0, print)
    coro = asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="closed"):
        loop.run_until_complete(coro)
    coro.close()


@pytest.mark.parametrize("way", ["soon", "later", "threadsafe"])
async def test_a_failing_callback_is_reported_and_the_loop_goes_on(
    way: str, watch: Watch
) -> None:
    loop = asyncio.get_running_loop()
    watch.expect_loop_error("ZeroDivisionError")

    def fail() -> None:
        _ = 1 / 0

    match way:
        case "soon":
            loop.call_soon(fail)
        case "later":
            loop.call_later(0.001, fail)
        case _:
            loop.call_soon_threadsafe(fail)
    await until(lambda: watch.loop_errors)


async def test_a_timeout_cancels_what_takes_too_long() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()


async def test_a_task_group_passes_on_the_failure_and_ends_the_others() -> None:
    async def fail() -> None:
        raise ValueError("first")

    cancelled = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.RaisesGroup(pytest.RaisesExc(ValueError, match="first")):
        async with asyncio.TaskGroup() as group:
            group.create_task(wait())
            await asyncio.sleep(0)
            group.create_task(fail())
    assert cancelled.is_set()


async def test_processes_and_their_pipes_work_on_the_loop() -> None:
    process = await asyncio.create_subprocess_exec(
        "cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate(b"x" * 200_000)
    assert (process.returncode, len(out)) == (0, 200_000)


class Numbers:
    """An async generator that notes its end."""

    def __init__(self) -> None:
        self.closed = False

    async def read(self) -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            self.closed = True


async def test_an_async_generator_left_half_read_is_closed() -> None:
    numbers = Numbers()
    async for number in numbers.read():
        assert number == 1
        break
    await until(lambda: numbers.closed)


def test_an_async_generator_still_held_at_the_end_is_closed(qapp: QApplication) -> None:
    numbers = Numbers()
    reader = numbers.read()
    hooks = sys.get_asyncgen_hooks()

    async def main() -> int:
        return await anext(reader)

    with asyncio.Runner(loop_factory=lambda: QtLoop(qapp)) as runner:
        assert runner.run(main()) == 1
    assert numbers.closed
    assert sys.get_asyncgen_hooks() == hooks
