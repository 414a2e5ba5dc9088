"""How the values of filters are read and written; for every value, reading what was written gives
it back. Pure.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from core.filters.filter import Age, Days, Filter, FilterKey, StateWord, Unit, Value, Whole, Word
from core.readmodels import Tier

_BARE = re.compile(r'[^\s,"]+')
_AGE = re.compile(r"([0-9]{1,5})([hdw])")
_NUMBER = r"[0-9]{1,15}"
_LARGEST = 10**15 - 1
_COMPARED = re.compile(rf"(>=?|<=?)?({_NUMBER})")
_NUMBERS = re.compile(rf"({_NUMBER})?\.\.({_NUMBER})?")
_DAY = r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?"
_DAYS = re.compile(rf"({_DAY})?\.\.({_DAY})?")
_MONTH_LENGTH = len("2026-08")

_CLOSED: Mapping[FilterKey, frozenset[str]] = MappingProxyType(
    {FilterKey.IS: frozenset(StateWord), FilterKey.TIER: frozenset(Tier)}
)
#: Other names that people and the window use for members of the closed sets.
_ALIASES: Mapping[FilterKey, Mapping[str, str]] = MappingProxyType(
    {
        FilterKey.IS: {"replaced": StateWord.SUPERSEDED, "dead_head": StateWord.DEAD_HEAD},
        FilterKey.TIER: {"long-term": Tier.LONG_TERM},
    }
)
_EXPECTED: Mapping[FilterKey, str] = MappingProxyType(
    {
        FilterKey.IS: "one of " + ", ".join(StateWord),
        FilterKey.TIER: "journal or long_term",
        FilterKey.CREATED: "an age such as 7d, a day, a month, or a range such as 2026-08-01..",
        FilterKey.EDITED: "an age such as 7d, a day, a month, or a range such as 2026-08-01..",
        FilterKey.TOKENS: "a number, >400, <400 or a range such as 100..200",
        FilterKey.VERSION: "a number, >1, <3 or a range such as 2..5",
    }
)
_MAY_BE_EMPTY = frozenset({FilterKey.SESSION})


def read_value(key: FilterKey, text: str) -> Value | None:
    """Return the value that a text means for a key, or None where it means none."""
    match key:
        case FilterKey.CREATED | FilterKey.EDITED:
            return _age(text) or _days(text)
        case FilterKey.TOKENS | FilterKey.VERSION:
            return _whole(text)
        case _:
            return _word(key, text)


def expected(key: FilterKey) -> str:
    """Say what a key takes."""
    return _EXPECTED.get(key, "a name")


def write_filter(filter_: Filter) -> str:
    """Write a filter as it is typed."""
    values = ",".join(_write_value(value) for value in filter_.values)
    return f"{'-' if filter_.negated else ''}{filter_.key}:{values}"


def _word(key: FilterKey, text: str) -> Word | None:
    known = _ALIASES.get(key, {}).get(text, text)
    closed = _CLOSED.get(key)
    if closed is None:
        return Word(text) if text or key in _MAY_BE_EMPTY else None
    return Word(str(known)) if known in closed else None


def _age(text: str) -> Age | None:
    match = _AGE.fullmatch(text)
    if match is None or int(match[1]) == 0:
        return None
    return Age(int(match[1]), Unit(match[2]))


def _days(text: str) -> Days | None:
    match = _DAYS.fullmatch(text)
    try:
        if match is None:
            return Days(_first_day(text), _last_day(text))
        first, last = match.groups()
        return Days(
            None if first is None else _first_day(first), None if last is None else _last_day(last)
        )
    except ValueError:  # no such day, or the wrong way round
        return None


def _first_day(text: str) -> date:
    return date.fromisoformat(_whole_date(text) if len(text) > _MONTH_LENGTH else f"{text}-01")


def _last_day(text: str) -> date:
    if len(text) > _MONTH_LENGTH:
        return date.fromisoformat(_whole_date(text))
    return _month_end(_first_day(text))


def _whole_date(text: str) -> str:
    if re.fullmatch(_DAY, text) is None:
        raise ValueError("not a day as it is written here")
    return text


def _month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _whole(text: str) -> Whole | None:
    compared, ranged = _COMPARED.fullmatch(text), _NUMBERS.fullmatch(text)
    try:
        if compared is not None:
            return _compared(compared[1] or "", int(compared[2]))
        if ranged is not None:
            return Whole(_number(ranged[1]), _number(ranged[2]))
    except ValueError:  # no end at all, or the wrong way round
        return None
    return None


def _compared(sign: str, number: int) -> Whole | None:
    match sign:
        case ">":
            return Whole(number + 1, None)
        case ">=":
            return Whole(number, None)
        case "<":
            return Whole(None, number - 1) if number else None
        case "<=":
            return Whole(None, number)
        case _:
            return Whole(number, number)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _write_value(value: Value) -> str:
    match value:
        case Word(text):
            return text if _BARE.fullmatch(text) else '"' + text.replace('"', '""') + '"'
        case Age(amount, unit):
            return f"{amount}{unit}"
        case Days(first, last):
            return _write_days(first, last)
        case Whole(low, high):
            return _write_whole(low, high)


def _write_days(first: date | None, last: date | None) -> str:
    if first is not None and last is not None:
        if first == last:
            return first.isoformat()
        if first.day == 1 and last == _month_end(first):
            return first.isoformat()[:_MONTH_LENGTH]
    begin = "" if first is None else first.isoformat()
    return begin + ".." + ("" if last is None else last.isoformat())


def _write_whole(low: int | None, high: int | None) -> str:
    if high is None:
        return f">{low - 1}" if low else f">={low}"
    if low is None:
        return f"<{high + 1}" if high < _LARGEST else f"<={high}"
    return str(low) if low == high else f"{low}..{high}"
