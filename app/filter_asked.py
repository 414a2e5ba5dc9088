"""What a list was asked by, as it is typed, and whether a text in the box asks for it. Pure."""

from core.errors import ErrorCode, GenizahError
from core.filters.parsing import MOST_READ, ParsedSearch
from core.filters.values import write_filter
from core.retrieval.outcome import SearchOutcome
from core.words import grouped

MOST_VALUES = 200
"""Filter values of one search: the store's engine refuses conditions that are too deep."""

type Asked = tuple[str | None, str | None, bool, str]


def check_size(parsed: ParsedSearch) -> None:
    """Refuse a search with more filters than a store can be asked for. Raises GenizahError."""
    if not can_be_asked(parsed):
        number = f"more than {grouped(MOST_READ)}" if parsed.is_cut else grouped(_values(parsed))
        words = (
            f"A search takes up to {MOST_VALUES} filter values, this one has {number}; "
            "take some out."
        )
        raise GenizahError(ErrorCode.USAGE, words)


def can_be_asked(parsed: ParsedSearch) -> bool:
    """Tell whether a search has no more filters than a store can be asked for."""
    return not parsed.is_cut and _values(parsed) <= MOST_VALUES


def _values(parsed: ParsedSearch) -> int:
    return sum(len(filter_.values) for filter_ in parsed.filters)


def filters_of(outcome: SearchOutcome) -> str:
    """Return the filters that narrow a list, as they are typed; empty where there is none."""
    narrowed = outcome.scope.narrowed
    return "" if narrowed is None else narrowed.description


def asked_text(outcome: SearchOutcome) -> str | None:
    """Return the text that asks for a list, its filters first; None for one by a memory."""
    text, filters = outcome.query.text, filters_of(outcome)
    if text is None or not filters:
        return text
    return f"{filters} {text}"


def asked(outcome: SearchOutcome) -> Asked:
    """Return what tells the search of a list from others; moments and stores are no part of it."""
    query, scope = outcome.query, outcome.scope
    return query.text, query.uuid, scope.include_retired, filters_of(outcome)


def asks_for(parsed: ParsedSearch, include_retired: bool, outcome: SearchOutcome) -> bool:
    """Tell whether a text with the person's switch beside it asks for a list."""
    if not can_be_asked(parsed):
        return False
    if " ".join(map(write_filter, parsed.filters)) != filters_of(outcome):
        return False
    if outcome.query.uuid is not None:
        named = parsed.similar_to
        return named is not None and outcome.query.uuid.startswith(named)
    wanted = (parsed.free_text, include_retired)
    return parsed.similar_to is None and wanted == (
        outcome.query.text,
        outcome.scope.include_retired,
    )
