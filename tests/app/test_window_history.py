"""Texts that were seen, the agent's writes while away, near-duplicates, the blast radius."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMessageBox

from tests.support.accessibility import nameless
from tests.support.digests import all_digests
from tests.support.open_window import open_window
from tests.support.personal_window import personal_window
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer


async def test_a_text_that_was_seen_is_compared_with_the_one_of_today_and_forgotten(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer, opened = Writer(personal.opened), personal.opened
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await writer.open_editor("amend")
        await writer.stage_text("tide tables come from the harbour office", "fetched at five")
        await writer.commit()
        await until(
            lambda: opened.window.detail_panel.shown is not None
            and opened.window.detail_panel.shown.head.version == 2
        )
        await personal.settled()
        texts = writer.writing.texts
        writer.trigger("text_history")
        await until(lambda: texts.dialog is not None and len(texts.dialog.lines()) == 2)
        dialog = texts.dialog
        assert dialog is not None and nameless(dialog) == []
        assert [line.split(" · ")[0] for line in dialog.lines()] == ["Version 2", "Version 1"]
        await until(lambda: dialog.view.text().endswith("fetched at {−four−}{+five+}"))
        dialog.buttons["copy"].click()
        assert QApplication.clipboard().text() == "fetched at five"
        QApplication.clipboard().clear()
        dialog.list.setCurrentRow(1)
        dialog.buttons["forget"].click()
        await until(lambda: len(dialog.lines()) == 1)
        dialog.reject()
        await until(lambda: texts.dialog is None)
        await personal.settled()


async def test_what_the_agent_wrote_while_away_is_told_and_shown_with_the_text_before(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path)
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, project) as personal:
        await personal.opened.search("tide tables")
        await personal.opened.select(uuid_of("tide"))
        await personal.settled()
    with writing(project) as raw:
        raw.execute(
            "UPDATE memory SET version = 2, content = 'fetched at nine' WHERE uuid = ?",
            (uuid_of("tide"),),
        )
        raw.execute(
            "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
            "VALUES ('2026-05-01T10:00:00+00:00', 's1', 'mcp', 'o1', 'amend', ?, "
            "'{\"from_version\": 1, \"to_version\": 2}')",
            (uuid_of("tide"),),
        )
    async with personal_window(given, project) as again:
        writer = Writer(again.opened)
        await until(lambda: "1 change by others while you were away" in writer.said())
        again.window.message_bar.action_wanted.emit("inbox", "show")
        inbox = writer.writing.inbox
        await until(lambda: inbox.dialog is not None)
        dialog = inbox.dialog
        assert dialog is not None and nameless(dialog) == []
        assert dialog.lines() == [
            "Amended: tide tables come from the harbour office · 2026-05-01 10:00"
        ]
        await until(lambda: dialog.view.text().endswith("fetched at {−four−}{+nine+}"))
        dialog.buttons["go"].click()
        await until(lambda: again.window.detail_panel.shown_uuid == uuid_of("tide"))
        await again.settled()
        writer.trigger("inbox")
        await until(lambda: inbox.dialog is not None)
        assert inbox.dialog is not None and inbox.dialog.lines() == []
        inbox.dialog.reject()
        await until(lambda: inbox.dialog is None)


async def test_a18_what_is_near_the_old_text_is_offered_and_nothing_is_staged_by_itself(
    tmp_path: Path,
) -> None:
    near = [Memory(f"near {n}", "the gate code is 4711", f"ask the porter {n}") for n in range(3)]
    new = Memory("new", "doors open by badge since June", "no code any more")
    project = build_store(tmp_path, [*near, new, *distractors(20)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("gate code")
        await writer.supersede("near 0", "new")
        await writer.commit()
        await until(lambda: "2 live memories are near a text" in writer.said())
        assert writer.entries() == []
        opened.window.message_bar.action_wanted.emit("review", "show")
        review = writer.writing.review
        assert review.dialog is not None and nameless(review.dialog) == []
        assert len(review.dialog.lines()) == 2
        review.dialog.list.selectAll()
        await opened.settled()
        review.dialog.buttons["replace"].click()
        await until(lambda: len(writer.entries()) == 2)
        assert all(e.startswith("Replace by “doors open by badge") for e in writer.entries())
        await opened.settled()


async def test_the_blast_radius_says_how_the_search_on_screen_would_rank(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        writer = Writer(opened)
        await opened.search("tide tables")
        first = opened.rows()[:2]
        assert first[0] == uuid_of("tide")
        await writer.retire("tide")
        before = all_digests(project)
        opened.window.pending_bar.buttons["blast"].click()
        await until(lambda: writer.writing.page is not None)
        page = writer.writing.page
        assert page is not None and nameless(page) == []
        assert page.content.headline.startswith("1 of 1 search would rank otherwise")
        rows = {row[1]: row[2:] for row in page.content.rows}
        assert rows["tide tables come from the harbour office"] == ("#1", "–", "leaves the list")
        second = opened.window.hit_view.list.model().index(1, 0).data()
        assert rows[second][:2] == ("#2", "#1")
        page.reject()
        await until(lambda: writer.writing.page is None)
        assert all_digests(project) == before


async def test_a_history_that_is_switched_off_keeps_nothing_and_says_so(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer, opened = Writer(personal.opened), personal.opened
        chosen = personal.personal.preferences.chosen
        personal.personal.preferences.choose(replace(chosen, text_history=False))
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await personal.settled()
        writer.trigger("text_history")
        texts = writer.writing.texts
        await until(lambda: texts.dialog is not None and bool(texts.dialog.headline.text()))
        assert texts.dialog is not None and texts.dialog.lines() == []
        assert "switched off in the preferences" in texts.dialog.headline.text()
        texts.dialog.reject()
        await until(lambda: texts.dialog is None)


async def test_the_whole_history_is_cleared_after_a_question(tmp_path: Path) -> None:
    project = ferry_store(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), project) as personal:
        writer, opened = Writer(personal.opened), personal.opened
        await opened.search("tide tables")
        await opened.select(uuid_of("tide"))
        await personal.settled()
        writer.trigger("text_history")
        texts = writer.writing.texts
        await until(lambda: texts.dialog is not None and len(texts.dialog.lines()) == 1)
        dialog = texts.dialog
        assert dialog is not None
        dialog.buttons["clear"].click()
        await until(lambda: bool(dialog.findChildren(QMessageBox)))
        (box,) = dialog.findChildren(QMessageBox)
        await until(box.isVisible)
        assert "cannot be undone" in box.text()
        (clear,) = [b for b in box.buttons() if b.text() == "Clear history"]
        clear.click()
        await until(lambda: dialog.lines() == [])
        dialog.reject()
        await until(lambda: texts.dialog is None)
        await personal.settled()
