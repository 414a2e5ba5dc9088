"""The entry: how the application starts, is stopped, and what happens to what it leaves."""

import asyncio
import signal
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.loop import LoopStoppedError, QtLoop, Stop, run
from tests.support.wait import until
from tests.support.watch import Watch


@pytest.fixture(autouse=True)
def default_signals() -> Iterator[None]:
    """Start from Python's own handling, whatever the test runner inherited."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def forever() -> None:
    await asyncio.Event().wait()


def test_the_exit_code_is_what_main_returns(qapp: QApplication) -> None:
    async def main(stop: Stop) -> int:
        await asyncio.sleep(0)
        return 7

    assert run(main, qapp) == 7


def test_stop_cancels_main_which_cleans_up(qapp: QApplication) -> None:
    did: list[str] = []

    async def main(stop: Stop) -> int:
        asyncio.get_running_loop().call_later(0.01, stop)
        try:
            await forever()
        finally:
            stop()  # once is enough: the clean-up itself is not cancelled
            await asyncio.sleep(0.01)
            did.append("cleaned up")
        return 9

    assert run(main, qapp) == 0
    assert did == ["cleaned up"]


def test_an_error_in_main_comes_out_after_the_clean_up(qapp: QApplication) -> None:
    did: list[str] = []

    async def left() -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0.01)
            did.append("cleaned up")

    async def main(stop: Stop) -> int:
        task = asyncio.create_task(left())
        await asyncio.sleep(0)
        raise ValueError(task.get_name())

    with pytest.raises(ValueError, match="Task"):
        run(main, qapp)
    assert did == ["cleaned up"]


def test_a_main_that_cancels_itself_is_an_error(qapp: QApplication) -> None:
    async def main(stop: Stop) -> int:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(main, qapp)


def test_a_task_left_over_is_cancelled_and_cleans_up(qapp: QApplication) -> None:
    did: list[str] = []

    async def left() -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0.01)
            did.append("cleaned up")

    async def main(stop: Stop) -> int:
        did.append(asyncio.create_task(left(), name="left").get_name())
        await asyncio.sleep(0)
        return 0

    assert run(main, qapp) == 0
    assert did == ["left", "cleaned up"]


def test_a_task_that_wakes_while_main_returns_still_has_its_loop(qapp: QApplication) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def busy() -> None:
        while True:
            await asyncio.sleep(0)
            loops.append(asyncio.get_running_loop())

    async def main(stop: Stop) -> int:
        tasks = [asyncio.create_task(busy()) for _ in range(5)]
        await asyncio.sleep(0.01)
        return len(tasks)

    assert run(main, qapp) == 5
    assert len(set(loops)) == 1


def test_qt_events_between_two_runs_run_no_callback(qapp: QApplication) -> None:
    ran: list[int] = []
    with asyncio.Runner(loop_factory=lambda: QtLoop(qapp)) as runner:
        loop = runner.get_loop()
        loop.call_soon(ran.append, 1)
        qapp.processEvents()  # the subject: nothing of ours runs in it
        assert ran == []
        runner.run(asyncio.sleep(0))
        assert ran == [1]


def test_closing_the_last_window_alone_stops_nothing(qapp: QApplication) -> None:
    async def main(stop: Stop) -> int:
        window = QWidget()
        window.show()
        window.close()
        window.deleteLater()
        await asyncio.sleep(0.05)
        return 3

    qapp.setQuitOnLastWindowClosed(True)
    assert run(main, qapp) == 3


@pytest.mark.parametrize("way", ["quit", "quit event"])
def test_telling_qt_to_quit_stops_main_which_cleans_up(way: str, qapp: QApplication) -> None:
    did: list[str] = []

    def tell() -> None:
        if way == "quit":
            qapp.quit()
        else:  # as the session or the dock's menu does
            QApplication.postEvent(qapp, QEvent(QEvent.Type.Quit))

    async def main(stop: Stop) -> int:
        QTimer.singleShot(10, tell)
        try:
            await forever()
        finally:
            await asyncio.sleep(0.01)
            did.append("cleaned up")
        return 9

    assert run(main, qapp) == 0
    assert did == ["cleaned up"]


def test_a_loop_that_qt_leaves_early_says_so(qapp: QApplication) -> None:
    with asyncio.Runner(loop_factory=lambda: QtLoop(qapp)) as runner:
        runner.get_loop().call_soon(qapp.quit)
        with pytest.raises(LoopStoppedError):
            runner.run(forever())


def test_sys_exit_in_a_task_ends_the_run_with_its_clean_up(qapp: QApplication) -> None:
    did: list[str] = []

    async def leave_now() -> None:
        raise SystemExit(3)

    async def main(stop: Stop) -> int:
        task = asyncio.create_task(leave_now())
        try:
            await forever()
        finally:
            did.append(f"cleaned up, {task.exception()!r}")
        return 0

    with pytest.raises(SystemExit) as ended:
        run(main, qapp)
    assert ended.value.code == 3
    assert did == ["cleaned up, SystemExit(3)"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_main_and_is_nobodys_afterwards(
    number: signal.Signals, qapp: QApplication
) -> None:
    did: list[str] = []
    before = signal.getsignal(number)

    async def main(stop: Stop) -> int:
        signal.raise_signal(number)
        try:
            await forever()
        finally:
            did.append("cleaned up")
        return 9

    assert run(main, qapp) == 0
    assert did == ["cleaned up"]
    assert signal.getsignal(number) is before


def test_a_blocking_job_in_the_default_executor_does_not_hold_up_the_end(
    qapp: QApplication,
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def job() -> None:
        started.set()
        go_on.wait(10)

    async def main(stop: Stop) -> int:
        task = asyncio.create_task(asyncio.to_thread(job))
        await until(started.is_set)
        return 0 if not task.done() else 1

    assert run(main, qapp) == 0
    assert not go_on.is_set()
    go_on.set()


def test_what_cannot_be_ended_is_named_and_abandoned(qapp: QApplication, watch: Watch) -> None:
    watch.expect_log("did not stop within 1500 ms: stubborn")
    let_go = False

    async def stubborn() -> None:
        while not let_go:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    async def main(stop: Stop) -> int:
        task = asyncio.create_task(stubborn(), name="stubborn")
        await asyncio.sleep(0)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # it is meant to be lost
        return 0

    assert run(main, qapp) == 1
    let_go = True
