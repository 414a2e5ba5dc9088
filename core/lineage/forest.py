"""The supersession graph of one store or several: nodes, edges, components, depths.

Every memory has at most one replacement, so the graph is a forest of in-trees, but for cycles that
another tool may have made. What is wrong with it is core/lineage/problems, how it looks
core/lineage/layout, how it is made core/lineage/building.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.lineage.records import Verb

NOBODY = -1


class NodeState(StrEnum):
    """The state of a row, and MISSING: a record that others name and that is not there."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Node:
    """One memory, or a missing one that others were replaced by (all but store and uuid empty).

    `ended_at` is when a retired one was retired outright, None where no event tells.
    """

    store: int
    uuid: str
    state: NodeState
    tier: str = ""
    gist: str = ""
    created_at: str = ""
    version: int | None = None
    session_id: str | None = None
    ended_at: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """One replacement: by which verb, when, in which session; all None where no event tells."""

    source: int
    target: int
    verb: Verb | None = None
    at: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """One tree: where it ends, its members (nearest to the end first), the longest way to it.

    `head` is the row that nothing replaced. On a cycle there is none: then it is the newest row of
    the cycle (by created_at, then uuid), and the edge that leaves it is the one that is cut.
    """

    number: int
    head: int
    members: tuple[int, ...]
    height: int
    is_cyclic: bool

    @property
    def size(self) -> int:
        """Return how many nodes there are, a missing one included."""
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Forest:
    """Nodes by created_at, uuid and store; everything else is by a node's place among them.

    `edges[n]` is the edge that leaves node n, None for a head. `before[n]` are the nodes that n
    replaced, in the order of nodes; `depth[n]` the edges from n to the head of its component.
    Components are numbered in the order of their heads. `cut` are the nodes whose edge closes a
    cycle: depths and layouts go as if that edge were not there.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge | None, ...]
    before: tuple[tuple[int, ...], ...]
    component: tuple[int, ...]
    depth: tuple[int, ...]
    components: tuple[Component, ...]
    cut: frozenset[int]
    places: Mapping[tuple[int, str], int]

    def find(self, uuid: str, store: int = 0) -> int | None:
        """Return the place of a memory, None where the store names no such one."""
        return self.places.get((store, uuid))

    def after(self, node: int) -> int:
        """Return the replacement of a node, NOBODY for a head."""
        edge = self.edges[node]
        return NOBODY if edge is None else edge.target

    def fan_in(self, node: int) -> int:
        """Return how many memories a node replaced directly."""
        return len(self.before[node])

    def replaced(self, node: int) -> tuple[int, ...]:
        """Return what a node replaced directly, without an edge that closes a cycle."""
        before = self.before[node]
        return tuple(b for b in before if b not in self.cut) if self.cut else before

    def closes_cycle(self, node: int) -> bool:
        """Tell whether a node is an end of an edge that is not drawn as it closes a cycle."""
        return node in self.cut or any(before in self.cut for before in self.before[node])

    def head_of(self, node: int) -> int:
        """Return where a node's chain ends; see Component.head."""
        return self.components[self.component[node]].head

    def path(self, node: int) -> Iterator[int]:
        """Yield the node and what follows it up to its head, ending where a cycle is cut."""
        at = node
        while at != NOBODY:
            yield at
            at = NOBODY if at in self.cut else self.after(at)

    def related(self) -> tuple[Component, ...]:
        """Return the components of two or more, and those of one row that replaced itself."""
        return tuple(c for c in self.components if c.size > 1 or c.is_cyclic)


def near(forest: Forest, node: int, steps: int | None) -> frozenset[int]:
    """Return the nodes within so many edges of one, in either direction; None: its whole tree.

    They are connected, so they can be drawn as a tree of their own.
    """
    if steps is None:
        return frozenset(forest.components[forest.component[node]].members)
    found = {node}
    rim = [node]
    for _ in range(steps):
        step: list[int] = []
        for at in rim:
            ahead = () if at in forest.cut else (forest.after(at),)
            step += (n for n in (*ahead, *forest.replaced(at)) if n != NOBODY and n not in found)
            found.update(step)
        if not step:
            break
        rim = step
    return frozenset(found)
