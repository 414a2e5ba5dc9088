"""Backing up from the window: one action, where it lies, a way to its folder, a way out."""

import asyncio
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QAbstractButton

from core.progress import Report, WorkCancelledError
from core.store import backup, connection
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import STORE_ID
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.writing import open_raw
from widgets.message_bar import MessageKind


def said(opened: OpenWindow) -> str:
    return "\n".join(message.text for message in opened.window.message_bar.messages())


def press(opened: OpenWindow, label: str) -> None:
    buttons = opened.window.message_bar.findChildren(QAbstractButton)
    (button,) = [b for b in buttons if b.text() == label and b.isVisible()]
    button.click()


def trigger(opened: OpenWindow, name: str) -> None:
    opened.window.actions_by_name[name].trigger()


def backups(data_dir: Path) -> list[Path]:
    return sorted((data_dir / "backups" / STORE_ID).glob("*"))


class Held:
    """The first report of a backup waits for the gate."""

    def __init__(self) -> None:
        self.gate, self.reached = threading.Event(), threading.Event()

    async def copy(self, source: connection.Connection, target: Path, report: Report) -> None:
        def held(done: int, total: int) -> None:
            report(done // 2, total)
            self.reached.set()
            assert self.gate.wait(10), "nobody opened the gate"
            report(done, total)

        await connection.backup(source, target, held)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held()
    monkeypatch.setattr(backup, "backup", held.copy)
    yield held
    held.gate.set()


async def test_a_backup_says_where_it_is_how_large_and_opens_its_folder(tmp_path: Path) -> None:
    project, given = ferry_store(tmp_path / "p"), stub_services(stub(), tmp_path)
    before = all_digests(project)
    async with open_window(given, project) as opened:
        asked_for: list[QUrl] = []

        def open_url(url: QUrl) -> bool:
            asked_for.append(url)
            return True

        opened.controller.backups.open_url = open_url
        trigger(opened, "backup")
        await until(lambda: "26 memories backed up and checked" in said(opened))
        (made,) = backups(given.data_dir)
        assert f"{made.stat().st_size / 1e6:.1f} MB: {made}" in said(opened)
        (message,) = opened.window.message_bar.messages()
        assert message.kind is MessageKind.NEWS, "it stays until it is dismissed"
        press(opened, "Open folder")
        assert asked_for == [QUrl.fromLocalFile(str(made.parent))]
        opened.controller.backups.open_url = lambda _url: False
        press(opened, "Open folder")
        await until(lambda: f"This desktop opens no folders; it is {made.parent}" in said(opened))
    assert all_digests(project) == before


async def test_a_backup_says_how_far_it_is_and_can_be_cancelled(
    tmp_path: Path, held: Held
) -> None:
    given = stub_services(stub(), tmp_path)
    async with open_window(given, ferry_store(tmp_path / "p")) as opened:
        trigger(opened, "backup")
        await until(lambda: "Backing up the store… 0." in said(opened))
        trigger(opened, "backup")  # it is under way: no second one
        assert len(backups(given.data_dir)) == 1
        assert len(opened.browse_rows()) == 26, "the window goes on"
        press(opened, "Cancel")
        held.gate.set()
        await until(lambda: "Backing up was cancelled" in said(opened))
        assert backups(given.data_dir) == []


async def test_a_window_that_is_closed_meanwhile_leaves_no_half_backup(
    tmp_path: Path, held: Held
) -> None:
    given = stub_services(stub(), tmp_path)
    async with open_window(given, ferry_store(tmp_path / "p")) as opened:
        trigger(opened, "backup")
        await until(held.reached.is_set)
        asyncio.get_running_loop().call_later(0.05, held.gate.set)
    assert backups(given.data_dir) == []


async def test_a_backup_that_cannot_be_made_says_why_and_names_the_folder(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with open_window(given, ferry_store(tmp_path / "p")) as opened:
        shutil.rmtree(given.data_dir, ignore_errors=True)
        given.data_dir.write_text("a file stands here")
        trigger(opened, "backup")
        await until(lambda: "No backup can be made in" in said(opened))
        (message,) = opened.window.message_bar.messages()
        assert (message.kind, message.code) == (MessageKind.ERROR, "not_writable")
        given.data_dir.unlink()
        trigger(opened, "backup")
        await until(lambda: "backed up and checked" in said(opened))
        assert "No backup can be made" not in said(opened), "it is not true any more"


async def test_without_a_store_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        assert not opened.window.actions_by_name["backup"].isEnabled()


async def test_a_commit_that_is_tried_again_does_not_push_older_backups_out(
    tmp_path: Path,
) -> None:
    project, given = ferry_store(tmp_path / "p"), stub_services(stub(), tmp_path)
    async with open_window(given, project) as opened:
        controller, store = opened.controller.backups, opened.controller.opening.store
        assert store is not None
        first = await controller.before_commit(store)
        assert await controller.before_commit(store) == first
        with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as agent:
            agent.execute("UPDATE memory SET gist = 'new', version = version + 1")
        second = await controller.before_commit(store)
        assert [str(path) for path in backups(given.data_dir)] == [first, second]
        backups(given.data_dir)[1].unlink()
        third = await controller.before_commit(store)
        assert [str(path) for path in backups(given.data_dir)] == [first, third]


async def test_a_commit_whose_backup_is_cancelled_hears_of_it(tmp_path: Path, held: Held) -> None:
    given = stub_services(stub(), tmp_path)
    async with open_window(given, ferry_store(tmp_path / "p")) as opened:
        store = opened.controller.opening.store
        assert store is not None
        committing = asyncio.ensure_future(opened.controller.backups.before_commit(store))
        await until(lambda: "Backing up the store" in said(opened))
        press(opened, "Cancel")
        held.gate.set()
        with pytest.raises(WorkCancelledError):
            await committing
        assert backups(given.data_dir) == []
