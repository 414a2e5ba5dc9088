"""A person's changes in the window: what must hold before, during and after a commit."""

import os
import stat
from pathlib import Path

import pytest

from app import store_watcher
from core.commands.changes import text_of
from core.store import backup, files
from core.store.files import Access
from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.personal_window import personal_window
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer, stored
from tests.support.writing import problems_of


async def test_editing_a_staged_replacement_asks_again_by_which_memory(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.supersede("tide", "bus")
        writer.window.pending_bar.buttons["edit"].click()
        picker = writer.writing.staging.picker
        await until(picker.dialog.isVisible)
        picker.dialog.box.setText(uuid_of("ferry"))
        await until(lambda: picker.dialog.uuids() == [uuid_of("ferry")])
        picker.dialog.choose(picker.dialog.view.model().index(0, 0))
        await until(lambda: "the ferry waits" in "".join(writer.entries()))
        await opened.settled()
        assert len(writer.entries()) == 1
        await writer.commit()
    assert stored(project)[uuid_of("tide")][:2] == (0, uuid_of("ferry"))


async def test_many_changes_are_not_committed_without_the_backup_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    before = all_digests(project)

    async def full(_source: object, part: Path, _report: object) -> None:
        raise backup._no_room(part)

    monkeypatch.setattr(backup, "_copy", full)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("ferry")
        await writer.retire("tide")
        await writer.commit()
        assert "There is no room for a backup" in writer.said()
        assert "Retired" not in writer.said()
        assert len(writer.entries()) == 2
    assert all_digests(project) == before


async def test_a_static_view_offers_no_change_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    monkeypatch.setattr(files, "choose_access", lambda _path: Access.IMMUTABLE)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        for name in ("retire", "supersede", "amend", "new_memory", "replace_text"):
            action = opened.window.actions_by_name[name]
            assert not action.isEnabled(), name
            assert "cannot be written, so the store is only shown" in action.toolTip(), name
    assert all_digests(project) == before


async def test_a55_what_the_agent_adds_after_a_retirement_is_in_list_counts_and_detail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        first = opened.browse_rows()[0]
        opened.window.browse_view.select(first)
        await opened.settled()
        writer.trigger("retire")
        await until(lambda: len(writer.entries()) == 1)
        await writer.commit()
        await until(lambda: "retired" in opened.window.detail_panel._summary.text())
        assert "26 memories: 23 live" in opened.window.status_strip.words()
        with writing(project) as raw:
            raw.execute(
                "INSERT INTO memory(uuid, gist, content, tier, active, version, created_at, "
                "updated_at, session_id, token_count) SELECT ?, 'brand new', content, tier, 1, "
                "1, created_at, updated_at, session_id, token_count FROM memory WHERE uuid = ?",
                (uuid_of("brand"), uuid_of("tide")),
            )
        await until(lambda: "27 memories: 24 live" in opened.window.status_strip.words())
        assert "1 new" in opened.window.browse_view.pill.text() or (
            uuid_of("brand") in opened.browse_rows()
        )
        opened.window.detail_panel.memory_wanted.emit(uuid_of("brand"))
        await opened.settled()
        shown = opened.window.detail_panel.shown
        assert shown is not None and shown.head.gist == "brand new"


async def test_a34_everything_the_program_writes_is_private_and_the_store_keeps_its_mode(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    database = project / ".zikaron" / "memory.db"
    database.chmod(0o640)
    given = stub_services(stub(), tmp_path)
    mask = os.umask(0o022)
    try:
        async with personal_window(given, project) as personal:
            writer = Writer(personal.opened)
            await personal.opened.search("tide tables")
            await writer.open_editor("new_memory")
            await writer.stage_text("a gist", "a text")
            await writer.retire("ferry")
            await writer.commit()
            await personal.settled()
    finally:
        os.umask(mask)
    found = list(given.data_dir.rglob("*"))
    assert any(path.suffix == ".db" and "backups" in path.parts for path in found)
    for path in (given.data_dir, *found):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE(database.stat().st_mode) == 0o640


async def test_of_two_windows_that_stage_the_same_memory_the_second_is_told_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    given = stub_services(stub(), tmp_path)
    async with (
        open_window(given, project, show=False) as one,
        open_window(given, project) as two,
    ):
        first, second = Writer(one), Writer(two)
        for writer, text in ((first, "of the first"), (second, "of the second")):
            await writer.opened.search("tide tables")
            await writer.opened.select(uuid_of("tide"))
            await writer.open_editor("amend")
            await writer.stage_text("tide tables", text)
        await first.commit()
        await until(lambda: "version_conflict" in second.entries()[0])
        await second.commit()
        assert "Nothing was written" in second.said() and "Amended" not in second.said()
        conflicts = second.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert conflicts.dialog is not None
        assert conflicts.dialog.merged() == ("tide tables", "of the second")
        assert conflicts.dialog.stored.toPlainText().endswith("of the first")
        conflicts.dialog.content.setPlainText("half merged")
        conflicts.dialog.reject()
        await until(lambda: conflicts.dialog is None)
        (change,) = second.writing.pending.list.changes
        assert text_of(change) == ("tide tables", "half merged")
        await two.settled()
    assert stored(project)[uuid_of("tide")][2:] == (2, "tide tables", "of the first")
    assert problems_of(project, tmp_path / "scratch") == []


async def test_another_text_under_the_same_version_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await writer.open_editor("amend")
        await writer.stage_text("tide tables", "mine")
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET content = 'of a tool' WHERE uuid = ?", (uuid_of("tide"),)
            )
            raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
        await until(lambda: "version_conflict" in writer.entries()[0])
        writer.trigger("commit")
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert "Nothing was written" in writer.said()
        assert conflicts.dialog is not None and conflicts.dialog.stage is not None
        assert conflicts.dialog.stored.toPlainText().endswith("of a tool")
        conflicts.dialog.stage.click()
        await until(lambda: writer.entries()[0].endswith("can be committed"))
        await writer.commit()
    assert stored(project)[uuid_of("tide")][2:] == (2, "tide tables", "mine")
    assert problems_of(project, tmp_path / "scratch") == []
