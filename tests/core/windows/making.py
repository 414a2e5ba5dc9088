"""Windows and requests in the words of the spec's table, and how a merge of them is read."""

import copy
from collections.abc import Sequence

import pytest

from core.windows.budget import Budget, Limits
from core.windows.contracts import (
    EntityRef,
    GlobalBranchCandidate,
    GlobalBranchKind,
    GlobalBranchMergeRequest,
    GlobalBranchMergeResult,
    GlobalBranchScope,
    GlobalBranchWindow,
)
from core.windows.errors import WindowError, WindowErrorKind
from core.windows.merge import merge

SCOPE = GlobalBranchScope("profile-v1", "tenant-corpus-v1", "stats-17")

type Windows = Sequence[GlobalBranchWindow]


class FixedMeasure:
    """100 bytes a request, 50 a header, 20 a candidate, as scenario 71 counts."""

    def request(self, request: GlobalBranchMergeRequest) -> int:
        """Return the bytes of a request."""
        return 100

    def header(self, window: GlobalBranchWindow) -> int:
        """Return the bytes of a header."""
        return 50

    def candidate(self, candidate: GlobalBranchCandidate) -> int:
        """Return the bytes of a candidate."""
        return 20


class HandClock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        """Tell the time in seconds."""
        return self.at


def spoiled[T](value: T, **fields: object) -> T:
    """Return a copy with fields of any type, as data from elsewhere may have them."""
    other = copy.copy(value)
    for name, field in fields.items():
        object.__setattr__(other, name, field)
    return other


def reference(id_: str, **parts: str) -> EntityRef:
    """Return the table's default reference, with other parts where given."""
    return spoiled(EntityRef("tenant", "database", "orders", "p1", "documents", id_), **parts)


def candidate(id_: str, score: float = 1, **parts: str) -> GlobalBranchCandidate:
    """Return a candidate of revision 1."""
    return GlobalBranchCandidate(reference(id_, **parts), 1, score)


def listed(text: str) -> list[GlobalBranchCandidate]:
    """Read "a:.9 b:.8"."""
    pairs = (word.split(":") for word in text.split())
    return [candidate(id_, float(score)) for id_, score in pairs]


def window(
    source: str, candidates: str | Sequence[object] | None, **changes: object
) -> GlobalBranchWindow:
    """Return the table's default window, with other fields where given."""
    rows = listed(candidates) if isinstance(candidates, str) else candidates
    plain = GlobalBranchWindow(
        "vector-main", GlobalBranchKind.VECTOR, source, SCOPE, (), True, False, False, True
    )
    return spoiled(plain, candidates=rows, **changes)


def request(expected: str | Sequence[str], **changes: object) -> GlobalBranchMergeRequest:
    """Return the table's default request for windows named in a text or a list."""
    ids = expected.split() if isinstance(expected, str) else expected
    plain = GlobalBranchMergeRequest("vector-main", GlobalBranchKind.VECTOR, SCOPE, ids, 10)
    return spoiled(plain, **changes)


def asked_for(windows: Windows, **changes: object) -> GlobalBranchMergeRequest:
    """Return the request that expects exactly these windows."""
    return request([w.source_window_id for w in windows], **changes)


def merged(windows: Windows, **changes: object) -> GlobalBranchMergeResult:
    """Merge windows that are exactly those expected, with a budget of their own."""
    return merge(asked_for(windows, **changes), windows, Budget())


def ids(result: GlobalBranchMergeResult) -> str:
    """Return the ids in their order."""
    return " ".join(c.reference.id for c in result.candidates)


def flags(result: GlobalBranchMergeResult) -> str:
    """Return window complete / approximate / truncated / exhaustive, as the table writes them."""
    told = (result.window_complete, result.approximate, result.truncated, result.exhaustive)
    return "/".join("T" if flag else "F" for flag in told)


def error_of(
    asked: GlobalBranchMergeRequest, windows: Windows, budget: Budget | None = None
) -> WindowErrorKind:
    """Return the kind of the error in which a merge ends."""
    with pytest.raises(WindowError) as caught:
        merge(asked, windows, budget or Budget())
    assert caught.value.message.endswith(".")
    return caught.value.kind


def fixed(**limits: int) -> Budget:
    """Return a budget that counts as scenario 71 does."""
    return Budget(Limits(**limits), measure=FixedMeasure())
