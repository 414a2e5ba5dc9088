"""A store that is locked, or lies where SQLite cannot work: said, tried again, never hidden."""

import sqlite3
from pathlib import Path

import pysqlite3
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from app import retry
from core.store import connection
from tests.support.digests import all_digests
from tests.support.faulty_driver import (
    LOCKED,
    NO_SHARED_MEMORY,
    PROTOCOL,
    READ_FAILED,
    Fault,
    install,
)
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.message_bar import Message, MessageKind


def database_of(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


def messages(opened: OpenWindow) -> dict[str, Message]:
    return {message.code: message for message in opened.window.message_bar.messages()}


def press(opened: OpenWindow, label: str) -> None:
    bar = opened.window.message_bar
    buttons = bar.findChildren(QAbstractButton)
    (button,) = [b for b in buttons if b.text() == label and b.isVisible()]
    button.click()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let attempts follow each other fast."""
    monkeypatch.setattr(retry, "FIRST_S", 0.05)
    monkeypatch.setattr(retry, "LONGEST_S", 0.1)


async def test_a_locked_store_is_opened_by_itself_once_it_is_free(
    tmp_path: Path, soon: None
) -> None:
    project = ferry_store(tmp_path / "p")
    locker = pysqlite3.connect(str(database_of(project)), isolation_level=None)
    locker.execute("PRAGMA locking_mode = EXCLUSIVE")
    locker.execute("UPDATE memory SET active = 1 WHERE uuid = ?", [uuid_of("bus")])
    try:
        async with open_window(stub_services(stub(), tmp_path), project) as opened:
            assert "store_busy" in opened.page_text()
            assert "Trying again in" in opened.page_text()
            assert "Copy details" in opened.page_text()
            opened.type("tide tables")
            locker.close()
            await until(lambda: opened.page() == "results")
            await opened.settled()
            assert opened.rows()[0] == uuid_of("tide")
    finally:
        locker.close()


async def test_the_waits_grow_up_to_ten_seconds(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        again = retry.Retry(opened.controller._tasks)
        assert [again.later(lambda: None) for _ in range(6)] == [1, 2, 4, 8, 10, 10]
        again.end()
        assert again.later(lambda: None) == 1
        again.end()
        assert not again.is_waiting


async def test_trying_to_open_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    driver.fault = LOCKED
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.press("Stop trying")
        assert "store_busy" in opened.page_text()
        assert "Trying again" not in opened.page_text()
        assert not opened.controller.opening.is_retrying
        driver.fault = None
        opened.press("Open again")
        await opened.settled()
        assert opened.page() == "browse"


async def test_a_lock_met_while_a_list_is_shown_leaves_it_and_is_waited_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon: None
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        shown = opened.rows()
        driver.fault = LOCKED
        await until(lambda: "store_busy" in messages(opened))
        message = messages(opened)["store_busy"]
        assert message.kind is MessageKind.WORKING
        assert "Trying again in" in message.text
        assert opened.rows() == shown
        with writing(project) as raw:
            raw.execute("UPDATE memory SET active = 0 WHERE uuid = ?", [uuid_of("bus")])
        driver.fault = None
        await until(lambda: not messages(opened))
        await until(lambda: uuid_of("bus") not in opened.rows())


async def test_waiting_for_a_lock_can_be_stopped_and_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        driver.fault = LOCKED
        await until(lambda: "store_busy" in messages(opened))
        press(opened, "Stop trying")
        assert messages(opened)["store_busy"].kind is MessageKind.ERROR
        assert not opened.controller.live._retry.is_waiting
        driver.fault = None
        press(opened, "Try now")
        await until(lambda: not messages(opened))
        assert len(opened.browse_rows()) == 26


@pytest.mark.parametrize("fault", [PROTOCOL, NO_SHARED_MEMORY], ids=lambda f: f.name)
async def test_a31_a_store_on_a_network_folder_can_be_looked_at_in_a_copy(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "mount")
    before = all_digests(project)
    driver = install(monkeypatch)
    driver.fault, driver.folder = fault, project
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert "store_io" in opened.page_text()
        assert "network folder" in opened.page_text()
        opened.press("Copy details")
        assert fault.name in QApplication.clipboard().text()
        opened.press("Open a private copy")
        await until(lambda: opened.page() == "browse" and opened.browse_rows())
        assert len(opened.browse_rows()) == 26
        assert str(tmp_path / "mount") not in opened.window.status_strip.words()
    assert all_digests(project) == before
    reading = sqlite3.connect(f"file:{database_of(project)}?mode=ro", uri=True)
    assert reading.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    reading.close()


async def test_a31_a_network_folder_that_fails_while_a_list_is_shown_leaves_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "mount")
    driver = install(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        shown = opened.rows()
        driver.fault, driver.folder = NO_SHARED_MEMORY, project
        await until(lambda: "store_io" in messages(opened))
        assert opened.rows() == shown
        labels = [action.label for action in messages(opened)["store_io"].actions]
        assert labels == ["Open a private copy", "Open again"]
        press(opened, "Open a private copy")
        await until(lambda: str(project) not in opened.window.status_strip.words())
        await until(lambda: opened.rows() == shown)
        assert not messages(opened)


async def test_a_failing_detail_leaves_the_list_and_goes_when_another_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        driver.fault, driver.within = READ_FAILED, "m.content"
        opened.window.browse_view.select(uuid_of("bus"))
        await opened.settled()
        assert messages(opened)["store_io"].details.count("SQLITE_IOERR_READ") == 1
        assert opened.page() == "browse"
        assert opened.window.browse_view.selected_uuid() == uuid_of("bus")
        assert opened.window.detail_panel.shown_uuid is None
        driver.fault = None
        opened.window.browse_view.select(uuid_of("tide"))
        await opened.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("tide")
        assert not messages(opened)


async def test_a_failing_page_leaves_the_other_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    driver.fault, driver.within = READ_FAILED, "json_each"
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_path(project)
        await until(lambda: "store_io" in messages(opened))
        assert opened.page() == "browse"
        assert opened.window.browse_view.heading() == "26 memories, newest first"
        driver.fault = None
        opened.controller.refresh()
        await until(lambda: len(opened.browse_rows()) == 26)
        assert not messages(opened)


async def test_a_search_that_fails_for_another_text_has_a_page_and_the_next_one_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    driver = install(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        driver.fault, driver.within = READ_FAILED, "memory_fts"
        opened.type("ferry")
        await opened.settled()
        assert "store_io" in opened.page_text()
        assert opened.rows() == [], "no list under a text it does not belong to"
        driver.fault = None
        await opened.search("bus")
        assert opened.page() == "results"


def test_the_seam_is_the_one_place_that_connects() -> None:
    assert connection._connector.__module__ == "core.store.connection"
