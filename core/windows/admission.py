"""Candidate by candidate: charged, checked, in order in its window; then each reference once."""

import math
import struct
from collections.abc import Iterable, Sequence

from core.windows.budget import Budget
from core.windows.contracts import GlobalBranchCandidate, GlobalBranchWindow
from core.windows.errors import corrupt
from core.windows.identifiers import are_bounded, are_identifiers, are_plain
from core.windows.order import ReferenceKey, SortKey, parts, reference_key

#: A candidate with what it is sorted by, which is made once.
type Entry = tuple[SortKey, GlobalBranchCandidate]


def _parts_of(candidate: GlobalBranchCandidate) -> ReferenceKey | None:
    """Return the parts of its reference, None where anything of the candidate is missing."""
    if candidate is None:
        return None
    if candidate.reference is None:
        return None
    texts = parts(candidate.reference)
    is_missing = None in texts or None in (candidate.revision, candidate.score)
    return None if is_missing else texts


def _fault(candidate: GlobalBranchCandidate) -> str | None:
    if candidate.revision < 1:
        return "a revision below 1"
    if not math.isfinite(candidate.score):
        return "a score that is not finite"
    return None


def _is_before(key: SortKey, other: SortKey) -> bool:
    # As the pairs compare; most pairs of scores differ, and the parts need no look then.
    return key < other if key[0] == other[0] else key[0] < other[0]


def admit(window: GlobalBranchWindow, budget: Budget) -> list[Entry]:
    """Check a window's candidates in order, each charged before it is looked into and kept.

    One with a part missing or too long is refused uncharged.
    """
    source = window.source_window_id
    check, charge, size = budget.check, budget.charge, budget.measure.candidate
    entries: list[Entry] = []
    above: SortKey | None = None
    for candidate in window.candidates:
        check()
        texts = _parts_of(candidate)
        is_plain = texts is not None and are_plain(texts)  # the parts are looked at once, then
        if texts is None or not (is_plain or are_bounded(texts)):
            raise corrupt(f"The window {source} has a candidate with a part missing or too long.")
        charge(size(candidate))
        fault = _fault(candidate)
        if fault is None and not (is_plain or are_identifiers(texts)):
            fault = "a reference that is not made of identifiers"
        if fault is not None:
            raise corrupt(f"The window {source} has a candidate with {fault}.")
        key = (-candidate.score, texts if is_plain else reference_key(candidate.reference))
        if above is not None and _is_before(key, above):
            raise corrupt(f"The window {source} is not in order.")
        entries.append((key, candidate))
        above = key
    return entries


def _bits(score: float) -> bytes:
    return struct.pack(">d", score)


def _agree(one: GlobalBranchCandidate, other: GlobalBranchCandidate) -> bool:
    return one.revision == other.revision and _bits(one.score) == _bits(other.score)


def distinct(
    admitted: Iterable[Sequence[Entry]], budget: Budget
) -> dict[ReferenceKey, GlobalBranchCandidate]:
    """Return every reference once; raises WindowError where two of one reference disagree.

    -0.0 and 0.0 disagree: they stand at one place, but are not one number.
    """
    unique: dict[ReferenceKey, GlobalBranchCandidate] = {}
    check = budget.check
    for entries in admitted:
        for (_, reference), candidate in entries:
            check()
            first = unique.setdefault(reference, candidate)
            if first is not candidate and not _agree(first, candidate):
                raise corrupt("One reference has two revisions or two scores.")
    return unique
