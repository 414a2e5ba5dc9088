"""The lineage as rows with lanes, like a commit log: heads on top, what they replaced below. Pure.

Of several that were replaced by one, all but the largest branch off to the lane on the right, so
there are never more lanes than the logarithm of the memories.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.lineage.forest import NOBODY
from core.lineage.layout import Picture, TreeBox


@dataclass(frozen=True, slots=True)
class LaneRow:
    """One row: its spot in the picture, its lane, the lanes that pass by.

    `goes_up`: a line leads to its replacement above in the same lane; `branches`: in the lane to
    the left. `goes_down`: it replaced something.
    """

    spot: int
    lane: int
    through: tuple[int, ...]
    goes_up: bool
    branches: bool
    goes_down: bool


def lane_rows(picture: Picture) -> list[LaneRow]:
    """Return the rows of a picture, its trees in order."""
    rows: list[LaneRow] = []
    for tree in picture.trees:
        rows += _tree_rows(picture, tree)
    return rows


def _tree_rows(picture: Picture, tree: TreeBox) -> Sequence[LaneRow]:
    kids: dict[int, list[int]] = {}
    sizes = dict.fromkeys(range(tree.first, tree.end), 1)
    for place in range(tree.end - 1, tree.first - 1, -1):  # newest first: spots are oldest first
        parent = picture.spots[place].parent
        if parent != NOBODY:
            sizes[parent] += sizes[place]
            kids.setdefault(parent, []).append(place)
    rows: list[LaneRow] = []
    waiting: list[tuple[int, int, tuple[int, ...], bool]] = [(tree.first, 0, (), False)]
    while waiting:
        spot, lane, through, branches = waiting.pop()
        below = kids.get(spot, [])
        goes_up = not branches and spot != tree.first
        rows.append(LaneRow(spot, lane, through, goes_up, branches, bool(below)))
        if below:
            heavy = max(below, key=lambda kid: sizes[kid])
            waiting.append((heavy, lane, through, False))
            side = (*through, lane)
            rest = [kid for kid in reversed(below) if kid != heavy]
            waiting += ((kid, lane + 1, side, True) for kid in rest)
    return rows
