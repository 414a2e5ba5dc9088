"""Counts over time in bins that fit a picture: hours, days, weeks from Monday, months; UTC. Pure.

Only bins with something in them are told, so that no date however odd makes many of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from core.store.timeline_rows import HourCount

MOST_BINS = 120


class BinSize(StrEnum):
    """The sizes, from the smallest."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class TimeBin:
    """From `start` on and before `end`: how many of each label, none that is 0."""

    start: datetime
    end: datetime
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Return the number of all labels together."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Timeline:
    """Bins in order, totals by label over all of them, and what has no time that can be read."""

    size: BinSize
    bins: tuple[TimeBin, ...]
    totals: Mapping[str, int]
    undated: Mapping[str, int]

    @property
    def total(self) -> int:
        """Return the number of everything with a time."""
        return sum(self.totals.values())


def timeline_of(
    hours: Iterable[HourCount], size: BinSize | None = None, *, most_bins: int = MOST_BINS
) -> Timeline:
    """Join counts by the hour, of several stores too, in bins of one size.

    Without a size it is the smallest by which first and last are at most `most_bins` apart,
    months where none is.
    """
    by_hour: dict[datetime, Counter[str]] = {}
    undated: Counter[str] = Counter()
    for one in hours:
        hour = _moment(one.hour)
        counter = undated if hour is None else by_hour.setdefault(hour, Counter())
        counter[one.label] += one.count
    chosen = size or _fitting(by_hour, most_bins)
    bins: dict[datetime, Counter[str]] = {}
    for hour, counts in by_hour.items():
        bins.setdefault(start_of(hour, chosen), Counter()).update(counts)
    totals: Counter[str] = Counter()
    for counts in bins.values():
        totals.update(counts)
    told = [TimeBin(at, end_of(at, chosen), _fixed(bins[at])) for at in sorted(bins)]
    return Timeline(chosen, tuple(told), _fixed(totals), _fixed(undated))


def start_of(moment: datetime, size: BinSize) -> datetime:
    """Return when the bin of a moment begins."""
    hour = moment.replace(minute=0, second=0, microsecond=0)
    match size:
        case BinSize.HOUR:
            return hour
        case BinSize.DAY:
            return hour.replace(hour=0)
        case BinSize.WEEK:
            return hour.replace(hour=0) - timedelta(days=hour.weekday())
        case BinSize.MONTH:
            return hour.replace(hour=0, day=1)


def end_of(start: datetime, size: BinSize) -> datetime:
    """Return when the bin that begins there ends: the last moment there is at the latest."""
    try:
        match size:
            case BinSize.HOUR:
                return start + timedelta(hours=1)
            case BinSize.DAY:
                return start + timedelta(days=1)
            case BinSize.WEEK:
                return start + timedelta(days=7)
            case BinSize.MONTH:
                return (start + timedelta(days=31)).replace(day=1)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _fitting(hours: Iterable[datetime], most_bins: int) -> BinSize:
    found = sorted(hours)
    if not found:
        return BinSize.HOUR
    first, last = found[0], found[-1]
    lengths = {
        BinSize.HOUR: timedelta(hours=1),
        BinSize.DAY: timedelta(days=1),
        BinSize.WEEK: timedelta(days=7),
    }
    for size, length in lengths.items():
        bins = (start_of(last, size) - start_of(first, size)) // length + 1
        if bins <= most_bins:
            return size
    return BinSize.MONTH


def _moment(hour: str | None) -> datetime | None:
    """Read an hour such as 2026-03-01T12; None for one that no calendar has."""
    if hour is None:
        return None
    try:
        return datetime.strptime(hour, "%Y-%m-%dT%H").replace(tzinfo=UTC)
    except ValueError:
        return None


def _fixed(counts: Counter[str]) -> Mapping[str, int]:
    return MappingProxyType({label: counts[label] for label in sorted(counts) if counts[label]})
