"""From stored text to shown text and back: marks for what is not seen, very long lines folded.

Positions count UTF-16 code units, as Qt's cursors do. Pure; the view is widgets/stored_text_view.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from widgets.graphemes import border_before
from widgets.text_marks import hidden_runs, mark_of, representable

LONGEST_LINE = 2000
"""Longer lines are shown folded: shaping one line of megabytes would freeze the window."""

_FOLD_SEARCH = 200
# Qt would take these for line ends (and give back another character when copied).
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class _Change:
    """At source index `start`, `length` characters are shown as `shown`."""

    start: int
    length: int
    shown: str
    is_mark: bool


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _marks(text: str) -> Iterator[_Change]:
    for start, length in hidden_runs(text):
        yield _Change(start, length, mark_of(text[start : start + length]), True)
    for match in _LINE_ENDS.finditer(text):
        if match[0] == "\r\n":
            yield _Change(match.start(), 2, "\n", False)
        elif not "\x1c" <= match[0] <= "\x1e":  # those are marked above
            yield _Change(match.start(), 1, mark_of(match[0]), True)


def _fold_at(text: str, low: int, high: int) -> int:
    """Return where to fold between two indices: after the last space, else between characters."""
    space = text.rfind(" ", max(low + 1, high - _FOLD_SEARCH), high)
    if space > low:
        return space + 1
    return max(border_before(text, high), low + 1)


def _folds(text: str) -> Iterator[_Change]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        while end - start > LONGEST_LINE:
            start = _fold_at(text, start, start + LONGEST_LINE)
            yield _Change(start, 0, "\n", False)
        start = end + 1


class ShownText:
    """A text as shown, and the way back from a position in it to the stored text."""

    def __init__(self, stored: str) -> None:
        self.stored = stored
        self.marks: list[tuple[int, int]] = []
        """Start and length of every mark in the shown text, in order."""
        self._shown_starts: list[int] = []
        self._stored_starts: list[int] = []
        self._is_verbatim: list[bool] = []
        self.shown = self._build()

    def _build(self) -> str:
        changes = [*_marks(self.stored), *_folds(self.stored)]
        changes.sort(key=lambda c: (c.start, c.length))  # a fold before the mark it stands at
        parts: list[str] = []
        at = shown = 0
        for change in changes:
            start = max(at, change.start)  # a fold inside of a mark: what it stands for stays whole
            parts.append(self.stored[at:start])
            shown += self._add(shown, parts[-1], at, is_verbatim=True)
            parts.append(change.shown)
            if change.is_mark:
                self.marks.append((shown, _units(change.shown)))
            shown += self._add(shown, change.shown, start, is_verbatim=False)
            at = start + change.length
        parts.append(self.stored[at:])
        self._add(shown, parts[-1], at, is_verbatim=True)
        return "".join(parts)

    def _add(self, shown: int, part: str, stored: int, *, is_verbatim: bool) -> int:
        self._shown_starts.append(shown)
        self._stored_starts.append(stored)
        self._is_verbatim.append(is_verbatim)
        return _units(part)

    def _stored_index(self, position: int, *, is_end: bool) -> int:
        """Return the stored index of a shown position; inside a mark, its start or its end."""
        at = bisect_right(self._shown_starts, position) - 1
        stored, offset = self._stored_starts[at], position - self._shown_starts[at]
        if self._is_verbatim[at]:
            return stored + self._characters(stored, offset)
        if offset == 0 or not is_end:
            return stored
        return self._stored_starts[at + 1]

    def stored_index(self, position: int) -> int:
        """Return the stored index of a shown position; inside a mark, its start."""
        return self._stored_index(position, is_end=False)

    def shown_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where stored[start:end] lies in the shown text: first position and last."""
        return self._shown_position(start), self._shown_position(end)

    def _shown_position(self, stored: int) -> int:
        """Return the shown position of a stored index; inside a mark, the mark's start."""
        at = bisect_right(self._stored_starts, stored) - 1
        if not self._is_verbatim[at]:
            return self._shown_starts[at]
        start = self._stored_starts[at]
        return self._shown_starts[at] + _units(self.stored[start:stored])

    def _characters(self, stored: int, units: int) -> int:
        """Return how many characters from a stored index on make so many UTF-16 units."""
        piece = self.stored[stored : stored + units]
        if _units(piece) == units:
            return units
        raw = piece.encode("utf-16-le", "surrogatepass")[: 2 * units]
        return len(raw.decode("utf-16-le", "surrogatepass"))

    def between(self, start: int, end: int) -> str:
        """Return what is stored between two shown positions; a mark touched counts whole.

        Lone surrogates, which no clipboard can hold, come as U+FFFD.
        """
        first = self._stored_index(start, is_end=False)
        last = self._stored_index(end, is_end=True)
        return representable(self.stored[first:last])
