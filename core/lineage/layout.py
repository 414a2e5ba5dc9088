"""Where everything of a forest stands in a picture: heads right, what they replaced left. Pure.

Every leaf has a lane of its own, in order, and a node stands halfway between the first and the last
that it replaced: linear in time and memory, nothing recursive. Each subtree then owns a band of
lanes, so boxes never overlap and edges (see `route`) never cross, on either axis. A cycle is laid
out as the chain that is left when the edge out of its newest row is not drawn (Forest.cut).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.lineage.folding import Fold, Outline, View, outline
from core.lineage.forest import NOBODY, Component, Forest
from core.lineage.moments import moment
from core.lineage.packing import Size, pack

EVERYTHING = View()


class Axis(StrEnum):
    """What the way to the left means: one step an edge, or time, though at least a step."""

    LEVEL = "level"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in the picture's own units; gaps are between boxes."""

    width: float = 200.0
    height: float = 40.0
    gap_x: float = 48.0
    gap_y: float = 12.0
    gap_trees: float = 48.0

    def __post_init__(self) -> None:
        if min(self.width, self.height, self.gap_x, self.gap_y, self.gap_trees) <= 0:
            raise ValueError("sizes and gaps are positive")

    @property
    def step(self) -> float:
        """Return how far a node stands left of its replacement, or further."""
        return self.width + self.gap_x

    @property
    def lane(self) -> float:
        """Return the height of a lane."""
        return self.height + self.gap_y


PLAIN = Metrics()


@dataclass(frozen=True, slots=True)
class Spot:
    """The box of a node or a fold (then `node` is NOBODY): its left upper corner.

    `parent` is the place of the spot that replaced it, NOBODY for the end of a tree.
    """

    x: float
    y: float
    node: int
    parent: int
    component: int
    fold: Fold | None = None


@dataclass(frozen=True, slots=True)
class TreeBox:
    """The space that one component takes; its spots are spots[first:end]."""

    component: int
    x: float
    y: float
    width: float
    height: float
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything in its place, from (0, 0) to (width, height).

    `spot_of` says for each node that is drawn or folded at which spot it is.
    """

    spots: tuple[Spot, ...]
    trees: tuple[TreeBox, ...]
    spot_of: Mapping[int, int]
    width: float
    height: float
    metrics: Metrics


def arrange(
    forest: Forest,
    components: Iterable[Component] | None = None,
    *,
    view: View = EVERYTHING,
    axis: Axis = Axis.LEVEL,
    metrics: Metrics = PLAIN,
) -> Picture:
    """Lay out some components in the order given, by default all of two or more.

    With `view.only`, what is drawn of a component ends in its node that is nearest to the head.
    """
    trees = forest.related() if components is None else tuple(components)
    outlines = [outline(forest, _root(forest, tree, view), view) for tree in trees]
    places = [_place(forest, drawn, axis, metrics) for drawn in outlines]
    corners, whole = pack([size for _, _, size in places], metrics.gap_trees)
    spots: list[Spot] = []
    boxes: list[TreeBox] = []
    for tree, drawn, (xs, ys, size), (left, top) in zip(
        trees, outlines, places, corners, strict=True
    ):
        first = len(spots)
        folds = drawn.folds
        spots += [
            Spot(
                *(left + xs[n], top + ys[n], node),
                *(NOBODY if parent == NOBODY else first + parent, tree.number, folds.get(n)),
            )
            for n, (node, parent) in enumerate(zip(drawn.nodes, drawn.parents, strict=True))
        ]
        boxes.append(TreeBox(tree.number, left, top, *size, first, len(spots)))
    return Picture(tuple(spots), tuple(boxes), _spot_of(spots), *whole, metrics)


def _spot_of(spots: list[Spot]) -> dict[int, int]:
    found: dict[int, int] = {}
    for place, spot in enumerate(spots):
        if spot.fold is None:
            found[spot.node] = place
        else:
            found.update(dict.fromkeys(spot.fold.hidden, place))
    return found


def route(picture: Picture, place: int) -> tuple[tuple[float, float], ...]:
    """Return the corners of the line from a spot to its parent; empty at the end of a tree.

    Out at the right side, along its own lane to the gap left of the parent, there up or down.
    """
    spot, sizes = picture.spots[place], picture.metrics
    if spot.parent == NOBODY:
        return ()
    parent = picture.spots[spot.parent]
    middle = sizes.height / 2
    start = (spot.x + sizes.width, spot.y + middle)
    end = (parent.x, parent.y + middle)
    if start[1] == end[1]:
        return start, end
    turn = parent.x - sizes.gap_x / 2
    return start, (turn, start[1]), (turn, end[1]), end


def _root(forest: Forest, tree: Component, view: View) -> int:
    if view.only is None or tree.head in view.only:
        return tree.head
    return min((n for n in tree.members if n in view.only), key=lambda n: forest.depth[n])


def _place(
    forest: Forest, drawn: Outline, axis: Axis, metrics: Metrics
) -> tuple[list[float], list[float], Size]:
    """Return the x and y of each item's left upper corner inside the tree's own box, and its size.

    The head's box ends at the right side.
    """
    ys = _lanes(drawn, metrics)
    xs = _levels(drawn, metrics) if axis is Axis.LEVEL else _times(forest, drawn, metrics)
    least = min(xs)
    xs = [x - least for x in xs]
    return xs, ys, (xs[0] + metrics.width, max(ys) + metrics.height)


def _lanes(drawn: Outline, metrics: Metrics) -> list[float]:
    """Give each leaf the next lane; then, from the last item on, each parent the middle."""
    parents = drawn.parents
    lanes = len(parents) - len(set(parents)) + 1  # the leaves: NOBODY is among the parents
    ys = [0.0] * len(parents)
    last: list[float | None] = [None] * len(parents)
    for place in range(len(parents) - 1, -1, -1):
        low = last[place]
        if low is None:
            lanes -= 1
            ys[place] = lanes * metrics.lane
        else:  # until now it held the y of its first one
            ys[place] = (low + ys[place]) / 2
        parent = parents[place]
        if parent != NOBODY:
            ys[parent] = ys[place]
            if last[parent] is None:
                last[parent] = ys[place]
    return ys


def _levels(drawn: Outline, metrics: Metrics) -> list[float]:
    step = metrics.step
    return [-level * step for level in drawn.levels]


def _times(forest: Forest, drawn: Outline, metrics: Metrics) -> list[float]:
    """Place by created_at, the tree's own span drawn twice as long as its levels are.

    A node stands a step left of its replacement at the least, also where it is not older; one
    whose time is not known, and a fold, exactly a step.
    """
    times = [
        None if node == NOBODY else moment(forest.nodes[node].created_at) for node in drawn.nodes
    ]
    known = [time for time in times if time is not None]
    newest, oldest = max(known, default=0.0), min(known, default=0.0)
    span = 2 * max(drawn.levels) * metrics.step
    scale = span / (newest - oldest) if newest > oldest else 0.0
    xs: list[float] = []
    for parent, time in zip(drawn.parents, times, strict=True):
        at = 0.0 if time is None else (time - newest) * scale
        if parent != NOBODY:
            limit = xs[parent] - metrics.step
            at = limit if time is None else min(at, limit)
        xs.append(at)
    return xs
