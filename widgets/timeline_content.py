"""What the timeline says and where its bins lie, made from counts. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from core.audit.timeline import BinSize, TimeBin, Timeline
from widgets.text_marks import one_line
from widgets.texts import STATE_WORDS, counted, grouped

_LARGER = (BinSize.HOUR, BinSize.DAY, BinSize.WEEK, BinSize.MONTH)
_SIZES = {BinSize.HOUR: "hour", BinSize.DAY: "day", BinSize.WEEK: "week", BinSize.MONTH: "month"}
_STATES = ("live", "superseded", "retired")
_KINDS = {
    "surface_call": "prompts",
    "surface": "shown",
    "fetch": "fetched",
    "search": "searched",
    "remember": "remembered",
    "amend": "amended",
    "retire": "retired",
    "merge": "merged",
    "promote": "promoted",
    "discard": "discarded",
}
_KEYS = "Left and Right move, Enter lists, Shift marks a time for the search, plus and minus zoom."
_LONGEST_FILTERS = 60
NOTHING_WRITTEN = "There is nothing with a time here."
ALL_UNCHECKED = "No kind is checked."


class Subject(StrEnum):
    """What a timeline counts."""

    MEMORIES = "memories"
    EVENTS = "events"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind that can be left out: the label as counted, and how many there are over all time."""

    label: str
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class TimelineContent:
    """A subject's timeline of the kinds that are checked; `labels` in the order they are piled."""

    subject: Subject
    timeline: Timeline
    labels: tuple[str, ...]
    filters: str = ""
    """What memories must pass to be counted, as it is typed."""

    @property
    def bins(self) -> Sequence[TimeBin]:
        """Return the bins with something in them."""
        return self.timeline.bins

    @property
    def highest(self) -> int:
        """Return the most that a bin has."""
        return max((one.total for one in self.bins), default=0)

    def noun(self, number: int) -> str:
        """Count what the timeline is of."""
        if self.subject is Subject.EVENTS:
            return counted(number, "event")
        return counted(number, "memory", "memories")

    def summary(self) -> str:
        """Say what there is in all, and what the keys do."""
        bins = self.bins
        asked = one_line(self.filters, _LONGEST_FILTERS) if self.filters else ""
        if not bins:
            counted_is = f" Counted is what passes {asked}." if asked else ""
            return NOTHING_WRITTEN + counted_is
        verb = "passes" if self.timeline.total == 1 else "pass"
        passing = f" that {verb} {asked}," if asked else ""
        when = _period(bins[0].start, bins[-1].start, self.timeline.size)
        size = _SIZES[self.timeline.size]
        undated = sum(self.timeline.undated.values())
        more = f" {self.noun(undated)} without a time that can be read." if undated else ""
        return f"{self.noun(self.timeline.total)}{passing} {when}, by the {size}.{more} {_KEYS}"

    def bin_words(self, at: int) -> str:
        """Say of one bin when it is and what is in it."""
        one = self.bins[at]
        return f"{bin_name(one.start, self.timeline.size)}: {self._counts_words(one.counts)}"

    def range_words(self, first: int, last: int) -> str:
        """Say of some bins from when to when they are and what is in them."""
        counts: dict[str, int] = {}
        for one in self.bins[first : last + 1]:
            for label, number in one.counts.items():
                counts[label] = counts.get(label, 0) + number
        days = self.days(first, last)
        when = f"{days[0]}" if days[0] == days[1] else f"{days[0]} to {days[1]}"
        return f"Marked {when}: {self._counts_words(counts)}"

    def _counts_words(self, counts: Mapping[str, int]) -> str:
        parts = [
            f"{grouped(counts[label])} {kind_words(self.subject, label)}"
            for label in self.labels
            if counts.get(label)
        ]
        return f"{self.noun(sum(counts.values()))} ({', '.join(parts)})"

    def days(self, first: int, last: int) -> tuple[date, date]:
        """Return the first and the last day that some bins are in, both included."""
        end = self.bins[last].end - timedelta(microseconds=1)
        return self.bins[first].start.date(), end.date()


def kind_words(subject: Subject, label: str) -> str:
    """Say a state or a kind of event; one that is not known as stored."""
    if subject is Subject.EVENTS:
        return _KINDS.get(label) or one_line(label).replace("_", " ")
    return next((words for state, words in STATE_WORDS.items() if state == label), one_line(label))


def kinds_of(subject: Subject, totals: Mapping[str, int]) -> list[Kind]:
    """Return the kinds there are: states as always, events the most frequent first."""
    if subject is Subject.MEMORIES:
        labels = [label for label in _STATES if totals.get(label)]
    else:
        labels = sorted(totals, key=lambda label: (-totals[label], label))
    return [Kind(label, kind_words(subject, label), totals[label]) for label in labels]


def bin_name(start: datetime, size: BinSize) -> str:
    """Say when a bin is."""
    match size:
        case BinSize.HOUR:
            return f"{start.date().isoformat()} {start.hour:02}:00"
        case BinSize.DAY:
            return start.date().isoformat()
        case BinSize.WEEK:
            return f"week of {start.date().isoformat()}"
        case BinSize.MONTH:
            return start.date().isoformat()[:7]


def _period(first: datetime, last: datetime, size: BinSize) -> str:
    """Say from which bin to which all of it lies: of a larger one no day is known."""
    begin, end = first.date().isoformat(), last.date().isoformat()
    match size:
        case BinSize.HOUR | BinSize.DAY:
            return f"on {begin}" if begin == end else f"from {begin} to {end}"
        case BinSize.WEEK:
            if begin == end:
                return f"in the week of {begin}"
            return f"from the week of {begin} to that of {end}"
        case BinSize.MONTH:
            return f"in {begin[:7]}" if begin == end else f"from {begin[:7]} to {end[:7]}"


def number_of(start: datetime, size: BinSize) -> int:
    """Return where a bin lies, counted in bins of its size from a fixed one: empty ones count."""
    day = start.toordinal()
    match size:
        case BinSize.HOUR:
            return day * 24 + start.hour
        case BinSize.DAY:
            return day
        case BinSize.WEEK:
            return (day - 1) // 7
        case BinSize.MONTH:
            return start.year * 12 + start.month - 1


def moment_of(number: int, size: BinSize) -> datetime:
    """Return when the bin at a number begins: the way back from number_of."""
    match size:
        case BinSize.HOUR:
            day, hour = divmod(number, 24)
            return datetime.fromordinal(day).replace(hour=hour)
        case BinSize.DAY:
            return datetime.fromordinal(number)
        case BinSize.WEEK:
            return datetime.fromordinal(number * 7 + 1)
        case BinSize.MONTH:
            year, month = divmod(number, 12)
            return datetime(year, month + 1, 1)


def zoomed(size: BinSize, by: int) -> BinSize:
    """Return the next larger (1) or smaller (-1) size, the same one where there is none."""
    at = _LARGER.index(size) + by
    return _LARGER[max(0, min(len(_LARGER) - 1, at))]


def table_columns(content: TimelineContent) -> tuple[str, ...]:
    """Return the heads of the same as a table."""
    kinds = (kind_words(content.subject, label) for label in content.labels)
    return ("time (UTC)", *kinds, "in all")


def table_cells(content: TimelineContent, row: int) -> tuple[str, ...]:
    """Return the cells of one bin."""
    one = content.bins[row]
    kinds = (grouped(one.counts.get(label, 0)) for label in content.labels)
    return (bin_name(one.start, content.timeline.size), *kinds, grouped(one.total))
