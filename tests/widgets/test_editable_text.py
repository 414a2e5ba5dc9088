"""Any text goes through an editor unchanged, and what is not seen stands as a mark in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData
from pytestqt.qtbot import QtBot

from widgets.editable_text import from_editor, pasted, to_editor
from widgets.editor_text import EditorText

_HIDDEN = "\u202e\u200b\u00a0\r\n\t\x00\x0b\x0c\x1c\x85\u2028\u2029\ufffc\ufdd0"
_HOSTILE = st.text(st.sampled_from("ab ⟨U+202E⟩אב" + _HIDDEN))


@given(st.one_of(_HOSTILE, st.text()))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert from_editor(to_editor(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "a\u202eb",
        "line\r\nline",
        "one\u2028two\u2029three",
        "no\u00a0break",
        "⟨U+202E⟩ as written",
        "\x00\x01\ufffc\ufdd0",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 שלום\u200f",
        "tab\tand\n\n\nlines\n",
        "<b>bold?</b> &amp; Dict[str, <Foo>]",
    ],
)
def test_a_text_comes_back_out_of_the_box_as_it_was(text: str, qtbot: QtBot) -> None:
    box = EditorText("Content")
    qtbot.addWidget(box)
    box.set_stored(text)
    assert box.stored() == text


def test_hidden_characters_are_marks_and_a_mark_typed_by_hand_is_its_character() -> None:
    assert to_editor("pay\u200bpal") == "pay⟨U+200B⟩pal"
    assert from_editor("pay⟨U+200B⟩pal") == "pay\u200bpal"
    assert from_editor("⟨U+110000⟩") == "⟨U+110000⟩", "no such character"
    assert to_editor("⟨U+200B⟩") == "⟨U+27E8⟩U+200B⟩"


def test_a_paste_has_the_line_ends_of_this_box_and_shows_what_is_hidden(qtbot: QtBot) -> None:
    assert pasted("a\r\nb\rc\u202e") == "a\nb\nc⟨U+202E⟩"
    box = EditorText("Content")
    qtbot.addWidget(box)
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("a\r\nb\u202e")
    box.insertFromMimeData(data)
    assert box.stored() == "a\nb\u202e"
