"""Finding stores from the window: a folder is chosen, stores are listed, what is checked opens."""

import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from core.store.finder import FoundStore, StoreFinder
from tests.support.accessibility import nameless
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import lines, store_of, tides
from tests.support.stores import build_store, uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press
from widgets.find_content import FindLine
from widgets.find_dialog import FindDialog


def _dialogs(opened: OpenWindow) -> list[FindDialog]:
    return [d for d in opened.window.findChildren(FindDialog) if d.isVisible()]


async def _find(opened: OpenWindow, folder: Path) -> FindDialog:
    """Ask for the stores below a folder; return the list while it is being filled."""
    opened.window.actions_by_name["find_stores"].trigger()
    await until(lambda: opened.window.findChildren(QFileDialog))
    (ask,) = opened.window.findChildren(QFileDialog)
    ask.fileSelected.emit(str(folder))
    ask.done(QFileDialog.DialogCode.Accepted)
    await until(lambda: _dialogs(opened))
    return _dialogs(opened)[0]


async def _found(opened: OpenWindow, folder: Path) -> FindDialog:
    """Find the stores below a folder and wait until each is counted."""
    dialog = await _find(opened, folder)
    await until(lambda: not dialog.stop.isEnabled() and all(map(_is_told, dialog.lines())))
    return dialog


def _is_told(line: FindLine) -> bool:
    return line.is_open or line.memories is not None or bool(line.reason)


def _by_name(dialog: FindDialog) -> dict[str, FindLine]:
    return {line.name: line for line in dialog.lines()}


@asynccontextmanager
async def _window(folder: Path, store: Path | None = None) -> AsyncIterator[OpenWindow]:
    async with open_window(stub_services(stub(), folder), store) as opened:
        yield opened


async def test_stores_are_found_counted_chosen_and_opened_by_keys_alone(tmp_path: Path) -> None:
    for name, count in (("quay", 3), ("pier", 2), ("dock", 1)):
        store_of(tmp_path / "work" / name, tides(name, count))
    async with _window(tmp_path) as opened:
        dialog = await _found(opened, tmp_path / "work")
        found = _by_name(dialog)
        assert {name: line.memories for name, line in found.items()} == {
            "quay": 3,
            "pier": 2,
            "dock": 1,
        }
        assert dialog.progress.text() == "Looked through 7 folders: 3 stores found."
        assert not dialog.open_button.isEnabled(), "nothing is checked yet"
        assert dialog.focusWidget() is dialog.list
        assert nameless(dialog) == []
        press(dialog.list, Qt.Key.Key_Space)
        press(dialog.list, Qt.Key.Key_Down)
        press(dialog.list, Qt.Key.Key_Space)
        chosen = [line.name for line in dialog.lines()][:2]
        press(dialog.list, Qt.Key.Key_Return)
        await until(lambda: list(lines(opened)) == chosen)
        await opened.settled()
        assert not _dialogs(opened)
        assert [line.memories for line in lines(opened).values()] == [
            found[name].memories for name in chosen
        ]


async def test_looking_for_stores_leaves_no_file_beside_one(tmp_path: Path) -> None:
    project = store_of(tmp_path / "work" / "quay", tides("quay"))
    before = all_digests(project)
    names = sorted((tmp_path / "work").rglob("*"))
    async with _window(tmp_path) as opened:
        dialog = await _found(opened, tmp_path / "work")
        assert [line.memories for line in dialog.lines()] == [3]
        dialog.reject()
        await until(lambda: not _dialogs(opened))
    assert all_digests(project) == before
    assert sorted((tmp_path / "work").rglob("*")) == names


async def test_what_is_open_already_is_marked_and_not_to_be_chosen(tmp_path: Path) -> None:
    first = store_of(tmp_path / "work" / "quay", tides("quay"))
    store_of(tmp_path / "work" / "pier", tides("pier"))
    async with _window(tmp_path, first) as opened:
        dialog = await _found(opened, tmp_path / "work")
        found = _by_name(dialog)
        assert found["quay"].is_open and "already open" in found["quay"].lines
        dialog.all.click()
        assert dialog.chosen() == [found["pier"].key]
        dialog.open_button.click()
        await until(lambda: list(lines(opened)) == ["quay", "pier"])
        await opened.settled()


async def test_what_is_no_store_says_why_and_cannot_be_chosen(tmp_path: Path) -> None:
    store_of(tmp_path / "work" / "quay", tides("quay"))
    other = tmp_path / "work" / "notes" / "memory.db"
    other.parent.mkdir()
    other.write_bytes(b"minutes of a meeting")
    async with _window(tmp_path) as opened:
        dialog = await _found(opened, tmp_path / "work")
        line = _by_name(dialog)["memory.db"]
        assert "Not a database" in line.lines
        assert "is not a SQLite database" in line.tip
        dialog.all.click()
        assert [key for key in dialog.chosen() if key == line.key] == []
        await until(lambda: dialog.progress.text().endswith(": 1 store found."))
        dialog.reject()
        await until(lambda: not _dialogs(opened))


async def test_an_empty_result_says_what_was_looked_through(tmp_path: Path) -> None:
    (tmp_path / "work" / "a" / "node_modules" / "b").mkdir(parents=True)
    async with _window(tmp_path) as opened:
        dialog = await _found(opened, tmp_path / "work")
        assert dialog.progress.text() == (
            "Looked through 2 folders: no store found.\n"
            "Left out: 1 folder of a tool or of the system."
        )
        labels = [label.text() for label in dialog.findChildren(QLabel)]
        assert f"Below {tmp_path / 'work'}" in labels
        dialog.reject()
        await until(lambda: not _dialogs(opened))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
async def test_names_of_any_bytes_are_shown_as_they_are_and_open(tmp_path: Path) -> None:
    hostile = ("two\nlines", "right\u202eleft", os.fsdecode(b"no \xff utf-8"), "<b>bold")
    for number, name in enumerate(hostile):
        meta = {"store_id": uuid_of(number)}
        build_store(tmp_path / "work" / name, tides(f"n{number}"), meta=meta)
    async with _window(tmp_path) as opened:
        dialog = await _found(opened, tmp_path / "work")
        shown = "\n".join(dialog.list.item(row).text() for row in range(dialog.list.count()))
        assert len(shown.splitlines()) == 2 * len(hostile), "no name breaks a line of the list"
        for name in ("two lines", "right⟨U+202E⟩left", "no \ufffd utf-8", "<b>bold"):
            assert f"{name} · 3 memories\n" in shown
        dialog.all.click()
        dialog.open_button.click()
        await until(lambda: len(opened.controller.opening.stores.open) == len(hostile))
        await opened.settled()
        assert {entry.name for entry in opened.controller.opening.stores.open} == set(hostile)


class _HeldFinder(StoreFinder):
    """Finds one store, then waits in a folder that gives no answer."""

    gate = threading.Event()

    def find(self, report: object = None) -> Iterator[FoundStore]:
        """Yield one store and hang."""
        yield from super().find()
        self.gate.wait()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("app.find_controller.StoreFinder", _HeldFinder)
    _HeldFinder.gate.clear()
    yield
    _HeldFinder.gate.set()


@pytest.mark.usefixtures("held")
async def test_a_walk_that_hangs_is_stopped_and_what_it_found_can_be_opened(
    tmp_path: Path,
) -> None:
    store_of(tmp_path / "work" / "quay", tides("quay"))
    async with _window(tmp_path) as opened:
        dialog = await _find(opened, tmp_path / "work")
        await until(dialog.lines)
        assert dialog.progress.text().startswith("Looking… 3 folders looked at")
        dialog.stop.click()
        await until(lambda: dialog.progress.text().startswith("Stopped after 3 folders"))
        assert not dialog.stop.isEnabled()
        dialog.all.click()
        dialog.open_button.click()
        await until(lambda: opened.window.windowTitle().startswith("quay"))
        await opened.settled()
    _HeldFinder.gate.set()


@pytest.mark.usefixtures("held")
async def test_the_window_closes_while_a_walk_hangs(tmp_path: Path) -> None:
    store_of(tmp_path / "work" / "quay", tides("quay"))
    async with _window(tmp_path) as opened:
        dialog = await _find(opened, tmp_path / "work")
        await until(dialog.lines)
    # open_window has seen to it that no task was stuck and no dialog is left.
    _HeldFinder.gate.set()


async def test_asking_twice_shows_one_dialog_and_no_folder_chosen_ends_it(tmp_path: Path) -> None:
    async with _window(tmp_path) as opened:
        action = opened.window.actions_by_name["find_stores"]
        action.trigger()
        await until(lambda: opened.window.findChildren(QFileDialog))
        action.trigger()
        opened.window.find_wanted.emit()
        (ask,) = opened.window.findChildren(QFileDialog)
        ask.reject()
        await until(lambda: not opened.window.findChildren(QFileDialog))
        assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, FindDialog)]


async def test_the_first_page_leads_to_it(tmp_path: Path) -> None:
    async with _window(tmp_path) as opened:
        assert "Find stores…" in opened.page_text()
        opened.press("Find stores…")
        await until(lambda: opened.window.findChildren(QFileDialog))
        opened.window.findChildren(QFileDialog)[0].reject()
        await until(lambda: not opened.window.findChildren(QFileDialog))
