"""The timeline as a chart: bins by keys, marks, what is painted, the words; its numbers."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPalette
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from core.audit.timeline import BinSize, start_of, timeline_of
from core.store.timeline_rows import HourCount
from tests.support.properties import PROPERTY
from tests.widgets.keys import check_model, press
from widgets.timeline_chart import TimelineChart
from widgets.timeline_content import (
    Subject,
    TimelineContent,
    kind_words,
    moment_of,
    number_of,
    zoomed,
)
from widgets.timeline_table import TimelineTable

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_MOMENTS = st.datetimes(datetime(1, 1, 8), datetime(9999, 12, 31, 23), timezones=st.just(UTC))


def content(
    *hours: tuple[str, str, int],
    size: BinSize | None = BinSize.DAY,
    subject: Subject = Subject.MEMORIES,
) -> TimelineContent:
    counts = [HourCount(*hour) for hour in hours]
    labels = tuple(dict.fromkeys(label for _, label, _ in hours))
    return TimelineContent(subject, timeline_of(counts, size), labels)


THREE = content(
    ("2026-03-01T08", "live", 3),
    ("2026-03-01T09", "retired", 1),
    ("2026-03-02T08", "live", 1),
    ("2026-03-09T08", "superseded", 2),
)


@pytest.mark.parametrize(
    ("size", "last", "says"),
    [
        (BinSize.HOUR, "2026-03-01T23", "on 2026-03-01, by the hour."),
        (BinSize.DAY, "2026-03-20T23", "from 2026-03-01 to 2026-03-20, by the day."),
        (BinSize.WEEK, "2026-03-01T23", "in the week of 2026-02-23, by the week."),
        (
            *(BinSize.WEEK, "2026-03-20T23"),
            "from the week of 2026-02-23 to that of 2026-03-16, by the week.",
        ),
        (BinSize.MONTH, "2026-03-31T23", "in 2026-03, by the month."),
        (BinSize.MONTH, "2026-05-31T23", "from 2026-03 to 2026-05, by the month."),
    ],
)
def test_of_bins_larger_than_a_day_no_day_is_said_to_be_the_last(
    size: BinSize, last: str, says: str
) -> None:
    told = content(("2026-03-01T08", "live", 1), (last, "live", 1), size=size).summary()
    assert told.startswith(f"2 memories {says}")


@pytest.fixture
def chart(qtbot: QtBot) -> TimelineChart:
    made = TimelineChart()
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    return made


def columns_with(image: QImage, colour: QColor) -> int:
    """Count the columns of a picture in which a colour stands, below the pointer's band."""
    rows = range(image.height() // 3, image.height() * 3 // 4)
    return sum(
        any(image.pixelColor(x, y).rgb() == colour.rgb() for y in rows)
        for x in range(image.width())
    )


@given(_MOMENTS, st.sampled_from(BinSize))
@PROPERTY
def test_the_number_of_a_bin_leads_back_to_its_beginning(moment: datetime, size: BinSize) -> None:
    start = start_of(moment, size)
    assert moment_of(number_of(start, size), size).replace(tzinfo=UTC) == start


def test_bins_side_by_side_have_numbers_side_by_side() -> None:
    for size, step in ((BinSize.HOUR, 2), (BinSize.DAY, 24), (BinSize.WEEK, 168)):
        first = start_of(datetime(2026, 12, 31, 22, tzinfo=UTC), size)
        number = number_of(first, size)
        after = moment_of(number + (2 if size is BinSize.HOUR else 1), size)
        assert (after.replace(tzinfo=UTC) - first).total_seconds() == step * 3600
    december = number_of(datetime(2026, 12, 1, tzinfo=UTC), BinSize.MONTH)
    assert moment_of(december + 1, BinSize.MONTH) == datetime(2027, 1, 1)


def test_it_begins_at_the_last_bin_and_stays_at_its_time_when_bins_are_another_size(
    chart: TimelineChart,
) -> None:
    chart.show_content(THREE, {})
    assert chart.words() == "2026-03-09: 2 memories (2 replaced)"
    press(chart, Qt.Key.Key_Home)
    assert chart.words() == "2026-03-01: 4 memories (3 live, 1 retired)"
    hours = content(
        ("2026-03-01T08", "live", 3),
        ("2026-03-01T09", "retired", 1),
        ("2026-03-09T08", "superseded", 2),
        size=BinSize.HOUR,
    )
    chart.show_content(hours, {})
    assert chart.words().startswith("2026-03-0"), "somewhere in or after that day"
    assert chart.current is not None


def test_shift_marks_from_where_one_was_and_a_plain_arrow_ends_it(chart: TimelineChart) -> None:
    chart.show_content(THREE, {})
    marks: list[tuple[int, int]] = []
    chart.marked.connect(lambda first, last: marks.append((first, last)))
    press(chart, Qt.Key.Key_Left, _SHIFT)
    press(chart, Qt.Key.Key_Home, _SHIFT)
    assert marks == [(1, 2), (0, 2)]
    assert chart.mark == (0, 2)
    press(chart, Qt.Key.Key_Right)
    assert chart.mark is None
    assert chart.current == 1


def test_enter_wants_the_rows_of_the_bin_or_of_what_is_marked(chart: TimelineChart) -> None:
    chart.show_content(THREE, {})
    wanted: list[tuple[int, int]] = []
    chart.rows_wanted.connect(lambda first, last: wanted.append((first, last)))
    press(chart, Qt.Key.Key_Return)
    press(chart, Qt.Key.Key_Left, _SHIFT)
    press(chart, Qt.Key.Key_Enter)
    assert wanted == [(2, 2), (1, 2)]


def test_plus_and_minus_ask_for_smaller_and_larger_bins(chart: TimelineChart) -> None:
    chart.show_content(THREE, {})
    steps: list[int] = []
    chart.zoom_wanted.connect(steps.append)
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
        press(chart, key)
    assert steps == [-1, -1, 1]
    assert zoomed(BinSize.HOUR, -1) is BinSize.HOUR
    assert zoomed(BinSize.DAY, 1) is BinSize.WEEK
    assert zoomed(BinSize.MONTH, 1) is BinSize.MONTH


def test_a_bar_is_painted_for_each_day_and_none_between(chart: TimelineChart) -> None:
    chart.show_content(THREE, {})
    accent = chart.palette().color(QPalette.ColorRole.Accent)
    only_live = content(("2026-03-01T08", "live", 4), ("2026-03-09T08", "live", 4))
    chart.show_content(only_live, {})
    picture = chart.grab().toImage()
    share = columns_with(picture, accent) / picture.width()
    assert 2 / 9 * 0.7 < share < 2 / 9 * 1.1, "two days of nine"


def test_what_is_marked_looks_different(chart: TimelineChart) -> None:
    chart.show_content(THREE, {})
    press(chart, Qt.Key.Key_Home)
    plain = chart.grab().toImage()
    press(chart, Qt.Key.Key_Right, _SHIFT)
    press(chart, Qt.Key.Key_Left, _SHIFT)
    press(chart, Qt.Key.Key_Right, _SHIFT)
    marked = chart.grab().toImage()
    ground = chart.palette().color(QPalette.ColorRole.Midlight)
    assert columns_with(marked, ground) > columns_with(plain, ground)


def test_kinds_are_told_apart_without_colour(chart: TimelineChart) -> None:
    looks = set()
    for label in ("live", "superseded", "retired"):
        chart.show_content(content(("2026-03-01T08", label, 1)), {})
        picture = chart.grab().toImage().convertToFormat(QImage.Format.Format_Mono)
        looks.add(bytes(picture.constBits()))
    assert len(looks) == 3


def test_a_long_time_is_turned_over_like_pages_so_that_the_bin_is_in_view(
    chart: TimelineChart,
) -> None:
    hours = [
        (f"2026-{month:02}-{day:02}T00", "live", 1)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    chart.show_content(content(*hours), {})
    for key in (Qt.Key.Key_Home, Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_PageUp):
        press(chart, key)
        current = chart.current
        assert current is not None
        spot = chart._slot(current)
        assert spot.left() >= 0 and spot.right() <= chart.width()
    assert chart.current == 12 * 28 - 1 - 10


def test_unknown_kinds_are_said_as_stored_and_marked() -> None:
    assert kind_words(Subject.EVENTS, "surface") == "shown"
    assert kind_words(Subject.EVENTS, "dedup_offered") == "dedup offered"
    assert kind_words(Subject.EVENTS, "odd\u202ename") == "odd⟨U+202E⟩name"


def test_without_anything_it_says_so_and_no_key_breaks_it(chart: TimelineChart) -> None:
    chart.show_content(content(), {})
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(chart, key)
    assert chart.words() == "There is nothing with a time here."
    assert not chart.grab().isNull()
    assert chart.current is None and chart.mark is None


@pytest.mark.parametrize("made", [THREE, content()])
def test_the_table_keeps_qts_rules(
    made: TimelineContent, qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    table = TimelineTable()
    qtbot.addWidget(table)
    table.bins.show_content(made)
    check_model(qtmodeltester, table.bins)
    totals: Counter[str] = Counter()
    for one in made.bins:
        totals.update(one.counts)
    assert totals.total() == made.timeline.total
