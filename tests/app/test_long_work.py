"""One piece of long work in the message bar: quiet at first, then how far it is and a way out."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from app import long_work
from app.long_work import LongWork, WorkWords, in_worker
from app.message_controller import MessageController
from app.tasks import TaskSet
from app.worker import Worker
from core.progress import Progress, WorkCancelledError
from tests.support.wait import until
from widgets.message_bar import Message, MessageBar, MessageKind
from widgets.plain import LinkButton

_COUNTING = WorkWords("counting", "Counting", lambda done, total: f"{done} of {total}")


@pytest.fixture
def bar(qtbot: QtBot) -> MessageBar:
    bar = MessageBar()
    qtbot.addWidget(bar)
    return bar


@pytest.fixture
def work(bar: MessageBar) -> LongWork:
    return LongWork(MessageController(bar, lambda _name: None))


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("counting")
    yield worker
    worker.close()


def message(bar: MessageBar) -> Message | None:
    return next(iter(bar.messages()), None)


def text(bar: MessageBar) -> str:
    shown = message(bar)
    return "" if shown is None else shown.text


async def test_work_says_how_far_it_is_under_one_button(bar: MessageBar, work: LongWork) -> None:
    gate = asyncio.Event()
    known: list[Progress] = []

    async def count(progress: Progress) -> str:
        known.append(progress)
        await gate.wait()
        return "counted"

    running = asyncio.ensure_future(work.run(_COUNTING, count))
    await until(lambda: text(bar) == "Counting…")
    (button,) = bar.findChildren(LinkButton)
    known[0].report(30, 120)
    await until(lambda: text(bar) == "Counting… 30 of 120")
    (progress,) = bar.findChildren(QProgressBar)
    assert progress.value() * 4 == progress.maximum()
    assert bar.findChildren(LinkButton) == [button], "whoever is about to press it still can"
    assert button.text() == "Cancel"
    gate.set()
    assert await running == "counted"
    assert bar.messages() == ()


async def test_quick_work_is_not_shown(
    bar: MessageBar, work: LongWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Message] = []
    monkeypatch.setattr(bar, "show_message", said.append)

    async def count(_progress: Progress) -> int:
        return 7

    assert await work.run(_COUNTING, count) == 7
    assert said == []


async def test_cancelling_ends_the_work_and_is_told_to_its_owner(
    bar: MessageBar, work: LongWork
) -> None:
    ended = asyncio.Event()

    async def count(_progress: Progress) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    running = asyncio.ensure_future(work.run(_COUNTING, count))
    await until(lambda: message(bar))
    bar.action_wanted.emit("another", "cancel_work")
    await asyncio.sleep(0)
    assert not running.done()
    (button,) = bar.findChildren(LinkButton)
    button.click()
    with pytest.raises(WorkCancelledError):
        await running
    assert ended.is_set()
    assert bar.messages() == ()
    assert not work.is_running("counting")


async def test_work_that_fails_fails_in_its_owner(bar: MessageBar, work: LongWork) -> None:
    async def count(_progress: Progress) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        await work.run(_COUNTING, count)
    assert bar.messages() == ()


async def test_a_job_in_a_thread_ends_at_its_next_report(
    bar: MessageBar, work: LongWork, worker: Worker
) -> None:
    gate, ended = threading.Event(), threading.Event()

    async def count(progress: Progress) -> None:
        def job() -> None:
            try:
                progress.report(1, 2)
                assert gate.wait(10)
                progress.report(2, 2)
            finally:
                ended.set()

        await in_worker(worker, progress, job)

    running = asyncio.ensure_future(work.run(_COUNTING, count))
    await until(lambda: text(bar) == "Counting… 1 of 2")
    work.cancel("counting")
    await until(lambda: not bar.messages())
    gate.set()
    with pytest.raises(WorkCancelledError):
        await running
    assert ended.is_set()


async def test_a_job_whose_turn_has_not_come_never_starts(work: LongWork, worker: Worker) -> None:
    gate, started = threading.Event(), []
    before = worker.submit(gate.wait, 10)

    async def count(progress: Progress) -> None:
        await in_worker(worker, progress, lambda: started.append(1))

    running = asyncio.ensure_future(work.run(_COUNTING, count))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    work.cancel("counting")
    with pytest.raises(WorkCancelledError):
        await running
    gate.set()
    assert await asyncio.wrap_future(before)
    assert await worker.run(lambda: 1) == 1
    assert started == []


async def test_a_job_that_hangs_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, bar: MessageBar, work: LongWork, worker: Worker
) -> None:
    monkeypatch.setattr(long_work, "_END_S", 0.01)
    gate = threading.Event()

    async def count(progress: Progress) -> None:
        def job() -> None:
            assert gate.wait(10)
            progress.report(1, 2)

        await in_worker(worker, progress, job)

    tasks = TaskSet()
    tasks.spawn(work.run(_COUNTING, count), name="count")
    await until(lambda: message(bar))
    assert await tasks.close() == ()
    assert bar.messages() == ()
    gate.set()
    assert await worker.run(lambda: 1) == 1


def test_a_working_message_of_another_kind_is_a_new_line(qtbot: QtBot, bar: MessageBar) -> None:
    bar.show_message(Message("busy", MessageKind.WORKING, "Trying again in 1 s…"))
    (first,) = bar.findChildren(QProgressBar)
    bar.show_message(Message("busy", MessageKind.WORKING, "Copying…", amount=(1, 2)))
    assert not first.isVisibleTo(bar)
    assert [m.text for m in bar.messages()] == ["Copying…"]
