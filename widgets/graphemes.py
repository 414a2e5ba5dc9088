"""Borders between characters as read (graphemes), in indices of a Python string. Pure."""

import re

from PySide6.QtCore import QTextBoundaryFinder

_AROUND = 64
_SURROGATE = re.compile("[\ud800-\udfff]")


def _borders(text: str) -> list[int]:
    """Return every border of a short text, its start and its end among them."""
    text = _SURROGATE.sub("\ufffd", text)  # Qt would drop these
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    units: list[int] = [0]
    while (at := finder.toNextBoundary()) >= 0:
        units.append(at)
    if len(text) == units[-1]:
        return units  # one UTF-16 unit a character
    index = {0: 0}
    unit = 0
    for place, character in enumerate(text, 1):
        unit += 2 if character > "\uffff" else 1
        index[unit] = place
    return [index[u] for u in units if u in index]


def border_before(text: str, at: int) -> int:
    """Return the last border at or before an index; looks 64 characters around it."""
    return _border(text, at, is_end=False)


def border_after(text: str, at: int) -> int:
    """Return the first border at or after an index; looks 64 characters around it."""
    return _border(text, at, is_end=True)


def _border(text: str, at: int, *, is_end: bool) -> int:
    if at <= 0 or at >= len(text):
        return max(0, min(at, len(text)))
    if text[at - 1 : at + 1].isascii() and text[at - 1 : at + 1] != "\r\n":
        return at
    low, high = max(0, at - _AROUND), min(len(text), at + _AROUND)
    borders = [low + b for b in _borders(text[low:high])]
    # The ends of the piece looked at are borders only where the text ends there, too.
    real = [b for b in borders if (b > low or low == 0) and (b < high or high == len(text))]
    if is_end:
        return min((b for b in real if b >= at), default=at)
    return max((b for b in real if b <= at), default=at)


def cut_head(text: str, longest: int) -> str:
    """Return the head of at most `longest` characters, not ending inside a character as read.

    A character longer than that is kept whole where nothing else would be left.
    """
    if len(text) <= longest:
        return text
    return text[: border_before(text, longest) or border_after(text, longest)]


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span widened to whole characters as read."""
    return border_before(text, start), border_after(text, end)
