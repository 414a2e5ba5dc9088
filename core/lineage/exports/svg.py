"""The lineage as an SVG picture: our own few elements, every stored text escaped, nothing linked.

State is told by fill, line and words: live filled, replaced hollow with a corner arrow, retired
struck through, missing dashed, a warning sign where there is a problem.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from xml.sax.saxutils import escape

from core.lineage.exports.document import drawn_nodes
from core.lineage.exports.stores import ONE_STORE, StoreMarks, with_store
from core.lineage.exports.texts import file_line, marks_of
from core.lineage.forest import NOBODY, Forest, NodeState
from core.lineage.layout import Picture, Spot, route
from core.lineage.problems import LineageProblem
from core.lineage.words import NODE_STATE_WORDS, edge_words
from core.words import memories, minute

_MARGIN = 24.0
_COLUMN = 6.0
_PADDING = 8.0
_MOST_IN_TITLE = 400
_STYLE = (
    "text{font:12px sans-serif;fill:#1a1a1a}.small{font-size:10px;fill:#444444}"
    "rect{fill:#ffffff;stroke:#444444}path{fill:none;stroke:#444444}"
    ".live rect{fill:#dcebff;stroke:#1f4f8f;stroke-width:2}"
    ".retired .gist{text-decoration:line-through;fill:#444444}"
    ".missing rect{stroke:#a02020;stroke-dasharray:5 3}.fold rect{stroke-dasharray:1 3}"
    ".unknown{stroke-dasharray:2 3}.back{stroke:none}"
)
_SIGNS: Mapping[NodeState, str] = MappingProxyType({NodeState.SUPERSEDED: "↱ "})


def svg_text(
    forest: Forest,
    picture: Picture,
    problems: Iterable[LineageProblem],
    stores: StoreMarks = ONE_STORE,
) -> str:
    """Return an SVG document of a picture, folds as they are in it; light whatever the theme."""
    marks = marks_of(problems)
    width, height = picture.width + 2 * _MARGIN, picture.height + 2 * _MARGIN
    sizes = picture.metrics
    count = memories(len(drawn_nodes(picture)))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
        f'viewBox="{_n(-_MARGIN)} {_n(-_MARGIN)} {_n(width)} {_n(height)}" role="img">',
        f"<title>Lineage of {count}</title><style>{_STYLE}</style>",
        f'<clipPath id="box"><rect x="-2" y="-2" width="{_n(sizes.width + 4)}" '
        f'height="{_n(sizes.height + 4)}"/></clipPath>',
        f'<rect class="back" x="{_n(-_MARGIN)}" y="{_n(-_MARGIN)}" width="{_n(width)}" '
        f'height="{_n(height)}"/>',
    ]
    places = range(len(picture.spots))
    lines += (line for line in (_line(forest, picture, p) for p in places) if line)
    lines += (_box(forest, picture, spot, marks, stores) for spot in picture.spots)
    return "\n".join([*lines, "</svg>"])


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _xml(text: str) -> str:
    return escape(file_line(text))


def _cut(text: str, columns: int) -> str:
    """Return the beginning of a text that fits, wide characters counted twice, and an ellipsis."""
    used = 0
    for at, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > columns:
            return text[: max(at - 1, 0)] + "…"
    return text


def _line(forest: Forest, picture: Picture, place: int) -> str | None:
    points = route(picture, place)
    if not points:
        return None
    steps = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for (_, y1), (x, y) in pairwise(points):
        steps.append(f"H{_n(x)}" if y == y1 else f"V{_n(y)}")
    edge = forest.edges[picture.spots[place].node] if picture.spots[place].node >= 0 else None
    if edge is None:
        return f'<path d="{"".join(steps)}"/>'
    known = "" if edge.at is not None else ' class="unknown"'
    return f'<path d="{"".join(steps)}"{known}><title>{_xml(edge_words(edge))}</title></path>'


def _box(
    forest: Forest,
    picture: Picture,
    spot: Spot,
    marks: Mapping[int, list[str]],
    stores: StoreMarks,
) -> str:
    if spot.node == NOBODY:
        assert spot.fold is not None, "a spot without a node is a fold"
        count = f"{memories(len(spot.fold.hidden))} folded"
        return _group(picture, spot, "fold", count, "", count)
    node = forest.nodes[spot.node]
    words = NODE_STATE_WORDS[node.state]
    problems = list(marks.get(spot.node, ()))
    below = f"{_SIGNS.get(node.state, '')}{words} {minute(node.created_at)}"
    if problems:
        below = f"⚠ {below}"
    if forest.cut and forest.closes_cycle(spot.node):
        below = f"↻ {below}"
    gist = file_line(node.gist) or node.uuid
    label = stores.label(node.store)
    said = with_store([_cut(gist, _MOST_IN_TITLE), words, node.uuid, *problems], label)
    title = " · ".join(said)
    below = " · ".join(with_store([below], label))
    return _group(picture, spot, node.state.value, gist, below, title)


def _group(picture: Picture, spot: Spot, kind: str, gist: str, below: str, title: str) -> str:
    sizes = picture.metrics
    columns = max(int((sizes.width - 2 * _PADDING) / _COLUMN), 1)
    pad, first, second = (_n(v) for v in (_PADDING, sizes.height * 0.42, sizes.height * 0.82))
    return (
        f'<g class="{kind}" transform="translate({_n(spot.x)} {_n(spot.y)})" '
        f'clip-path="url(#box)"><title>{_xml(title)}</title>'
        f'<rect width="{_n(sizes.width)}" height="{_n(sizes.height)}" rx="4"/>'
        f'<text class="gist" x="{pad}" y="{first}">{_xml(_cut(file_line(gist), columns))}</text>'
        f'<text class="small" x="{pad}" y="{second}">{_xml(below)}</text></g>'
    )
