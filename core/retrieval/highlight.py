"""Where a search's words stand in a text: spans exactly as FTS5 matched them, and literal ones.

Spans are (start, end) in characters of the stored text. Which of them are shown is the window's.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from core.retrieval.literal import fold
from core.store.connection import Connection

type Spans = tuple[tuple[int, int], ...]

_PRIVATE_USE = range(0xE000, 0xF8FE, 2)
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_SHORT = 20_000
_MOST_COPIED = 10_000_000_000
_WORD = re.compile(r'"((?:[^"]|"")*)"')
_ACCENTS = re.compile("[\u0300-\u036f]+")
_COLUMNS: Mapping[str, int] = {"gist": 0, "content": 1}


class TextField(StrEnum):
    """The indexed fields of a memory."""

    GIST = "gist"
    CONTENT = "content"


def free_markers(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return two characters that none of the texts contains, or None where all are taken."""
    used = {c for text in texts if not text.isascii() for c in _PRIVATE.findall(text)}
    for number in _PRIVATE_USE:
        pair = chr(number), chr(number + 1)
        if used.isdisjoint(pair):
            return pair
    return None


def spans_of(marked: str, text: str, markers: tuple[str, str]) -> Spans:
    """Return the spans between the markers; none where the rest is not `text` itself."""
    opening, closing = markers
    if marked.replace(opening, "").replace(closing, "") != text:
        return ()
    before, *rest = marked.split(opening)
    found: list[tuple[int, int]] = []
    at = len(before)
    for piece in rest:
        inside, _, after = piece.partition(closing)
        found.append((at, at + len(inside)))
        at += len(inside) + len(after)
    return tuple(found)


def is_affordable(text: str, expression: str) -> bool:
    """Tell whether FTS5 can mark a text in half a second: it copies the text for each match.

    Nothing ends it before: an interrupt is not looked at inside one call of highlight().
    """
    if len(text) <= _SHORT:
        return True
    plain = text.casefold()
    if not plain.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFD", plain))
    words = {word.replace('""', '"').casefold() for word in _WORD.findall(expression)}
    return len(text) * sum(map(plain.count, filter(None, words))) <= _MOST_COPIED


async def matched_spans(
    connection: Connection, expression: str, field: TextField, texts: Mapping[int, str]
) -> dict[int, Spans]:
    """Return the spans that a MATCH expression has in one field of some rows, by rowid.

    `texts` maps each rowid to the stored text of the field; a row that does not match, or whose
    stored text is another one by now, gets no span; neither does a long text that is full of
    matches. About 0.4 ms a row.
    """
    wanted = [rowid for rowid, text in texts.items() if is_affordable(text, expression)]
    markers = free_markers(texts.values())
    if markers is None or not wanted:
        return dict.fromkeys(texts, ())
    rows = await connection.rows(
        "SELECT j.value, highlight(memory_fts, ?, ?, ?) FROM json_each(?) j "
        "CROSS JOIN memory_fts ON memory_fts.rowid = j.value WHERE memory_fts MATCH ?",
        (_COLUMNS[field], *markers, json.dumps(wanted), expression),
    )
    found: dict[int, Spans] = dict.fromkeys(texts, ())
    for rowid, marked in rows:
        if isinstance(rowid, int) and isinstance(marked, str):
            found[rowid] = spans_of(marked, texts[rowid], markers)
    return found


def literal_spans(text: str, needle: str, most: int = 1000) -> Spans:
    """Return where `needle` stands in `text`, compared as the literal finder does (NFC, casefold).

    A character and its accents are one step: a span never cuts them apart.
    """
    wanted = fold(needle.strip())
    if not wanted:
        return ()
    folded, places = _folded(text)
    found: list[tuple[int, int]] = []
    at = folded.find(wanted)
    while at >= 0 and len(found) < most:
        end = at + len(wanted)
        found.append((places[at][0], places[end - 1][1]))
        at = folded.find(wanted, end)
    return tuple(found)


def _folded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the folded text and, for each of its characters, where it comes from."""
    if text.isascii():
        return text.lower(), [(i, i + 1) for i in range(len(text))]
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in _accented(text):
        piece = fold(text[start:end])
        parts.append(piece)
        places += [(start, end)] * len(piece)
    return "".join(parts), places


def _accented(text: str) -> Iterator[tuple[int, int]]:
    """Yield each character with the combining ones behind it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, at
            start = at
