"""What is wrong in a forest, or worth a look, as data; nothing is repaired.

Definitions, each once for the whole program:

dangling     memories were replaced by a record that is not there.
cycle        memories replace each other in a circle (or one itself): there is no head.
depth_cap    the way to the head has more edges than the agent follows.
dead_head    a chain ends in a memory that was itself retired outright.
older_head   a memory was replaced by one that was created before it, and not in a merge: a merge
             writes a new text into an older row, so that is in order. Not told of a circle, where
             one edge at least has to go back.
twin_heads   two live memories answer for one matter. In a single store a chain has one head, so
             this is told by what they say: live memories with the same gist (white space and
             case apart), at least one of which replaced something. Across stores also: one
             memory whose chain ends in a different live memory in each.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.lineage.forest import NOBODY, Component, Forest, NodeState
from core.lineage.moments import moment
from core.lineage.records import Verb


class ProblemKind(StrEnum):
    """The kinds of problem, in the order in which they are listed."""

    DANGLING = "dangling"
    CYCLE = "cycle"
    DEPTH_CAP = "depth_cap"
    DEAD_HEAD = "dead_head"
    OLDER_HEAD = "older_head"
    TWIN_HEADS = "twin_heads"


@dataclass(frozen=True, slots=True)
class LineageProblem:
    """One finding and the nodes concerned (places in the forest), the one to look at first.

    dangling: the replaced ones, then the missing one. cycle: the circle in the direction of its
    edges, from the row after the cut. depth_cap: every row too far from the head, nearest first.
    dead_head: the head, then all whose chain ends there, nearest first. older_head: the replaced
    one, then the older one. twin_heads: the live ones, in order.
    """

    kind: ProblemKind
    nodes: tuple[int, ...]

    @property
    def marked(self) -> tuple[int, ...]:
        """Return the nodes that bear the mark in a picture: of a dead head only that."""
        return self.nodes[:1] if self.kind is ProblemKind.DEAD_HEAD else self.nodes


def problems_of(forest: Forest, *depth_caps: int) -> tuple[LineageProblem, ...]:
    """Return every problem, by kind, then in the order of components or nodes.

    `depth_caps` is one cap for all stores, or one for each in their order.
    """
    finders: dict[ProblemKind, Callable[[], Iterable[tuple[int, ...]]]] = {
        ProblemKind.DANGLING: lambda: _dangling(forest),
        ProblemKind.CYCLE: lambda: _cycles(forest),
        ProblemKind.DEPTH_CAP: lambda: _too_deep(forest, depth_caps),
        ProblemKind.DEAD_HEAD: lambda: _dead_heads(forest),
        ProblemKind.OLDER_HEAD: lambda: _older(forest),
        ProblemKind.TWIN_HEADS: lambda: _twins(forest),
    }
    return tuple(LineageProblem(kind, nodes) for kind, find in finders.items() for nodes in find())


def problems_within(
    problems: Iterable[LineageProblem], forest: Forest, *components: int
) -> tuple[LineageProblem, ...]:
    """Return the problems that touch one of some components."""
    return tuple(p for p in problems if any(forest.component[n] in components for n in p.nodes))


def _heads(forest: Forest, state: NodeState) -> Iterator[Component]:
    for tree in forest.components:
        if tree.size > 1 and not tree.is_cyclic and forest.nodes[tree.head].state is state:
            yield tree


def _dangling(forest: Forest) -> Iterator[tuple[int, ...]]:
    for tree in _heads(forest, NodeState.MISSING):
        yield (*forest.before[tree.head], tree.head)


def _cycles(forest: Forest) -> Iterator[tuple[int, ...]]:
    for tree in (t for t in forest.components if t.is_cyclic):
        circle = []
        at = forest.after(tree.head)
        while at != tree.head:
            circle.append(at)
            at = forest.after(at)
        yield (*circle, tree.head)


def _too_deep(forest: Forest, depth_caps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for tree in forest.components:
        store = forest.nodes[tree.head].store
        cap = depth_caps[store if len(depth_caps) > 1 else 0]
        if tree.height > cap and not tree.is_cyclic:
            yield tuple(n for n in tree.members if forest.depth[n] > cap)


def _dead_heads(forest: Forest) -> Iterator[tuple[int, ...]]:
    for tree in _heads(forest, NodeState.RETIRED):
        yield tree.members


def _older(forest: Forest) -> Iterator[tuple[int, ...]]:
    circles = {node for circle in _cycles(forest) for node in circle}
    for edge in forest.edges:
        if edge is None or edge.verb is Verb.MERGE or edge.source in circles:
            continue
        replaced = moment(forest.nodes[edge.source].created_at)
        by = moment(forest.nodes[edge.target].created_at)
        if replaced is not None and by is not None and by < replaced:
            yield edge.source, edge.target


def _twins(forest: Forest) -> Iterator[tuple[int, ...]]:
    found = {*_same_gist(forest), *_other_stores(forest)}
    return iter(sorted(found))


def _same_gist(forest: Forest) -> Iterator[tuple[int, ...]]:
    live: dict[str, list[int]] = {}
    for tree in forest.components:
        node = forest.nodes[tree.head]
        if node.state is NodeState.LIVE:
            live.setdefault(" ".join(node.gist.split()).casefold(), []).append(tree.head)
    for heads in live.values():
        # The same memory in two copies of a store is no twin of itself.
        if len({forest.nodes[h].uuid for h in heads}) > 1 and any(map(forest.fan_in, heads)):
            yield tuple(sorted(heads))


def _other_stores(forest: Forest) -> Iterator[tuple[int, ...]]:
    if len({node.store for node in forest.nodes}) < 2:
        return
    ends: dict[str, dict[str, int]] = {}
    for place, node in enumerate(forest.nodes):
        head = forest.head_of(place)
        if forest.nodes[head].state is NodeState.LIVE and forest.after(head) == NOBODY:
            ends.setdefault(node.uuid, {}).setdefault(forest.nodes[head].uuid, head)
    for heads in ends.values():
        if len(heads) > 1:
            yield tuple(sorted(heads.values()))
