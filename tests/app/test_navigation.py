"""Going back and forward: which places are stops, and how a place is brought back."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.bootstrap import Services
from app.navigation import DWELL_S, History, Place
from tests.support.open_window import open_window
from tests.support.stores import uuid_of
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.widgets.keys import press_at_focus


@dataclass
class HandClock:
    """A clock that goes on when told to."""

    at: datetime = field(default_factory=lambda: datetime(2026, 11, 30, tzinfo=UTC))

    def now(self) -> datetime:
        return self.at

    def stay(self) -> None:
        """Let a moment pass that makes a place a stop."""
        self.at += timedelta(seconds=DWELL_S)


def clocked(folder: Path) -> tuple[Services, HandClock]:
    clock = HandClock()
    services = stub_services(stub(), folder)
    return replace(services, clock=clock), clock


def stops(history: History) -> list[Place]:
    """Walk back to the start and return every place on the way, the latest first."""
    found = [history.place]
    while (place := history.step(-1, 0.0)) is not None:
        found.append(place)
    return found


def test_a_text_typed_quickly_is_one_stop() -> None:
    history = History()
    for n, text in enumerate(("t", "ti", "tid", "tide")):
        history.visit(Place(text), 10.0 + n * 0.2)
    assert stops(history) == [Place("tide"), Place()]


def test_rows_passed_by_are_no_stops_and_the_one_that_was_read_is() -> None:
    history = History(Place("tide"))
    history.visit(Place("tide", uuid="a"), 10.0)
    history.visit(Place("tide", uuid="b"), 10.1)
    history.visit(Place("tide", uuid="c"), 12.0)
    assert [p.uuid for p in stops(history)] == ["c", "b"]


def test_a_link_keeps_the_place_it_was_followed_from_however_short_the_stay() -> None:
    history = History(Place("tide"))
    history.visit(Place("tide", uuid="a"), 10.0)
    history.visit(Place("tide", uuid="b"), 10.1, by_link=True)
    assert stops(history) == [Place("tide", uuid="b"), Place("tide", uuid="a")]


def test_going_somewhere_else_forgets_what_lay_ahead() -> None:
    history = History()
    history.visit(Place("a"), 10.0)
    history.visit(Place("b"), 20.0)
    assert history.step(-1, 30.0) == Place("a")
    assert history.can_go_forward
    history.visit(Place("c"), 40.0)
    assert not history.can_go_forward
    assert stops(history) == [Place("c"), Place("a"), Place()]


def test_there_is_nothing_before_the_start_and_nothing_after_the_end() -> None:
    history = History()
    assert history.step(-1, 1.0) is None and history.step(1, 1.0) is None
    assert not history.can_go_back and not history.can_go_forward


_PLACES = st.builds(
    Place, st.sampled_from(("", "a", "b")), st.booleans(), st.sampled_from((None, "x", "y"))
)


@given(st.lists(st.tuples(_PLACES, st.floats(0, 3), st.booleans()), max_size=20))
def test_back_and_forward_again_ends_where_one_was(
    visits: list[tuple[Place, float, bool]],
) -> None:
    history, now = History(), 0.0
    for place, later, by_link in visits:
        now += later
        history.visit(place, now, by_link=by_link)
        assert history.place == place
    if history.can_go_back:
        here = history.place
        assert history.step(-1, now) is not None
        assert history.step(1, now) == here


async def test_back_brings_query_and_selection_and_forward_returns(tmp_path: Path) -> None:
    services, clock = clocked(tmp_path)
    async with open_window(services, ferry_store(tmp_path)) as opened:
        window = opened.window
        await until(window.isActiveWindow)
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        clock.stay()
        await opened.search("bus")
        await opened.select(uuid_of("bus"))
        clock.stay()
        press_at_focus(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        await opened.settled()
        while window.search_bar.text() == "bus":  # the search before a row was selected in it
            press_at_focus(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
            await opened.settled()
        assert window.search_bar.text() == "tide tables"
        assert window.hit_view.selected_uuid() == uuid_of("old")
        assert window.detail_panel.shown_uuid == uuid_of("old")
        press_at_focus(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        await opened.settled()
        assert window.search_bar.text() == "bus"


async def test_a_followed_link_can_be_taken_back_by_the_mouse(tmp_path: Path) -> None:
    services, _clock = clocked(tmp_path)
    async with open_window(services, ferry_store(tmp_path)) as opened:
        window = opened.window
        await opened.search("tide tables")
        await opened.select(uuid_of("old"))
        window.actions_by_name["replacement"].trigger()
        await opened.settled()
        assert window.detail_panel.shown_uuid == uuid_of("tide")
        list_at = window.hit_view.list.mapTo(window, QPoint(40, 40))
        handle = window.windowHandle()
        QTest.mouseClick(handle, Qt.MouseButton.BackButton, pos=list_at)
        await opened.settled()
        assert window.hit_view.selected_uuid() == uuid_of("old")
        assert window.detail_panel.shown_uuid == uuid_of("old")
        QTest.mouseClick(handle, Qt.MouseButton.ForwardButton, pos=list_at)
        await opened.settled()
        assert window.hit_view.selected_uuid() == uuid_of("tide")


async def test_back_leads_to_browsing_with_the_row_that_was_read(tmp_path: Path) -> None:
    services, clock = clocked(tmp_path)
    async with open_window(services, ferry_store(tmp_path)) as opened:
        window = opened.window
        await opened.settled()
        assert window.browse_view.select(uuid_of("bus"))
        await opened.settled()
        clock.stay()
        await opened.search("tide")
        window.actions_by_name["back"].trigger()
        await opened.settled()
        assert opened.page() == "browse"
        assert window.search_bar.text() == ""
        assert window.browse_view.selected_uuid() == uuid_of("bus")
        assert window.detail_panel.shown_uuid == uuid_of("bus")


async def test_another_store_has_a_history_of_its_own(tmp_path: Path) -> None:
    services, clock = clocked(tmp_path)
    async with open_window(services, ferry_store(tmp_path / "one")) as opened:
        await opened.search("tide")
        clock.stay()
        await opened.search("bus")
        assert opened.window.actions_by_name["back"].isEnabled()
        await opened.open(ferry_store(tmp_path / "two"))
        assert not opened.window.actions_by_name["back"].isEnabled()
