"""Counters of an editor, and the blast radius page, as text."""

from core.commands.blast_radius import AskedQuery, QueryShift, RankedRow
from core.explain.compare import Movement
from core.readmodels import State
from widgets.blast_content import no_query_page, shifts_page
from widgets.editor_content import (
    Purpose,
    Tokens,
    content_line,
    gist_line,
    near_heading,
    title_of,
    why_not_edited_here,
)


def test_a_gist_is_counted_in_utf16_units_and_tokens() -> None:
    assert gist_line("ab", None) == "2 of 1,024 characters"
    assert gist_line("\U0001f6a2", None) == "2 of 1,024 characters"
    assert gist_line("ab", Tokens(1, 9, 64)) == "2 of 1,024 characters · 1 of 64 tokens"
    assert gist_line("x" * 1025, None) == "⚠ 1,025 of 1,024 characters: too long"
    assert gist_line("ab", Tokens(65, 9, 64)).endswith("⚠ 65 of 64 tokens: too long")
    assert content_line("abc", Tokens(1, 9, 64)) == "3 characters · 9 tokens"


def test_a_text_too_large_for_an_editor_is_sent_elsewhere() -> None:
    assert why_not_edited_here("gist", "text\n" * 1000) == ""
    assert "a line of 2,000,000" in why_not_edited_here("gist", "x" * 2_000_000)


def test_what_is_near_is_told_apart_from_what_is_not_known() -> None:
    assert near_heading(None, "") == "Looking for live memories near this text…"
    assert near_heading(0, "") == "No live memory is near this text."
    assert near_heading(2, "").startswith("2 live memories near this text")
    assert near_heading(None, "no model") == "no model"


def test_the_title_shows_hidden_characters_of_a_gist_as_marks() -> None:
    assert title_of(Purpose.AMEND, "a\u202eb") == "Amend “a⟨U+202E⟩b”"
    assert title_of(Purpose.NEW, None) == "New memory"


def test_the_blast_radius_tells_what_leaves_what_moves_and_what_changes_its_state() -> None:
    gone = RankedRow("a", "gone", State.LIVE)
    demoted = RankedRow("b", "demoted", State.LIVE)
    replaced = RankedRow("b", "demoted", State.SUPERSEDED)
    shift = QueryShift(
        AskedQuery("tide"),
        (gone, demoted),
        (RankedRow("c", "new", State.LIVE, is_new=True), replaced),
        (Movement("c", None, 1), Movement("b", 2, 2), Movement("a", 1, None)),
        "the model is not there",
    )
    same = QueryShift(AskedQuery("bus"), (gone,), (gone,), (Movement("a", 1, 1),))
    page = shifts_page((shift, same), 2)
    assert page.headline == (
        "1 of 2 searches would rank otherwise in the first 10 after 2 changes."
    )
    assert page.rows == (
        ("tide", "new", "–", "#1", "new memory"),
        ("tide", "demoted", "#2", "#2", "live → replaced"),
        ("tide", "gone", "#1", "–", "leaves the list"),
    )
    facts = {fact.label: fact for fact in page.facts}
    assert facts["Unchanged"].meaning == "bus"
    assert facts["By words only"].meaning == "the model is not there"
    assert "no search to try" in no_query_page(1).headline
