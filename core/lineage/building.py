"""Making the forest from rows and events: linear but for one sort, and never recursive."""

from collections.abc import Iterable, Sequence

from core.lineage.forest import NOBODY, Component, Edge, Forest, Node, NodeState
from core.lineage.records import EndEvent, LineageRow, Role, StoreLineage, Verb

_RECEIVING = frozenset({Role.TARGET, Role.CREATED})


class _Ends:
    """Which event ended a row: the newest one that agrees with what the row says now."""

    def __init__(self, events: Iterable[EndEvent]) -> None:
        self._of: dict[str, list[EndEvent]] = {}
        self._receivers: dict[str, set[str]] = {}
        for event in sorted(events, key=lambda e: e.id, reverse=True):
            self._of.setdefault(event.uuid, []).append(event)
            if event.role in _RECEIVING:
                self._receivers.setdefault(event.op_id, set()).add(event.uuid)

    def replaced(self, uuid: str, by: str) -> EndEvent | None:
        """Return the event that replaced a row by this other one, None where none tells."""
        return next((e for e in self._of.get(uuid, ()) if self._made(e, by)), None)

    def outright(self, uuid: str) -> EndEvent | None:
        """Return the event that retired a row without a replacement, None where none tells."""
        return next((e for e in self._of.get(uuid, ()) if _is_outright(e)), None)

    def _made(self, event: EndEvent, by: str) -> bool:
        match event.verb:
            case Verb.RETIRE:
                return event.target == by
            case Verb.MERGE | Verb.PROMOTE:
                receivers = self._receivers.get(event.op_id)
                return event.role is Role.ABSORBED and (receivers is None or by in receivers)
            case Verb.DISCARD:
                return False


def _is_outright(event: EndEvent) -> bool:
    return event.verb is Verb.DISCARD or (event.verb is Verb.RETIRE and event.target is None)


def _state(row: LineageRow) -> NodeState:
    if row.active:
        return NodeState.LIVE
    return NodeState.RETIRED if row.superseded_by is None else NodeState.SUPERSEDED


def _node(store: int, row: LineageRow, ends: _Ends) -> Node:
    state = _state(row)
    end = ends.outright(row.uuid) if state is NodeState.RETIRED else None
    return Node(
        *(store, row.uuid, state, row.tier, row.gist, row.created_at, row.version),
        session_id=row.session_id,
        ended_at=None if end is None else end.at,
    )


def _order(pair: tuple[Node, str | None]) -> tuple[str, str, int]:
    node = pair[0]
    return node.created_at, node.uuid, node.store


def _nodes(stores: Sequence[StoreLineage], ends: Sequence[_Ends]) -> list[tuple[Node, str | None]]:
    """Return every node with the uuid it was replaced by, missing ones too, in order."""
    found: list[tuple[Node, str | None]] = []
    for store, lineage in enumerate(stores):
        known = {row.uuid for row in lineage.rows}
        found += ((_node(store, row, ends[store]), row.superseded_by) for row in lineage.rows)
        named = {row.superseded_by for row in lineage.rows if row.superseded_by is not None}
        found += ((Node(store, uuid, NodeState.MISSING), None) for uuid in named - known)
    found.sort(key=_order)
    return found


def _edge(source: int, target: int, event: EndEvent | None) -> Edge:
    if event is None:
        return Edge(source, target)
    return Edge(source, target, event.verb, event.at, event.session_id)


def _cut(after: Sequence[int]) -> set[int]:
    """Return one node of each cycle, the last in order: the edge that leaves it is cut."""
    walked = [False] * len(after)
    cut: set[int] = set()
    for start in range(len(after)):
        at, path, on_path = start, [], set()
        while at != NOBODY and not walked[at]:
            walked[at] = True
            path.append(at)
            on_path.add(at)
            at = after[at]
        if at != NOBODY and at in on_path:
            cut.add(max(path[path.index(at) :]))
    return cut


def _component(
    number: int, head: int, before: Sequence[Sequence[int]], cut: set[int], depth: list[int]
) -> Component:
    """Gather what ends in `head`, nearest first, and write the depths."""
    members = [head]
    depth[head] = 0
    for at in members:  # grows while it is walked
        for earlier in before[at]:
            if earlier not in cut:
                depth[earlier] = depth[at] + 1
                members.append(earlier)
    return Component(number, head, tuple(members), depth[members[-1]], head in cut)


def forest_of(stores: Sequence[StoreLineage]) -> Forest:
    """Build the forest; a node's store is its store's place in `stores`.

    A replacement is looked for in the same store alone. The same stores give the same forest,
    whatever the order of their rows and events.
    """
    ends = [_Ends(lineage.events) for lineage in stores]
    pairs = _nodes(stores, ends)
    places: dict[tuple[int, str], int] = {}
    for place, (node, _) in enumerate(pairs):
        places.setdefault((node.store, node.uuid), place)
    edges: list[Edge | None] = []
    before: list[list[int]] = [[] for _ in pairs]
    for place, (node, by) in enumerate(pairs):
        if by is None:
            edges.append(None)
            continue
        target = places[node.store, by]
        edges.append(_edge(place, target, ends[node.store].replaced(node.uuid, by)))
        before[target].append(place)
    after = [NOBODY if edge is None else edge.target for edge in edges]
    cut = _cut(after)
    depth = [0] * len(pairs)
    heads = [place for place, at in enumerate(after) if at == NOBODY or place in cut]
    components = tuple(
        _component(number, head, before, cut, depth) for number, head in enumerate(heads)
    )
    component = [0] * len(pairs)
    for tree in components:
        for member in tree.members:
            component[member] = tree.number
    return Forest(
        nodes=tuple(node for node, _ in pairs),
        edges=tuple(edges),
        before=tuple(map(tuple, before)),
        component=tuple(component),
        depth=tuple(depth),
        components=components,
        cut=frozenset(cut),
        places=places,
    )
