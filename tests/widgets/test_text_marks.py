"""Hostile text: what a list shows for it, and which text gets a badge."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.text_marks import (
    is_damaged,
    marked,
    needs_badge,
    one_line,
    plain_tooltip,
    reads_from_right,
)

_HOSTILE = {
    "allow \u202eylno daer\u202c": "allow ⟨U+202E⟩ylno daer⟨U+202C⟩",
    "pay\u200bpal": "pay⟨U+200B⟩pal",
    "\u2066a\u2067b\u2068c\u2069": "⟨U+2066⟩a⟨U+2067⟩b⟨U+2068⟩c⟨U+2069⟩",
    "\ufeffstart": "⟨U+FEFF⟩start",
    "\x1b[31mred": "⟨U+001B⟩[31mred",
    "tag\U000e0041\U000e0042": "tag⟨U+E0041⟩⟨U+E0042⟩",
    "nul\x00": "nul⟨U+0000⟩",
    "soft\xadhyphen": "soft⟨U+00AD⟩hyphen",
    "latin\u200dletters": "latin⟨U+200D⟩letters",
    "left\u200eto right": "left⟨U+200E⟩to right",
    "select\ufe0f": "select⟨U+FE0F⟩",
}


@pytest.mark.parametrize(("stored", "shown"), _HOSTILE.items())
def test_a50_what_is_not_seen_as_it_is_becomes_a_mark_with_a_badge(stored: str, shown: str) -> None:
    assert one_line(stored) == shown
    assert needs_badge(stored)


@pytest.mark.parametrize(
    "text",
    [
        "שלום (123) test",
        "שלום\u200f, עולם",  # a mark that Hebrew punctuation needs
        "مرحبا بالعالم",
        "می\u200cخواهم",  # Persian spells with the non-joiner
        "क्\u200dष",
        "👩\u200d👩\u200d👧\u200d👦 and ❤\ufe0f and 1\ufe0f\u20e3",
        "葛\U000e0100城",
        "plain ASCII, naïve café, 日本語",
    ],
)
def test_a50_ordinary_writing_is_not_flagged_and_shows_unchanged(text: str) -> None:
    assert not needs_badge(text)
    assert one_line(text) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\u2028 \ufeff", "\u3000\xa0"])
def test_a42_a_gist_with_nothing_to_see_shows_as_blank(text: str) -> None:
    assert one_line(text) == "(blank)"


def test_white_space_of_any_kind_is_one_space_in_a_list() -> None:
    assert one_line(" a\r\n\tb\u2028c\xa0\xa0d\x85e ") == "a b c d e"


def test_a33_bytes_that_are_no_text_show_as_replacement_characters() -> None:
    damaged = "hi\udced\udca0\udcbd"
    assert one_line(damaged) == "hi\ufffd\ufffd\ufffd"
    assert is_damaged(damaged)
    assert not needs_badge(damaged), "damage has a badge of its own"


def test_many_of_one_hidden_character_are_counted() -> None:
    assert one_line("a" + "\u200b" * 12 + "b") == "a⟨U+200B ×12⟩b"


def test_a_list_never_looks_at_more_than_the_head_of_a_gist() -> None:
    line = one_line("x" * 2_000_000)
    assert line == "x" * 400 + "…"


def test_marked_text_keeps_its_lines_and_says_what_it_left_out() -> None:
    assert marked("a\n\u202eb") == "a\n⟨U+202E⟩b"
    assert marked("abcdef", 4) == "abcd… (2 more characters)"


@pytest.mark.parametrize(
    "text", ["Use List<String> here & x &lt; y", "if a<b and c>d", "<b>bold</b><img src='x'>"]
)
def test_a49_a_tooltip_has_every_character_and_no_markup_of_the_text(text: str) -> None:
    tip = plain_tooltip(text)
    inner = tip.split(">", 1)[1].rsplit("<", 1)[0]
    assert "<" not in inner
    assert html.unescape(inner) == text


@given(st.text(st.characters(), max_size=60))
def test_any_text_makes_one_line_that_qt_can_hold_and_that_hides_nothing(text: str) -> None:
    line = one_line(text)
    assert line == " ".join(line.split()) != ""
    assert not is_damaged(line)
    assert not needs_badge(line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום abc", True), ("123 مرحبا", True), ("abc שלום", False), ("", False)],
)
def test_a_text_has_the_direction_of_its_first_letter(text: str, expected: bool) -> None:
    assert reads_from_right(text) is expected
