"""Writing texts in a real window: amend, new, replace, restore; counters, nearness, drafts."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from core.appdata.database import AppDatabase
from core.appdata.drafts import Drafts
from core.commands.changes import text_of
from tests.support.accessibility import nameless
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.personal_window import personal_window
from tests.support.stores import place_of, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer, matches, stored
from tests.support.writing import problems_of
from tests.widgets.keys import press

_Ctrl = Qt.KeyboardModifier.ControlModifier


async def test_a19_an_amended_text_is_found_by_its_new_words_alone(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        assert dialog.texts() == ("tide tables come from the harbour office", "fetched at four")
        assert dialog.problem.text() == "⚠ Nothing is changed yet."
        await until(lambda: "tokens" in dialog.gist_count.text())
        assert dialog.gist_count.text() == "40 of 1,024 characters · 7 of 64 tokens"
        await writer.stage_text("tide tables come by post", "zarquon delivers them")
        assert all_digests(project) == before
        await writer.commit()
        assert "Amended 1 memory." in writer.said()
        found = await opened.search("zarquon")
        assert uuid_of("tide") in [hit.uuid for hit in found.hits if hit.lexical]
    row = stored(project)[uuid_of("tide")]
    assert row == (1, None, 2, "tide tables come by post", "zarquon delivers them")
    assert matches(project, "zarquon") == [uuid_of("tide")]
    assert uuid_of("tide") not in matches(project, "harbour")
    assert problems_of(project, tmp_path / "scratch") == []


def shows_version(opened: OpenWindow, version: int) -> bool:
    shown = opened.window.detail_panel.shown
    return shown is not None and shown.head.version == version


async def test_a25_the_same_memory_is_amended_twice(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        for version, content in ((2, "first"), (3, "second")):
            await opened.select(uuid_of("tide"))
            await writer.open_editor("amend")
            await writer.stage_text("tide tables", content)
            await writer.commit()
            await until(partial(shows_version, opened, version))
    assert stored(project)[uuid_of("tide")][2:] == (3, "tide tables", "second")
    assert problems_of(project, tmp_path / "scratch") == []


async def test_a42_a_blank_text_cannot_be_staged_and_says_why(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        dialog = await writer.open_editor("new_memory")
        dialog.put("\n\t", "text")
        assert not dialog.stage.isEnabled() and "The gist is blank" in dialog.problem.text()
        dialog.put("gist", "\u200b")
        assert not dialog.stage.isEnabled() and "The content is blank" in dialog.problem.text()
        dialog.put("g" * 1025, "text")
        assert "1025 characters, 1024 are allowed" in dialog.problem.text()
        dialog.put("gist", "text")
        assert dialog.stage.isEnabled()
        dialog.discard.click()
        assert writer.entries() == []


async def test_a42_a_row_with_an_odd_version_or_damaged_text_is_for_reading_only(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    with writing(project) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("UPDATE memory SET version = 'abc' WHERE uuid = ?", (uuid_of("tide"),))
        raw.execute(
            "UPDATE memory SET content = CAST(x'6869eda0bd' AS TEXT) WHERE uuid = ?",
            (uuid_of("bus"),),
        )
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        actions = opened.window.actions_by_name
        await opened.search("tide tables pier")
        await opened.select(uuid_of("tide"))
        assert not actions["amend"].isEnabled() and not actions["retire"].isEnabled()
        assert "only be read" in actions["amend"].toolTip()
        await opened.select(uuid_of("bus"))
        assert not actions["amend"].isEnabled()


async def test_a_new_text_replaces_the_old_memory_and_what_is_near_is_shown_while_writing(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("replace_text")
        dialog.put("the bus stops at the pier", "every hour")
        await until(lambda: dialog.near_uuids() == [uuid_of("bus")])
        assert "1 live memory near this text" in dialog.near_heading.text()
        assert nameless(dialog) == []
        await writer.stage_text("tide tables are on the web", "since May")
        assert writer.entries()[0].startswith("Replace with a new text: tide tables come from")
        await writer.commit()
        assert "Replaced 1 memory with a new text." in writer.said()
    after = stored(project)
    (new,) = [uuid for uuid, row in after.items() if row[3] == "tide tables are on the web"]
    assert after[uuid_of("tide")][:3] == (0, new, 2)
    assert after[new][0] == 1


async def test_a_retired_memory_is_restored_as_a_copy_and_stays_retired(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, actions = Writer(opened), opened.window.actions_by_name
        opened.window.search_bar.include_retired.setChecked(True)
        await opened.search("tide gauge")
        await opened.select(uuid_of("gone"))
        assert not actions["amend"].isEnabled() and not actions["retire"].isEnabled()
        dialog = await writer.open_editor("restore")
        assert dialog.texts() == ("the tide gauge is broken", "since spring")
        press(dialog.content, Qt.Key.Key_Return, _Ctrl)
        await until(lambda: len(writer.entries()) == 1)
        await opened.settled()
        await writer.commit()
    copies = [row for row in stored(project).values() if row[3] == "the tide gauge is broken"]
    assert sorted(row[0] for row in copies) == [0, 1]


async def test_hidden_characters_stay_what_they_are_through_an_amendment(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    hostile = "a\u202eb\r\nc\u2029d\u00a0e\u200bf ⟨U+202E⟩ <b>x</b>"
    with writing(project) as raw:
        raw.execute("UPDATE memory SET content = ? WHERE uuid = ?", (hostile, uuid_of("tide")))
        raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("harbour office")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        assert "⟨U+202E⟩" in dialog.content.toPlainText()
        assert "<b>x</b>" in dialog.content.toPlainText()
        dialog.gist.setPlainText("another gist")
        dialog.stage.click()
        await opened.settled()
        await writer.commit()
    assert stored(project)[uuid_of("tide")][3:] == ("another gist", hostile)


async def test_without_a_model_texts_are_not_offered_and_retiring_works(tmp_path: Path) -> None:
    from core.errors import ErrorCode, GenizahError
    from tests.support.open_window import services

    def no_model(_name: str) -> None:
        raise GenizahError(ErrorCode.NO_ARTIFACT, "The model is not on this machine.")

    project = ferry_store(tmp_path)
    given = services(no_model, {}, tmp_path)  # type: ignore[arg-type]  # it never returns
    async with open_window(given, project) as opened:
        writer, actions = Writer(opened), opened.window.actions_by_name
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await until(lambda: not actions["amend"].isEnabled())
        for name in ("amend", "new_memory", "replace_text"):
            assert not actions[name].isEnabled()
            assert "The model is not on this machine" in actions[name].toolTip()
        await writer.supersede("tide", "ferry")
        await writer.commit()
    assert stored(project)[uuid_of("tide")][:2] == (0, uuid_of("ferry"))


async def test_a_draft_and_what_is_staged_survive_until_the_next_start(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, project) as personal:
        writer = Writer(personal.opened)
        await personal.opened.search("tide tables")
        await writer.retire("ferry")
        await personal.opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        dialog.content.setPlainText("half a sent")
        dialog.close()
        await personal.settled()
        assert "The draft is kept" in writer.said()
    async with personal_window(given, project) as again:
        writer = Writer(again.opened)
        await until(lambda: len(writer.entries()) == 1)
        assert writer.entries()[0].startswith("Retire: the ferry waits for the tide")
        await until(lambda: "1 draft of this store is not staged yet" in writer.said())
        await again.opened.search("tide tables")
        await again.opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        assert dialog.texts()[1] == "half a sent"
        assert "Your draft was brought back" in dialog.banner.text()
        dialog.banner.buttons["stored"].click()
        assert dialog.texts()[1] == "fetched at four"
        dialog.content.undo()
        assert dialog.texts()[1] == "half a sent"
        dialog.discard.click()
        await again.settled()


async def test_a_draft_is_in_the_file_while_it_is_written_so_that_a_kill_loses_none_of_it(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    given = stub_services(stub(), tmp_path)

    async def kept() -> list[tuple[str, str] | None]:
        file = await AppDatabase.glance(given.data_dir)
        try:
            drafts = await Drafts(file, given.clock).all(place_of(project))
        finally:
            await file.close()
        return [text_of(draft.change) for draft in drafts]

    async with personal_window(given, project) as personal:
        writer = Writer(personal.opened)
        dialog = await writer.open_editor("new_memory")
        dialog.put("a gist", "half a sent")
        timer = writer.writing.editors.open[0]._timers["keep"]
        await until(lambda: not timer.isActive())
        await personal.own.settled()
        assert await kept() == [("a gist", "half a sent")]
        dialog.content.setPlainText("half a sentence")
        dialog.stage.click()
        await personal.settled()
        assert await kept() == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
async def test_a58_keys_in_an_editor_change_only_its_text(key: Qt.Key, tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        dialog = await writer.open_editor("amend")
        press(dialog.content, key)
        press(dialog.content, key, _Ctrl)
        await opened.settled()
        assert writer.entries() == []
        dialog.discard.click()
