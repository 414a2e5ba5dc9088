"""What a click on a facet does to the search text: a text and a filter in, the new text out. Pure.

The new text has the filters first, then the words as they were.
"""

from dataclasses import replace

from core.filters.filter import Filter, opposite
from core.filters.parsing import ParsedSearch, parse, write_search


def replaced_by(text: str, filter_: Filter) -> str:
    """A plain click: this filter in place of all others; the words stay."""
    return write_search((filter_,), parse(text).free_text)


def and_also(text: str, filter_: Filter) -> str:
    """Ctrl: this filter beside the others; one that is there already, or its opposite, goes."""
    parsed = parse(text)
    others = [f for f in _written(parsed) if f not in (filter_, opposite(filter_))]
    return write_search((*others, filter_), parsed.free_text)


def or_else(text: str, filter_: Filter) -> str:
    """Shift: another value for the last filter of the same key without a minus; else a new one."""
    parsed = parse(text)
    filters = list(_written(parsed))
    for at in range(len(filters) - 1, -1, -1):
        mate = filters[at]
        if mate.key is filter_.key and not (mate.negated or filter_.negated):
            values = tuple(dict.fromkeys((*mate.values, *filter_.values)))
            filters[at] = replace(mate, values=values)
            return write_search(tuple(filters), parsed.free_text)
    return and_also(text, filter_)


def and_not(text: str, filter_: Filter) -> str:
    """Alt: what this filter would keep is left out."""
    return and_also(text, opposite(filter_))


def in_place_of_its_key(text: str, filter_: Filter) -> str:
    """A choice of one value: this filter for those of its key; other filters and words stay."""
    parsed = parse(text)
    others = [f for f in _written(parsed) if f.key is not filter_.key or f.negated]
    return write_search((*others, filter_), parsed.free_text)


def _written(parsed: ParsedSearch) -> tuple[Filter, ...]:
    """Return every filter of a text, a search by a memory among them."""
    return tuple(chip.filter for chip in parsed.chips)
