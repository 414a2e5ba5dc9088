"""Where spans of a stored text lie in its list form (widgets/text_marks.one_line). Pure.

In: characters of the stored text. Out: start and length in UTF-16 units, as Qt counts.
"""

from collections.abc import Iterable
from itertools import pairwise

from widgets.graphemes import cut_head, widened
from widgets.text_marks import LIST_LONGEST, hidden_runs, mark_of, shows_nothing

type ShownSpans = tuple[tuple[int, int], ...]


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def line_spans(text: str, spans: Iterable[tuple[int, int]]) -> ShownSpans:
    """Return the spans as they lie in one_line(text), widened to whole characters as read.

    What is beyond the list form's end is left out; overlapping spans become one.
    """
    head = cut_head(text, LIST_LONGEST)
    inside = [widened(head, s, min(e, len(head))) for s, e in spans if s < min(e, len(head))]
    if not inside or shows_nothing(head):
        return ()
    shown, places = _marked(head)
    line, at = _collapsed(shown)
    found = [(at[places[s]], min(len(line), at[places[e] - 1] + 1)) for s, e in inside]
    return tuple(_in_units(line, _merged(found)))


def _marked(text: str) -> tuple[str, list[int]]:
    """Return the text with marks and, for each of its indices and its end, the place in that."""
    parts: list[str] = []
    places: list[int] = []
    done = shift = 0
    for start, length in hidden_runs(text):
        mark = mark_of(text[start : start + length])
        parts += [text[done:start], mark]
        places += [i + shift for i in range(done, start)] + [start + shift] * length
        done = start + length
        shift += len(mark) - length
    parts.append(text[done:])
    places += [i + shift for i in range(done, len(text) + 1)]
    return "".join(parts), places


def _collapsed(text: str) -> tuple[str, list[int]]:
    """Return the text with each run of white space as one space, and where each index lies."""
    places: list[int] = []
    out = 0
    owes_space = False
    for character in text:
        if character.isspace():
            owes_space = out > 0
        else:
            out += owes_space
            owes_space = False
        places.append(out)
        out += not character.isspace()
    return " ".join(text.split()), places


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif start < end:
            found.append((start, end))
    return found


def _in_units(line: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if line.isascii():
        return [(start, end - start) for start, end in spans]
    edges = [0, *(edge for span in spans for edge in span)]
    units = [0]
    for before, after in pairwise(edges):
        units.append(units[-1] + utf16_length(line[before:after]))
    starts, ends = units[1::2], units[2::2]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]
