"""Searching in the window: words at once, meaning after the pause, the list of the text in the box.

The lists are compared with what the reference peer recorded on the demo store.
"""

import asyncio
from pathlib import Path

import pysqlite3
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.retrieval.outcome import SearchOutcome
from tests.support.open_window import OpenWindow, open_window
from tests.support.recorded import answer_of, assert_same
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import (
    demo_project,
    demo_recorded,
    ferry_store,
    real_encoder,
    recorded_encoder,
    stub,
    stub_services,
)
from widgets.hit_view import REFINING

_TYPED = (
    "boarding pass base45",
    "how do I run the integration tests",
    "kubernetes pilot",
    "HP-4012",
    "Kråkøy ØSTBY ærfugl Å",
    "!!! ??? ...",
    "NEAR(hold booking, 3)",
)
_BLANKS = ["", "   ", "\t\n", "\u3000", "\u200b"]


def progress(opened: OpenWindow) -> str:
    return opened.window.hit_view._progress.text()


def words_of(outcome: SearchOutcome) -> list[str]:
    ranked = [(h.lexical.rank, h.uuid) for h in outcome.hits if h.lexical is not None]
    return [uuid for _, uuid in sorted(ranked)]


async def test_what_is_typed_shows_what_the_agent_is_shown(tmp_path: Path) -> None:
    encoder = recorded_encoder()
    cases = {(c.query, c.include_retired): c.answer for c in demo_recorded().external}
    async with open_window(stub_services(encoder, tmp_path), demo_project(tmp_path)) as opened:
        for text in _TYPED:
            outcome = await opened.search(text)
            assert_same(answer_of(outcome), cases[text, False], text)
            assert opened.rows() == [row[0] for row in cases[text, False].pool]
    assert "MainThread" not in encoder.threads


async def test_the_shipped_model_answers_as_recorded(tmp_path: Path) -> None:
    services = stub_services(real_encoder(), tmp_path)
    case = next(c for c in demo_recorded().external if c.query == "SK7F3K")
    async with open_window(services, demo_project(tmp_path)) as opened:
        await opened.search(case.query)
        assert opened.rows()[:5] == [row[0] for row in case.answer.pool][:5]


async def test_words_come_at_once_and_meaning_after_the_pause(tmp_path: Path) -> None:
    encoder = stub()
    gate = encoder.hold("tide tables")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        opened.type("tide tables")
        await until(lambda: encoder.calls == ["tide tables"])
        by_words = opened.outcome
        assert by_words is not None
        assert not by_words.dense.ran
        assert opened.rows() == [uuid_of(n) for n in ("tide", "ferry", "old")]
        assert progress(opened) == REFINING
        assert "meaning: refining…" in opened.window.status_strip.words()
        assert opened.banners() == ""
        gate.set()
        await opened.settled()
        refined = opened.outcome
        assert refined is not None
        assert refined.dense.ran
        assert words_of(refined) == words_of(by_words)
        assert len(opened.rows()) > 3
        assert progress(opened) == ""
        assert "words ✓ | meaning ✓" in opened.window.status_strip.words()


async def test_the_newest_text_wins_over_a_slow_older_one(tmp_path: Path) -> None:
    encoder = stub()
    gate = encoder.hold("bus")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        shown = shown_texts(opened)
        opened.type("bus")
        await until(lambda: encoder.calls == ["bus"])
        opened.type("ferry")
        await until(lambda: opened.outcome and opened.outcome.query.text == "ferry")
        gate.set()
        await opened.settled()
        assert opened.outcome is not None
        assert opened.outcome.dense.ran
        assert shown == [("bus", False), ("ferry", False), ("ferry", True)]


async def test_a_late_error_of_an_older_text_is_dropped(tmp_path: Path) -> None:
    encoder = stub()
    gate = encoder.hold("bus")
    encoder.fail("bus")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        opened.type("bus")
        await until(lambda: encoder.calls == ["bus"])
        opened.type("ferry")
        gate.set()
        await opened.settled()
        assert opened.page() == "results"
        assert opened.banners() == ""
        assert opened.outcome is not None
        assert opened.outcome.dense.ran


async def test_a_model_that_fails_on_a_text_leaves_the_words_and_says_so(tmp_path: Path) -> None:
    encoder = stub()
    encoder.fail("tide tables")
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        outcome = await opened.search("tide tables")
        assert opened.page() == "results"
        assert not outcome.dense.ran
        assert opened.rows() == [uuid_of(n) for n in ("tide", "ferry", "old")]
        assert "dense_arm_off" in opened.banners()
        assert "The model failed on 'tide tables'." in opened.banners()
        await opened.search("bus")
        assert opened.banners() == ""


def shown_texts(opened: OpenWindow) -> list[tuple[str, bool]]:
    """Note each list that is shown as (its text, whether by meaning too); the box must say it."""
    shown: list[tuple[str, bool]] = []
    show = opened.controller.view.show_outcome

    def note(outcome: SearchOutcome, *, refining: bool) -> None:
        text = outcome.query.text or ""
        assert text == opened.window.search_bar.text()
        shown.append((text, outcome.dense.ran))
        show(outcome, refining=refining)

    opened.controller.view.show_outcome = note  # type: ignore[method-assign]  # to listen
    return shown


async def test_every_list_belongs_to_the_text_in_the_box(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        shown = shown_texts(opened)
        box = opened.window.search_bar.box
        for turn in range(3):
            for at, key in enumerate("tide ferry pier"):
                QTest.keyClicks(box, key)
                if at % (turn + 2) == 0:
                    await asyncio.sleep(0.045)  # long enough for some lists, not for all
            for _ in range(9 + turn):
                QTest.keyClick(box, Qt.Key.Key_Backspace)
                await asyncio.sleep(0.01 * turn)
        await opened.settled()
        assert box.text() == "tide ftide tide"  # 15 keys and 9, 10, 11 deletes in turn
        assert shown[-1] == (box.text(), True)
        assert opened.outcome is not None
        assert opened.outcome.query.text == box.text()
        assert len({text for text, _ in shown}) > 5


@pytest.mark.parametrize("blank", _BLANKS, ids=ascii)
async def test_a10_a_blank_box_browses_and_asks_no_model(blank: str, tmp_path: Path) -> None:
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        opened.type(blank)
        await opened.settled()
        assert opened.page() == "browse"
        assert len(opened.browse_rows()) == 26
        assert encoder.calls == []
        await opened.search("bus")
        opened.type(blank)
        await opened.controller.settled()
        assert opened.page() == "browse"
        assert opened.outcome is None
        assert opened.rows() == []
        assert encoder.calls == ["bus"]


def by_time(project: Path) -> list[str]:
    raw = pysqlite3.connect(f"file://{project}/.zikaron/memory.db?mode=ro", uri=True)
    try:
        found = raw.execute("SELECT uuid, created_at FROM memory").fetchall()
    finally:
        raw.close()
    return [str(u) for u, _ in sorted(sorted(found), key=lambda r: str(r[1]), reverse=True)]


async def test_clearing_goes_back_to_all_memories_newest_first(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), demo_project(tmp_path)) as opened:
        newest_first = opened.browse_rows()[:100]
        assert newest_first == by_time(tmp_path / "demo")[:100]
        outcome = await opened.search("kubernetes")
        await opened.select(outcome.hits[0].uuid)
        opened.window.search_bar.clear()
        await opened.controller.settled()
        assert opened.page() == "browse"
        assert opened.browse_rows()[:100] == newest_first
        assert opened.window.browse_view._count.text() == "150 memories, newest first"
        assert opened.is_empty_handed()


async def test_retired_memories_come_and_go_with_their_switch(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("tide gauge")
        assert uuid_of("gone") not in opened.rows()
        assert uuid_of("gone") in opened.literal_rows()
        opened.window.search_bar.include_retired.click()
        await opened.settled()
        assert uuid_of("gone") in opened.rows()
        assert uuid_of("gone") not in opened.literal_rows()
        opened.window.search_bar.include_retired.click()
        await opened.settled()
        assert uuid_of("gone") not in opened.rows()


async def test_a_text_embedded_before_gives_the_whole_list_in_one_step(tmp_path: Path) -> None:
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        await opened.search("ferry")
        await opened.search("bus")
        shown = shown_texts(opened)
        await opened.search("ferry")
        assert shown == [("ferry", True)]
        assert encoder.calls == ["ferry", "bus"]


async def test_text_the_agent_cannot_find_stands_apart_below(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), ferry_store(tmp_path)) as opened:
        outcome = await opened.search("idexylo")
        assert all(h.lexical is None for h in outcome.hits)
        ranked, literal = opened.rows(), opened.literal_rows()
        assert not set(ranked) & set(literal)
        assert uuid_of("glued") in [*ranked, *literal]


async def test_a11_a_pasted_document_is_answered_and_said_to_be_shortened(tmp_path: Path) -> None:
    pasted = " ".join(f"tide{n}" for n in range(20_000)) + " ferry"
    encoder = stub()
    async with open_window(stub_services(encoder, tmp_path), ferry_store(tmp_path)) as opened:
        outcome = await opened.search(pasted)
        assert outcome.query.text == pasted
        assert len(outcome.query.lexical.terms) == 64
        assert "query_truncated" in opened.banners()
        assert encoder.calls == [" ".join(f"tide{n}" for n in range(30))]
        await opened.search("(" * 300 + "a")
        assert opened.page() == "results"
