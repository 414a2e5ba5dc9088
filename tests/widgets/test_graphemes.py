"""Texts are cut and marked between whole characters as read, never inside one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QTextBoundaryFinder
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from widgets.graphemes import border_after, border_before, cut_head, widened
from widgets.line_spans import line_spans, utf16_length
from widgets.text_marks import one_line
from widgets.texts import stub

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
FLAGS = "🇺🇸🇸🇪"
ACCENT = "e\u0301"


def cut_by_units(line: str, start: int, length: int) -> str:
    return line.encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le")


@pytest.mark.parametrize("tail", [FAMILY, FLAGS, ACCENT, "👍🏽", "क्ष"])
def test_a52_a_preview_of_80_ends_before_or_after_a_character_as_read(tail: str) -> None:
    first = FLAGS[:2] if tail == FLAGS else tail
    text = "x" * 79 + tail
    line = one_line(text, 80)
    assert line in ("x" * 79 + "…", "x" * 79 + first + "…", text)


def test_a52_flags_are_cut_in_pairs() -> None:
    assert cut_head("x" * 79 + FLAGS, 80) == "x" * 79
    assert cut_head("x" * 79 + FLAGS, 82) == "x" * 79 + "🇺🇸"
    assert cut_head(FLAGS, 2) == "🇺🇸"


def test_a52_a_character_longer_than_the_limit_is_kept_whole() -> None:
    assert cut_head(FAMILY + "x", 3) == FAMILY
    assert stub(FAMILY + "-1111").startswith("👨")


def test_borders_around_an_index_inside_a_character() -> None:
    text = f"a{FAMILY}b"
    inside = 4
    assert border_before(text, inside) == 1
    assert border_after(text, inside) == 1 + len(FAMILY)
    assert widened(text, inside, inside + 1) == (1, 1 + len(FAMILY))
    assert (border_before(text, 0), border_after(text, len(text))) == (0, len(text))


def test_a_line_end_of_two_characters_is_not_parted() -> None:
    assert border_before("ab\r\ncd", 3) == 2


@given(st.text(max_size=80), st.integers(0, 80))
def test_a_cut_head_is_a_head_on_a_border(text: str, longest: int) -> None:
    head = cut_head(text, longest)
    assert text.startswith(head)
    units = len(head.encode("utf-16-le", "replace")) // 2
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    finder.setPosition(units)
    assert finder.isAtBoundary() or units in (0, utf16_length(text))


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("a tide", (2, 6), ["tide"]),
        ("  a\n\n tide ", (6, 10), ["tide"]),
        ("\u202ea tide", (3, 7), ["tide"]),
        ("ti\u200bde", (0, 5), ["ti⟨U+200B⟩de"]),
        ("😀 tide", (2, 6), ["tide"]),
        (f"x{FAMILY}y", (1, 2), [FAMILY]),
        ("x" * 395 + " tide and more", (396, 400), ["tide"]),
        ("x" * 500 + " tide", (501, 505), []),
    ],
)
def test_a_match_lies_in_the_list_form_where_its_text_is(
    text: str, span: tuple[int, int], expected: list[str]
) -> None:
    line = one_line(text)
    assert [cut_by_units(line, *s) for s in line_spans(text, [span])] == expected


@given(
    st.text(st.sampled_from("ab \n\t\u202e\u200bé😀e\u0301"), max_size=60),
    st.integers(0, 60),
    st.integers(1, 20),
)
def test_a_match_never_leaves_its_line(text: str, start: int, length: int) -> None:
    line = one_line(text)
    for at, size in line_spans(text, [(start, start + length)]):
        assert at >= 0 and size > 0 and at + size <= utf16_length(line)


def test_overlapping_matches_become_one() -> None:
    assert line_spans("a tide", [(2, 4), (3, 6)]) == ((2, 4),)


@pytest.mark.parametrize("tail", [FAMILY, FLAGS, ACCENT * 3])
def test_a52_an_elided_line_ends_on_a_border(qtbot: QtBot, tail: str) -> None:
    metrics = QFontMetrics(QApplication.font())
    text = "xx" + tail * 4
    for width in range(20, metrics.horizontalAdvance(text)):
        kept = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width).removesuffix("…")
        finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
        finder.setPosition(utf16_length(kept))
        assert text.startswith(kept) and finder.isAtBoundary()
