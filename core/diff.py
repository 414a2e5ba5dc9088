"""What differs between two texts: by lines, and by words inside lines that changed. Pure.

Bounded for texts of megabytes; it may take a second then, so call it off the event loop.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_PUNCTUATION = r"!-/:-@\[-`{-~"
# Scripts written without spaces: a character is a word.
_SINGLE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# White space goes with the word before it: there is too much of it to be told apart.
_WORD = re.compile(rf"(?:[{_PUNCTUATION}{_SINGLE}]|[^\s{_PUNCTUATION}{_SINGLE}]+)\s*|\s+")
#: The most pairs of equal parts that are looked at, in one place and in all; what has more is not
#: taken apart.
_MOST_PAIRS = 500_000
_PAIRS_IN_ALL = 1_500_000
_MOST_PARTS = 20_000


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text with what became of it."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """The pieces in order: all but the added ones are the old text, all but the removed the new.

    A removed piece stands before the added one in its place; no two of a kind stand together.
    `is_rough` tells that some of it was too much to be taken apart.
    """

    pieces: tuple[Piece, ...]
    is_rough: bool = False

    @property
    def is_same(self) -> bool:
        """Tell whether nothing differs."""
        return all(piece.change is Change.SAME for piece in self.pieces)


class _Differ:
    def __init__(self) -> None:
        self.is_rough = False
        self._pairs_left = _PAIRS_IN_ALL

    def lines(self, old: str, new: str) -> Iterator[Piece]:
        """Compare by lines, and replaced lines by words."""
        for change, before, after in self._parts(_LINE.findall(old), _LINE.findall(new)):
            if change is Change.SAME or not before or not after:
                yield from _told(change, before, after)
            else:
                yield from self._words(before, after)

    def _words(self, old: str, new: str) -> Iterator[Piece]:
        for change, before, after in self._parts(_WORD.findall(old), _WORD.findall(new)):
            yield from _told(change, before, after)

    def _parts(
        self, old: Sequence[str], new: Sequence[str]
    ) -> Iterator[tuple[Change, str, str]]:
        """Give runs that are the same (SAME, text, text) or differ (REMOVED, old, new)."""
        start = _same_length(old, new)
        most = min(len(old), len(new)) - start
        end = min(most, _same_length(old[start:][::-1], new[start:][::-1]))
        yield Change.SAME, "".join(old[:start]), "".join(new[:start])
        yield from self._middle(old[start : len(old) - end], new[start : len(new) - end])
        yield Change.SAME, "".join(old[len(old) - end :]), "".join(new[len(new) - end :])

    def _middle(
        self, old: Sequence[str], new: Sequence[str]
    ) -> Iterator[tuple[Change, str, str]]:
        pairs = _pairs(old, new)
        self._pairs_left -= pairs
        if self._pairs_left < 0 or pairs > _MOST_PAIRS or len(old) + len(new) > _MOST_PARTS:
            self._pairs_left += pairs
            self.is_rough = self.is_rough or bool(old and new)
            yield Change.REMOVED, "".join(old), "".join(new)
            return
        # The words of a language are no junk, however many there are.
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for kind, a, b, c, d in matcher.get_opcodes():
            change = Change.SAME if kind == "equal" else Change.REMOVED
            yield change, "".join(old[a:b]), "".join(new[c:d])


def _same_length(old: Sequence[str], new: Sequence[str]) -> int:
    for at, (a, b) in enumerate(zip(old, new, strict=False)):
        if a != b:
            return at
    return min(len(old), len(new))


def _pairs(old: Sequence[str], new: Sequence[str]) -> int:
    there = Counter(new)
    return sum(count * there[part] for part, count in Counter(old).items())


def _told(change: Change, before: str, after: str) -> Iterator[Piece]:
    if change is Change.SAME:
        yield Piece(Change.SAME, before)
    else:
        yield Piece(Change.REMOVED, before)
        yield Piece(Change.ADDED, after)


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Put what was removed and added between two same pieces together, removed first."""
    kept: dict[Change, list[str]] = {change: [] for change in Change}

    def flush(*changes: Change) -> Iterator[Piece]:
        for change in changes:
            text = "".join(kept[change])
            kept[change].clear()
            if text:
                yield Piece(change, text)

    for piece in pieces:
        if not piece.text:
            continue
        if piece.change is Change.SAME:
            yield from flush(Change.REMOVED, Change.ADDED)
        else:
            yield from flush(Change.SAME)
        kept[piece.change].append(piece.text)
    yield from flush(Change.SAME, Change.REMOVED, Change.ADDED)


def diff(old: str, new: str) -> TextDiff:
    """Compare two texts."""
    differ = _Differ()
    pieces = tuple(_joined(differ.lines(old, new)))
    return TextDiff(pieces, differ.is_rough)
