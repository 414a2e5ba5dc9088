"""A forest at a moment: what was there, what had been replaced, and what nobody can know."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from core.lineage.as_of import AsOf, Presence, forest_as_of, times_of
from core.lineage.forest import Forest, NodeState
from core.lineage.moments import moment
from core.lineage.records import LineageRow
from tests.support.lineage import chain, forest, random_rows, retired, row
from tests.support.properties import PROPERTY


def _on(day: int) -> float:
    return datetime(2026, 3, day, 12, tzinfo=UTC).timestamp()


def _told(
    found: Forest, at: AsOf, name: str
) -> tuple[Presence, Presence | None, NodeState | None]:
    place = found.find(name)
    assert place is not None
    return at.nodes[place], at.edges[place], at.states[place]


def test_a_replacement_is_there_from_its_event_on() -> None:
    found = forest(chain("ab"), [retired(1, "a", "b", day=5)])
    for day, a, b in (
        (1, (Presence.THERE, Presence.NOT_YET, NodeState.LIVE), Presence.NOT_YET),
        (4, (Presence.THERE, Presence.NOT_YET, NodeState.LIVE), Presence.THERE),
        (5, (Presence.THERE, Presence.THERE, NodeState.SUPERSEDED), Presence.THERE),
    ):
        at = forest_as_of(found, _on(day))
        assert _told(found, at, "a") == a
        assert _told(found, at, "b")[0] is b
        assert (at.unknown_nodes, at.unknown_edges) == (0, 0)


def test_without_an_event_an_edge_is_unknown_from_when_both_ends_are_there() -> None:
    found = forest(chain("ab"))
    before = forest_as_of(found, _on(1))
    assert _told(found, before, "a") == (Presence.THERE, Presence.NOT_YET, NodeState.LIVE)
    after = forest_as_of(found, _on(9))
    assert _told(found, after, "a") == (Presence.THERE, Presence.UNKNOWN, None)
    assert after.unknown_edges == 1


def test_a_row_retired_outright_was_live_before_its_event() -> None:
    found = forest(chain("ab", last_is_live=False), [retired(1, "b", None, day=7)])
    assert _told(found, forest_as_of(found, _on(6)), "b")[2] is NodeState.LIVE
    assert _told(found, forest_as_of(found, _on(7)), "b")[2] is NodeState.RETIRED
    unknown = forest(chain("ab", last_is_live=False))
    assert _told(unknown, forest_as_of(unknown, _on(7)), "b")[2] is None


def test_of_a_missing_record_nothing_is_known() -> None:
    found = forest([row("a", "gone")])
    at = forest_as_of(found, _on(9))
    assert _told(found, at, "gone") == (Presence.UNKNOWN, None, None)
    assert (at.unknown_nodes, at.unknown_edges) == (1, 1)


def test_the_stops_are_the_moments_at_which_something_changed_each_once() -> None:
    events = [retired(1, "a", "b", day=2), retired(2, "b", None, day=9)]
    found = forest(chain("ab", last_is_live=False), events)
    assert times_of(found).stops == [_on(1), _on(2), _on(9)]
    assert forest_as_of(found, _on(5), times_of(found)) == forest_as_of(found, _on(5))


def test_only_texts_that_were_changed_may_have_read_otherwise() -> None:
    rows = [*chain("ab"), replace(row("c"), version=2), replace(row("d", day=8), version=3)]
    found = forest(rows)
    at = forest_as_of(found, _on(5))
    assert [found.nodes[n].uuid for n in at.may_read_otherwise] == ["c"]


@PROPERTY
@given(random_rows(cycles=True), st.integers(1, 9), st.integers(1, 9))
def test_what_was_there_stays_there(rows: list[LineageRow], one: int, other: int) -> None:
    found = forest(rows)
    earlier, later = (forest_as_of(found, _on(day)) for day in sorted((one, other)))
    for was, becomes in zip(earlier.nodes, later.nodes, strict=True):
        assert was is not Presence.THERE or becomes is Presence.THERE
        assert becomes is not Presence.NOT_YET or was is Presence.NOT_YET


def test_a_moment_is_an_iso_time_with_its_offset_and_nothing_else() -> None:
    assert moment("1970-01-01T00:01:00+00:00") == 60
    assert moment("1970-01-01T01:00:00.5+01:00") == 0.5
    assert moment("1970-01-01T00:01:00Z") == 60
    assert moment("0001-01-01T00:00:00+23:59") is not None
    for odd in (None, "", "yesterday", "1970-01-01T00:01:00", "9999-99-99T00:00:00+00:00"):
        assert moment(odd) is None
