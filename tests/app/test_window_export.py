"""Exporting from the window: the list on screen or what is selected in it; copying it."""

import asyncio
import csv
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMessageBox

from app.list_export import ListExport, Target
from app.shown_list import ListToExport
from core.documents.export_content import Export, ExportFormat
from core.documents.export_file import export_bytes
from tests.support.browsing import audit_page, contents
from tests.support.digests import all_digests
from tests.support.duplicates_window import PAIR, duplicates, serving
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import tide_stores
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer
from widgets.audit_content import AuditList


def exporting(opened: OpenWindow) -> ListExport:
    return opened.controller.pages.export


def on_screen(opened: OpenWindow, *, only_selected: bool = False) -> ListToExport:
    found = exporting(opened).list_of(only_selected)
    assert found is not None
    return found


async def written(opened: OpenWindow, target: Path, *, only_selected: bool = False) -> str:
    """Write the list on screen to a file as the dialog would, and return what is in it."""
    form = ExportFormat(target.suffix[1:])
    wanted = on_screen(opened, only_selected=only_selected)
    await exporting(opened).write(wanted, Target(target, form))
    return target.read_bytes().decode("utf-8")


def uuids(text: str) -> list[str]:
    return [memory["uuid"] for memory in json.loads(text)["memories"]]


async def test_a_ranked_list_is_written_as_shown_with_positions_and_query(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("tide")
        found: dict[str, Any] = json.loads(await written(opened, tmp_path / "list.json"))
        assert [m["uuid"] for m in found["memories"]] == [hit.uuid for hit in outcome.hits]
        assert [m["position"] for m in found["memories"]] == list(range(1, len(outcome.hits) + 1))
        assert found["query"] == {"text": "tide", "include_retired": False}
        assert found["memories"][0]["content"] in (
            "fetched at four",
            "it leaves an hour after high water",
        )
        count = len(outcome.hits)
        assert f"{count} memories written to {tmp_path / 'list.json'}." in Writer(opened).said()
    assert all_digests(project) == before


async def test_a_filtered_list_is_written_with_its_filters(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type("tier:long_term tide")
        await opened.settled()
        found = json.loads(await written(opened, tmp_path / "ranked.json"))
        assert found["query"]["text"] == "tier:long_term tide"
        assert [m["uuid"] for m in found["memories"]] == [uuid_of("tide")]
        opened.type("tier:long_term")
        await opened.settled()
        assert uuids(await written(opened, tmp_path / "browsed.json")) == [uuid_of("tide")]


async def test_the_list_by_time_is_written_whole_newest_first(tmp_path: Path) -> None:
    rows = [Memory(str(n), f"gist {n}", created_at=f"2026-03-01T12:{n:02}:00") for n in range(60)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        text = await written(opened, tmp_path / "all.json")
        assert uuids(text) == [uuid_of(str(n)) for n in reversed(range(60))]
        lines = list(csv.reader((await written(opened, tmp_path / "all.csv")).splitlines()))
        assert len(lines) == 61
        assert (await written(opened, tmp_path / "all.md")).startswith("# 60 memories\n")


async def test_what_is_selected_is_written_in_the_order_of_the_list(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        table = opened.window.browse_view.table
        table.selectRow(2)
        await opened.settled()
        chosen = [opened.browse_rows()[row] for row in (2,)]
        text = await written(opened, tmp_path / "one.json", only_selected=True)
        assert uuids(text) == chosen
        table.selectAll()
        await opened.settled()
        text = await written(opened, tmp_path / "every.json", only_selected=True)
        assert uuids(text) == opened.browse_rows()


async def test_rows_of_several_stores_name_their_stores(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        for query in ("", "tide"):
            opened.type(query)
            await opened.settled()
            found = json.loads(await written(opened, tmp_path / f"list{query}.json"))
            paths = [store["path"] for store in found["stores"]]
            assert len(paths) == 2
            for name in ("quay", "pier"):
                place = next(at for at, path in enumerate(paths) if f"/{name}/" in path)
                mine = {m["uuid"] for m in found["memories"] if m["store"] == place}
                assert mine == {uuid_of(f"{name}{n}") for n in range(3)}


async def test_a_group_of_duplicates_is_a_list_like_any_other(tmp_path: Path) -> None:
    async with duplicates(tmp_path, {"harbour": PAIR}) as opened:
        text = await written(opened, tmp_path / "group.json")
        assert uuids(text) == [uuid_of("ferry"), uuid_of("boat")]
        assert serving(opened).page.members.select(uuid_of("boat"))
        await opened.controller.settled()
        assert uuids(await written(opened, tmp_path / "x.json", only_selected=True)) == [
            uuid_of("boat")
        ]


async def test_a_list_of_the_log_is_written_whole_whatever_of_it_was_looked_at(
    tmp_path: Path,
) -> None:
    rows = [
        Memory(str(n), f"gist {n}", created_at=f"2026-03-01T12:{n // 60:02}:{n % 60:02}")
        for n in range(700)
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["audit"].trigger()
        audit_page(opened).show_lists(AuditList.NEVER)
        await opened.controller.settled()
        assert len(contents(audit_page(opened).listed)) < 700, "not all of it was read"
        text = await written(opened, tmp_path / "never.json")
        assert uuids(text) == [uuid_of(str(n)) for n in range(700)], "the oldest first"


async def test_the_selection_is_copied_as_markdown(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("tide"))
        opened.window.actions_by_name["copy_markdown"].trigger()
        await opened.controller.settled()
        copied = QApplication.clipboard().text()
        assert copied.startswith("# 1 memory\n")
        assert "tide tables come from the harbour office" in copied
        assert "```text\nfetched at four\n```" in copied
        assert "1 memory copied as Markdown." in Writer(opened).said()


def visible_dialog[D: (QFileDialog, QMessageBox)](kind: type[D]) -> D | None:
    found = (w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible())
    return next(found, None)


async def choose(opened: OpenWindow, path: Path) -> None:
    """Ask for an export of the list and name a file in the dialog."""
    opened.window.actions_by_name["export_list"].trigger()
    await until(lambda: visible_dialog(QFileDialog))
    dialog = visible_dialog(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.done(QFileDialog.DialogCode.Accepted)


async def test_a_file_that_is_there_is_only_replaced_by_somebody_who_says_so(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    target = tmp_path / "mine.md"
    target.write_text("precious")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        for answer, is_kept in (("Cancel", True), ("&Replace", False)):
            await choose(opened, target)
            await until(lambda: visible_dialog(QMessageBox))
            box = visible_dialog(QMessageBox)
            assert box is not None and str(target) in box.text()
            (button,) = [b for b in box.buttons() if b.text() == answer]
            button.click()
            await opened.controller.settled()
            assert (target.read_text() == "precious") is is_kept
        assert target.read_text().startswith("# 26 memories")


async def test_a_new_file_has_the_form_of_its_ending_and_is_for_its_owner_alone(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await choose(opened, tmp_path / "list.csv")
        await opened.controller.settled()
        assert (tmp_path / "list.csv").read_bytes().startswith(b"\xef\xbb\xbfposition,")
        assert (tmp_path / "list.csv").stat().st_mode & 0o777 == 0o600


async def test_what_cannot_be_written_is_said_and_nothing_is_there(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        for target, words in (
            (tmp_path / "no folder" / "x.json", "must be a file in a folder that is there"),
            (project / ".zikaron" / "x.json", "would lie inside a store"),
        ):
            await exporting(opened).write(on_screen(opened), Target(target, ExportFormat.JSON))
            assert words in Writer(opened).said()
            assert not target.exists()
        target = tmp_path / "late.json"
        target.write_text("came meanwhile")
        await exporting(opened).write(on_screen(opened), Target(target, ExportFormat.JSON))
        assert "is there already" in Writer(opened).said()
        assert target.read_text() == "came meanwhile"


class Gate:
    """Holds the thread that writes until it is opened."""

    def __init__(self) -> None:
        self.reached, self._opened = threading.Event(), threading.Event()

    def wait(self) -> None:
        self.reached.set()
        assert self._opened.wait(10), "nobody opened the gate"

    def open(self) -> None:
        self._opened.set()


def held_in_the_middle(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the export between two memories, where a part of the file is on disk."""

    def held(export: Export, form: ExportFormat) -> Iterator[bytes]:
        for number, piece in enumerate(export_bytes(export, form)):
            if number == 3:
                gate.wait()
            yield piece

    monkeypatch.setattr("app.list_export.export_bytes", held)


def held_at_the_end(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the export where all of the file is on its way to the disk."""
    flush = os.fsync

    def held(descriptor: int) -> None:
        gate.wait()
        flush(descriptor)

    monkeypatch.setattr("core.documents.export_file.os.fsync", held)


@pytest.mark.parametrize("hold", [held_in_the_middle, held_at_the_end])
@pytest.mark.parametrize("is_over_another", [False, True])
async def test_an_export_is_cancelled_while_it_writes_and_leaves_no_half_file(
    hold: Callable[[Gate, pytest.MonkeyPatch], None],
    is_over_another: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.patience.PATIENCE_S", 0.0)
    project, folder, gate = ferry_store(tmp_path / "p"), tmp_path / "mine", Gate()
    folder.mkdir()
    target = folder / "list.json"
    if is_over_another:
        target.write_text("precious")
    before = [(path.name, path.read_bytes()) for path in folder.iterdir()]
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        hold(gate, monkeypatch)
        export = exporting(opened)
        wanted = Target(target, ExportFormat.JSON, may_replace=is_over_another)
        writing = asyncio.create_task(export.write(on_screen(opened), wanted))
        await until(gate.reached.is_set)
        assert len(list(folder.iterdir())) > len(before), "it is being written"
        await until(lambda: "Writing memories…" in Writer(opened).said())
        buttons = opened.window.message_bar.findChildren(QAbstractButton)
        (button,) = [b for b in buttons if b.text() == "Cancel" and b.isVisible()]
        button.click()
        gate.open()
        await writing
        assert "The export was cancelled; nothing was written." in Writer(opened).said()
        await until(lambda: [(p.name, p.read_bytes()) for p in folder.iterdir()] == before)


async def test_closing_the_window_while_it_writes_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, folder = ferry_store(tmp_path / "p"), tmp_path / "mine"
    folder.mkdir()
    started = threading.Event()

    def unending(export: Export, form: ExportFormat) -> Iterator[bytes]:
        (*_, last) = export_bytes(export, form)
        while True:
            started.set()
            yield last

    monkeypatch.setattr("app.list_export.export_bytes", unending)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await choose(opened, folder / "list.json")
        await until(started.is_set)
        assert exporting(opened).is_busy
    assert list(folder.iterdir()) == []


async def test_empty_lists_and_no_list_say_why_nothing_is_exported(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", [Memory("a", "a gull")])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.actions_by_name["lineage"].trigger()
        await opened.settled()
        opened.window.actions_by_name["export_list"].trigger()
        assert "There is no list of memories on screen" in Writer(opened).said()


async def test_a_store_that_moved_is_said_and_what_left_it_is_counted(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        wanted = on_screen(opened)
        with writing(project) as raw:
            raw.execute("PRAGMA foreign_keys=OFF")
            raw.execute("DELETE FROM memory WHERE uuid = ?", (uuid_of("bus"),))
        await exporting(opened).write(wanted, Target(tmp_path / "x.json", ExportFormat.JSON))
        assert "25 memories written" in Writer(opened).said()
        assert "1 memory had left the store" in Writer(opened).said()


async def test_a_list_that_lacks_a_store_says_so_in_the_file_too(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "pier") as opened:
        await opened.add(tmp_path / "gone")
        browsed = json.loads(await written(opened, tmp_path / "browsed.json"))
        assert [n["code"] for n in browsed["notices"]] == ["stores_failed"]
        assert "Incomplete: 1 of 2 stores could not be read. gone: " in Writer(opened).said()
        await opened.search("tide")
        ranked = json.loads(await written(opened, tmp_path / "ranked.json"))
        (failed,) = [n for n in ranked["notices"] if n["code"] == "stores_failed"]
        assert "Incomplete: 1 of 2 stores could not be searched. " in failed["text"]
        assert str(tmp_path / "gone") in failed["text"]
        assert failed["text"] in Writer(opened).said()
