"""Opening stores in the window: none, the nearest one above, a dropped one, one after another."""

import asyncio
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.arguments import program_version
from app.open_store import OpenStore
from core.store.database import Database
from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.wait import until
from tests.support.window_stores import demo_project, ferry_store, stub, stub_services
from widgets.state_content import StateContent


def drop(opened: OpenWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    with_copy = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    keys = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(5, 5), *with_copy, keys)
    QApplication.sendEvent(opened.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(opened.window, QDropEvent(QPointF(5, 5), *with_copy, keys))


async def test_without_a_store_the_welcome_page_offers_to_open_one(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        assert opened.page_text().splitlines()[0] == "Open a memory store"
        offered = opened.page_text().splitlines()[-3:]
        assert offered == ["Open store…", "Find stores…", "Open the demo store"]
        assert "no store open" in opened.window.status_strip.words()
        opened.type("tide")
        await opened.controller.settled()
        assert opened.page() == "state"


async def test_the_demo_opens_from_the_welcome_page(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with open_window(given) as opened:
        opened.press("Open the demo store")
        await opened.settled()
        assert opened.window.windowTitle() == "demo – Genizah"
        assert str(given.data_dir / "demo") in opened.window.status_strip.words()
        assert "150 memories: 105 live · 38 replaced · 7 retired" in (
            opened.window.status_strip.words()
        )


async def test_the_nearest_store_above_the_working_folder_is_opened(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "project")
    below = project / "src" / "deep"
    below.mkdir(parents=True)
    async with open_window(stub_services(stub(), below)) as opened:
        await opened.open(None)
        assert opened.window.windowTitle() == "project – Genizah"


@pytest.mark.parametrize("named", [".", ".zikaron", ".zikaron/memory.db"])
async def test_a_dropped_folder_or_file_is_opened(named: str, tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "quay #1 %41 ø")
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        drop(opened, project / named)
        await opened.settled()
        assert opened.page() == "browse", opened.page_text()
        assert opened.window.windowTitle() == "quay #1 %41 ø – Genizah"


async def test_the_open_dialog_shows_hidden_folders_and_opens_what_is_chosen(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.press("Open store…")
        dialogs = opened.window.findChildren(QFileDialog)
        await until(lambda: opened.window.findChildren(QFileDialog))
        (dialog,) = opened.window.findChildren(QFileDialog)
        assert not dialogs or dialogs == [dialog]
        assert dialog.filter() & dialog.filter().Hidden
        dialog.fileSelected.emit(str(project / ".zikaron" / "memory.db"))
        dialog.done(QFileDialog.DialogCode.Accepted)  # accept() wants a name in its own line
        await until(lambda: opened.page() == "browse")


async def test_about_says_the_version_and_closes(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.window.about_wanted.emit()
        await until(lambda: opened.window.findChildren(QMessageBox))
        (box,) = opened.window.findChildren(QMessageBox)
        assert box.text().startswith(f"Genizah {program_version()}: ")
        box.accept()
        await until(lambda: not box.isVisible())


async def test_a_store_without_memories_says_so_and_never_before_it_is_known(
    tmp_path: Path,
) -> None:
    empty = build_store(tmp_path / "empty", [])
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        said: list[str] = []
        show = opened.window.show_state

        def note(content: StateContent) -> None:
            show(content)
            said.append(opened.page_text().splitlines()[0])

        opened.window.show_state = note  # type: ignore[method-assign]  # to listen
        await opened.open(ferry_store(tmp_path / "full"))
        assert "This store is empty" not in said
        await opened.open(empty)
        assert said[-1] == "This store is empty"
        opened.type("tide")
        await opened.settled()
        assert "Nothing found for “tide”" in opened.page_text()


async def test_a_store_opened_in_the_place_of_the_first_shows_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ferry_store(tmp_path / "first")
    second = build_store(tmp_path / "second", [Memory("b", "second store, tide"), *distractors(3)])
    gate = asyncio.Event()
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("ferry"))
        open_database = Database.open

        async def open_late(location: object) -> Database:
            await gate.wait()
            return await open_database(location)  # type: ignore[arg-type]  # passed on

        monkeypatch.setattr(Database, "open", open_late)
        opened.window.actions_by_name["close_store"].trigger()
        await opened.controller.settled()
        opened.controller.open_path(second)
        await until(opened.is_loading)
        assert_nothing_shows(opened)
        opened.type("")
        await asyncio.sleep(0.05)
        assert_nothing_shows(opened)
        gate.set()
        await opened.settled()
        assert opened.window.windowTitle() == "second – Genizah"
        assert set(opened.browse_rows()) == {uuid_of("b"), *(m.uuid for m in distractors(3))}
        assert opened.is_empty_handed()
        outcome = await opened.search("tide")
        assert outcome.memories == 4
        assert uuid_of("ferry") not in opened.rows()


def assert_nothing_shows(opened: OpenWindow) -> None:
    assert opened.page() == "state"
    assert opened.rows() == opened.literal_rows() == opened.browse_rows() == []
    assert opened.is_empty_handed()
    assert "first" not in opened.window.windowTitle()
    assert "no store open" in opened.window.status_strip.words()
    assert opened.banners() == ""


async def test_rows_of_the_same_number_show_their_own_stores_text(tmp_path: Path) -> None:
    first = build_store(tmp_path / "first", [Memory(f"a{n}", f"first {n}") for n in range(9)])
    other = {"store_id": "9d0c5a34-6f1e-4b7a-8c2d-3e4f5a6b7c8d"}
    second = build_store(
        tmp_path / "second", [Memory(f"b{n}", f"second {n}") for n in range(9)], meta=other
    )
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.add(second)
        await until(lambda: len(opened.browse_rows()) == 18)
        spoken = spoken_rows(opened.window.browse_view.table)
        assert sorted(row.split(",")[0] for row in spoken) == sorted(
            f"{name} {n}" for name in ("first", "second") for n in range(9)
        )
        assert all(row.split()[0] == row.split(", in ")[1] for row in spoken)


async def test_a_store_that_fails_to_open_leaves_nothing_behind(tmp_path: Path) -> None:
    first = ferry_store(tmp_path / "first")
    async with open_window(stub_services(stub(), tmp_path), first) as opened:
        await opened.search("tide")
        await opened.open(tmp_path / "nowhere")
        assert "no_store" in opened.page_text()
        assert_nothing_shows(opened)
        await until(lambda: connection_threads() == [])


def connection_threads() -> list[str]:
    idle = ("MainThread", "model", "scan", "watch", "default", "asyncio")
    return [t.name for t in threading.enumerate() if not t.name.startswith(idle)]


@pytest.mark.parametrize("pause_ms", [0, 2, 8])
async def test_of_several_openings_the_newest_comes_to_the_front_and_none_is_left_open(
    pause_ms: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [
        build_store(
            tmp_path / f"s{n}",
            [Memory(f"m{n}", f"tide {n}")],
            meta={"store_id": f"{n}d0c5a34-6f1e-4b7a-8c2d-3e4f5a6b7c8d"},
        )
        for n in range(4)
    ]
    balance: list[int] = []
    closing = OpenStore.aclose

    async def note(store: OpenStore) -> None:
        await closing(store)
        balance.append(-1)

    opening = OpenStore.open.__func__  # type: ignore[attr-defined]  # of a class method

    async def count(kind: type[OpenStore], *args: object) -> OpenStore:
        store: OpenStore = await opening(kind, *args)
        balance.append(1)
        return store

    monkeypatch.setattr(OpenStore, "aclose", note)
    monkeypatch.setattr(OpenStore, "open", classmethod(count))
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.type("tide")
        for path in paths:
            opened.controller.open_path(path)
            await asyncio.sleep(pause_ms / 1000)
        await opened.settled()
        assert opened.window.windowTitle() == "s3 – Genizah"
        assert set(opened.rows()) == {uuid_of(f"m{n}") for n in range(4)}
        assert sum(balance) == 4
    assert sum(balance) == 0


async def test_a_store_is_changed_in_the_middle_of_anything_without_an_error(
    tmp_path: Path,
) -> None:
    demo, ferry = demo_project(tmp_path), ferry_store(tmp_path / "ferry")
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path)) as opened:
        for turn in range(16):
            opened.type("tide" * (turn % 3))
            opened.window.hit_view.select_first()
            opened.window.browse_view.select_first()
            opened.controller.open_path(ferry if turn % 2 else demo)
            await asyncio.sleep(0.013 * (turn % 5))
        await opened.settled()
        front = opened.controller.opening.stores.front
        assert front is not None
        assert front.store is not None
        window = opened.window
        views = (window.hit_view, window.literal_list, window.browse_view)
        chosen = {view.selected_store() for view in views} - {""}
        # A row that was chosen brings its store to the front: the last wish wins, whichever it is.
        assert chosen <= {front.key}
        assert window.windowTitle() == f"{front.store.facts.location.name} – Genizah"
