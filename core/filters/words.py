"""A search in plain words. Pure; stored or typed text in it is as it was typed."""

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from core.filters.filter import Age, Days, Filter, FilterKey, StateWord, Unit, Value, Whole, Word
from core.filters.parsing import ParsedSearch
from core.retrieval.eligibility import Narrowing
from core.words import counted, grouped, tier_words

STATE_WORDS: Mapping[StateWord, str] = MappingProxyType(
    {
        StateWord.LIVE: "live",
        StateWord.SUPERSEDED: "replaced by another",
        StateWord.RETIRED: "retired outright",
        StateWord.HEAD: "the newest of a chain of replacements",
        StateWord.DEAD_HEAD: "at or on the way to a retired end of a chain",
        StateWord.INJECTED: "shown to the agent with a prompt",
        StateWord.DANGLING: "replaced by a record that is missing",
        StateWord.CYCLE: "replaced in a circle",
        StateWord.ODD_VERSION: "of an odd version number",
        StateWord.NO_CHUNK: "without a chunk for the meaning search",
    }
)
_MOST_SAID = 12
_UNITS: Mapping[Unit, str] = MappingProxyType(
    {Unit.HOURS: "hour", Unit.DAYS: "day", Unit.WEEKS: "week"}
)
_SUBJECTS: Mapping[FilterKey, tuple[str, str]] = MappingProxyType(
    {
        FilterKey.IS: ("that are", "that are not"),
        FilterKey.TIER: ("in the tier", "not in the tier"),
        FilterKey.SESSION: ("of the session", "not of the session"),
        FilterKey.UUID: ("whose uuid begins with", "whose uuid does not begin with"),
        FilterKey.CREATED: ("created", "not created"),
        FilterKey.EDITED: ("changed after they were made,", "not changed"),
        FilterKey.TOKENS: ("of a length in tokens of", "not of a length in tokens of"),
        FilterKey.VERSION: ("of version", "not of version"),
        FilterKey.REPLACES: ("that replaced", "that did not replace"),
        FilterKey.REPLACED_BY: ("that were replaced by", "that were not replaced by"),
        FilterKey.STORE: ("in the store", "not in the store"),
    }
)


def explain_search(
    parsed: ParsedSearch, narrowing: Narrowing | None, *, include_retired: bool = False
) -> tuple[str, ...]:
    """Say what a search does, a sentence a line: what ranks, what narrows, what was not understood.

    `narrowing` is that of the search's filters; `include_retired` is the person's own switch.
    """
    lines = [_ranking(parsed)]
    said = parsed.filters[:_MOST_SAID]
    lines += [f"Keeps only memories {filter_words(f)}." for f in said]
    if len(parsed.filters) > len(said):
        more = len(parsed.filters) - len(said)
        lines.append(f"Keeps only what passes {counted(more, 'more filter')}, too.")
    if len(parsed.filters) > 1:
        lines.append("A memory must pass every one of them.")
    if parsed.filters and (parsed.has_words or parsed.similar_to is not None):
        lines.append(
            "The filters are applied before the search looks for its best matches, so this list "
            "is not the one the agent gets."
        )
    lines += _retired(parsed, narrowing, include_retired=include_retired)
    return (*lines, *(finding.text for finding in parsed.findings))


def filter_words(filter_: Filter) -> str:
    """Say what a filter keeps, to follow 'memories'."""
    said = _SUBJECTS[filter_.key][filter_.negated]
    values = [_value_words(filter_.key, value) for value in filter_.values]
    return f"{said} {' or '.join(values)}"


def _ranking(parsed: ParsedSearch) -> str:
    if parsed.has_words:
        return f"Ranks by the text “{parsed.free_text}”, as the agent's own search does."
    if parsed.similar_to is not None:
        return f"Ranks by likeness to the memory {parsed.similar_to}, live memories only."
    return "Lists memories of every state; nothing is ranked, for there is no text."


def _retired(
    parsed: ParsedSearch, narrowing: Narrowing | None, *, include_retired: bool
) -> Sequence[str]:
    if not parsed.has_words:
        return ()
    if include_retired:
        return (
            "Retired memories are let in, as “Include retired” asks; the agent's search leaves "
            "them out.",
        )
    if narrowing is not None and narrowing.asks_for_retired:
        return ("Retired memories are let in, because a filter asks for them.",)
    return ("Retired memories are left out, as the agent's search leaves them out.",)


def _value_words(key: FilterKey, value: Value) -> str:
    match value:
        case Word(text):
            return _name_words(key, text)
        case Age(amount, unit):
            noun = _UNITS[unit] if amount == 1 else f"{_UNITS[unit]}s"
            return f"within the last {grouped(amount)} {noun}"
        case Days(first, last):
            return _days_words(first, last)
        case Whole(low, high):
            return _whole_words(low, high)


def _name_words(key: FilterKey, text: str) -> str:
    match key:
        case FilterKey.IS:
            return STATE_WORDS[StateWord(text)]
        case FilterKey.TIER:
            return tier_words(text)
        case FilterKey.SESSION if not text:
            return "that is not known"
        case _:
            return text


def _days_words(first: date | None, last: date | None) -> str:
    if first is None:
        return f"on {last} or before"
    if last is None:
        return f"on {first} or after"
    return f"on {first}" if first == last else f"from {first} to {last}"


def _whole_words(low: int | None, high: int | None) -> str:
    if low is None:
        return f"at most {high}"
    if high is None:
        return f"at least {low}"
    return str(low) if low == high else f"{low} to {high}"
