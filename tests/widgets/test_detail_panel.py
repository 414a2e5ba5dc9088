"""One memory: text as stored, facts in words, badges, lineage links, copies."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.readmodels import EventRow, LineageStep, LogCounts, MemoryDetail
from tests.widgets.builders import detail, head, uuid_of
from widgets.detail_panel import DetailPanel


def _panel(qtbot: QtBot) -> DetailPanel:
    panel = DetailPanel()
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show()
    return panel


def _press(panel: DetailPanel, text: str) -> None:
    (button,) = [b for b in panel.findChildren(QPushButton) if b.text() == text]
    button.click()


def _event(number: int, kind: str = "amend") -> EventRow:
    at = f"2026-03-{number:02d}T10:00:00.000000+00:00"
    return EventRow(number, at, "sess-1", "mcp", "op1", kind, uuid_of(1), '{"from": "<b>"}')


@pytest.mark.parametrize("width", range(240, 640, 20))
def test_no_letter_of_a_long_title_lies_under_its_scroll_bar(qtbot: QtBot, width: int) -> None:
    panel = DetailPanel()
    qtbot.addWidget(panel)
    panel.resize(width, 400)
    panel.show()
    gist = "the integration tests build the template database when the schema changed, " * 4
    panel.show_detail(detail(head(1, gist), "text"), [], [], [])
    qtbot.waitUntil(lambda: panel.title.height() > 2 * panel.title.fontMetrics().lineSpacing())
    layout = panel.title.document().firstBlock().layout()
    widths = [layout.lineAt(at).naturalTextWidth() for at in range(layout.lineCount())]
    assert max(widths) <= panel.title.viewport().width()


def test_a_memory_is_shown_with_its_facts(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    shown = detail(head(1, "the gist", version=3), "line one\nline two")
    panel.show_detail(shown, [], [], [], LogCounts(1503, injected=1200, fetched=1))
    assert panel.title.toPlainText() == "the gist"
    assert panel.text.toPlainText() == "line one\nline two"
    assert panel.facts.values() == {
        "uuid": uuid_of(1),
        "state": "live",
        "tier": "journal",
        "version": "3",
        "created": "2026-03-04 10:20:30 UTC",
        "updated": "2026-03-04 10:20:30 UTC",
        "session": "sess-1",
        "tokens": "42",
        "injected": "1,200 times",
        "fetched": "1 time",
        "amended after injection": "never",
    }
    labels = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert "live · journal · version 3 · 42 tokens · created 2026-03-04 10:20" in labels
    assert panel.shown_uuid == uuid_of(1)


def test_a49_copies_are_identical_to_what_is_stored(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    gist, text = "pay\u200bpal <b>", "Use List<String> here & x &lt; y\r\n\u202eend\xa0"
    panel.show_detail(detail(head(1, gist), text), [], [], [])
    _press(panel, "Copy text")
    assert QGuiApplication.clipboard().text() == text
    _press(panel, "Copy gist")
    assert QGuiApplication.clipboard().text() == gist
    panel.text.selectAll()
    panel.text.copy()
    assert QGuiApplication.clipboard().text() == text


def test_badges_say_what_to_beware_of(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    odd = detail(head(1, "a\u202eb", version=None), "x\udced", is_damaged=True)
    panel.show_detail(odd, [], [], [])
    assert panel.badges.badges == (
        "damaged text",
        "hidden characters",
        "odd version: read-only row",
    )
    panel.show_detail(detail(head(2)), [], [], [])
    assert panel.badges.isHidden()


def test_a50_hidden_characters_in_the_text_alone_get_the_badge(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    panel.show_detail(detail(head(1, "plain"), "x" * 500_000 + "\u2066"), [], [], [])
    assert panel.badges.badges == ("hidden characters",)


def _chain() -> tuple[MemoryDetail, list[LineageStep]]:
    old = detail(head(1, active=False, by=uuid_of(2)))
    steps = [
        LineageStep(uuid_of(2), head(2, "next & <b>", active=False, by=uuid_of(3))),
        LineageStep(uuid_of(3), head(3, "newest")),
    ]
    return old, steps


def test_the_replacement_and_the_end_of_the_chain_are_links(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    panel.show_detail(*_chain(), [], [])
    wanted: list[str] = []
    panel.memory_wanted.connect(wanted.append)
    assert panel.links.replaced_by.text() == "Replaced by 0000… next & <b>"
    assert panel.links.end_of_chain.text() == "End of chain (live): 0000… newest"
    panel.links.replaced_by.click()
    panel.links.end_of_chain.click()
    assert wanted == [uuid_of(2), uuid_of(3)]
    assert panel.facts.values()["state"] == f"replaced by {uuid_of(2)}"


def test_a_replacement_that_is_missing_is_named_and_leads_nowhere(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    gone = LineageStep(uuid_of(2), None)
    panel.show_detail(detail(head(1, active=False, by=uuid_of(2))), [gone], [], [])
    said = f"Replaced by a record that is missing: {uuid_of(2)}"
    assert panel.links.replaced_by.text() == said
    assert not panel.links.replaced_by.isEnabled()
    assert panel.links.end_of_chain.isHidden()


def test_a_replacement_that_is_itself_retired_is_said_so(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    step = LineageStep(uuid_of(2), head(2, "next", active=False))
    panel.show_detail(detail(head(1, active=False, by=uuid_of(2))), [step], [], [])
    said = "Replaced by a memory that is itself retired: 0000… next"
    assert panel.links.replaced_by.text() == said
    assert panel.links.replaced_by.isEnabled()


def test_a_chain_that_comes_back_is_no_missing_record(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    steps = [
        LineageStep(uuid_of(2), head(2, "next", active=False, by=uuid_of(1))),
        LineageStep(uuid_of(1), None),
    ]
    panel.show_detail(detail(head(1, active=False, by=uuid_of(2))), steps, [], [])
    assert panel.links.end_of_chain.text().startswith("The chain has no end")


def test_what_it_replaced_is_counted_and_each_can_be_read(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    panel.show_detail(detail(head(9)), [], [head(1, "one"), head(2, "R&D")], [])
    wanted: list[str] = []
    panel.memory_wanted.connect(wanted.append)
    assert panel.links.replaces.text() == "Replaces 2 ▾"
    first, second = panel.links.menu.actions()
    assert second.text() == "0000… R&&D", "an ampersand is no mnemonic"
    first.trigger()
    assert wanted == [uuid_of(1)]


def test_a_row_without_lineage_shows_no_links(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    panel.show_detail(*_chain(), [], [])
    panel.show_detail(detail(head(5)), [], [], [])
    assert panel.links.isHidden()


def test_the_latest_events_are_listed_and_all_are_counted(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    events = [_event(n) for n in range(25, 0, -1)]
    panel.show_detail(detail(head(1)), [], [], events)
    assert panel.facts.events.topLevelItemCount() == 20
    item = panel.facts.events.topLevelItem(0)
    assert item is not None
    assert [item.text(c) for c in range(4)] == ["2026-03-25 10:00:00 UTC", "amend", "mcp", "sess-1"]
    assert "&lt;b&gt;" in item.toolTip(1)
    labels = [label.text() for label in panel.facts.findChildren(QLabel)]
    assert "25 events, the latest 20" in labels
    panel.show_detail(detail(head(1)), [], [], events, LogCounts(3210))
    labels = [label.text() for label in panel.facts.findChildren(QLabel)]
    assert "3,210 events, the latest 20" in labels, "a total, not the length of a page"


def test_a_text_of_megabytes_shows_its_head_until_all_is_asked_for(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    text = "x" * 2_000_000
    panel.show_detail(detail(head(1), text), [], [], [])
    labels = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert "The first 200,000 of 2,000,000 characters are shown." in labels
    _press(panel, "Copy text")
    assert QGuiApplication.clipboard().text() == text
    _press(panel, "Show all")
    assert panel.text.rest == 0
    (button,) = [b for b in panel.findChildren(QPushButton) if b.text() == "Show all"]
    assert not button.isVisible()


def test_showing_the_same_memory_again_keeps_the_place_read(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    shown = detail(head(1), "line\n" * 500)
    panel.show_detail(shown, [], [], [])
    panel.text.verticalScrollBar().setValue(200)
    panel.show_detail(shown, [], [], [_event(1)])
    assert panel.text.verticalScrollBar().value() == 200
    panel.show_detail(detail(head(2), "line\n" * 500), [], [], [])
    assert panel.text.verticalScrollBar().value() == 0


def test_clearing_shows_no_memory(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    panel.show_detail(detail(head(1)), [], [], [])
    panel.clear()
    assert panel.shown_uuid is None
    assert not panel.title.isVisible()
