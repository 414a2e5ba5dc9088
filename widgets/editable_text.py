"""Stored text in an editor and back, to the letter: what an editor would lose stands as a mark.

A mark is ⟨U+202E⟩; one typed by hand becomes the character it names. Pure.
"""

import re

from widgets.text_marks import hidden_runs

# What Qt's editor takes for a line end, or puts in place of one, beside those that are hidden.
_LINE_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ufdd0\ufdd1\ufffc]")
_LITERAL = re.compile(r"⟨(?=U\+)")
_MARK = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
_LAST = 0x10FFFF


def to_editor(text: str) -> str:
    """Return a text as an editor shows it: each character that is not seen as a mark."""
    parts: list[str] = []
    done = 0
    for start, length in hidden_runs(text):
        parts.append(_visible(text[done:start]))
        parts.extend(_mark(c) for c in text[start : start + length])
        done = start + length
    parts.append(_visible(text[done:]))
    return "".join(parts)


def _visible(text: str) -> str:
    literal = _LITERAL.sub(_mark("⟨"), text)  # a text that speaks of marks has none of them
    return _LINE_ENDS.sub(lambda found: _mark(found[0]), literal)


def _mark(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def from_editor(shown: str) -> str:
    """Return the text that is meant by what stands in an editor."""
    return _MARK.sub(_character, shown)


def _character(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return chr(number) if number <= _LAST else found[0]


def pasted(text: str) -> str:
    """Return a text from elsewhere for an editor: line ends of any desktop, hidden ones marked."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return to_editor(lines)
