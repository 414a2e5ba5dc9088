"""Nothing somebody wrote or staged is lost: not by a kill, another store, another window."""

import asyncio
import json
from pathlib import Path

import pytest

from app import store_watcher
from app.kept_changes import KeptChanges
from core.appdata.database import AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.appdata.pending import Pending
from core.appdata.places import StorePlace
from core.commands.changes import Change, Remember, Retire, text_of
from core.commands.staging import Staged
from core.readmodels import MemoryDetail
from tests.support.child import child, end_of, run_child
from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.personal_window import personal_window
from tests.support.staged import seen
from tests.support.stores import build_store, place_of, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import FERRY, ferry_store, stub, stub_services
from tests.support.write_window import Writer, stored
from tests.support.writing import problems_of

_APP = "tests.support.killed_window"
_OTHER_ID = "1f2e3d4c-5b6a-4788-9900-aabbccddeeff"


def test_a_window_killed_while_somebody_writes_has_all_of_it_at_the_next_start(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    before = all_digests(project)
    with child(_APP, "work", str(project)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
        assert end_of(process).code == -9
    assert all_digests(project) == before
    ended = run_child(_APP, "look", str(project))
    assert (ended.code, ended.err) == (0, "")
    found = json.loads(ended.out)
    assert found["staged"] == [
        "Retire: the ferry waits for the tide, can be committed",
        "Replace by “tide tables come from the harbour office”: the bus stops at the pier, "
        "can be committed",
        "New memory: a new fact, can be committed",
    ]
    assert "word0" in found["draft"][1]


def test_closing_the_window_keeps_the_last_word_of_an_open_editor(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    before = all_digests(project)
    ended = run_child(_APP, "close", str(project))
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    found = json.loads(run_child(_APP, "look", str(project)).out)
    assert len(found["staged"]) == 3
    assert "the last word" in found["draft"][1]
    assert all_digests(project) == before


async def test_a_text_is_kept_while_it_is_written_without_a_pause(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    project = ferry_store(tmp_path / "p")
    async with personal_window(given, project) as personal:
        writer = Writer(personal.opened)
        dialog = await writer.open_editor("new_memory")
        kept: list[Draft] = []

        async def look(database: AppDatabase) -> None:
            kept.extend(await Drafts(database, given.clock).all(place_of(project)))

        async with asyncio.timeout(10):
            while not kept:
                dialog.content.insertPlainText("word ")
                await asyncio.sleep(0.02)
                await personal.own.do(look, name="look")
        dialog.discard.click()
        await personal.settled()


async def test_a_text_leaves_the_drafts_only_once_it_is_staged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = stub_services(stub(), tmp_path)
    steps: list[str] = []
    save, drop = Pending.save, Drafts.drop

    async def saved(self: Pending, store: StorePlace, entries: tuple[Staged, ...]) -> None:
        steps.append("saved")
        await save(self, store, entries)

    async def dropped(self: Drafts, *keys: str) -> None:
        steps.append("dropped")
        await drop(self, *keys)

    async with personal_window(given, ferry_store(tmp_path / "p")) as personal:
        writer = Writer(personal.opened)
        await writer.open_editor("new_memory")
        monkeypatch.setattr(Pending, "save", saved)
        monkeypatch.setattr(Drafts, "drop", dropped)
        await writer.stage_text("a gist", "a text")
        await personal.settled()
    assert steps[0] == "saved" and "dropped" in steps


async def _keep(
    folder: Path, entries: tuple[tuple[Change, MemoryDetail | None], ...], *drafts: Draft
) -> None:
    """Leave in the program's own file what an earlier run left for the store in `folder`."""
    clock = stub_services(stub(), folder).clock
    database = await AppDatabase.open(stub_services(stub(), folder).data_dir, clock)
    numbered = [Staged(n, *entry) for n, entry in enumerate(entries, 2)]
    await Pending(database, clock).save(place_of(folder / "p"), numbered)
    for draft in drafts:
        await Drafts(database, clock).keep(place_of(folder / "p"), draft)
    await database.close()


async def test_what_was_staged_outlives_a_store_that_is_left_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    other = build_store(tmp_path / "other", FERRY, meta={"store_id": _OTHER_ID})
    await _keep(tmp_path, ((Retire(uuid_of("ferry"), 1), seen("ferry")),))
    gate = asyncio.Event()
    load = KeptChanges._load

    async def late(self: KeptChanges, database: AppDatabase, place: StorePlace) -> None:
        await gate.wait()
        await load(self, database, place)

    monkeypatch.setattr(KeptChanges, "_load", late)
    async with personal_window(stub_services(stub(), tmp_path)) as personal:
        writer = Writer(personal.opened)
        await personal.opened.open(project)
        await personal.opened.open(other)
        gate.set()
        await personal.settled()
        assert writer.entries() == []
        await personal.opened.open(project)
        await until(lambda: len(writer.entries()) == 1)
        await personal.settled()
    async with personal_window(stub_services(stub(), tmp_path), project) as again:
        await until(lambda: len(Writer(again.opened).entries()) == 1)
        await again.settled()


async def test_what_is_staged_before_the_kept_changes_are_read_is_kept_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    await _keep(tmp_path, ((Retire(uuid_of("ferry"), 1), seen("ferry")),))
    gate = asyncio.Event()
    load = KeptChanges._load

    async def late(self: KeptChanges, database: AppDatabase, place: StorePlace) -> None:
        await gate.wait()
        await load(self, database, place)

    monkeypatch.setattr(KeptChanges, "_load", late)
    async with personal_window(stub_services(stub(), tmp_path)) as personal:
        writer = Writer(personal.opened)
        await personal.opened.open(project)
        await personal.opened.search("tide tables")
        await writer.retire("tide")
        assert len(writer.entries()) == 1
        gate.set()
        await until(lambda: len(writer.entries()) == 2)
        await personal.settled()
    async with personal_window(stub_services(stub(), tmp_path), project) as again:
        await until(lambda: len(Writer(again.opened).entries()) == 2)
        await again.settled()


async def test_a_draft_of_an_earlier_run_never_takes_the_place_of_another_staged_text(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    texts = (Remember("first", "one"), Remember("second", "two"))
    draft = Draft("key", Remember("first", "one and more"), None, 2)
    await _keep(tmp_path, tuple((text, None) for text in texts), draft)
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer = Writer(personal.opened)
        await until(lambda: len(writer.entries()) == 2)
        await until(lambda: "1 draft of this store" in writer.said())
        writer.writing.editors.open_drafts()
        (session,) = writer.writing.editors.open
        session.dialog.stage.click()
        await personal.settled()
        found = [text_of(change) for change in writer.writing.pending.list.changes]
        assert ("second", "two") in found and ("first", "one and more") in found


async def test_a_new_memory_that_was_written_before_a_kill_is_not_written_twice_unseen(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    tide = next(memory for memory in FERRY if memory.name == "tide")
    await _keep(tmp_path, ((Remember(tide.gist, tide.content), None),))
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer = Writer(personal.opened)
        await until(lambda: writer.entries() and "exactly this text already" in writer.entries()[0])
        asked = await writer.commit()
        assert "The text of 1 new memory is stored already." in asked
        await personal.settled()


async def test_a_copy_of_a_retired_memory_is_no_second_one(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    gone = next(memory for memory in FERRY if memory.name == "gone")
    await _keep(tmp_path, ((Remember(gone.gist, gone.content), None),))
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer = Writer(personal.opened)
        await until(lambda: writer.entries() and "can be committed" in writer.entries()[0])
        assert "already" not in writer.entries()[0]
        await personal.settled()


async def test_an_open_editor_says_that_the_memory_was_changed_and_compares_the_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        dialog.put("tide tables", "mine")
        assert dialog.changed.text() == ""
        _change(project, "theirs")
        await until(lambda: "the store has version 2 now, live" in dialog.changed.text())
        assert dialog.texts() == ("tide tables", "mine")
        dialog.changed.buttons["compare"].click()
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert conflicts.dialog is not None and conflicts.dialog.stage is not None
        assert conflicts.dialog.stored.toPlainText().endswith("theirs")
        assert conflicts.dialog.base.toPlainText().endswith("fetched at four")
        conflicts.dialog.content.setPlainText("theirs and mine")
        conflicts.dialog.stage.click()
        await until(lambda: writer.writing.editors.open == [])
        await opened.settled()
        assert [line.split(",")[-1] for line in writer.entries()] == [" can be committed"]
        await writer.commit()
    assert stored(project)[uuid_of("tide")] == (1, None, 3, "tide tables", "theirs and mine")
    assert problems_of(project, tmp_path / "scratch") == []


async def test_comparing_a_text_whose_memory_was_retired_leaves_other_staged_texts_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await writer.open_editor("new_memory")
        await writer.stage_text("first", "one")
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        dialog.put("tide tables", "mine")
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET version = 2, active = 0 WHERE uuid = ?", (uuid_of("tide"),)
            )
        await until(lambda: "version 2 now, retired" in dialog.changed.text())
        dialog.changed.buttons["compare"].click()
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert conflicts.dialog is not None and conflicts.dialog.stage is not None
        assert "new memory" in conflicts.dialog.stage.text()
        conflicts.dialog.stage.click()
        await until(lambda: len(writer.entries()) == 2)
        found = [text_of(change) for change in writer.writing.pending.list.changes]
        assert found == [("first", "one"), ("tide tables", "mine")]
        await opened.settled()


def _change(project: Path, content: str) -> None:
    with writing(project) as raw:
        raw.execute(
            "UPDATE memory SET version = version + 1, content = ? WHERE uuid = ?",
            (content, uuid_of("tide")),
        )
        raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")


async def test_what_was_merged_by_hand_goes_into_the_editor_when_the_comparison_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        dialog.put("tide tables", "mine")
        _change(project, "theirs")
        await until(dialog.changed.text)
        dialog.changed.buttons["compare"].click()
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert conflicts.dialog is not None
        conflicts.dialog.content.setPlainText("theirs and mine")
        conflicts.dialog.reject()
        await until(lambda: dialog.texts() == ("tide tables", "theirs and mine"))
        dialog.content.undo()
        assert dialog.texts()[1] == "mine"
        dialog.close()
        await opened.settled()
        assert "kept until this window is closed" in writer.said()  # it has no file of its own
