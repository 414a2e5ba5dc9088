"""Reading the search box: filters out of the text, the rest as the agent's query would have it.

Never fails. A filter stands between white space, outside of quotes: `key:value`, `-key:value`,
`key:one,two`, `key:"two words"` (a quote inside is doubled). Whatever is no filter is text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from core.filters.filter import Filter, FilterKey, Value, Word
from core.filters.values import expected, read_value, write_filter
from core.store.text import is_blank

_VALUE = r'(?:"(?:[^"]|"")*"|[^\s,"]+)'
_FILTER = re.compile(rf"(-?)([a-z][a-z-]*):({_VALUE}(?:,{_VALUE})*)?(?=\s|\Z)")
_VALUES = re.compile(_VALUE)
# A pair of quotes and what is in it is one piece; a quote without a partner is a character.
_TEXT = re.compile(r'(?:"[^"]*"|[^\s"]++|")++')
_NOT_SPACE = re.compile(r"\S")
_LOOKS_LIKE = re.compile(r"-?[a-z][a-z-]{0,30}[a-z]:(?![/\\:])\S")
_CAPITALS = re.compile(r"-?[A-Za-z][A-Za-z-]*:\S")
_KEYS = frozenset(FilterKey)
_SAID_AT_MOST = 10
MOST_READ = 10_000
"""Filter values that are read of a text: no search takes so many, and the rest is left as text."""


class FindingCode(StrEnum):
    """What can be said of a search text."""

    UNKNOWN_KEY = "unknown_key"
    CAPITALS = "capitals"
    NO_VALUE = "no_value"
    BAD_VALUE = "bad_value"
    SIMILAR_WITH_TEXT = "similar_with_text"
    SIMILAR_TWICE = "similar_twice"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should know about what they typed, in a sentence."""

    code: FindingCode
    text: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter and the part of the text that goes when it is taken out."""

    filter: Filter
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ParsedSearch:
    """What a search text asks for. `text` is as typed and not compared.

    `free_text` ranks. Without a filter it is the whole text, to the last character; with one, what
    is left without white space around it.
    """

    text: str = field(compare=False)
    free_text: str
    chips: tuple[Chip, ...]
    findings: tuple[Finding, ...]
    is_cut: bool = False
    """Whether more than MOST_READ filter values stand in it, the rest of which were not read."""

    @property
    def filters(self) -> tuple[Filter, ...]:
        """Return the filters that narrow, in the order typed; `similar:` does not narrow."""
        return tuple(c.filter for c in self.chips if c.filter.key is not FilterKey.SIMILAR)

    @property
    def has_words(self) -> bool:
        """Tell whether there is a text to rank by."""
        return not is_blank(self.free_text)

    @property
    def similar_to(self) -> str | None:
        """Return the memory that the search is by, as typed; None where a text ranks or nothing."""
        if self.has_words:
            return None
        named = [c.filter.values[0] for c in self.chips if c.filter.key is FilterKey.SIMILAR]
        return named[0].text if named and isinstance(named[0], Word) else None

    def without(self, chip: Chip) -> str:
        """Return the text with one chip taken out."""
        return self.text[: chip.start] + self.text[chip.end :]


def parse(text: str) -> ParsedSearch:
    """Read a search text; any text is safe."""
    if ":" not in text:
        return ParsedSearch(text, text, (), ())
    chips: list[Chip] = []
    findings: dict[str, Finding] = {}
    is_cut, number = False, 0
    for start, end, filter_ in _pieces(text):
        if filter_ is not None:
            number += len(filter_.values)
            is_cut = number > MOST_READ
            if is_cut:
                break
            chips.append(Chip(filter_, *_span(text, start, end)))
        elif len(findings) < _SAID_AT_MOST:
            _look_at(text[start:end], findings)
    free = _left(text, chips) if chips else text
    said = (*findings.values(), *_about_similar(chips, free))
    return ParsedSearch(text, free, tuple(chips), said, is_cut)


def write_search(filters: tuple[Filter, ...], free_text: str) -> str:
    """Write filters and text as one search text, the filters first."""
    written = [write_filter(f) for f in filters]
    return " ".join([*written, free_text] if free_text else written)


def _pieces(text: str) -> Iterator[tuple[int, int, Filter | None]]:
    """Yield where each piece between white space begins and ends, and the filter that it is."""
    at = _next_piece(text, 0)
    while at < len(text):
        match = _FILTER.match(text, at)
        filter_ = None if match is None else _filter(match)
        if match is None or filter_ is None:
            match = _whole_piece(text, at)
        yield at, match.end(), filter_
        at = _next_piece(text, match.end())


def _next_piece(text: str, at: int) -> int:
    match = _NOT_SPACE.search(text, at)
    return len(text) if match is None else match.start()


def _whole_piece(text: str, at: int) -> re.Match[str]:
    match = _TEXT.match(text, at)
    assert match is not None, "every character that is no space begins a piece"
    return match


def _filter(match: re.Match[str]) -> Filter | None:
    sign, name, listed = match.groups()
    if name not in _KEYS or listed is None:
        return None
    key = FilterKey(name)
    values: dict[Value, None] = {}
    for written in _VALUES.finditer(listed):
        value = read_value(key, _unquoted(written.group()))
        if value is None or (key is FilterKey.SIMILAR and (sign or values)):
            return None
        values[value] = None
        if len(values) > MOST_READ:
            break
    return Filter(key, tuple(values), negated=bool(sign))


def _unquoted(written: str) -> str:
    return written[1:-1].replace('""', '"') if written.startswith('"') else written


def _span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a piece with one space of those around it, the one behind where there is one."""
    if end < len(text):
        return start, end + 1
    return max(0, start - 1), end


def _left(text: str, chips: list[Chip]) -> str:
    at, kept = 0, []
    for chip in chips:
        kept.append(text[at : chip.start])
        at = chip.end
    return ("".join(kept) + text[at:]).strip()


def _look_at(piece: str, findings: dict[str, Finding]) -> None:
    """Say, once a key, what looks like a filter and is none."""
    name = piece.removeprefix("-").partition(":")[0]
    if name in findings or ":" not in piece:
        return
    if name in _KEYS:
        key = FilterKey(name)
        if piece.endswith(f"{name}:"):
            said = f"{name}: has no value; it is searched as text."
            findings[name] = Finding(FindingCode.NO_VALUE, said)
        else:
            takes = "one memory and no minus" if key is FilterKey.SIMILAR else expected(key)
            said = f"{name}: takes {takes}; what stands there is searched as text."
            findings[name] = Finding(FindingCode.BAD_VALUE, said)
    elif name.lower() in _KEYS and _CAPITALS.match(piece):
        said = f"{name}: is searched as text; filters are written in small letters."
        findings[name] = Finding(FindingCode.CAPITALS, said)
    elif _LOOKS_LIKE.match(piece):
        said = f"{name}: is no filter; it is searched as text."
        findings[name] = Finding(FindingCode.UNKNOWN_KEY, said)


def _about_similar(chips: list[Chip], free_text: str) -> Iterator[Finding]:
    named = sum(c.filter.key is FilterKey.SIMILAR for c in chips)
    if named and not is_blank(free_text):
        said = "The text ranks, so similar: is left out; take the text out to search by the memory."
        yield Finding(FindingCode.SIMILAR_WITH_TEXT, said)
    elif named > 1:
        said = "A search is by one memory: the first similar: counts, the others are left out."
        yield Finding(FindingCode.SIMILAR_TWICE, said)
