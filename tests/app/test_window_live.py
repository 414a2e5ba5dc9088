"""The window beside an agent that writes: everything shown is in step soon, and nothing jumps."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt

from app import store_watcher
from core.readmodels import StateCounts
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import STUB_MODEL, WIDTH, Memory, build_store, insert, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press
from widgets.texts import totals

_LATE = "2026-06-01T12:00:00+00:00"


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)


def write(project: Path, *memories: Memory) -> None:
    with writing(project) as raw:
        insert(raw, memories, STUB_MODEL, WIDTH)


def execute(project: Path, sql: str, *values: object) -> None:
    with writing(project) as raw:
        raw.execute(sql, values)


def retire(project: Path, name: str) -> None:
    execute(project, "UPDATE memory SET active = 0 WHERE uuid = ?", uuid_of(name))


def delete(project: Path, name: str) -> None:
    with writing(project) as raw:
        row = raw.execute("SELECT rowid, gist, content FROM memory WHERE uuid = ?", [uuid_of(name)])
        words = row.fetchone() or ()
        raw.execute(
            "INSERT INTO memory_fts(memory_fts, rowid, gist, content) VALUES('delete', ?, ?, ?)",
            words,
        )
        chunks = "(SELECT chunk_id FROM memory_chunk WHERE memory_uuid = ?)"
        raw.execute(f"DELETE FROM memory_vec WHERE rowid IN {chunks}", [uuid_of(name)])
        raw.execute("DELETE FROM memory_chunk WHERE memory_uuid = ?", [uuid_of(name)])
        raw.execute("DELETE FROM memory WHERE uuid = ?", [uuid_of(name)])


def news(count: int) -> list[Memory]:
    return [Memory(f"new {n}", f"fresh remark {n}", created_at=_LATE) for n in range(count)]


def counts_say(opened: OpenWindow, live: int, replaced: int, retired: int) -> bool:
    words = totals(StateCounts(live, replaced, retired))
    return words in opened.window.status_strip.words()


def heading(opened: OpenWindow) -> str:
    return opened.window.browse_view.heading()


def count_of_rows(opened: OpenWindow) -> int:
    return opened.window.browse_view._model.rowCount()


async def test_a55_a_memory_retired_by_the_agent_is_retired_everywhere(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        first = opened.browse_rows()[0]
        assert opened.window.browse_view.select(first)
        await opened.settled()
        assert counts_say(opened, 24, 1, 1)
        execute(project, "UPDATE memory SET active = 0 WHERE uuid = ?", first)
        await until(lambda: counts_say(opened, 23, 1, 2))
        await until(lambda: "retired" in opened.window.detail_panel.facts.values()["state"])
        await until(lambda: "retired" in spoken(opened, 0))
        assert opened.window.browse_view.selected_uuid() == first


def spoken(opened: OpenWindow, row: int) -> str:
    model = opened.window.browse_view._model
    return str(model.data(model.index(row), Qt.ItemDataRole.AccessibleTextRole))


async def test_a55_the_first_memory_of_an_empty_store_appears_by_itself(tmp_path: Path) -> None:
    project = build_store(tmp_path / "p", [])
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_path(project)
        await until(lambda: "This store is empty" in opened.page_text())
        write(project, Memory("one", "the first of all"))
        await until(lambda: opened.page() == "browse" and opened.browse_rows())
        assert opened.browse_rows() == [uuid_of("one")]
        assert counts_say(opened, 1, 0, 0)
        delete(project, "one")
        await until(lambda: "This store is empty" in opened.page_text())


async def test_new_rows_come_by_themselves_where_nobody_reads(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        write(project, *news(2))
        await until(lambda: uuid_of("new 1") in opened.browse_rows())
        assert not opened.window.browse_view.pill.isVisible()
        assert heading(opened) == "28 memories, newest first"


async def test_new_rows_wait_behind_a_pill_while_a_memory_is_read(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        view = opened.window.browse_view
        assert view.select(uuid_of("bus"))
        await opened.settled()
        write(project, *news(4))
        await until(view.pill.isVisible)
        assert view.pill.text() == "4 new"
        assert view.pill.accessibleName() == "4 new: show them (Home)"
        assert count_of_rows(opened) == 26
        assert heading(opened) == "30 memories, newest first"
        assert counts_say(opened, 28, 1, 1)
        write(project, Memory("fifth", "one more", created_at=_LATE))
        await until(lambda: view.pill.text() == "5 new")
        view.pill.click()
        assert not view.pill.isVisible()
        assert count_of_rows(opened) == 31
        assert view.table.verticalScrollBar().value() == 0
        assert view.selected_uuid() == uuid_of("bus")
        await until(lambda: uuid_of("fifth") in opened.browse_rows())


async def test_home_brings_new_rows_in(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        view = opened.window.browse_view
        view.select(uuid_of("bus"))
        await opened.settled()
        write(project, Memory("late", "the latest", created_at=_LATE))
        await until(view.pill.isVisible)
        press(view.table, Qt.Key.Key_Home)
        assert not view.pill.isVisible()
        await until(lambda: view.selected_uuid() == uuid_of("late"))
        await opened.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("late")


async def test_scrolling_stays_at_its_rows_while_the_agent_writes(tmp_path: Path) -> None:
    rows = [Memory(f"r{n}", f"row {n}", created_at=f"2026-01-01T{n:05}") for n in range(400)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        table = opened.window.browse_view.table
        table.verticalScrollBar().setValue(table.verticalScrollBar().maximum() // 2 + 7)
        top = opened.window.browse_view._model.rowid_at(table.rowAt(0))
        at = table.rowViewportPosition(table.rowAt(0))
        delete(project, "r399")
        write(project, *news(3))
        await until(opened.window.browse_view.pill.isVisible)
        assert opened.window.browse_view._model.rowid_at(table.rowAt(0)) == top
        assert table.rowViewportPosition(table.rowAt(0)) == at
        opened.window.browse_view.bring_in()
        assert opened.window.browse_view._model.rowid_at(table.rowAt(0)) == top


async def test_nothing_is_selected_once_the_selected_row_has_left(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.browse_view.select(uuid_of("bus"))
        await opened.settled()
        delete(project, "bus")
        await until(opened.is_empty_handed)
        assert counts_say(opened, 23, 1, 1)


async def test_a_row_that_took_the_number_of_the_selected_one_is_not_selected(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.browse_view.select(uuid_of("distractor 19"))
        await opened.settled()
        with writing(project) as raw:
            before, after = uuid_of("distractor 19"), uuid_of("successor")
            raw.execute("DELETE FROM memory_chunk WHERE memory_uuid = ?", [before])
            raw.execute("UPDATE memory SET uuid = ? WHERE uuid = ?", [after, before])
        await until(lambda: uuid_of("successor") in opened.browse_rows())
        await until(opened.is_empty_handed)


async def test_a_search_is_in_step_with_what_the_agent_writes(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("ferry"))
        before = opened.why()
        write(project, Memory("fresh", "tide tables, the new ones", created_at=_LATE))
        await until(lambda: uuid_of("fresh") in opened.rows())
        await opened.settled()
        assert counts_say(opened, 25, 1, 1)
        assert opened.window.hit_view.selected_uuid() == uuid_of("ferry")
        assert opened.window.detail_panel.shown_uuid == uuid_of("ferry")
        assert opened.why() != before
        assert "27 memories" in opened.why()
        assert opened.window.search_bar.text() == "tide tables"


async def test_a_selected_hit_that_leaves_the_ranking_is_not_shown_any_more(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        await opened.select(uuid_of("ferry"))
        retire(project, "ferry")
        await until(lambda: uuid_of("ferry") not in opened.rows())
        await until(opened.is_empty_handed)


async def test_the_literal_list_follows_and_keeps_its_selection(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide gauge")
        literal = opened.window.literal_list
        assert opened.literal_rows() == [uuid_of("gone")], "retired: found literally only"
        assert literal.select(uuid_of("gone"))
        await opened.settled()
        write(project, Memory("second", "the tide gauge, too", active=False, created_at=_LATE))
        await until(lambda: opened.literal_rows() == [uuid_of("second"), uuid_of("gone")])
        assert literal.selected_uuid() == uuid_of("gone")
        assert opened.window.detail_panel.shown_uuid == uuid_of("gone")


async def test_a_long_text_stays_open_when_the_agent_amends_it(tmp_path: Path) -> None:
    long = Memory("long", "a long one", "word " * 50_000)
    project = build_store(tmp_path / "p", [long])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.browse_view.select(long.uuid)
        await opened.settled()
        panel = opened.window.detail_panel
        assert panel.text.rest > 0
        panel._show_all.click()
        bar = panel.text.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        top = panel.text.cursorForPosition(QPoint(0, 0)).position()
        assert top > 0
        execute(project, "UPDATE memory SET content = content || 'the end', version = 2")
        await until(lambda: panel.facts.values()["version"] == "2")
        assert panel.text.rest == 0
        assert panel.text.toPlainText().endswith("the end")
        assert panel.text.cursorForPosition(QPoint(0, 0)).position() == top


async def test_f5_looks_without_waiting_for_the_next_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 3600.0)
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type("fresh")
        await opened.settled()
        write(project, *news(1))
        opened.window.actions_by_name["refresh"].trigger()
        await until(lambda: uuid_of("new 0") in opened.rows())
        assert counts_say(opened, 25, 1, 1)


async def test_typing_goes_on_while_the_agent_writes(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        for turn in range(6):
            opened.type("tide tables"[: turn + 6])
            write(project, Memory(f"turn {turn}", f"tide tables {turn}"))
            opened.controller.refresh()
        await until(lambda: uuid_of("turn 5") in opened.rows())
        await opened.settled()
        assert opened.outcome is not None
        assert opened.outcome.query.text == "tide tables"[:11]
        assert opened.window.message_bar.messages() == ()


async def test_the_vectors_in_memory_follow_once_the_agent_pauses(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        store = opened.controller.opening.store
        assert store is not None
        await until(lambda: store.searcher.matrix_bytes)
        before = store.searcher.matrix_bytes
        write(project, *news(3))
        await until(lambda: store.searcher.matrix_bytes > before)
