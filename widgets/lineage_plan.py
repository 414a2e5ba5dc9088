"""Where a picture's boxes and lines lie, gathered into tiles. Made in a thread: values alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QLineF, QRectF

from core.lineage.layout import Picture, route

_TILE = 1500.0
_AROUND = 4.0


@dataclass(frozen=True, slots=True)
class Part:
    """The spots of one part of the plane, and what they and their lines cover."""

    places: Sequence[int]
    bounds: QRectF


@dataclass(frozen=True, slots=True)
class Plan:
    """A picture with its boxes and lines by spot, and its parts."""

    picture: Picture
    boxes: Sequence[QRectF]
    lines: Sequence[Sequence[QLineF]]
    parts: Sequence[Part]


def plan_of(picture: Picture) -> Plan:
    """Gather everything that painting needs, linear in the spots."""
    sizes = picture.metrics
    boxes = [QRectF(s.x, s.y, sizes.width, sizes.height) for s in picture.spots]
    routes = [route(picture, place) for place in range(len(picture.spots))]
    lines = [[QLineF(*a, *b) for a, b in pairwise(points)] for points in routes]
    groups: dict[tuple[int, int], list[int]] = {}
    for place, spot in enumerate(picture.spots):
        groups.setdefault((int(spot.x // _TILE), int(spot.y // _TILE)), []).append(place)
    parts = [Part(places, _bounds(picture, places, routes)) for places in groups.values()]
    return Plan(picture, boxes, lines, parts)


def _bounds(
    picture: Picture, places: Sequence[int], routes: Sequence[Sequence[tuple[float, float]]]
) -> QRectF:
    spots, sizes = picture.spots, picture.metrics
    corners = [point for place in places for point in routes[place]]
    xs = [spots[p].x for p in places] + [x for x, _ in corners]
    ys = [spots[p].y for p in places] + [y for _, y in corners]
    right = max(*xs, *(spots[p].x + sizes.width for p in places))
    bottom = max(*ys, *(spots[p].y + sizes.height for p in places))
    left, top = min(xs), min(ys)
    whole = QRectF(left, top, right - left, bottom - top)
    return whole.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
