"""The page of memories and events over time: read while it can be seen, binned in a thread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.found_feed import FoundFeed
from app.long_work import WorkWords
from app.newest_tasks import NewestTasks
from app.page_host import PageHost
from app.page_scope import PageScope, read_each
from app.tasks import TaskSet
from app.worker import Worker
from core.audit.timeline import BinSize, timeline_of
from core.errors import GenizahError
from core.filters.compiling import condition_of
from core.filters.filter import Days, Filter, FilterKey
from core.filters.values import write_filter
from core.progress import Progress, WorkCancelledError
from core.store.conditions import Condition
from core.store.database import Reader
from core.store.timeline_rows import (
    HourCount,
    MomentRow,
    Span,
    events_by_hour,
    events_within,
    memories_by_hour,
    memories_within,
)
from widgets.found_rows import FoundRow, Numbered
from widgets.texts import counted, grouped, second
from widgets.timeline_content import (
    ALL_UNCHECKED,
    NOTHING_WRITTEN,
    Subject,
    TimelineContent,
    kind_words,
    kinds_of,
    zoomed,
)
from widgets.timeline_page import TimelinePage

_KEY = "timeline"
_WORDS = WorkWords(
    _KEY, "Reading the times", lambda done, total: f"{done} of {counted(total, 'store')}"
)
_ROWS_WORDS = WorkWords("timeline rows", "Reading the rows", _WORDS.amount)
_CANCELLED = "The times were not read to their end: it was cancelled."
_MOST_EVENTS = 5_000
_NO_FILTER = "The search box has no filter for events."


@dataclass(frozen=True, slots=True)
class _Hours:
    """The counts by the hour of all stores together, by subject."""

    of: dict[Subject, list[HourCount]] = field(default_factory=dict)

    def totals(self, subject: Subject) -> dict[str, int]:
        """Return how many there are of each label."""
        totals: dict[str, int] = {}
        for hour in self.of.get(subject, ()):
            totals[hour.label] = totals.get(hour.label, 0) + hour.count
        return totals


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Whose rows are wanted: a time, the labels, how the page calls it."""

    span: Span
    subject: Subject
    labels: tuple[str, ...]
    name: str


class TimelineController:
    """Serve the timeline of one window."""

    def __init__(self, host: PageHost) -> None:
        self.page = TimelinePage()
        self._host = host
        self._scope = PageScope()
        self._newest = NewestTasks()
        self._worker = Worker("timeline")
        self._is_stale = True
        self._hours = _Hours()
        self._unchecked: dict[Subject, frozenset[str]] = {}
        self._sizes: dict[Subject, BinSize | None] = {}
        self._shown: Subject | None = None
        self._listed: _Wanted | None = None
        self._filters: tuple[Filter, ...] = ()
        page = self.page
        self._found = FoundFeed(page.found, host, self._failed)
        page.became_visible.connect(self._follow)
        page.content_wanted.connect(self._choose)
        page.zoom_wanted.connect(self._zoom)
        page.fit_wanted.connect(lambda: self._set_size(None))
        page.rows_wanted.connect(self._list)
        page.marked.connect(self._mark)
        page.read_again_wanted.connect(self.moved)

    # The stores

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Read these stores from now on."""
        before, self._scope = self._scope, scope
        self._newest.use(tasks)
        self._found.use(scope, tasks)
        self.page.head.set_scope(scope.words)
        if not scope.has_same_stores(before):
            self._hours, self._listed = _Hours(), None
            self.page.show_content(None)
            self.page.show_kinds((), frozenset())
            self.page.show_rows_words("")
            self.page.show_state("")
        self.moved()

    def moved(self) -> None:
        """Follow stores that were written."""
        self._is_stale = True
        self._follow()

    @property
    def is_busy(self) -> bool:
        """Tell whether anything is being read or binned."""
        return self._newest.is_busy or self._found.is_busy

    async def settled(self) -> None:
        """Wait until nothing more is coming."""
        while self.is_busy:
            await self._newest.settled()
            await self._found.settled()

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def _follow(self) -> None:
        if not self.page.isVisible() or not self._scope.stores:
            return
        filters = tuple(f for f in self._host.filters() if not _is_brushed(f))
        if filters != self._filters:
            self._filters, self._is_stale = filters, True
        if self._is_stale and not self._newest.is_running("read"):
            self._newest.start("read", self._read)

    async def _read(self) -> None:
        scope = self._scope
        while self._is_stale:
            self._is_stale = False

            async def read(progress: Progress) -> _Hours:
                return await self._read_hours(scope, progress)

            try:
                self._hours = await self._host.work.run(_WORDS, read)
            except WorkCancelledError:
                self.page.show_state(_CANCELLED, may_read=True)
                return
            except GenizahError as error:
                self._is_stale = True  # read again once a store moves or the page is shown
                self._failed(error)
                return
            await self._draw()
        if self._listed is not None:
            self._newest.start("rows", self._read_rows)

    async def _read_hours(self, scope: PageScope, progress: Progress) -> _Hours:
        kept = self._kept(scope)
        found = await read_each(scope.stores, progress, lambda r: _hours_of(r, kept[r]))
        self.page.show_state(found.words, may_read=bool(found.words))
        hours = _Hours({subject: [] for subject in Subject})
        for part in found.parts:
            for subject, counts in (part or {}).items():
                hours.of[subject] += counts
        return hours

    def _kept(self, scope: PageScope) -> Mapping[Reader, Condition]:
        """Return which memories of each store the filters keep."""
        context_of = self._host.context_of
        return {s.reader: condition_of(self._filters, context_of(s.store)) for s in scope.stores}

    def _failed(self, error: GenizahError) -> None:
        self.page.show_state(f"{error.message} ({error.code.value})", may_read=True)

    # Drawing

    def _choose(self) -> None:
        """Draw what is chosen now; a subject keeps what was left out of it."""
        subject = self.page.subject
        if subject is self._shown:
            self._unchecked[subject] = self.page.kinds.unchecked()
        else:
            self._listed = None
            self._found.show(())
            self.page.show_rows_words("")
            self.page.show_state("")
        self._newest.start("draw", self._draw)

    def _zoom(self, by: int) -> None:
        content = self.page.chart.content
        if content is not None:
            self._set_size(zoomed(content.timeline.size, by))

    def _set_size(self, size: BinSize | None) -> None:
        self._sizes[self.page.subject] = size
        self._newest.start("draw", self._draw)

    async def _draw(self) -> None:
        subject = self.page.subject
        left_out = self._unchecked.get(subject, frozenset())
        hours = self._hours.of.get(subject, [])
        is_narrowed = subject is Subject.MEMORIES
        filters = " ".join(map(write_filter, self._filters)) if is_narrowed else ""
        content = await self._worker.run(
            _content, subject, hours, left_out, self._sizes.get(subject), filters
        )
        if subject is not self.page.subject:
            return
        self._shown = subject
        kinds = kinds_of(subject, self._hours.totals(subject))
        self.page.show_kinds(kinds, left_out)
        self.page.show_content(content)
        if kinds and not content.labels:
            self.page.show_rows_words(ALL_UNCHECKED)
        elif not kinds:
            self.page.show_rows_words(NOTHING_WRITTEN)

    # Rows of a time

    def _list(self, first: int, last: int) -> None:
        content = self.page.chart.content
        if content is None or not content.bins:
            return
        span = Span(content.bins[first].start.isoformat(), content.bins[last].end.isoformat())
        words = content.bin_words(first) if first == last else content.range_words(first, last)
        self._listed = _Wanted(span, content.subject, content.labels, words)
        self._newest.start("rows", self._read_rows)

    def _mark(self, first: int, last: int) -> None:
        """List what is in a time marked, and narrow the search to it."""
        content = self.page.chart.content
        if content is None:
            return
        self._list(first, last)
        if content.subject is Subject.EVENTS:
            self.page.show_state(_NO_FILTER)
            return
        filter_ = Filter(FilterKey.CREATED, (Days(*content.days(first, last)),))
        self._host.add_filter(filter_)
        self.page.show_state(
            f"In the search box: {write_filter(filter_)} – Enter there shows the list."
        )

    async def _read_rows(self) -> None:
        scope, wanted = self._scope, self._listed
        if wanted is None:
            return

        async def read(progress: Progress) -> Sequence[FoundRow]:
            return await _rows_of(scope, wanted, self._kept(scope), progress)

        try:
            rows = await self._host.work.run(_ROWS_WORDS, read)
        except WorkCancelledError:
            self.page.show_rows_words(_CANCELLED)
            return
        except GenizahError as error:
            self._failed(error)
            return
        is_cut = wanted.subject is Subject.EVENTS and len(rows) >= _MOST_EVENTS
        cut = f" The first {grouped(_MOST_EVENTS)} are listed." if is_cut else ""
        self.page.show_rows_words(f"Listed: {wanted.name}.{cut}")
        self._found.show(rows)


def _is_brushed(filter_: Filter) -> bool:
    """Tell whether a time marked takes the place of a filter: it does not narrow what is marked."""
    return filter_.key is FilterKey.CREATED and not filter_.negated


def _content(
    subject: Subject,
    hours: Sequence[HourCount],
    left_out: frozenset[str],
    size: BinSize | None,
    filters: str,
) -> TimelineContent:
    totals = dict.fromkeys(hour.label for hour in hours)
    counts: dict[str, int] = dict.fromkeys(totals, 0)
    for hour in hours:
        counts[hour.label] += hour.count
    labels = tuple(k.label for k in kinds_of(subject, counts) if k.label not in left_out)
    kept = [hour for hour in hours if hour.label in labels]
    return TimelineContent(subject, timeline_of(kept, size), labels, filters)


async def _hours_of(reader: Reader, kept: Condition) -> dict[Subject, list[HourCount]]:
    async with reader.snapshot() as connection:
        return {
            Subject.MEMORIES: await memories_by_hour(connection, Span(), kept),
            Subject.EVENTS: await events_by_hour(connection, Span(), None),
        }


async def _rows_of(
    scope: PageScope, wanted: _Wanted, kept: Mapping[Reader, Condition], progress: Progress
) -> Sequence[FoundRow]:
    async def read(reader: Reader) -> list[MomentRow]:
        async with reader.snapshot() as connection:
            if wanted.subject is Subject.MEMORIES:
                return await memories_within(
                    connection, wanted.span, wanted.labels, kept[reader]
                )
            return await events_within(connection, wanted.span, wanted.labels, _MOST_EVENTS)

    found = await read_each(scope.stores, progress, read)
    placed = [(place, row) for place, part in enumerate(found.parts) for row in part or ()]
    placed.sort(key=lambda one: one[1].at)
    if wanted.subject is Subject.MEMORIES:
        return Numbered((place, row.rowid) for place, row in placed if row.rowid is not None)
    return [_event_row(place, row) for place, row in placed[:_MOST_EVENTS]]


def _event_row(place: int, row: MomentRow) -> FoundRow:
    words = f"{kind_words(Subject.EVENTS, row.label)} · {second(row.at)}"
    return FoundRow(place, uuid=row.uuid, words=words)
