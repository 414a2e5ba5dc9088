"""Committing when something is in the way: a busy store, a replaced file, a read-only one, a
conflict of two texts."""

import os
import shutil
from contextlib import closing
from pathlib import Path

from core.store.writer import LOCK_WAIT_S
from tests.support.accessibility import nameless
from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer, stored
from tests.support.writing import open_raw, problems_of
from widgets.conflict_dialog import ConflictDialog


async def test_a35_a_busy_store_is_said_tried_again_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    assert LOCK_WAIT_S <= 10, "the wait is bounded"
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        writer.writing.context.lock_wait_s = 0.1
        with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as agent:
            agent.execute("BEGIN IMMEDIATE")
            await writer.commit()
            assert "store_busy" in writer.codes()
            assert "Nothing was saved" in writer.said() and "Trying again in" in writer.said()
            assert len(writer.entries()) == 1
            found = await opened.search("ferry")
            assert found.hits, "reads go on"
            agent.execute("COMMIT")
        await until(lambda: writer.entries() == [])
        assert "Retired 1 memory." in writer.said()
        await opened.settled()
    assert stored(project)[uuid_of("tide")][0] == 0
    assert problems_of(project, tmp_path / "scratch") == []


async def test_a_busy_store_is_given_up_on_request_and_the_change_stays_staged(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        writer.writing.context.lock_wait_s = 0.1
        with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as agent:
            agent.execute("BEGIN IMMEDIATE")
            await writer.commit()
            opened.window.message_bar.action_wanted.emit("commit", "stop_trying")
            assert "Trying again" not in writer.said() and "store_busy" in writer.codes()
            agent.execute("ROLLBACK")
        assert len(writer.entries()) == 1
        await writer.commit()
        assert writer.entries() == []


async def test_a32_another_file_in_its_place_refuses_what_was_staged_and_says_so(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "one")
    other = ferry_store(tmp_path / "two")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        folder = project / ".zikaron"
        folder.rename(tmp_path / "away")
        shutil.copytree(other / ".zikaron", folder)
        before = all_digests(project)
        opened.controller.refresh()
        await until(lambda: "store_changed" in writer.codes() and writer.entries() == [])
        assert "1 staged change for the one before it was refused" in writer.said()
        await opened.settled()
        assert all_digests(project) == before
    assert stored(tmp_path / "one")[uuid_of("tide")][0] == 1


async def test_a_store_that_can_only_be_read_offers_no_change_and_says_why(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    with writing(project) as raw:
        raw.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        actions = opened.window.actions_by_name
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        for name in ("amend", "retire", "supersede", "new_memory", "replace_text"):
            assert not actions[name].isEnabled(), name
            assert "schema version 99" in actions[name].toolTip()


async def test_the_bundled_demo_store_itself_is_only_shown(tmp_path: Path) -> None:
    from tests.support.oracle import DEMO_BUNDLE

    before = all_digests(DEMO_BUNDLE)
    async with open_window(stub_services(stub(), tmp_path), DEMO_BUNDLE) as opened:
        opened.window.browse_view.select_first()
        await opened.settled()
        action = opened.window.actions_by_name["retire"]
        assert not action.isEnabled() and "open the demo store" in action.toolTip()
    assert all_digests(DEMO_BUNDLE) == before


async def test_a37_a_conflict_shows_three_texts_and_mine_is_merged_and_staged_again(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await writer.open_editor("amend")
        await writer.stage_text("tide tables", "mine")
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET version = 2, content = 'theirs' WHERE uuid = ?",
                (uuid_of("tide"),),
            )
            raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
        await writer.commit()
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        dialog = conflicts.dialog
        assert dialog is not None and nameless(dialog) == []
        assert dialog.base.toPlainText().endswith("fetched at four")
        assert dialog.stored.toPlainText().endswith("theirs")
        assert dialog.merged() == ("tide tables", "mine")
        dialog.content.setPlainText("theirs and mine")
        assert dialog.stage is not None and "version 2" in dialog.stage.text()
        dialog.stage.click()
        await until(lambda: conflicts.dialog is None)
        await opened.settled()
        assert writer.entries()[0].endswith("can be committed")
        await writer.commit()
    assert stored(project)[uuid_of("tide")] == (1, None, 3, "tide tables", "theirs and mine")
    assert problems_of(project, tmp_path / "scratch") == []


async def test_all_or_nothing_a_refused_change_keeps_the_others_unwritten(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("ferry")
        await writer.supersede("tide", "tide")
        await writer.commit()
        assert "Nothing was written" in writer.said()
        assert len(writer.entries()) == 2
    after = stored(project)
    assert [after[uuid_of(name)][:3] for name in ("ferry", "tide")] == [(1, None, 1)] * 2


async def test_a34_the_backup_before_many_changes_is_private(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    os.umask(0o022)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("ferry")
        await writer.retire("tide")
        await writer.commit()
        (path,) = [line.split("Backup: ")[1] for line in writer.said().splitlines()]
    found = Path(path)
    assert found.stat().st_mode & 0o777 == 0o600
    assert found.parent.stat().st_mode & 0o777 == 0o700
    with closing(open_raw(found)) as raw:
        assert raw.execute("SELECT count(*) FROM memory WHERE active = 1").fetchone() == (24,)


async def test_closing_the_window_writes_nothing_of_what_is_staged(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        await opened.select(uuid_of("ferry"))
        await writer.open_editor("amend")
    assert all_digests(project) == before


async def test_closing_while_a_commit_waits_for_the_lock_leaves_it_cleanly_undone(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as agent:
        async with open_window(stub_services(stub(), tmp_path), project) as opened:
            writer = Writer(opened)
            await opened.search("tide tables")
            await writer.retire("tide")
            agent.execute("BEGIN IMMEDIATE")
            writer.trigger("commit")
            await until(lambda: writer.writing.commit.dialog is not None)
            dialog = writer.writing.commit.dialog
            assert dialog is not None
            dialog.commit.click()
            await until(lambda: "Writing the changes" in writer.said())
        agent.execute("ROLLBACK")
    assert stored(project)[uuid_of("tide")][:3] == (1, None, 1)


async def test_a_commit_that_waits_is_cancelled_by_its_button(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        with closing(open_raw(project / ".zikaron" / "memory.db", "rw")) as agent:
            agent.execute("BEGIN IMMEDIATE")
            writer.trigger("commit")
            await until(lambda: writer.writing.commit.dialog is not None)
            dialog = writer.writing.commit.dialog
            assert dialog is not None
            dialog.commit.click()
            await until(lambda: "Writing the changes" in writer.said())
            opened.window.message_bar.action_wanted.emit("commit", "cancel_work")
            await until(lambda: "Cancelled; nothing was written." in writer.said())
            agent.execute("ROLLBACK")
        await opened.settled()
        assert len(writer.entries()) == 1
        await writer.commit()
        assert writer.entries() == []


async def conflict_of(writer: Writer) -> ConflictDialog:
    """Resolve the first staged change once its conflict is known, by its button."""
    writer.opened.controller.refresh()
    await until(lambda: any("changed meanwhile" in entry for entry in writer.entries()))
    await writer.opened.settled()
    bar, conflicts = writer.window.pending_bar, writer.writing.conflicts
    bar.select(bar.rows[0].number)
    bar.buttons["resolve"].click()
    await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
    assert conflicts.dialog is not None
    return conflicts.dialog


async def test_a_retirement_in_conflict_is_staged_again_for_what_is_stored_now(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        with writing(project) as raw:
            raw.execute("UPDATE memory SET version = 5 WHERE uuid = ?", (uuid_of("tide"),))
        dialog = await conflict_of(writer)
        assert dialog.merged() is None and dialog.stage is not None
        dialog.stage.click()
        await until(lambda: writer.writing.conflicts.dialog is None)
        await opened.settled()
        await writer.commit()
    assert stored(project)[uuid_of("tide")][:3] == (0, None, 6)


async def test_my_text_for_a_memory_that_was_retired_meanwhile_is_kept_as_a_new_one(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await writer.open_editor("amend")
        await writer.stage_text("tide tables", "mine")
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET version = 2, active = 0 WHERE uuid = ?", (uuid_of("tide"),)
            )
        dialog = await conflict_of(writer)
        assert dialog.stage is not None and "as a new memory" in dialog.stage.text()
        dialog.stage.click()
        await until(lambda: writer.writing.conflicts.dialog is None)
        await opened.settled()
        assert writer.entries() == ["New memory: tide tables, can be committed"]
        await writer.commit()
    texts = [row for row in stored(project).values() if row[4] == "mine"]
    assert [row[0] for row in texts] == [1]
