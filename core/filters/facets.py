"""Facets: the filters that a list offers, each with the number of rows it would keep.

A facet's value is a filter, and counts what the filter would list: most by its very condition,
those about chains of replaced rows by following all chains at once (core/filters/chains).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from core.filters.chains import chains_of
from core.filters.compiling import FilterContext, condition_of
from core.filters.filter import Filter, FilterKey, StateWord, Whole, Word, opposite
from core.filters.values import read_value
from core.readmodels import Tier
from core.store import facet_rows
from core.store.conditions import EVERY_ROW, Condition, none_of
from core.store.connection import Connection
from core.store.filter_conditions import among

SESSIONS_SHOWN = 8
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")


class Facet(StrEnum):
    """The groups of filters, in the order in which they are shown."""

    STATE = "state"
    TIER = "tier"
    SESSION = "session"
    MONTH = "month"
    SIZE = "size"
    INJECTED = "injected"
    PROBLEM = "problem"


def _is(word: StateWord) -> Filter:
    return Filter(FilterKey.IS, (Word(word.value),))


def _tokens(low: int | None, high: int | None) -> Filter:
    return Filter(FilterKey.TOKENS, (Whole(low, high),))


#: The filters of the facets whose values are known beforehand, in the order shown.
KNOWN: Mapping[Facet, tuple[Filter, ...]] = MappingProxyType(
    {
        Facet.STATE: (
            _is(StateWord.LIVE),
            _is(StateWord.SUPERSEDED),
            _is(StateWord.RETIRED),
        ),
        Facet.TIER: tuple(Filter(FilterKey.TIER, (Word(tier.value),)) for tier in Tier),
        Facet.SIZE: (
            _tokens(None, 49),
            _tokens(50, 149),
            _tokens(150, 449),
            _tokens(450, None),
        ),
        Facet.INJECTED: (_is(StateWord.INJECTED), opposite(_is(StateWord.INJECTED))),
        Facet.PROBLEM: (
            _is(StateWord.DEAD_HEAD),
            _is(StateWord.DANGLING),
            _is(StateWord.CYCLE),
            _is(StateWord.ODD_VERSION),
            _is(StateWord.NO_CHUNK),
        ),
    }
)

#: What costs a look elsewhere for every row, and what the row says of itself.
_MARKS = tuple(
    _is(word)
    for word in (
        StateWord.INJECTED,
        StateWord.DEAD_HEAD,
        StateWord.DANGLING,
        StateWord.CYCLE,
        StateWord.NO_CHUNK,
    )
)
_PLAIN = tuple(f for group in KNOWN.values() for f in group if not f.negated and f not in _MARKS)


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """What was counted: all rows of the list, those of every filter, of every session and month.

    Months are texts such as 2026-08, or whatever else begins a row's time; rows without a session
    are under an empty name.
    """

    total: int
    known: Mapping[Filter, int]
    sessions: Mapping[str, int]
    months: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A filter and how many rows of the list it would keep."""

    filter: Filter
    count: int


@dataclass(frozen=True, slots=True)
class FacetGroup:
    """A facet's values as shown, and what is not: how many other values, of how many rows.

    A row may have several problems or none; in any other facet each row is counted once.
    """

    facet: Facet
    values: tuple[FacetValue, ...]
    other_values: int = 0
    other_rows: int = 0


@dataclass(frozen=True, slots=True)
class MarkedRows:
    """The rows of one store that the event log or their lineage marks, whatever list they are in.

    The same for every list of one state of the store: worth keeping while it does not move.
    """

    rowids: Mapping[Filter, frozenset[int]]


async def read_marks(connection: Connection, context: FilterContext) -> MarkedRows:
    """Read the marked rows of one store; no content is read."""
    injected = condition_of((_is(StateWord.INJECTED),), context)
    links = await facet_rows.links(connection)
    chains = chains_of(links, frozenset(await facet_rows.ended_rowids(connection)))
    return MarkedRows(
        {
            _is(StateWord.INJECTED): frozenset(await facet_rows.rowids_of(connection, injected)),
            _is(StateWord.DEAD_HEAD): chains.dead,
            _is(StateWord.DANGLING): chains.dangling,
            _is(StateWord.CYCLE): chains.circling,
            _is(StateWord.NO_CHUNK): frozenset(await facet_rows.chunkless_rowids(connection)),
        }
    )


async def count_facets(
    connection: Connection, where: Condition, context: FilterContext, marks: MarkedRows
) -> FacetCounts:
    """Count the rows of one store that `where` holds for; no content is read.

    `where` is a list's filters (`condition_of`), or the rows of a ranked one (`among`); `marks`
    are of the same snapshot.
    """
    kinds = [condition_of((f,), context) for f in _PLAIN]
    if where == EVERY_ROW:
        counts = await _of_all(connection, kinds, marks)
    else:
        listed = _looked_up(where, context, marks)
        counts = _of_some(await facet_rows.counts_of_rows(connection, listed, kinds), marks)
    others = {opposite(f): counts.total - count for f, count in counts.known.items()}
    return replace(counts, known={**counts.known, **others})


def _looked_up(where: Condition, context: FilterContext, marks: MarkedRows) -> Condition:
    """Return the list that a click on a mark leaves as the numbers of its rows, any other as it is.

    They are known already, and to find them again would cost as much as the counting.
    """
    for mark, rowids in marks.rowids.items():
        if where == condition_of((mark,), context):
            return among(sorted(rowids))
        if where == condition_of((opposite(mark),), context):
            return none_of(among(sorted(rowids)))
    return where


async def _of_all(
    connection: Connection, kinds: Sequence[Condition], marks: MarkedRows
) -> FacetCounts:
    """Count all rows, with the help of indexes and without a list of them."""
    total, *counts = await facet_rows.count_each(connection, kinds)
    marked = {mark: len(rowids) for mark, rowids in marks.rowids.items()}
    return FacetCounts(
        total=total,
        known=dict(zip(_PLAIN, counts, strict=True)) | marked,
        sessions=await facet_rows.count_by_session(connection),
        months=await facet_rows.count_by_month(connection),
    )


def _of_some(rows: facet_rows.RowCounts, marks: MarkedRows) -> FacetCounts:
    """Count the rows of a list that was read in one pass."""
    plain = {
        f: sum(count for bits, count in rows.kinds.items() if bits >> place & 1)
        for place, f in enumerate(_PLAIN)
    }
    kept = frozenset(rows.rowids)
    return FacetCounts(
        total=len(rows.rowids),
        known=plain | {mark: len(kept & rowids) for mark, rowids in marks.rowids.items()},
        sessions=rows.sessions,
        months=rows.months,
    )


def merge_facets(stores: Sequence[FacetCounts]) -> FacetCounts:
    """Add the counts of several stores up."""
    return FacetCounts(
        total=sum(counts.total for counts in stores),
        known=_added(counts.known for counts in stores),
        sessions=_added(counts.sessions for counts in stores),
        months=_added(counts.months for counts in stores),
    )


def _added[Key](mappings: Iterable[Mapping[Key, int]]) -> dict[Key, int]:
    added: Counter[Key] = Counter()
    for mapping in mappings:
        added.update(mapping)
    return dict(added)


def facet_groups(
    counts: FacetCounts, sessions_shown: int = SESSIONS_SHOWN
) -> tuple[FacetGroup, ...]:
    """Return the facets as they are shown: those that say nothing of any row are left out."""
    shown = {facet: _known(facet, counts) for facet in KNOWN}
    shown[Facet.SESSION] = _sessions(counts.sessions, sessions_shown)
    shown[Facet.MONTH] = _months(counts.months)
    return tuple(g for g in (shown[facet] for facet in Facet) if g.values or g.other_values)


def _known(facet: Facet, counts: FacetCounts) -> FacetGroup:
    values = (FacetValue(f, counts.known.get(f, 0)) for f in KNOWN[facet])
    return FacetGroup(facet, tuple(value for value in values if value.count))


def _sessions(sessions: Mapping[str, int], shown: int) -> FacetGroup:
    """Return the largest sessions, equal ones by name."""
    ordered = sorted(sessions.items(), key=lambda item: (-item[1], item[0]))
    values = [
        FacetValue(Filter(FilterKey.SESSION, (Word(name),)), count)
        for name, count in ordered[:shown]
    ]
    rest = [count for _, count in ordered[shown:]]
    return FacetGroup(Facet.SESSION, tuple(values), len(rest), sum(rest))


def _months(months: Mapping[str, int]) -> FacetGroup:
    """Return the months, newest first; what is no month is counted apart."""
    values: list[FacetValue] = []
    rest: list[int] = []
    for name in sorted(months, reverse=True):
        month = _month(name)
        if month is None:
            rest.append(months[name])
        else:
            values.append(FacetValue(month, months[name]))
    return FacetGroup(Facet.MONTH, tuple(values), len(rest), sum(rest))


def _month(name: str) -> Filter | None:
    value = read_value(FilterKey.CREATED, name) if _MONTH.fullmatch(name) else None
    return None if value is None else Filter(FilterKey.CREATED, (value,))
