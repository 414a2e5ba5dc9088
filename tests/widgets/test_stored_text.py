"""The text view: every character visible, the copy identical, megabytes without a freeze."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from widgets.stored_text import LONGEST_LINE, ShownText
from widgets.stored_text_view import HEAD_CHARACTERS, HEAD_MARKS, StoredTextView

_NASTY = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("\r\n\t\u202e\u200b\u200d\x1b\x00\u2028\u2029\x85\x0b\xa0😀\ufdd0\ufffc"),
    ),
    max_size=300,
)


def _copied(view: StoredTextView) -> str:
    view.copy()
    return QGuiApplication.clipboard().text()


def _view(qtbot: QtBot, text: str) -> StoredTextView:
    view = StoredTextView()
    qtbot.addWidget(view)
    view.set_stored(text)
    return view


@pytest.mark.parametrize("unit", ["\u202e\u200b", "\u200b", "ab\u202e", "x\u202e\u202e\u202e"])
@pytest.mark.parametrize("lead", range(4))
def test_a50_no_hidden_character_slips_through_where_a_long_line_is_folded(
    unit: str, lead: int
) -> None:
    stored = "x" * lead + unit * (3 * LONGEST_LINE)
    shown = ShownText(stored)
    assert not {"\u202e", "\u200b"} & set(shown.shown)
    assert shown.between(0, len(shown.shown)) == stored
    assert max(map(len, shown.shown.split("\n"))) < 10 * LONGEST_LINE


@given(_NASTY)
def test_the_way_back_from_the_shown_text_gives_the_stored_one(text: str) -> None:
    shown = ShownText(text)
    assert shown.between(0, len(shown.shown.encode("utf-16-le")) // 2) == text


@given(_NASTY, st.integers(0, 300), st.integers(0, 300))
def test_a_cut_anywhere_in_the_shown_text_loses_and_doubles_nothing(
    text: str, first: int, second: int
) -> None:
    shown = ShownText(text)
    raw = shown.shown.encode("utf-16-le")
    end = len(raw) // 2
    inside = {p for start, length in shown.marks for p in range(start + 1, start + length)}
    halves = {i for i in range(1, end) if 0xDC <= raw[2 * i + 1] <= 0xDF}
    cut = min(end, first + second)
    if cut not in inside | halves:
        assert shown.between(0, cut) + shown.between(cut, end) == text


@settings(max_examples=40, deadline=None)
@given(text=_NASTY)
def test_a49_select_all_and_copy_gives_the_identical_text(qapp: object, text: str) -> None:
    view = StoredTextView()
    view.set_stored(text)
    view.selectAll()
    data = view.createMimeDataFromSelection()
    view.deleteLater()
    assert data.text() == text


@pytest.mark.parametrize(
    "text",
    ["Use List<String> here & x &lt; y", "if a<b and c>d", "Dict[str, <Foo>]", "<b>x</b>&amp;"],
)
def test_a49_markup_is_shown_as_it_is_stored(qtbot: QtBot, text: str) -> None:
    view = _view(qtbot, text)
    assert view.toPlainText() == text
    view.selectAll()
    assert _copied(view) == text


def test_a50_hidden_characters_are_shown_as_marks_and_copied_as_they_are(qtbot: QtBot) -> None:
    view = _view(qtbot, "pay\u200bpal \u202exyz")
    assert view.toPlainText() == "pay⟨U+200B⟩pal ⟨U+202E⟩xyz"
    cursor = view.textCursor()
    cursor.setPosition(1)
    cursor.setPosition(3 + len("⟨U+200B⟩") + 1, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert _copied(view) == "ay\u200bp"


def test_a_selection_that_touches_a_mark_takes_its_character_whole() -> None:
    shown = ShownText("ab\u202ecd")
    assert shown.shown == "ab⟨U+202E⟩cd"
    assert shown.between(1, 5) == "b\u202e"
    assert shown.between(5, 11) == "\u202ec"
    assert shown.between(0, 2) == "ab"


def test_a33_damaged_bytes_are_shown_and_copied_as_replacement_characters(qtbot: QtBot) -> None:
    view = _view(qtbot, "hi\udced\udca0!")
    assert view.toPlainText() == "hi\ufffd\ufffd!"
    view.selectAll()
    assert _copied(view) == "hi\ufffd\ufffd!"


def test_line_ends_of_every_kind_survive_the_copy(qtbot: QtBot) -> None:
    text = "one\r\ntwo\rthree\u2028four\nfive\xa0six"
    view = _view(qtbot, text)
    assert view.toPlainText().startswith("one\ntwo⟨U+000D⟩three⟨U+2028⟩four\nfive")
    view.selectAll()
    assert _copied(view) == text


@pytest.mark.parametrize("line", ["word " * 400_000, "x" * 2_000_000, "😀" * 1_000_000])
def test_a_line_of_megabytes_is_shown_by_its_head_and_in_short_pieces(
    qtbot: QtBot, line: str
) -> None:
    view = _view(qtbot, line)
    assert view.rest == len(line) - HEAD_CHARACTERS
    assert view.rest_words == (
        f"The first 200,000 of {len(line):,} characters are shown."
    )
    view.show_all()
    assert view.rest == 0 and view.rest_words == ""
    longest = max(len(piece) for piece in view.toPlainText().split("\n"))
    assert longest <= LONGEST_LINE, "Qt lays out a line at a time"
    view.selectAll()
    assert _copied(view) == line


def test_a_flood_of_hidden_characters_is_shown_in_parts(qtbot: QtBot) -> None:
    view = _view(qtbot, "a\u200b" * 100_000)
    assert 200_000 - view.rest == 2 * HEAD_MARKS + 1
    before = view.rest
    view.show_all()
    assert 0 < view.rest < before


def test_folding_keeps_accents_with_their_letters() -> None:
    shown = ShownText("x" + "e\u0301" * 3000).shown
    assert all(not piece.startswith("\u0301") for piece in shown.split("\n"))
    assert len(shown.split("\n")) == 4


def test_text_on_the_clipboard_does_not_crash_the_end_of_the_program() -> None:
    program = (
        "from PySide6.QtWidgets import QApplication\n"
        "app = QApplication(['x', '-platform', 'offscreen'])\n"
        "from widgets.stored_text_view import StoredTextView\n"
        "view = StoredTextView(); view.set_stored('abc'); view.selectAll(); view.copy()\n"
        "print(app.clipboard().text())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=50, check=False
    )
    assert (done.returncode, done.stdout) == (0, "abc\n")
