"""The layout by its geometry: boxes apart, lines that never cross, order, folds; same in, same out.

Whole numbers of pixels make touching and crossing exact: sizes here are such that halves are too.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lineage.folding import CHAIN_MOST, FAN_MOST, FoldKey, FoldKind, View
from core.lineage.forest import NOBODY, Forest, near
from core.lineage.layout import Axis, Metrics, Picture, arrange, route
from core.lineage.records import LineageRow
from tests.support.lineage import chain, forest, names, random_rows, row
from tests.support.properties import PROPERTY

_WHOLE = View(folds=False)
_axes = st.sampled_from(Axis)
_views = st.builds(View, folds=st.booleans())

type Segment = tuple[float, float, float, float]


def _segments(picture: Picture, place: int) -> list[Segment]:
    return [
        (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        for (x1, y1), (x2, y2) in pairwise(route(picture, place))
    ]


def _meet(one: Segment, other: Segment) -> bool:
    return (
        one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
    )


def _box(picture: Picture, place: int) -> Segment:
    spot, sizes = picture.spots[place], picture.metrics
    return spot.x, spot.y, spot.x + sizes.width, spot.y + sizes.height


def _at(picture: Picture, found: Forest, name: str) -> tuple[float, float]:
    place = found.find(name)
    assert place is not None
    spot = picture.spots[picture.spot_of[place]]
    return spot.x, spot.y


@PROPERTY
@given(random_rows(cycles=True), _axes, _views)
def test_no_two_boxes_touch_and_all_are_inside_the_picture(
    rows: Sequence[LineageRow], axis: Axis, view: View
) -> None:
    picture = arrange(forest(rows), axis=axis, view=view)
    boxes = [_box(picture, place) for place in range(len(picture.spots))]
    assert not any(_meet(one, other) for one, other in combinations(boxes, 2))
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= picture.width
        assert bottom <= picture.height
    trees = [(t.x, t.y, t.x + t.width, t.y + t.height) for t in picture.trees]
    assert not any(_meet(one, other) for one, other in combinations(trees, 2))


@PROPERTY
@given(random_rows(cycles=True), _axes, _views)
def test_lines_meet_only_lines_to_the_same_memory_and_only_their_own_boxes(
    rows: Sequence[LineageRow], axis: Axis, view: View
) -> None:
    picture = arrange(forest(rows), axis=axis, view=view)
    lines = [_segments(picture, place) for place in range(len(picture.spots))]
    for one, other in combinations(range(len(lines)), 2):
        if picture.spots[one].parent != picture.spots[other].parent:
            assert not any(_meet(a, b) for a in lines[one] for b in lines[other])
    for place, segments in enumerate(lines):
        own = {place, picture.spots[place].parent}
        for box in set(range(len(lines))) - own:
            assert not any(_meet(segment, _box(picture, box)) for segment in segments)


@PROPERTY
@given(random_rows(cycles=True), _axes, _views)
def test_heads_are_right_and_siblings_stand_in_the_order_of_time_then_uuid(
    rows: Sequence[LineageRow], axis: Axis, view: View
) -> None:
    found = forest(rows)
    picture = arrange(found, axis=axis, view=view)
    last: dict[int, tuple[float, int]] = {}
    for spot in picture.spots:
        if spot.parent == NOBODY:
            continue
        parent = picture.spots[spot.parent]
        assert spot.x + picture.metrics.step <= parent.x + 1e-6
        place = spot.node if spot.fold is None else spot.fold.roots[0]
        if spot.parent in last:
            y, before = last[spot.parent]
            assert y < spot.y
            assert before < place  # nodes are numbered by created_at, then uuid
        last[spot.parent] = (spot.y, place)


@PROPERTY
@given(random_rows(cycles=True), _axes, _views)
def test_every_related_node_is_drawn_or_folded_exactly_once(
    rows: Sequence[LineageRow], axis: Axis, view: View
) -> None:
    found = forest(rows)
    picture = arrange(found, axis=axis, view=view)
    shown = [
        node
        for spot in picture.spots
        for node in ((spot.node,) if spot.fold is None else spot.fold.hidden)
    ]
    assert sorted(shown) == sorted(n for tree in found.related() for n in tree.members)
    assert set(picture.spot_of) == set(shown)
    if not view.folds:
        assert all(spot.fold is None for spot in picture.spots)


@PROPERTY
@given(random_rows(cycles=True), _axes)
def test_the_same_store_gives_the_same_picture(rows: Sequence[LineageRow], axis: Axis) -> None:
    assert arrange(forest(rows), axis=axis) == arrange(forest(rows[::-1]), axis=axis)


@PROPERTY
@given(random_rows(), st.data())
def test_what_is_near_a_memory_is_a_tree_of_its_own(
    rows: Sequence[LineageRow], data: st.DataObject
) -> None:
    found = forest(rows)
    node = data.draw(st.integers(0, len(found.nodes) - 1))
    only = near(found, node, data.draw(st.integers(0, 5)))
    tree = found.components[found.component[node]]
    picture = arrange(found, [tree], view=View(folds=False, only=only))
    assert set(picture.spot_of) == only
    assert sum(1 for spot in picture.spots if spot.parent == NOBODY) == 1


def test_a_chain_stands_in_one_lane_a_step_apart() -> None:
    found = forest(chain("abc"))
    sizes = Metrics(width=100, height=40, gap_x=20, gap_y=10, gap_trees=30)
    picture = arrange(found, metrics=sizes)
    assert [_at(picture, found, n) for n in "abc"] == [(0, 0), (120, 0), (240, 0)]
    assert (picture.width, picture.height) == (340, 40)
    start = picture.spot_of[found.find("a") or 0]
    assert route(picture, start) == ((100, 20), (120, 20))


def test_a_node_stands_in_the_middle_of_what_it_replaced() -> None:
    found = forest([row("h", day=9), *(row(n, "h", day=2) for n in "abc")])
    sizes = Metrics(width=100, height=40, gap_x=20, gap_y=10, gap_trees=30)
    picture = arrange(found, metrics=sizes)
    assert [_at(picture, found, n)[1] for n in "abch"] == [0, 50, 100, 50]
    last = picture.spot_of[found.find("c") or 0]
    assert route(picture, last) == ((100, 120), (110, 120), (110, 70), (120, 70))


def test_on_the_time_axis_what_is_older_stands_further_left_in_proportion() -> None:
    rows = [row("a", "h", day=1), row("b", "h", day=6), row("h", day=11)]
    found = forest(rows)
    sizes = Metrics(width=100, height=40, gap_x=20, gap_y=10, gap_trees=30)
    picture = arrange(found, axis=Axis.TIME, metrics=sizes)
    # One level: the span of ten days is drawn 2 * 120 long.
    assert [_at(picture, found, n)[0] for n in "abh"] == [0, 120, 240]


def test_a_chain_of_six_folds_in_the_middle_and_unfolds() -> None:
    found = forest(chain("abcdef"))
    picture = arrange(found)
    assert len(picture.spots) == CHAIN_MOST
    (fold,) = [spot.fold for spot in picture.spots if spot.fold is not None]
    assert names(found, fold.hidden) == ["d", "c"]
    assert fold.key == FoldKey(FoldKind.CHAIN, 0, "a")
    whole = arrange(found, view=View(unfolded=frozenset({fold.key})))
    assert whole == arrange(found, view=_WHOLE)
    assert len(arrange(forest(chain("abcde"))).spots) == CHAIN_MOST


def test_a_merge_of_twelve_keeps_the_seven_newest_and_folds_the_rest_with_what_is_behind() -> None:
    rows = [row(f"r{n:02}", "h", day=1 + n) for n in range(12)]
    found = forest([*rows, row("behind", "r01", day=1), row("h", day=20)])
    picture = arrange(found)
    (fold,) = [spot.fold for spot in picture.spots if spot.fold is not None]
    assert names(found, fold.roots) == [f"r{n:02}" for n in range(5)]
    assert sorted(names(found, fold.hidden)) == ["behind", *(f"r{n:02}" for n in range(5))]
    assert fold.key == FoldKey(FoldKind.FAN, 0, "h")
    shown = [spot.node for spot in picture.spots if spot.parent == 0 and spot.fold is None]
    assert names(found, shown) == [f"r{n:02}" for n in range(5, 12)]
    assert len(arrange(found, view=View(unfolded=frozenset({fold.key}))).spots) == 14
    eight = forest([*rows[:FAN_MOST], row("h", day=20)])
    assert len(arrange(eight).spots) == FAN_MOST + 1


def test_a_fold_keeps_its_name_when_the_chain_grows_at_its_newer_end() -> None:
    keys = [
        spot.fold.key
        for names_ in ("abcdef", "abcdefgh")
        for spot in arrange(forest(chain(names_))).spots
        if spot.fold is not None
    ]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("axis", Axis)
def test_a_chain_of_fifty_thousand_is_laid_out_whole_and_folded(axis: Axis) -> None:
    count = 50_000
    rows = [row(f"{n:05}", f"{n + 1:05}" if n + 1 < count else None) for n in range(count)]
    found = forest(rows)
    assert len(arrange(found, view=_WHOLE, axis=axis).spots) == count
    assert len(arrange(found, axis=axis).spots) == CHAIN_MOST


def test_many_trees_make_a_picture_that_is_roughly_square() -> None:
    found = forest([r for n in range(400) for r in (row(f"a{n}", f"b{n}"), row(f"b{n}", day=2))])
    picture = arrange(found)
    assert 0.5 < picture.width / picture.height < 2


def test_a_store_without_lineage_is_an_empty_picture() -> None:
    picture = arrange(forest([row("a"), row("b")]))
    assert (picture.spots, picture.width, picture.height) == ((), 0, 0)


def test_a_hub_of_five_hundred_and_a_chain_of_two_hundred_fold_to_a_handful_a57() -> None:
    hub = [row("hub", day=9), *(row(f"in{n:03}", "hub") for n in range(500))]
    long = [row(f"c{n:03}", f"c{n + 1:03}" if n < 199 else None) for n in range(200)]
    assert len(arrange(forest([*hub, *long])).spots) == FAN_MOST + 1 + CHAIN_MOST
