"""What the lineage shows and speaks: words of memories and edges, order, dimming, a moment. Pure.

How it is painted is widgets/lineage_sketch, the lanes of the list widgets/lineage_lanes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from core.lineage.as_of import AsOf, Presence, Times, forest_as_of, times_of
from core.lineage.building import forest_of
from core.lineage.exports.texts import marks_of
from core.lineage.folding import Fold, FoldKey, FoldKind
from core.lineage.forest import NOBODY, Component, Forest, NodeState
from core.lineage.problems import LineageProblem, problems_of
from core.lineage.records import StoreLineage
from core.lineage.words import NODE_STATE_WORDS, edge_words
from widgets.text_marks import isolated, one_line
from widgets.texts import counted, grouped, memories, minute, stub

ALONE = "Nothing replaced this memory, and it replaced nothing."
_LONGEST = 120


class Order(StrEnum):
    """The order of the lineages in the overview and the list."""

    SIZE = "size"
    RECENCY = "recency"
    PROBLEMS = "problems"


@dataclass(frozen=True, slots=True)
class LineageContent:
    """A store's lineage as read: `marks` are the problems in words by node.

    `moved` where the store was written while it was read.
    """

    forest: Forest
    problems: tuple[LineageProblem, ...]
    marks: Mapping[int, tuple[str, ...]]
    times: Times
    moved: bool


def content_of(read: StoreLineage, depth_cap: int) -> LineageContent:
    """Build everything that is known before anything is laid out."""
    forest = forest_of([read])
    problems = problems_of(forest, depth_cap)
    marks = {node: tuple(words) for node, words in marks_of(problems).items()}
    return LineageContent(forest, problems, marks, times_of(forest), read.moved)


def ordered(content: LineageContent, order: Order) -> tuple[Component, ...]:
    """Return the lineages of two or more, those first that the order asks for."""
    trees = content.forest.related()
    match order:
        case Order.SIZE:
            return tuple(sorted(trees, key=lambda tree: -tree.size))
        case Order.RECENCY:
            return tuple(sorted(trees, key=lambda tree: -_newest(content.times, tree)))
        case Order.PROBLEMS:
            marks = content.marks
            return tuple(
                sorted(trees, key=lambda t: (-sum(n in marks for n in t.members), -t.size))
            )


def _newest(times: Times, tree: Component) -> float:
    known = (t for n in tree.members for t in (times.created[n], times.edges[n]) if t is not None)
    return max(known, default=float("-inf"))


# Words


def summary(content: LineageContent) -> str:
    """Say how much of the store is drawn: '12 of 5,000 memories, in 3 lineages; 2 problems'."""
    trees, nodes = content.forest.related(), content.forest.nodes
    # A missing record is drawn, but it is no memory.
    drawn = sum(nodes[n].state is not NodeState.MISSING for t in trees for n in t.members)
    whole = sum(node.state is not NodeState.MISSING for node in nodes)
    said = f"{grouped(drawn)} of {memories(whole)}, in {counted(len(trees), 'lineage')}"
    if content.problems:
        said += f"; {counted(len(content.problems), 'problem')}"
    if content.moved:
        said += "; the store was written while it was read"
    return said


def gist_of(forest: Forest, node: int) -> str:
    """Return the gist on one safe line; of a missing record its uuid."""
    found = forest.nodes[node]
    if found.state is NodeState.MISSING:
        return f"missing record {stub(found.uuid)}"
    return one_line(found.gist, _LONGEST) or stub(found.uuid)


def state_of(state: NodeState | None) -> str:
    """Say a state; None where it is not known."""
    return "state not known" if state is None else NODE_STATE_WORDS[state]


def facts(content: LineageContent, node: int, looks: "Looks") -> str:
    """Write the second line of a box: state and date."""
    found = content.forest.nodes[node]
    words = [state_of(looks.states[node])]
    if node in looks.absent:
        words = ["not there yet"]
    if content.forest.cut and content.forest.closes_cycle(node):
        words[0] = f"↻ {words[0]}"
    if found.created_at:
        words.append(minute(found.created_at)[:10])
    fan = content.forest.fan_in(node)
    if fan > 1:
        words.append(f"← {grouped(fan)}")
    return " · ".join(words)


def edge_of(forest: Forest, node: int) -> str:
    """Say by what a memory was replaced, when and by whom, empty for a head."""
    edge = forest.edges[node]
    if edge is None:
        return ""
    by = forest.nodes[edge.target]
    if by.state is NodeState.MISSING:
        return f"replaced by a record that is missing, {stub(by.uuid)}"
    return f"by {isolated(gist_of(forest, edge.target))} ({one_line(edge_words(edge))})"


def spoken(content: LineageContent, node: int) -> str:
    """Say a memory with its edges and problems, as a screen reader does."""
    forest = content.forest
    words = [gist_of(forest, node), NODE_STATE_WORDS[forest.nodes[node].state]]
    if forest.after(node) != NOBODY:
        words.append(edge_of(forest, node))
    head = forest.head_of(node)
    if forest.depth[node] > 1:
        end = NODE_STATE_WORDS[forest.nodes[head].state]
        words.append(f"its chain ends {forest.depth[node]} steps on, {end}")
    if forest.before[node]:
        words.append(f"it replaced {memories(forest.fan_in(node))}")
    words += [f"warning: {mark}" for mark in content.marks.get(node, ())]
    return ", ".join(words)


def fold_words(fold: Fold) -> str:
    """Say what is folded."""
    where = "beside" if fold.key.kind is FoldKind.FAN else "in a row"
    return f"{memories(len(fold.hidden))} folded {where}"


def folds_at(forest: Forest, node: int, unfolded: frozenset[FoldKey]) -> FoldKey | None:
    """Return what can be folded again at a node: what it replaced, or the chain it is in."""
    found = forest.nodes[node]
    fan = FoldKey(FoldKind.FAN, found.store, found.uuid)
    if fan in unfolded:
        return fan
    last = node
    while len(behind := forest.replaced(last)) == 1:
        last = behind[0]
    chain = FoldKey(FoldKind.CHAIN, found.store, forest.nodes[last].uuid)
    return chain if chain in unfolded else None


# Dimming and moments


@dataclass(frozen=True, slots=True)
class Looks:
    """How nodes look now: states (None: not known), dimmed ones, those not there at the moment.

    `unlinked` are nodes whose replacement had not happened, or it is not known. `words` says what
    is asked for and what cannot be known.
    """

    states: tuple[NodeState | None, ...]
    dimmed: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    unlinked: frozenset[int] = frozenset()
    words: str = ""


def looks_of(content: LineageContent, needle: str, at: float | None) -> Looks:
    """Return the looks for a text to dim by and a moment, None for today."""
    forest = content.forest
    dimmed = _unmatched(forest, needle.strip().casefold())
    if at is None:
        return Looks(tuple(n.state for n in forest.nodes), dimmed, words=_found(forest, dimmed))
    then = forest_as_of(forest, at, content.times)
    absent = frozenset(n for n, p in enumerate(then.nodes) if p is Presence.NOT_YET)
    unlinked = frozenset(
        n for n, p in enumerate(then.edges) if p is not None and p is not Presence.THERE
    )
    words = " ".join(w for w in (_moment_words(then, at), _found(forest, dimmed)) if w)
    return Looks(then.states, dimmed, absent, unlinked, words)


def _unmatched(forest: Forest, needle: str) -> frozenset[int]:
    if not needle:
        return frozenset()
    return frozenset(
        place
        for place, node in enumerate(forest.nodes)
        if needle not in node.gist.casefold() and not node.uuid.startswith(needle)
    )


def _found(forest: Forest, dimmed: frozenset[int]) -> str:
    if not dimmed:
        return ""
    drawn = [n for tree in forest.related() for n in tree.members]
    return f"{grouped(sum(n not in dimmed for n in drawn))} of {grouped(len(drawn))} match."


def _moment_words(then: AsOf, at: float) -> str:
    when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    there = sum(p is Presence.THERE for p in then.nodes)
    said = [f"As of {when}: {memories(there)} were there."]
    if then.unknown_nodes:
        said.append(f"Of {memories(then.unknown_nodes)} it is not known whether they were.")
    if then.unknown_edges:
        edges = counted(then.unknown_edges, "replacement")
        said.append(f"Of {edges} it is not known whether they had happened: no event tells.")
    if then.may_read_otherwise:
        said.append(f"{memories(len(then.may_read_otherwise))} may have read otherwise then.")
    said.append("Memories deleted since are not counted.")
    return " ".join(said)


def stop_at(content: LineageContent, value: int) -> float | None:
    """Return the moment at a place of the slider, None at its end: today."""
    stops = content.times.stops
    return stops[value] if value < len(stops) else None
