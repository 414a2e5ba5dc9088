"""What of a forest was there at a moment, as far as rows and events tell; the rest is UNKNOWN.

Never told from updated_at, which any later change moves. Gists are today's: the store keeps no
earlier text. A memory that was deleted since has left no trace and is not counted.
"""

from dataclasses import dataclass
from enum import StrEnum

from core.lineage.forest import Edge, Forest, Node, NodeState
from core.lineage.moments import moment


@dataclass(frozen=True, slots=True)
class Times:
    """The stored times of a forest read once, by the places of its nodes; None: not known.

    `edges[n]` is of the edge that leaves node n, `ended[n]` of an outright retirement.
    """

    created: tuple[float | None, ...]
    edges: tuple[float | None, ...]
    ended: tuple[float | None, ...]

    @property
    def stops(self) -> list[float]:
        """Return every moment at which something is known to have changed, oldest first."""
        return sorted({t for t in (*self.created, *self.edges, *self.ended) if t is not None})


def times_of(forest: Forest) -> Times:
    """Read the times of a forest, for asking about many moments."""
    return Times(
        tuple(moment(node.created_at) for node in forest.nodes),
        tuple(moment(None if edge is None else edge.at) for edge in forest.edges),
        tuple(moment(node.ended_at) for node in forest.nodes),
    )


class Presence(StrEnum):
    """Whether a node or an edge was there."""

    THERE = "there"
    NOT_YET = "not_yet"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class AsOf:
    """A forest at a moment, by the places of its nodes.

    `edges[n]` is None where node n has none today either. `states[n]` is None where it is not
    known, or the memory was not there. `may_read_otherwise` are those that were there and have
    been given another text at some time, perhaps since.
    """

    nodes: tuple[Presence, ...]
    edges: tuple[Presence | None, ...]
    states: tuple[NodeState | None, ...]
    may_read_otherwise: frozenset[int]

    @property
    def unknown_nodes(self) -> int:
        """Return of how many memories it is not known whether they were there."""
        return sum(1 for presence in self.nodes if presence is Presence.UNKNOWN)

    @property
    def unknown_edges(self) -> int:
        """Return of how many replacements it is not known whether they had happened."""
        return sum(1 for presence in self.edges if presence is Presence.UNKNOWN)


def forest_as_of(forest: Forest, at: float, times: Times | None = None) -> AsOf:
    """Tell what was there at a moment (seconds since 1970, UTC); what began then was there.

    `times` are those of the forest, read already.
    """
    known = times or times_of(forest)
    nodes = tuple(_began(began, at) for began in known.created)
    edges = tuple(
        None if edge is None else _edge(edge, nodes, known.edges[edge.source], at)
        for edge in forest.edges
    )
    ended = (
        _began(known.ended[place], at) if node.state is NodeState.RETIRED else edges[place]
        for place, node in enumerate(forest.nodes)
    )
    states = tuple(map(_state, forest.nodes, nodes, ended))
    changed = frozenset(
        place
        for place, node in enumerate(forest.nodes)
        if nodes[place] is not Presence.NOT_YET and _was_rewritten(node)
    )
    return AsOf(nodes, edges, states, changed)


def _began(began: float | None, at: float) -> Presence:
    if began is None:
        return Presence.UNKNOWN
    return Presence.THERE if began <= at else Presence.NOT_YET


def _edge(edge: Edge, nodes: tuple[Presence, ...], began: float | None, at: float) -> Presence:
    """Without a time of its own, an edge at least needs both of its ends."""
    if began is not None:
        return _began(began, at)
    ends = (nodes[edge.source], nodes[edge.target])
    return Presence.NOT_YET if Presence.NOT_YET in ends else Presence.UNKNOWN


def _state(node: Node, there: Presence, ended: Presence | None) -> NodeState | None:
    """Return the state then; `ended` tells of what took a row out of the live ones, if anything."""
    if there is not Presence.THERE:
        return None
    match ended:
        case None | Presence.THERE:
            return node.state
        case Presence.NOT_YET:
            return NodeState.LIVE
        case Presence.UNKNOWN:
            return None


def _was_rewritten(node: Node) -> bool:
    """Tell whether there were more changes than the one that ended it."""
    if node.version is None:
        return node.state is not NodeState.MISSING
    return node.version - (node.state is not NodeState.LIVE) > 1
