"""What the agent was shown, in the window: sessions played again, the lists, by keyboard."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from core.store.connection import Connection
from tests.support.accessibility import nameless
from tests.support.browsing import (
    HARBOUR,
    audit_page,
    contents,
    harbour,
    harbour_log,
    show_page,
    spoken,
    told,
)
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf
from tests.support.faulty_driver import READ_FAILED, install
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import check, front, store_of
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press, press_at_focus
from widgets.audit_content import AuditList


async def choose_list(opened: OpenWindow, which: AuditList) -> list[tuple[str, str]]:
    audit_page(opened).show_lists(which)
    await opened.controller.settled()
    return told(audit_page(opened).listed)


def line_texts(opened: OpenWindow) -> tuple[list[str], list[str]]:
    page = audit_page(opened)
    sessions, prompts = page.sessions.lines.lines, page.prompts.lines.lines
    return [line.text for line in sessions], [line.text for line in prompts]


async def test_ctrl_5_plays_the_latest_session_and_a_search_leads_back(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        assert "audit" not in opened.controller.pages._made, "made when it is asked for"
        await show_page(opened, "audit")
        assert opened.page() == "audit"
        sessions, prompts = line_texts(opened)
        assert sessions == [
            "2026-03-01 12:00 · 2 prompts · evening",
            "2026-03-01 12:00 · 2 prompts · morning",
        ]
        assert prompts == [
            "Whole session: 2 memories shown",
            "1 · 2026-03-01 12:00:11 · 2 shown",
            "2 · 2026-03-01 12:00:14 · 1 shown",
        ]
        page = audit_page(opened)
        assert page.head.scope.text() == "in harbour"
        assert told(page.shown)[0] == (
            "the bus stops at the pier",
            "shown 2 times at #1 ×2 · not fetched",
        )
        await opened.search("tide")
        assert opened.page() == "results"


async def test_a_prompt_shows_ranks_scores_demotions_and_what_was_done_next(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        press(page.sessions, Qt.Key.Key_Down)
        await opened.controller.settled()
        press(page.prompts, Qt.Key.Key_Down)
        await opened.controller.settled()
        assert told(page.shown) == [
            ("the ferry waits for the tide", "#1 · score 0.0164 · then fetched"),
            ("tide tables are printed", "#2 · score 0.0161 · ranked lower: superseded"),
            ("tide tables come by post", "#3 · score 0.0159"),
            (
                "the ferry waits for the tide",
                "then fetched · 2026-03-01 12:00:04 UTC · was shown #1",
            ),
        ]
        words = page.words.text()
        assert words.startswith("Prompt 1 of 2, 2026-03-01 12:00:00 UTC, 90 characters")
        assert words.endswith("Done next: 1 fetched.")
        press(page.prompts, Qt.Key.Key_Down)
        await opened.controller.settled()
        done = told(page.shown)[3:]
        assert done == [
            ("the gauge is broken", "then retired · 2026-03-01 12:00:09 UTC · was shown #2"),
            ("then searched, 2026-03-01 12:00:10 UTC", ""),
        ]
        (gone,) = [row for row in spoken(page.shown) if row.startswith("the gauge")][:1]
        assert gone.startswith("the gauge is broken, retired, #2 · score 0.0161 · then retired")


async def test_a_memory_that_is_no_more_is_said_to_be_and_cannot_be_opened(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        missing = contents(page.shown)[1]
        assert missing.gist == f"{uuid_of('nobody')[:4]}… is not in this store any more"
        page.shown.setFocus()
        press_at_focus(opened.window, Qt.Key.Key_End)
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid is None


async def test_a_row_is_read_beside_the_page_by_keys_alone(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        window = opened.window
        await until(window.isActiveWindow)
        assert window.focusWidget() is audit_page(opened).sessions
        for _ in range(2):
            window.actions_by_name["next_pane"].trigger()
        assert window.focusWidget() is audit_page(opened).shown.table
        press_at_focus(window, Qt.Key.Key_Down)
        press_at_focus(window, Qt.Key.Key_Up)
        await opened.controller.settled()
        assert window.detail_panel.shown_uuid == uuid_of("bus")
        facts = window.detail_panel.facts.values()
        assert (facts["injected"], facts["fetched"]) == ("3 times", "never")
        assert facts["amended after injection"] == "never"
        assert opened.page() == "audit"
        press_at_focus(window, Qt.Key.Key_Return)
        assert window.focusWidget() is window.detail_panel.text
        assert nameless(window) == []


async def test_the_lists_name_what_was_ignored_misleading_never_shown_or_above(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        assert await choose_list(opened, AuditList.IGNORED) == [
            ("the bus stops at the pier", "last 2026-03-01 12:00 · shown 3 · fetched 0 · amended 0")
        ]
        page = audit_page(opened)
        assert page.list_words.text().endswith("no agent ever fetched it. 1 row.")
        assert await choose_list(opened, AuditList.MISLEADING) == [
            (
                "the gauge is broken",
                "retired 2026-03-01 12:00, shown 2026-03-01 12:00 · "
                "shown 1 · fetched 0 · amended 0",
            )
        ]
        assert not page.often.isVisible()
        assert await choose_list(opened, AuditList.NEVER) == []
        assert "every live memory was shown" in page.list_words.text()
        ((gist, words),) = await choose_list(opened, AuditList.ABOVE)
        assert gist == "tide tables are printed"
        assert words.startswith(f"shown #2, {uuid_of('tide')[:4]}… #3 · 2026-03-01 12:00")


async def test_how_often_is_often_can_be_chosen(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        await choose_list(opened, AuditList.IGNORED)
        page.often.setValue(1)
        await opened.controller.settled()
        gists = {gist for gist, _ in told(page.listed)}
        assert len(page.listed.rows) == 5, "all that was shown, the ferry was fetched"
        assert "the ferry waits for the tide" not in gists
        page.often.setValue(4)
        await opened.controller.settled()
        assert told(page.listed) == []
        assert "There is none" in page.list_words.text()


async def test_two_stores_are_played_together_and_a_row_goes_to_its_own(tmp_path: Path) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        assert page.head.scope.text() == "in harbour, garden (all 2 open stores)"
        sessions, _ = line_texts(opened)
        assert sorted(sessions) == [
            "2026-03-01 12:00 · 1 prompt · garden · night",
            "2026-03-01 12:00 · 2 prompts · harbour · evening",
            "2026-03-01 12:00 · 2 prompts · harbour · morning",
        ]
        await choose_list(opened, AuditList.NEVER)
        (fern,) = contents(page.listed)
        assert (fern.gist, fern.badge) == ("ferns want shade", "garden")
        assert front(opened) == "harbour"
        page.listed.setFocus()
        press_at_focus(opened.window, Qt.Key.Key_Home)
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("fern")
        assert front(opened) == "garden"
        assert opened.page() == "audit"
        assert page.listed.selected_uuid() == uuid_of("fern")
        check(opened, "garden", False)
        await opened.controller.opening.settled()
        await opened.controller.settled()
        assert told(page.listed) == []
        assert page.head.scope.text() == "in harbour (1 of 2 open stores)"


async def test_a_store_that_is_written_is_read_anew_and_the_selection_stays(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        page.shown.select(uuid_of("bus"))
        await opened.controller.settled()
        log = LogOf(lines=[], ops=90)
        log.prompt("evening", "bus", "ferry")
        log.write(tmp_path / "harbour")
        await until(lambda: len(page.prompts.lines.lines) == 4)
        await opened.controller.settled()
        assert str(page.sessions.chosen_key()).endswith("'evening'")
        assert page.shown.selected_uuid() == uuid_of("bus")
        assert told(page.shown)[0][1] == "shown 3 times at #1 ×3 · not fetched"


async def test_what_was_done_before_the_first_prompt_and_without_one_can_be_opened(
    tmp_path: Path,
) -> None:
    project = store_of(tmp_path / "harbour", HARBOUR)
    log = LogOf()
    log.did("s", "remember", "ferry")
    log.did("s", "search", None)
    log.prompt("s", "tide")
    log.did("s", "amend", "ferry")
    log.did("t", "fetch", "bus")
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        assert told(page.shown) == [
            ("tide tables come by post", "shown 1 time at #1 · not fetched"),
            (
                "the ferry waits for the tide",
                "before the first prompt: remembered · 2026-03-01 12:00:00 UTC",
            ),
            ("before the first prompt: searched, 2026-03-01 12:00:01 UTC", ""),
        ]
        press(page.prompts, Qt.Key.Key_Down)
        await opened.controller.settled()
        assert told(page.shown)[1] == (
            "the ferry waits for the tide",
            "then amended · 2026-03-01 12:00:04 UTC · not shown with it",
        )
        press(page.sessions, Qt.Key.Key_Down)
        await opened.controller.settled()
        assert told(page.shown) == [
            ("Nothing was shown in this session.", ""),
            (
                "the bus stops at the pier",
                "before the first prompt: fetched · 2026-03-01 12:00:05 UTC",
            ),
        ]


async def test_sessions_in_which_nothing_was_asked_stand_below_those_with_prompts(
    tmp_path: Path,
) -> None:
    project = store_of(tmp_path / "harbour", HARBOUR)
    log = LogOf()
    log.did("wrote first", "remember", "ferry")
    log.prompt("asked first", "ferry")
    log.prompt("asked last", "ferry")
    log.did("wrote last", "amend", "ferry")
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        sessions, prompts = line_texts(opened)
        assert [line.rsplit(" · ", 1)[1] for line in sessions] == [
            *("asked last", "asked first", "wrote last", "wrote first")
        ]
        assert len(prompts) == 2, "the latest session with a prompt is played"


async def test_ranks_of_a_session_are_told_prompt_by_prompt_equal_ones_in_a_row_once(
    tmp_path: Path,
) -> None:
    project = store_of(tmp_path / "harbour", HARBOUR)
    log = LogOf()
    for shown in (("ferry",), ("ferry",), ("bus", "ferry"), ("ferry",)):
        log.prompt("s", *shown)
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        assert [words for _, words in told(audit_page(opened).shown)] == [
            "shown 4 times at #1 ×2, #2, #1 · not fetched",
            "shown 1 time at #1 · not fetched",
        ]


async def test_a_store_that_fails_does_not_keep_the_rows_of_the_others_from_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = install(monkeypatch)
    async with harbour(tmp_path, with_garden=True) as opened:
        await show_page(opened, "audit")
        driver.folder, driver.within, driver.fault = tmp_path / "harbour", "json_each", READ_FAILED
        page = audit_page(opened)
        await choose_list(opened, AuditList.IGNORED)
        page.often.setValue(1)
        await opened.controller.settled()
        assert len(page.listed.rows) == 6, "five of the harbour, which comes first, and the rose"
        assert told(page.listed) == [
            ("roses want sun", "last 2026-03-01 12:00 · shown 1 · fetched 0 · amended 0")
        ]
        assert "could not be read" in page.head.state.text() or page.head.again.isVisible()
        driver.fault = None


async def test_a_store_without_a_log_says_so(tmp_path: Path) -> None:
    project = store_of(tmp_path / "quiet", HARBOUR)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        page = audit_page(opened)
        assert "names no session" in page.head.state.text()
        assert not page.head.again.isVisible()
        assert len(await choose_list(opened, AuditList.NEVER)) == 3
        assert page.head.state.text() == ""


async def test_reading_that_is_cancelled_says_so_and_can_be_asked_for_again(
    tmp_path: Path,
) -> None:
    async with harbour(tmp_path) as opened:
        controller = opened.controller
        reader = controller.opening.stores.open[0].store
        assert reader is not None
        async with reader.database.browse.snapshot() as held:
            assert isinstance(held, Connection)
            opened.window.actions_by_name["audit"].trigger()
            await until(opened.window.message_bar.isVisible)
            (message,) = opened.window.message_bar.messages()
            assert message.text.startswith("Reading the event log")
            controller.work.cancel("audit sessions")
            await until(audit_page(opened).head.again.isVisible)
        assert "it was cancelled" in audit_page(opened).head.state.text()
        audit_page(opened).head.again.click()
        await controller.settled()
        assert audit_page(opened).head.state.text() == ""
        assert len(audit_page(opened).sessions.lines.lines) == 2


async def test_looking_at_it_writes_nothing(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        before = all_digests(tmp_path / "harbour")
        await show_page(opened, "audit")
        for which in AuditList:
            await choose_list(opened, which)
        assert all_digests(tmp_path / "harbour") == before


async def test_hostile_names_are_shown_as_marks(tmp_path: Path) -> None:
    project = store_of(tmp_path / "odd", HARBOUR)
    log = LogOf()
    log.prompt("<b>evil</b>\u202e\nline", "ferry")
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        (session,), _ = line_texts(opened)
        assert session.endswith("<b>evil</b>⟨U+202E⟩ line")
        assert "⟨U+202E⟩" in audit_page(opened).words.text()


def test_the_log_of_the_tests_has_what_they_say() -> None:
    assert len(harbour_log().lines) == 16


async def test_the_window_closes_while_a_page_is_being_read(tmp_path: Path) -> None:
    async with harbour(tmp_path) as opened:
        opened.window.actions_by_name["timeline"].trigger()
        opened.window.actions_by_name["audit"].trigger()
        assert opened.controller.pages.is_busy


async def test_closing_the_store_empties_the_page(tmp_path: Path) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        await show_page(opened, "audit")
        opened.controller.stores.close_front()
        await until(lambda: len(audit_page(opened).sessions.lines.lines) == 1)
        await opened.controller.settled()
        assert audit_page(opened).head.scope.text() == "in garden"
        assert contents(audit_page(opened).shown)[0].gist == "roses want sun"
        opened.controller.stores.close_front()
        await opened.controller.opening.settled()
        assert not audit_page(opened).sessions.lines.lines
        assert told(audit_page(opened).shown) == []
