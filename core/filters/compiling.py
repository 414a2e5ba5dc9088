"""What filters mean for one store: a condition for its rows, ready for a search or a list. Pure.

The pieces of SQL are core/store/filter_conditions' and, for states, core/retrieval/eligibility's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from core.filters.filter import Age, Days, Filter, FilterKey, StateWord, Unit, Value, Whole, Word
from core.filters.values import write_filter
from core.readmodels import State
from core.retrieval.eligibility import STATE_CONDITIONS, Narrowing
from core.store import filter_conditions as sql
from core.store.conditions import EVERY_ROW, NO_ROW, Condition, all_of, any_of, none_of
from core.store.filter_conditions import NumberColumn, TimeColumn
from core.store.text import well_formed

_HOURS: Mapping[Unit, int] = MappingProxyType({Unit.HOURS: 1, Unit.DAYS: 24, Unit.WEEKS: 168})
_STATES: Mapping[StateWord, Condition] = MappingProxyType(
    {
        StateWord.LIVE: STATE_CONDITIONS[State.LIVE],
        StateWord.SUPERSEDED: STATE_CONDITIONS[State.SUPERSEDED],
        StateWord.RETIRED: STATE_CONDITIONS[State.RETIRED],
        StateWord.HEAD: sql.is_head(),
        StateWord.DEAD_HEAD: sql.leads_to_dead_head(),
        StateWord.INJECTED: sql.was_injected(),
        StateWord.DANGLING: sql.is_dangling(),
        StateWord.CYCLE: sql.leads_to_circle(),
        StateWord.ODD_VERSION: sql.has_odd_version(),
        StateWord.NO_CHUNK: sql.has_no_chunk(),
    }
)
_NAMED: Mapping[FilterKey, Callable[[str], Condition]] = MappingProxyType(
    {
        FilterKey.TIER: sql.in_tier,
        FilterKey.SESSION: sql.in_session,
        FilterKey.UUID: sql.has_uuid,
        FilterKey.REPLACES: sql.replaced,
        FilterKey.REPLACED_BY: sql.replaced_by,
    }
)
_RETIRED_WORDS = frozenset({Word(StateWord.RETIRED.value), Word(StateWord.DEAD_HEAD.value)})


@dataclass(frozen=True, slots=True)
class FilterContext:
    """What filters depend on beside the rows: the moment, in UTC, and the names of the store."""

    now: datetime
    store_names: frozenset[str] = frozenset()


def condition_of(filters: Iterable[Filter], context: FilterContext) -> Condition:
    """Return what holds for the rows, of any state, that all filters keep."""
    return all_of([_one(f, context) for f in filters])


def narrowing_of(filters: Sequence[Filter], context: FilterContext) -> Narrowing | None:
    """Return what narrows a search; None where there is no filter."""
    if not filters:
        return None
    return Narrowing(
        condition_of(filters, context),
        " ".join(map(write_filter, filters)),
        any(map(_asks_for_retired, filters)),
    )


def _asks_for_retired(filter_: Filter) -> bool:
    is_state = filter_.key is FilterKey.IS and not filter_.negated
    return is_state and not _RETIRED_WORDS.isdisjoint(filter_.values)


def _one(filter_: Filter, context: FilterContext) -> Condition:
    if filter_.key is FilterKey.SIMILAR:
        raise ValueError("a search by a memory is no filter")
    kept = any_of([_value(filter_.key, value, context) for value in filter_.values])
    return none_of(kept) if filter_.negated else kept


def _value(key: FilterKey, value: Value, context: FilterContext) -> Condition:
    match value:
        case Word(text):
            return _word(key, well_formed(text), context)
        case Age(amount, unit):
            moment = context.now - timedelta(hours=amount * _HOURS[unit])
            return _timed(key, sql.since(_time_column(key), moment))
        case Days(first, last):
            return _timed(key, sql.on_days(_time_column(key), first, last))
        case Whole(low, high):
            column = NumberColumn.TOKENS if key is FilterKey.TOKENS else NumberColumn.VERSION
            return sql.between(column, low, high)


def _word(key: FilterKey, text: str, context: FilterContext) -> Condition:
    if key is FilterKey.IS:
        return _STATES[StateWord(text)]
    if key is FilterKey.STORE:
        names = {name.casefold() for name in context.store_names}
        return EVERY_ROW if text.casefold() in names else NO_ROW
    return _NAMED[key](text)


def _time_column(key: FilterKey) -> TimeColumn:
    return TimeColumn.CREATED if key is FilterKey.CREATED else TimeColumn.UPDATED


def _timed(key: FilterKey, condition: Condition) -> Condition:
    """Return the condition; for an edit, of rows that were written again at all."""
    return condition if key is FilterKey.CREATED else all_of([sql.was_changed(), condition])
