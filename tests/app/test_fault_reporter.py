"""A fault of the program is said in the window and logged, and the window goes on."""

import asyncio
from pathlib import Path

from app.fault_reporter import FaultReporter
from tests.support.open_window import open_window
from tests.support.wait import until
from tests.support.watch import Watch
from tests.support.window_stores import ferry_store, stub, stub_services


async def test_a_failing_task_is_said_with_its_traceback_in_the_details(
    tmp_path: Path, watch: Watch
) -> None:
    watch.expect_log("task 'odd' failed")
    before = asyncio.get_running_loop().get_exception_handler()
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path / "p")) as opened:
        faults = FaultReporter(opened.controller.messages)
        faults.install()

        async def odd() -> None:
            raise RuntimeError("an odd thing")

        opened.controller._tasks.spawn(odd(), name="odd")
        await until(opened.window.message_bar.messages)
        (message,) = opened.window.message_bar.messages()
        faults.remove()
        asyncio.get_running_loop().set_exception_handler(before)
        assert message.code == "bug"
        assert "RuntimeError: an odd thing" in message.details
        assert "code: bug" in message.details
        assert "SQLite" in message.details
        await opened.search("tide")
        assert opened.rows()
