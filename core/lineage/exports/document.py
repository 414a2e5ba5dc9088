"""The object genizah.lineage/1: nodes with their places, edges with their events, problems."""

from collections.abc import Iterable

from core.errors import JsonValue
from core.lineage.exports.stores import ONE_STORE, StoreMarks
from core.lineage.forest import NOBODY, Forest
from core.lineage.layout import Picture
from core.lineage.problems import LineageProblem

LINEAGE_SCHEMA = "genizah.lineage/1"


def drawn_nodes(picture: Picture) -> list[int]:
    """Return the nodes of a picture, folded ones too, by created_at, uuid and store."""
    return sorted(picture.spot_of)


def lineage_document(
    forest: Forest,
    picture: Picture,
    problems: Iterable[LineageProblem],
    marks: StoreMarks = ONE_STORE,
) -> dict[str, JsonValue]:
    """Build the object of what a picture shows; x and y are the left upper corner of a box.

    Components are numbered from 0 in the picture's order; a folded node is where its fold is.
    """
    numbers = {tree.component: number for number, tree in enumerate(picture.trees)}
    drawn = drawn_nodes(picture)
    return {
        "schema": LINEAGE_SCHEMA,
        **marks.listed(),
        "nodes": [
            {**_node(forest, picture, node, numbers), **marks.place(forest.nodes[node].store)}
            for node in drawn
        ],
        "edges": [
            {**_edge(forest, node), **marks.place(forest.nodes[node].store)}
            for node in drawn
            if forest.after(node) != NOBODY and forest.after(node) in picture.spot_of
        ],
        "problems": [
            {
                "kind": p.kind.value,
                "uuids": [forest.nodes[n].uuid for n in p.nodes],
                **marks.places(forest, p),
            }
            for p in problems
        ],
    }


def _node(
    forest: Forest, picture: Picture, place: int, numbers: dict[int, int]
) -> dict[str, JsonValue]:
    node, spot = forest.nodes[place], picture.spots[picture.spot_of[place]]
    return {
        "uuid": node.uuid,
        "state": node.state.value,
        "gist": node.gist,
        "x": spot.x,
        "y": spot.y,
        "component": numbers[spot.component],
        "depth": forest.depth[place],
    }


def _edge(forest: Forest, node: int) -> dict[str, JsonValue]:
    edge = forest.edges[node]
    assert edge is not None, "asked for nodes with a replacement alone"
    return {
        "from": forest.nodes[edge.source].uuid,
        "to": forest.nodes[edge.target].uuid,
        "verb": None if edge.verb is None else edge.verb.value,
        "at": edge.at,
        "session": edge.session_id,
    }
