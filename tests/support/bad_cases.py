"""Tests that are wrong in ways no assertion notices; test_guard.py sees to it that each fails.

Not collected by default, for its name.
"""

import asyncio
import logging
import threading
import warnings
from collections.abc import Iterator

import pytest
import qasync
from PySide6.QtCore import Qt, QTimer, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.support.watch import Watch


@pytest.fixture
def kept() -> list[object]:
    """Keep objects alive until the guard looks."""
    return []


async def forever() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise ValueError("stray")


async def test_bad_task_error(kept: list[object]) -> None:
    kept.append(asyncio.create_task(fail()))
    await asyncio.sleep(0.01)


async def test_bad_task_error_in_a_cycle() -> None:
    cycle: list[object] = [asyncio.create_task(fail())]
    cycle.append(cycle)
    await asyncio.sleep(0.01)


async def test_bad_async_slot(qtbot: QtBot) -> None:
    class Window(QPushButton):
        @qasync.asyncSlot()
        async def fail(self) -> None:
            raise ValueError("stray")

    window = Window()
    qtbot.addWidget(window)
    window.clicked.connect(window.fail)
    window.click()
    await asyncio.sleep(0.01)


async def test_bad_slot(qtbot: QtBot) -> None:
    window = QPushButton()
    qtbot.addWidget(window)
    window.clicked.connect(lambda: 1 / 0)
    window.click()
    await asyncio.sleep(0.01)


async def test_bad_callback() -> None:
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)


async def test_bad_task_left(kept: list[object]) -> None:
    kept.append(asyncio.create_task(forever(), name="left"))
    await asyncio.sleep(0.01)


async def test_bad_task_left_that_fails_in_its_clean_up(kept: list[object]) -> None:
    async def work() -> None:
        try:
            await forever()
        except asyncio.CancelledError:
            raise RuntimeError("in clean-up") from None

    kept.append(asyncio.create_task(work()))
    await asyncio.sleep(0.01)


async def test_bad_task_that_cannot_be_ended(kept: list[object]) -> None:
    async def stubborn() -> None:
        while True:
            try:
                await forever()
            except asyncio.CancelledError:
                continue

    kept.append(asyncio.create_task(stubborn(), name="stubborn"))
    await asyncio.sleep(0.01)


async def test_bad_nested_wait(qtbot: QtBot) -> None:
    ticks: list[int] = []

    async def tick() -> None:
        while True:
            await asyncio.sleep(0.005)
            ticks.append(1)

    task = asyncio.create_task(tick())
    await asyncio.sleep(0.02)
    ticks.clear()
    try:
        qtbot.waitUntil(lambda: len(ticks) > 2, timeout=200)
    finally:
        task.cancel()


async def test_bad_coroutine_not_awaited() -> None:
    forever()  # type: ignore[unused-coroutine]  # the point of it


def test_bad_log() -> None:
    logging.getLogger("core.store").warning("store is damaged")


def test_bad_qt_warning() -> None:
    qWarning("QPainter is not active")


def test_bad_qt_warning_in_the_end(late_qt_warning: None) -> None:
    pass


@pytest.fixture
def late_qt_warning() -> Iterator[None]:
    yield
    qWarning("QPainter is gone")


def test_bad_thread_left() -> None:
    threading.Thread(target=threading.Event().wait, args=(3,), name="left behind").start()


def test_bad_timer_left(qtbot: QtBot, kept: list[object]) -> None:
    window = QWidget()
    kept.append(window)
    timer = QTimer(window)
    timer.setObjectName("left behind")
    timer.start(60_000)


def test_bad_timer_left_though_its_widget_was_closed(qtbot: QtBot, kept: list[object]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    timer = QTimer()
    kept.append(timer)
    timer.timeout.connect(window.update)
    timer.start(60_000)


def test_bad_expectation(watch: Watch) -> None:
    watch.expect_log("never comes")


def test_bad_warning() -> None:
    warnings.warn("old name", DeprecationWarning, stacklevel=1)


async def test_good_async(qtbot: QtBot, watch: Watch) -> None:
    watch.expect_loop_error("ZeroDivisionError")
    watch.expect_log("damaged")
    watch.expect_qt("not active")
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    logging.getLogger("core.store").warning("store is damaged")
    qWarning("QPainter is not active")
    window = QWidget()
    qtbot.addWidget(window)
    QTimer(window).start(60_000)  # goes with its widget
    await asyncio.sleep(0.01)


def test_good_that_holds_a_key(qtbot: QtBot) -> None:
    QTest.keyPress(QWidget(), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.ShiftModifier


def test_good_where_no_key_is_held(qtbot: QtBot) -> None:
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


def test_good_after_all_of_them() -> None:
    logging.getLogger("core.store").info("opened")
