"""What facets and their filters are called in a narrow list. Pure; stored texts as stored."""

from collections.abc import Mapping
from types import MappingProxyType

from core.filters.facets import Facet, FacetGroup
from core.filters.filter import Filter, FilterKey, StateWord, Whole, Word
from core.filters.values import write_filter
from widgets.texts import counted, tier_words

FACET_NAMES: Mapping[Facet, str] = MappingProxyType(
    {
        Facet.STATE: "State",
        Facet.TIER: "Tier",
        Facet.SESSION: "Session",
        Facet.MONTH: "Month",
        Facet.SIZE: "Size",
        Facet.INJECTED: "Injected",
        Facet.PROBLEM: "Problems",
    }
)
_STATES: Mapping[StateWord, str] = MappingProxyType(
    {
        StateWord.LIVE: "live",
        StateWord.SUPERSEDED: "replaced",
        StateWord.RETIRED: "retired",
        StateWord.HEAD: "newest of its chain",
        StateWord.DEAD_HEAD: "dead head",
        StateWord.INJECTED: "injected",
        StateWord.DANGLING: "replacement missing",
        StateWord.CYCLE: "replaced in a circle",
        StateWord.ODD_VERSION: "odd version",
        StateWord.NO_CHUNK: "no chunk",
    }
)


def value_words(filter_: Filter) -> str:
    """Say what a facet's filter keeps, in a word or two."""
    value = filter_.values[0]
    written = write_filter(filter_).partition(":")[2]
    match value:
        case Word(text) if filter_.key is FilterKey.IS:
            return f"never {_STATES[StateWord(text)]}" if filter_.negated else _words(text)
        case Word(text) if filter_.key is FilterKey.TIER:
            return tier_words(text)
        case Word(text):
            return text or "no session"
        case Whole(low, high):
            return _size(low, high)
    return written


def _words(text: str) -> str:
    return _STATES[StateWord(text)]


def _size(low: int | None, high: int | None) -> str:
    if low is None:
        return f"up to {high} tokens"
    return f"from {low} tokens" if high is None else f"{low} to {high} tokens"


def rest_words(group: FacetGroup) -> str:
    """Say which values of a facet are not listed."""
    noun = {Facet.SESSION: "session", Facet.MONTH: "odd date"}.get(group.facet, "value")
    return f"{counted(group.other_values, f'other {noun}')}"
