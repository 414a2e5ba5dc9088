"""Putting boxes beside each other: in columns, in the order given, roughly square as a whole."""

from collections.abc import Sequence
from math import sqrt

type Size = tuple[float, float]
type Corner = tuple[float, float]


def pack(sizes: Sequence[Size], gap: float) -> tuple[list[Corner], Size]:
    """Return each box's left upper corner and the size of the whole, for sizes (width, height).

    A column is filled from the top down, then the next one begins to its right; the boxes of a
    column end at the same right side. Linear in the number of boxes.
    """
    if not sizes:
        return [], (0.0, 0.0)
    area = sum((width + gap) * (height + gap) for width, height in sizes)
    tallest = max(sqrt(area) - gap, *(height for _, height in sizes))
    corners: list[Corner] = []
    left = whole = 0.0
    for column in _columns(sizes, tallest, gap):
        right = left + max(width for width, _ in column)
        top = 0.0
        for width, height in column:
            corners.append((right - width, top))
            top += height + gap
        whole = max(whole, top - gap)
        left = right + gap
    return corners, (left - gap, whole)


def _columns(sizes: Sequence[Size], tallest: float, gap: float) -> list[list[Size]]:
    columns: list[list[Size]] = [[]]
    filled = 0.0
    for size in sizes:
        if columns[-1] and filled + size[1] > tallest:
            columns.append([])
            filled = 0.0
        columns[-1].append(size)
        filled += size[1] + gap
    return columns
