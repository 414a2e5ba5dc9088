"""Each paragraph has the direction of its first strong letter, and stands on that side."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock
from pytestqt.qtbot import QtBot

from core.readmodels import LineageStep
from tests.widgets.builders import head
from widgets.lineage_links import step_words
from widgets.plain import LinkButton
from widgets.stored_text_view import StoredTextView
from widgets.text_marks import isolated, plain_tooltip

_LEFT, _RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
_TEXT = "An English paragraph\nفقرة عربية (12)\nשלום (123) test\n123 then English\n123 ثم عربي"


def shown(qtbot: QtBot, text: str) -> StoredTextView:
    view = StoredTextView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.set_stored(text)
    view.show()
    view.grab()
    return view


def blocks(view: StoredTextView) -> list[QTextBlock]:
    document = view.document()
    return [document.findBlockByNumber(n) for n in range(document.blockCount())]


def test_a51_each_paragraph_has_its_own_direction(qtbot: QtBot) -> None:
    view = shown(qtbot, _TEXT)
    found = [block.textDirection() for block in blocks(view)]
    assert found == [_LEFT, _RIGHT, _RIGHT, _LEFT, _RIGHT]


def test_a51_each_paragraph_stands_on_its_own_side_also_after_a_resize(qtbot: QtBot) -> None:
    view = shown(qtbot, _TEXT)
    for width in (400, 640, 250):
        view.resize(width, 300)
        view.grab()
        margin = view.document().documentMargin()
        right = view.viewport().width() - margin
        for block in blocks(view):
            box = block.layout().lineAt(0).naturalTextRect()
            if block.textDirection() is _LEFT:
                assert box.left() == pytest.approx(margin)
            else:
                assert box.right() == pytest.approx(right, abs=1)


def test_a_click_on_a_moved_paragraph_puts_the_cursor_where_the_letter_is(qtbot: QtBot) -> None:
    view = shown(qtbot, "שלום")
    end = view.textCursor()
    end.setPosition(4)
    edge = view.cursorRect(end).center()
    assert edge.x() > view.viewport().width() / 2
    assert view.cursorForPosition(edge).position() == 4


def test_a51_a_gist_in_our_own_sentence_turns_nothing_around(qtbot: QtBot) -> None:
    words = step_words(LineageStep("5d81aaaa", head(1, "שלום (123)")))
    assert words.endswith(" \u2068שלום (123)\u2069")
    button = LinkButton()
    qtbot.addWidget(button)
    button.set_safe_line(f"Replaced by {words}")
    assert "⟨U+2068⟩" not in button.text(), "our own isolation is no hidden character"
    assert isolated("plain") == "plain"


def test_a50_a_gist_cannot_end_the_isolation_that_we_put_around_it() -> None:
    words = step_words(LineageStep("5d81aaaa", head(1, "א\u2069\u202e")))
    assert words.count("\u2069") == 1
    assert "⟨U+2069⟩⟨U+202E⟩" in words


def test_a51_each_line_of_a_tooltip_is_a_paragraph_of_its_own() -> None:
    assert plain_tooltip("שלום\nlive").count("<div") == 2
