"""Copying a store and saving its readable rows: progress, a way to cancel, nothing half left."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QMessageBox

from app.rescue_controller import megabytes, rows
from core.store import private_copy, salvage
from tests.support.digests import all_digests
from tests.support.faulty_driver import PROTOCOL, install
from tests.support.held_work import HeldReport
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import build_store, distractors
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.message_bar import MessageKind


def said(opened: OpenWindow) -> str:
    return "\n".join(message.text for message in opened.window.message_bar.messages())


def press(opened: OpenWindow, label: str) -> None:
    buttons = opened.window.message_bar.findChildren(QAbstractButton)
    (button,) = [b for b in buttons if b.text() == label and b.isVisible()]
    button.click()


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def on_a_network_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a store that SQLite refuses to open where it lies."""
    project = ferry_store(folder)
    driver = install(monkeypatch)
    driver.fault, driver.folder = PROTOCOL, project
    return project


def damaged(folder: Path) -> Path:
    """Make a store that has lost its second half."""
    project = build_store(folder, distractors(400))
    database = project / ".zikaron" / "memory.db"
    whole = database.read_bytes()
    database.write_bytes(whole[: len(whole) // 2])
    return project


def hold_copy(monkeypatch: pytest.MonkeyPatch) -> HeldReport:
    held = HeldReport(at=0)
    monkeypatch.setattr(private_copy, "copy_files", held.wrap(private_copy.copy_files))
    return held


def hold_saving(monkeypatch: pytest.MonkeyPatch) -> HeldReport:
    held = HeldReport(at=5)
    monkeypatch.setattr(salvage, "save_readable_rows", held.wrap(salvage.save_readable_rows))
    return held


async def test_a_copy_says_how_far_it_is_and_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = on_a_network_folder(tmp_path / "mount", monkeypatch)
    held = hold_copy(monkeypatch)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.press("Open a private copy")
        await until(lambda: "Copying the store… 0." in said(opened))
        assert said(opened).endswith(" MB")
        (message,) = opened.window.message_bar.messages()
        assert message.kind is MessageKind.WORKING
        opened.press("Open a private copy")  # it is under way; pressing again starts no second
        held.gate.set()
        await until(lambda: opened.page() == "browse" and opened.browse_rows())
        assert len(opened.browse_rows()) == 26
        assert said(opened) == ""
        assert len(list((opened.controller._services.data_dir / "copies").iterdir())) == 1


async def test_a_copy_that_is_cancelled_leaves_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = on_a_network_folder(tmp_path / "mount", monkeypatch)
    before = all_digests(project)
    held = hold_copy(monkeypatch)
    given = stub_services(stub(), tmp_path)
    async with open_window(given, project) as opened:
        opened.press("Open a private copy")
        await until(lambda: "Copying" in said(opened))
        assert files_in(given.data_dir / "copies"), "it is half there"
        press(opened, "Cancel")
        held.gate.set()
        await until(lambda: "nothing of the copy was kept" in said(opened))
        assert files_in(given.data_dir / "copies") == []
        assert "store_io" in opened.page_text(), "the way to try again stays"
        assert all_digests(project) == before


async def test_opening_another_store_gives_the_copy_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = on_a_network_folder(tmp_path / "mount", monkeypatch)
    held = hold_copy(monkeypatch)
    given = stub_services(stub(), tmp_path)
    async with open_window(given, project) as opened:
        opened.press("Open a private copy")
        await until(held.reached.is_set)
        opened.controller.open_path(ferry_store(tmp_path / "sound"))
        held.gate.set()
        await opened.settled()
        await until(lambda: not opened.controller.work.is_running("copying"))
        assert opened.window.windowTitle() == "sound – Genizah"
        assert files_in(given.data_dir / "copies") == []


async def test_saving_rows_says_how_far_it_is_and_the_window_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold_saving(monkeypatch)
    given = stub_services(stub(), tmp_path)
    async with open_window(given, damaged(tmp_path / "p")) as opened:
        opened.press("Save readable rows…")
        await until(lambda: said(opened).startswith("Saving readable rows… 6 of "))
        assert said(opened).endswith(" rows")
        await opened.open(ferry_store(tmp_path / "sound"))
        assert opened.page() == "browse", "the work is not on the window's thread"
        await until(lambda: "Saving readable rows… 6 of " in said(opened))
        held.gate.set()
        boxes = opened.window.findChildren
        await until(lambda: any(b.isVisible() for b in boxes(QMessageBox)))
        (saved,) = files_in(given.data_dir / "salvaged")
        for box in boxes(QMessageBox):
            assert str(saved) in box.text()
            box.accept()


async def test_saving_rows_that_is_cancelled_leaves_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold_saving(monkeypatch)
    given = stub_services(stub(), tmp_path)
    async with open_window(given, damaged(tmp_path / "p")) as opened:
        opened.press("Save readable rows…")
        await until(lambda: "Saving" in said(opened))
        assert files_in(given.data_dir / "salvaged"), "it is half there"
        press(opened, "Cancel")
        held.gate.set()
        await until(lambda: "Saving was cancelled" in said(opened))
        assert files_in(given.data_dir / "salvaged") == []
        assert "damaged" in opened.page_text()


def test_amounts_are_written_as_people_say_them() -> None:
    assert megabytes(40_400_000, 120_000_000) == "40 of 120 MB"
    assert megabytes(400_000, 1_200_000) == "0.4 of 1.2 MB"
    assert megabytes(1_200_000_000, 4_000_000_000) == "1,200 of 4,000 MB"
    assert rows(12_000, 100_000) == "12,000 of 100,000 rows"
