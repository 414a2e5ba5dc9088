"""One filter of a search: a key, the values it may have, and whether it is turned round. Pure.

How values are written is core/filters/values; what a filter means in SQL core/filters/compiling.
"""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum


class FilterKey(StrEnum):
    """The keys of the search box, as they are typed."""

    IS = "is"
    TIER = "tier"
    SESSION = "session"
    UUID = "uuid"
    CREATED = "created"
    EDITED = "edited"
    TOKENS = "tokens"
    VERSION = "version"
    REPLACES = "replaces"
    REPLACED_BY = "replaced-by"
    STORE = "store"
    SIMILAR = "similar"


class StateWord(StrEnum):
    """What can be asked with `is:`: the states, places in the lineage, and what is wrong."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    HEAD = "head"
    DEAD_HEAD = "dead-head"
    INJECTED = "injected"
    DANGLING = "dangling"
    CYCLE = "cycle"
    ODD_VERSION = "odd-version"
    NO_CHUNK = "no-chunk"


class Unit(StrEnum):
    """The units of an age."""

    HOURS = "h"
    DAYS = "d"
    WEEKS = "w"


@dataclass(frozen=True, slots=True)
class Word:
    """A name: a member of a closed set, a session, a store, a uuid or its beginning."""

    text: str


@dataclass(frozen=True, slots=True)
class Age:
    """Not longer ago than this."""

    amount: int
    unit: Unit

    def __post_init__(self) -> None:
        if self.amount < 1:
            raise ValueError("an age is at least one unit")


@dataclass(frozen=True, slots=True)
class Days:
    """From one UTC day to another, both included; None: without that end."""

    first: date | None
    last: date | None

    def __post_init__(self) -> None:
        if self.first is None and self.last is None:
            raise ValueError("a time has a beginning or an end")
        if self.first is not None and self.last is not None and self.first > self.last:
            raise ValueError("a time ends after its beginning")


@dataclass(frozen=True, slots=True)
class Whole:
    """From one whole number to another, both included; None: without that end."""

    low: int | None
    high: int | None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise ValueError("numbers have a lower or an upper end")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("the upper end is not below the lower one")


type Value = Word | Age | Days | Whole


@dataclass(frozen=True, slots=True)
class Filter:
    """Keep what has one of the values; where negated, what has none of them."""

    key: FilterKey
    values: tuple[Value, ...]
    negated: bool = False

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("a filter has a value")


def opposite(filter_: Filter) -> Filter:
    """Return the filter that keeps all that this one leaves out."""
    return replace(filter_, negated=not filter_.negated)
