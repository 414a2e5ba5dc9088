"""Qt loops nested in a task, a slot or a callback: no task is lost to them."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest_asyncio
import qasync
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.support.wait import until


class Ticker:
    """A task that counts as long as it is woken."""

    def __init__(self) -> None:
        self.count = 0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.001)
            self.count += 1

    async def goes_on(self) -> None:
        """Return once the task has ticked again; fail when it is dead."""
        now = self.count
        await until(lambda: self.count > now + 3)


@pytest_asyncio.fixture
async def ticker() -> AsyncIterator[Ticker]:
    ticker = Ticker()
    task = asyncio.create_task(ticker.run())
    await ticker.goes_on()
    yield ticker
    task.cancel()
    await asyncio.wait([task], timeout=1)  # the guard reports one that is lost


def close_soon(dialog: QMessageBox | QMenu) -> None:
    QTimer.singleShot(50, dialog.close)


def menu_in(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.addAction("Copy")
    return menu


async def test_tasks_go_on_after_a_dialog_was_executed_in_a_task(
    qtbot: QtBot, ticker: Ticker
) -> None:
    box = QMessageBox()
    qtbot.addWidget(box)
    close_soon(box)
    box.exec()
    await ticker.goes_on()


async def test_tasks_go_on_after_events_were_handled_in_a_task(
    qapp: QApplication, ticker: Ticker
) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + 0.05
    while loop.time() < end:
        qapp.processEvents()  # the subject: a loop inside a task
    await ticker.goes_on()


async def test_tasks_go_on_after_a_task_emitted_into_a_slot_that_executes_a_dialog(
    qtbot: QtBot, ticker: Ticker
) -> None:
    button, box = QPushButton(), QMessageBox()
    qtbot.addWidget(button)
    qtbot.addWidget(box)
    button.clicked.connect(box.exec)
    close_soon(box)
    button.click()
    await ticker.goes_on()


async def test_tasks_run_meanwhile_when_the_slot_is_queued(qtbot: QtBot, ticker: Ticker) -> None:
    button, box = QPushButton(), QMessageBox()
    qtbot.addWidget(button)
    qtbot.addWidget(box)
    button.clicked.connect(box.exec, Qt.ConnectionType.QueuedConnection)
    button.click()
    await until(box.isVisible)
    await ticker.goes_on()
    assert box.isVisible()
    box.close()
    await ticker.goes_on()


async def test_tasks_run_while_a_slot_shows_a_menu(qtbot: QtBot, ticker: Ticker) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    menu = menu_in(window)
    closed = asyncio.get_running_loop().create_future()
    QTimer.singleShot(0, lambda: closed.set_result(menu.exec(QPoint(0, 0))))
    await until(menu.isVisible)
    await ticker.goes_on()
    assert not closed.done()
    menu.close()
    assert await closed is None


async def test_tasks_run_while_a_callback_shows_a_menu(qtbot: QtBot, ticker: Ticker) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    menu = menu_in(window)
    order: list[str] = []

    def show() -> None:
        menu.exec(QPoint(0, 0))
        order.append("closed")

    loop = asyncio.get_running_loop()
    loop.call_soon(show)
    loop.call_soon(order.append, "next")
    await until(menu.isVisible)
    await ticker.goes_on()
    menu.close()
    await until(lambda: "closed" in order)
    assert order == ["next", "closed"]
    await ticker.goes_on()


async def test_what_is_ready_runs_while_the_callback_before_it_shows_a_menu(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    menu = menu_in(window)
    order: list[str] = []
    done = asyncio.get_running_loop().create_future()

    hang_guard = QTimer(window)
    hang_guard.timeout.connect(menu.close)

    def show() -> None:
        hang_guard.start(2000)
        menu.exec(QPoint(0, 0))
        hang_guard.stop()
        order.append("closed")
        done.set_result(None)

    def close() -> None:
        order.append("closing")
        menu.close()

    loop = asyncio.get_running_loop()
    loop.call_soon(show)
    loop.call_soon(close)
    await done  # not until(): its timer would wake the queue
    assert order == ["closing", "closed"]


async def test_a_wrapped_exec_holds_up_no_task(qtbot: QtBot, ticker: Ticker) -> None:
    box = QMessageBox()
    qtbot.addWidget(box)
    answer = asyncio.create_task(qasync.asyncWrap(box.exec))
    await until(box.isVisible)
    await ticker.goes_on()
    box.close()
    await answer


async def test_callbacks_that_a_nested_loop_held_up_keep_their_order(qapp: QApplication) -> None:
    loop = asyncio.get_running_loop()
    ran: list[int] = []

    async def step(number: int) -> None:
        ran.append(number)

    tasks = [loop.create_task(step(number)) for number in range(50)]
    handle_events_for(qapp, 0.02)
    assert ran == []
    await asyncio.wait(tasks)
    assert ran == list(range(50))


async def test_a_failing_slot_and_a_failing_paint_leave_the_loop_alive(
    qtbot: QtBot, ticker: Ticker
) -> None:
    class Broken(QPushButton):
        def paintEvent(self, event: object) -> None:
            raise ValueError("in a virtual method")

    def fail() -> None:
        raise ValueError("in a slot")

    button = Broken()
    qtbot.addWidget(button)
    button.clicked.connect(fail)
    with qtbot.captureExceptions() as caught:
        button.show()
        button.click()
        await until(lambda: len(caught) >= 2)
        button.hide()
    assert {str(error) for _, error, _ in caught} == {"in a slot", "in a virtual method"}
    await ticker.goes_on()


async def test_a_failing_async_slot_is_reported_and_leaves_the_loop_alive(
    qtbot: QtBot, ticker: Ticker
) -> None:
    class Window(QPushButton):
        @qasync.asyncSlot()
        async def fail(self) -> None:
            await asyncio.sleep(0)
            raise ValueError("in an async slot")

    window = Window()
    qtbot.addWidget(window)
    window.clicked.connect(window.fail)
    with qtbot.captureExceptions() as caught:
        window.click()
        await until(lambda: caught)
    assert [str(error) for _, error, _ in caught] == ["in an async slot"]
    await ticker.goes_on()


def handle_events_for(app: QApplication, seconds: float) -> None:
    clock: Callable[[], float] = asyncio.get_running_loop().time
    end = clock() + seconds
    while clock() < end:
        app.processEvents()  # the subject: a loop inside the loop
