"""Staging in a real window: retire, replace, undo before the commit, all or nothing, said truly."""

from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

from tests.support.accessibility import nameless
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer, stored
from tests.support.writing import problems_of, rows_of
from tests.widgets.keys import press, press_at_focus

_Ctrl, _Shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def select_several(opened: OpenWindow, *names: str) -> None:
    """Select rows of the ranked list together, the last one current."""
    view, model = opened.window.hit_view.list, opened.window.hit_view.list.model()
    chosen = view.selectionModel()
    chosen.clear()
    rows = [opened.rows().index(uuid_of(name)) for name in names]
    for row in rows:
        chosen.setCurrentIndex(model.index(row, 0), chosen.SelectionFlag.Select)


async def test_staging_writes_nothing_and_the_commit_is_said_only_afterwards(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, bar = Writer(opened), opened.window.pending_bar
        assert not bar.isVisible()
        await opened.search("tide tables")
        await writer.retire("tide")
        assert bar.isVisible()
        assert writer.entries() == [
            "Retire: tide tables come from the harbour office, can be committed"
        ]
        assert bar.buttons["commit"].text() == "Retire 1 memory…"
        assert "nothing is written yet" in opened.window.status_strip.words()
        assert all_digests(project) == before
        asked = await writer.commit()
        assert asked.startswith("Retire 1 memory?")
        assert "Final for 1 memory" in asked
        assert "Retired 1 memory." in writer.said()
        assert not bar.isVisible()
        assert "looking changes nothing" in opened.window.status_strip.words()
    assert stored(project)[uuid_of("tide")][:3] == (0, None, 2)
    assert [row[5] for row in rows_of(project)["event"]] == ["fetch", "retire"]
    assert problems_of(project, tmp_path / "scratch") == []


async def test_a55_list_counts_and_detail_follow_a_commit_of_the_first_row(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        first = opened.rows()[0]
        assert first == uuid_of("tide")
        await writer.retire("tide")
        await writer.commit()
        await until(lambda: first not in opened.rows())
        assert "26 memories: 23 live · 1 replaced · 2 retired" in (
            opened.window.status_strip.words()
        )
        opened.window.search_bar.clear()
        await opened.settled()
        opened.window.detail_panel.memory_wanted.emit(first)
        await opened.settled()
        assert "retired" in opened.window.detail_panel._summary.text()


async def test_a38_two_retirements_one_after_the_other_are_both_kept_and_both_undone(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await writer.retire("tide")
        await writer.retire("ferry")
        assert len(writer.entries()) == 2
        window.hit_view.setFocus()
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl)
        assert len(writer.entries()) == 1
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl)
        assert writer.entries() == []
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl | _Shift)
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl | _Shift)
        await opened.settled()
        assert len(writer.entries()) == 2
        press_at_focus(window, Qt.Key.Key_Backspace, _Ctrl | _Shift)
        assert writer.entries() == []
        assert "2 staged changes discarded" in writer.said()
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl)
        await opened.settled()
        asked = await writer.commit()
        assert asked.startswith("Retire 2 memories?")
        assert "A backup of the store is made first" in asked
        assert "Retired 2 memories." in writer.said() and "Backup: " in writer.said()
    after = stored(project)
    assert [after[uuid_of(name)][0] for name in ("tide", "ferry")] == [0, 0]


async def test_a39_a_retirement_of_what_the_agent_amends_meanwhile_overwrites_nothing(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        with writing(project) as raw:
            raw.execute(
                "UPDATE memory SET version = 2, gist = 'amended by the agent' WHERE uuid = ?",
                (uuid_of("tide"),),
            )
        opened.controller.refresh()
        await until(lambda: any("changed meanwhile" in entry for entry in writer.entries()))
        await opened.settled()
        await writer.commit()
        assert "version_conflict" in writer.codes()
        assert "Nothing was written" in writer.said()
        conflicts = writer.writing.conflicts
        await until(lambda: conflicts.dialog is not None and conflicts.dialog.isVisible())
        assert conflicts.dialog is not None
        conflicts.dialog.reject()
        await until(lambda: conflicts.dialog is None)
    assert stored(project)[uuid_of("tide")][:4] == (1, None, 2, "amended by the agent")


async def test_a40_an_edge_that_cannot_be_is_refused_in_words_and_by_code(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    before = all_digests(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        cases = {
            "tide": "cannot replace itself",
            "old": "was replaced by this very memory",
            "gone": "is retired itself",
        }
        for by, words in cases.items():
            await writer.supersede("tide", by)
            (entry,) = writer.entries()
            assert words in entry and entry.endswith("(bad_supersession)"), entry
        assert all_digests(project) == before, "a preflight writes nothing"
        assert "1 would be refused" in opened.window.pending_bar.title()
        await writer.commit()
        assert "bad_supersession" in writer.codes()
        assert len(writer.entries()) == 1, "what was refused stays staged"
        await writer.supersede("tide", "ferry")
        await writer.commit()
    assert stored(project)[uuid_of("tide")][:3] == (0, uuid_of("ferry"), 2)


async def test_a41_of_three_equal_memories_exactly_one_stays_live(tmp_path: Path) -> None:
    same = [Memory(f"copy {n}", "the gate code is 4711", "ask the porter") for n in range(3)]
    project = build_store(tmp_path, [*same, *distractors(20)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await opened.search("gate code")
        await opened.settled()
        copies = {uuid_of_copy(number) for number in range(3)}
        await until(lambda: len(copies & set(opened.rows())) == 1)
        await opened.select(opened.rows()[0])  # one row that stands for three
        writer.trigger("into_one")
        picker = writer.writing.staging.picker.dialog
        await until(picker.isVisible)
        assert sorted(picker.uuids()) == sorted(map(uuid_of_copy, range(3)))
        survivor = picker.uuids()[1]
        picker.choose(picker.view.model().index(1, 0))
        await until(lambda: len(writer.entries()) == 2)
        await opened.settled()
        assert window.pending_bar.buttons["commit"].text() == "Replace 2 memories…"
        await writer.commit()
    after = {n: stored(project)[uuid_of_copy(n)] for n in range(3)}
    live = [n for n, row in after.items() if row[0] == 1]
    assert [uuid_of_copy(n) for n in live] == [survivor]
    assert {row[1] for n, row in after.items() if n not in live} == {survivor}


def uuid_of_copy(number: int) -> str:
    return uuid_of(f"copy {number}")


async def test_several_rows_are_retired_together_and_those_not_live_are_left_out(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        select_several(opened, "tide", "old", "ferry")
        window.hit_view.setFocus()
        press_at_focus(window, Qt.Key.Key_Delete)
        await until(lambda: len(writer.entries()) == 2)
        assert "1 of 3 memories are not live" in writer.said()
        await opened.settled()
        window.pending_bar.entries.setFocus()
        press_at_focus(window, Qt.Key.Key_Delete)
        assert len(writer.entries()) == 1
        await until(lambda: not opened.controller.writing.is_busy)


async def test_shift_and_arrows_select_several_and_the_last_one_is_read(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        table = window.browse_view.table
        table.setFocus()
        press(table, Qt.Key.Key_Home)
        press(table, Qt.Key.Key_Down, _Shift)
        press(table, Qt.Key.Key_Down, _Shift)
        await opened.settled()
        assert window.browse_view.number_selected() == 3
        assert window.detail_panel.shown_uuid == opened.browse_rows()[2]
        opened.controller.refresh()
        await opened.settled()
        assert window.browse_view.number_selected() == 3, "a refresh keeps the selection"
        press(table, Qt.Key.Key_A, _Ctrl)
        assert window.browse_view.number_selected() == 26
        await opened.settled()


async def test_a_row_dragged_onto_another_stages_that_it_is_replaced_by_it(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, view = Writer(opened), opened.window.hit_view.list
        await opened.search("tide tables")
        rows = {name: opened.rows().index(uuid_of(name)) for name in ("tide", "ferry")}
        model = view.model()
        data = model.mimeData([model.index(rows["ferry"], 0)])
        view.scrollTo(model.index(rows["tide"], 0), QAbstractItemView.ScrollHint.PositionAtTop)
        at = view.visualRect(model.index(rows["tide"], 0)).center()
        no_keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
        actions = Qt.DropAction.LinkAction | Qt.DropAction.CopyAction
        entered = QDragEnterEvent(QPointF(at), actions, data, button, no_keys)
        QApplication.sendEvent(view.viewport(), entered)
        assert entered.isAccepted()
        dropped = QDropEvent(QPointF(at), actions, data, button, no_keys, QEvent.Type.Drop)
        QApplication.sendEvent(view.viewport(), dropped)
        await until(lambda: len(writer.entries()) == 1)
        assert writer.entries()[0].startswith("Replace by “tide tables come from")
        onto_itself = QDropEvent(
            QPointF(view.visualRect(model.index(rows["ferry"], 0)).center()),
            actions,
            data,
            button,
            no_keys,
            QEvent.Type.Drop,
        )
        QApplication.sendEvent(view.viewport(), entered)
        QApplication.sendEvent(view.viewport(), onto_itself)
        assert not onto_itself.isAccepted()
        await opened.settled()
        assert len(writer.entries()) == 1


async def test_the_pending_bar_and_the_question_have_names_for_everything(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        await writer.retire("tide")
        assert nameless(opened.window) == []
        writer.trigger("commit")
        await until(lambda: writer.writing.commit.dialog is not None)
        dialog = writer.writing.commit.dialog
        assert dialog is not None and nameless(dialog) == []
        assert dialog.commit.text() == "Retire 1 memory"
        assert dialog.cancel.isDefault(), "Enter does nothing that is final"
        dialog.reject()
        await until(lambda: writer.writing.commit.dialog is None)
        assert len(writer.entries()) == 1


async def test_the_pending_bar_is_worked_by_keyboard(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await writer.retire("ferry")
        await opened.select(uuid_of("tide"))
        await writer.open_editor("amend")
        await writer.stage_text("tide tables", "new text")
        await until(window.isActiveWindow)
        window.search_bar.focus_box()
        press_at_focus(window, Qt.Key.Key_F6, _Shift)
        entries = window.pending_bar.entries
        assert window.focusWidget() is entries
        window.pending_bar.select(window.pending_bar.rows[1].number)
        press_at_focus(window, Qt.Key.Key_Return)
        editors = writer.writing.editors
        await until(lambda: len(editors.open) == 1)
        assert editors.open[0].dialog.texts() == ("tide tables", "new text")
        editors.open[0].dialog.put("tide tables", "newer text")
        editors.open[0].dialog.stage.click()
        await opened.settled()
        assert len(writer.entries()) == 2
        await until(window.isActiveWindow)
        entries.setFocus()
        press_at_focus(window, Qt.Key.Key_Delete)
        assert len(writer.entries()) == 1
        press_at_focus(window, Qt.Key.Key_Z, _Ctrl)
        assert len(writer.entries()) == 2
        await opened.settled()


async def test_hostile_text_stays_text_in_the_bar_and_in_the_question(tmp_path: Path) -> None:
    hostile = "<b>x</b> & \u202egnp.exe tide"
    project = build_store(tmp_path, [Memory("bad", hostile, "tide"), *distractors(20)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide")
        await writer.retire("bad")
        (row,) = opened.window.pending_bar.rows
        assert row.subject == "<b>x</b> & ⟨U+202E⟩gnp.exe tide"
        item = opened.window.pending_bar.entries.topLevelItem(0)
        assert item is not None and item.text(1) == row.subject
        writer.trigger("commit")
        await until(lambda: writer.writing.commit.dialog is not None)
        dialog = writer.writing.commit.dialog
        assert dialog is not None
        assert dialog.lines.item(0).text() == "Retire “<b>x</b> & ⟨U+202E⟩gnp.exe tide”"
        dialog.reject()
        await until(lambda: writer.writing.commit.dialog is None)


async def test_with_rows_selected_in_two_lists_only_the_one_in_use_is_acted_on(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await until(window.isActiveWindow)
        await opened.search("tide")
        select_several(opened, "tide", "ferry")
        assert opened.literal_rows() == [uuid_of("gone")]
        window.literal_list.setFocus()
        assert window.literal_list.select(uuid_of("gone"))
        await opened.settled()
        assert not window.actions_by_name["retire"].isEnabled(), "it is retired already"
        press_at_focus(window, Qt.Key.Key_Delete)
        await opened.settled()
        assert writer.entries() == []


async def test_a58_deleting_keys_in_the_box_stage_nothing(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer, window = Writer(opened), opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await writer.retire("ferry")
        await opened.select(uuid_of("tide"))
        window.search_bar.focus_box()
        for key, modifiers in (
            (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
            (Qt.Key.Key_Backspace, _Ctrl),
            (Qt.Key.Key_Backspace, Qt.KeyboardModifier.AltModifier),
            (Qt.Key.Key_Z, _Ctrl),
            (Qt.Key.Key_Backspace, _Ctrl | _Shift),
        ):
            press_at_focus(window, key, modifiers)
        await opened.settled()
        assert len(writer.entries()) == 1
