"""Memories and events over time: bins, filters, exact totals, odd times."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.reading import event_timeline, memory_timeline
from core.audit.timeline import BinSize, end_of, start_of, timeline_of
from core.store.timeline_rows import HourCount, Span
from tests.support.digests import all_digests
from tests.support.event_logs import LogOf
from tests.support.open_databases import open_databases
from tests.support.properties import PROPERTY
from tests.support.stores import Memory, build_store

_MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23), timezones=st.just(UTC))


def _hours(*hours: str | None) -> list[HourCount]:
    return [HourCount(hour, "live", 1) for hour in hours]


@given(_MOMENTS, st.sampled_from(BinSize))
@PROPERTY
def test_every_moment_lies_in_its_bin_and_a_bin_begins_in_itself(
    moment: datetime, size: BinSize
) -> None:
    start = start_of(moment, size)
    assert start <= moment
    assert moment < end_of(start, size) or end_of(start, size) == datetime.max.replace(tzinfo=UTC)
    assert start_of(start, size) == start


@given(st.lists(_MOMENTS, max_size=30), st.sampled_from([*BinSize, None]))
@PROPERTY
def test_bins_lose_and_invent_nothing(moments: list[datetime], size: BinSize | None) -> None:
    told = timeline_of(_hours(*(m.isoformat()[:13] for m in moments)), size)
    assert told.total == sum(b.total for b in told.bins) == len(moments)
    assert [b.start for b in told.bins] == sorted({start_of(m, told.size) for m in moments})


@pytest.mark.parametrize(
    ("last", "size"),
    [
        ("2026-03-01T00", BinSize.HOUR),
        ("2026-03-05T23", BinSize.HOUR),
        ("2026-03-06T00", BinSize.DAY),
        ("2026-06-28T00", BinSize.DAY),
        ("2026-06-29T00", BinSize.WEEK),
        ("2028-06-11T00", BinSize.WEEK),
        ("2028-06-12T00", BinSize.MONTH),
        ("9999-12-31T23", BinSize.MONTH),
    ],
)
def test_the_smallest_size_of_at_most_120_bins_is_taken(last: str, size: BinSize) -> None:
    """From Sunday, 1 March 2026: 120 hours, 120 days, 120 weeks that begin on Mondays."""
    assert timeline_of(_hours("2026-03-01T00", last)).size is size


def test_weeks_begin_on_monday_and_months_on_the_first() -> None:
    (week,) = timeline_of(_hours("2026-03-01T23"), BinSize.WEEK).bins
    assert (week.start, week.end) == (
        datetime(2026, 2, 23, tzinfo=UTC),
        datetime(2026, 3, 2, tzinfo=UTC),
    )
    (month,) = timeline_of(_hours("2026-02-28T23", "2026-02-01T00"), BinSize.MONTH).bins
    assert (month.start, month.end, month.total) == (
        datetime(2026, 2, 1, tzinfo=UTC),
        datetime(2026, 3, 1, tzinfo=UTC),
        2,
    )


_TIMES = (
    "2026-03-01T12:00:00+00:00",
    "2026-03-01T12:59:59.999999+00:00",
    "2026-03-01T13:00:00+00:00",
)
_ODD = ("2026-03-01", "", "yesterday", "2026-13-01T00:00:00+00:00", "2026-03-01T12:00:00+02:00")


async def test_memories_are_counted_exactly_and_odd_times_apart(tmp_path: Path) -> None:
    rows = [Memory(at, f"g{at}", created_at=at) for at in _TIMES]
    rows += [Memory(f"odd {at}", "odd", created_at=at) for at in _ODD]
    rows.append(Memory("old", "old", by="odd ", created_at=_TIMES[2]))
    project = build_store(tmp_path, rows)
    before = all_digests(project)
    async with open_databases(project) as (database,):
        reader = database.browse
        whole = await memory_timeline([reader])
        part = await memory_timeline([reader], Span(_TIMES[1], _TIMES[2]))
        late = await memory_timeline([reader], Span(since=_TIMES[2]), BinSize.DAY)
        twice = await memory_timeline([reader, reader])
    assert whole.size is BinSize.HOUR
    assert [(b.start.hour, dict(b.counts)) for b in whole.bins] == [
        (12, {"live": 2}),
        (13, {"live": 1, "superseded": 1}),
    ]
    assert (dict(whole.totals), dict(whole.undated)) == ({"live": 3, "superseded": 1}, {"live": 5})
    assert (dict(part.totals), dict(part.undated)) == ({"live": 1}, {})
    assert [(b.end - b.start, b.total) for b in late.bins] == [(timedelta(days=1), 2)]
    assert twice.total == 2 * whole.total
    assert all_digests(project) == before


async def test_events_are_counted_by_kind(tmp_path: Path) -> None:
    project = build_store(tmp_path, [])
    log = LogOf()
    log.prompt("s", "a", "b")
    log.did("s", "fetch", "a")
    log.write(project)
    async with open_databases(project) as (database,):
        reader = database.browse
        events = await event_timeline([reader])
        some = await event_timeline([reader], kinds=("surface", "fetch"))
    assert dict(events.totals) == {"fetch": 1, "surface": 2, "surface_call": 1}
    assert dict(some.totals) == {"fetch": 1, "surface": 2}
