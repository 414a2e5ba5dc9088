"""The lineage for Graphviz: what it says, not where it stands; `dot` lays it out anew."""

from collections.abc import Iterable

from core.lineage.exports.document import drawn_nodes
from core.lineage.exports.stores import ONE_STORE, StoreMarks, with_store
from core.lineage.exports.texts import file_line, marks_of
from core.lineage.forest import Edge, Forest, NodeState
from core.lineage.layout import Picture
from core.lineage.problems import LineageProblem
from core.lineage.words import NODE_STATE_WORDS
from core.words import second

_STYLES = {
    NodeState.LIVE: 'style="filled,bold" fillcolor="#dcebff"',
    NodeState.SUPERSEDED: 'style="solid"',
    NodeState.RETIRED: 'style="dashed" fontcolor="#555555"',
    NodeState.MISSING: 'style="dotted" color="#a02020"',
}


def dot_text(
    forest: Forest,
    picture: Picture,
    problems: Iterable[LineageProblem],
    stores: StoreMarks = ONE_STORE,
) -> str:
    """Return a DOT file of what a picture shows, folded nodes too; heads to the right."""
    several = len({node.store for node in forest.nodes}) > 1
    marks = {place: [f"⚠ {mark}" for mark in said] for place, said in marks_of(problems).items()}
    lines = ["digraph lineage {", "  rankdir=LR;", "  node [shape=box];"]
    drawn = drawn_nodes(picture)
    for place in drawn:
        label = stores.label(forest.nodes[place].store)
        lines.append(_node_line(forest, place, with_store(marks.get(place, []), label), several))
    for place in drawn:
        edge = forest.edges[place]
        if edge is not None and edge.target in picture.spot_of:
            lines.append(_edge_line(forest, edge, several))
    return "\n".join([*lines, "}"])


def _node_line(forest: Forest, place: int, marks: list[str], several: bool) -> str:
    node = forest.nodes[place]
    below = [f"{NODE_STATE_WORDS[node.state]} {node.uuid}", *marks]
    label = "\\n".join(_escaped(part) for part in (node.gist, *below) if part)
    return f'  {_name(forest, place, several)} [label="{label}" {_STYLES[node.state]}];'


def _edge_line(forest: Forest, edge: Edge, several: bool) -> str:
    source, target = (_name(forest, n, several) for n in (edge.source, edge.target))
    if edge.verb is None or edge.at is None:
        return f'  {source} -> {target} [style="dotted"];'
    return f'  {source} -> {target} [label="{_escaped(f"{edge.verb} {second(edge.at)}")}"];'


def _name(forest: Forest, place: int, several: bool) -> str:
    node = forest.nodes[place]
    return f'"{_escaped(f"{node.store}:{node.uuid}" if several else node.uuid)}"'


def _escaped(text: str) -> str:
    """Return stored text as a part of a quoted string: no escape and no entity is left in it."""
    line = file_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return line.replace("&", "&amp;")
