"""The lanes of the lineage's list: every memory once, replacements above, few lanes, no clash."""

import math
from collections.abc import Sequence

from hypothesis import given

from core.lineage.folding import View
from core.lineage.forest import NOBODY
from core.lineage.layout import Picture, arrange
from core.lineage.records import LineageRow
from tests.support.lineage import chain, forest, random_rows, row
from widgets.lineage_lanes import LaneRow, lane_rows


def picture_of(rows: Sequence[LineageRow]) -> Picture:
    return arrange(forest(rows), view=View(folds=False))


def test_a_chain_keeps_to_one_lane() -> None:
    rows = lane_rows(picture_of(chain("abcd")))
    assert [(r.lane, r.goes_up, r.goes_down) for r in rows] == [
        (0, False, True),
        (0, True, True),
        (0, True, True),
        (0, True, False),
    ]


def test_of_several_that_were_replaced_the_longest_way_goes_straight_on() -> None:
    rows = [row("head", day=9), row("a", "head"), row("b", "head", day=2), row("c", "a")]
    picture = picture_of(rows)
    shown = {
        r.spot: (r.lane, r.through, r.branches) for r in lane_rows(picture)
    }
    at = {n.uuid: picture.spot_of[p] for p, n in enumerate(forest(rows).nodes)}
    assert shown[at["a"]] == (0, (), False)
    assert shown[at["b"]] == (1, (0,), True)


@given(random_rows(cycles=True))
def test_each_memory_has_one_row_below_what_replaced_it_and_lanes_never_clash(
    rows: Sequence[LineageRow],
) -> None:
    picture = picture_of(rows)
    lanes = lane_rows(picture)
    assert sorted(r.spot for r in lanes) == list(range(len(picture.spots)))
    placed: dict[int, LaneRow] = {}
    before: LaneRow | None = None
    for at in lanes:
        parent = picture.spots[at.spot].parent
        assert parent == NOBODY or parent in placed
        assert at.lane not in at.through
        assert at.lane <= math.log2(len(picture.spots)) + 1
        if at.goes_up:
            assert before is not None
            assert at.lane in before.through or (before.lane == at.lane and before.goes_down)
        if at.branches:
            assert at.lane - 1 in at.through
        placed[at.spot] = at
        before = at
