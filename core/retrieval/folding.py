"""Which adjacent rows of a ranked list may be shown as one line: the same text, the same state.

Ranks, positions and the cut are not touched by it. Contents are compared in core/store/likeness.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from core.retrieval.outcome import Hit, SearchOutcome


def numbered(outcome: SearchOutcome) -> tuple[Hit, ...]:
    """Return the hits with a rowid for each that no other one of the list has.

    Of n stores searched as one it is rowid * n + the place of the store: only rows of one store
    can have equal texts by these numbers.
    """
    if outcome.union is None:
        return outcome.hits
    number, home = len(outcome.union.parts), outcome.union.home
    return tuple(
        replace(h, head=replace(h.head, rowid=h.head.rowid * number + home[h.uuid]))
        for h in outcome.hits
    )


def _may_fold(above: Hit, below: Hit) -> bool:
    one, other = above.head, below.head
    return (one.gist, one.state, one.superseded_by) == (
        other.gist,
        other.state,
        other.superseded_by,
    )


def candidates(hits: Sequence[Hit]) -> list[tuple[int, int]]:
    """Return the rowids of adjacent hits that would fold if their contents were equal, in order."""
    return [(a.head.rowid, b.head.rowid) for a, b in pairwise(hits) if _may_fold(a, b)]


def runs(hits: Sequence[Hit], equal: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return first and last index of every run of two or more hits that fold, in order.

    `equal` are the pairs of rowids whose texts are known to be equal.
    """
    found: list[tuple[int, int]] = []
    for at, (above, below) in enumerate(pairwise(hits)):
        if (above.head.rowid, below.head.rowid) not in equal or not _may_fold(above, below):
            continue
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found
