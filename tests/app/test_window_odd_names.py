"""Names that are no valid text, of memories and sessions: said or played, never a fault."""

from pathlib import Path

from tests.support.browsing import audit_page, show_page
from tests.support.event_logs import LogOf
from tests.support.open_window import open_window
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services

_NO_TEXT = ("CAST(x'ff414243' AS TEXT)", "x'0102030405'")


async def test_a_memory_whose_uuid_is_no_text_is_said_not_to_be_looked_up(tmp_path: Path) -> None:
    for number, odd in enumerate(_NO_TEXT):
        project = ferry_store(tmp_path / str(number))
        with writing(project) as raw:
            raw.execute("PRAGMA foreign_keys = OFF")
            for table, column in (("memory", "uuid"), ("memory_chunk", "memory_uuid")):
                told = f"UPDATE {table} SET {column} = {odd} WHERE {column} = ?"
                raw.execute(told, (uuid_of("ferry"),))
        async with open_window(stub_services(stub(), tmp_path), project) as opened:
            await opened.search("ferry waits")
            first = opened.rows()[0]
            assert len(first) < 6
            outcome = opened.outcome
            assert opened.window.hit_view.select(first)
            await until(lambda: "cannot be looked up" in opened.why())
            await opened.controller.settled()
            assert opened.outcome is outcome, "the list is not searched again and again"
            assert opened.window.detail_panel.shown_uuid is None
            await opened.select(opened.rows()[1])
            assert opened.window.detail_panel.shown_uuid == opened.rows()[1]


async def test_a_session_whose_name_is_no_valid_text_is_played(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    log = LogOf()
    log.prompt("late", "bus", "tide")
    log.write(project)
    with writing(project) as raw:
        raw.execute("UPDATE event SET session_id = CAST(x'fe66' AS TEXT)")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        assert [line.text for line in page.prompts.lines.lines] == [
            "Whole session: 2 memories shown",
            "1 · 2026-03-01 12:00:00 · 2 shown",
        ]
