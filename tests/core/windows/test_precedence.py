"""Of several faults in one request the first in the stated order is reported, and the ledger holds
what was admitted until then.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.windows.contracts import GlobalBranchCandidate, GlobalBranchWindow
from core.windows.errors import WindowErrorKind
from tests.core.windows.making import SCOPE, candidate, error_of, fixed, request, spoiled, window
from tests.support.properties import PROPERTY

_VALIDATION, _CORRUPTION = WindowErrorKind.VALIDATION, WindowErrorKind.CORRUPTION
_OVER, _LOST = WindowErrorKind.BUDGET_EXCEEDED, WindowErrorKind.OWNERSHIP_LOST
_HEADERS = 100 + 3 * 50
_ROWS = 12


class _Case:
    """Three good windows of four candidates, to be spoiled."""

    def __init__(self) -> None:
        self.expected = ["one", "two", "three"]
        self.limit = 2
        self.windows = [window(name, _rows(name)) for name in self.expected]
        self.most_records = 100
        self.most_bytes = 10_000

    def spoil(self, at: int, **fields: object) -> None:
        self.windows[at] = spoiled(self.windows[at], **fields)

    def spoil_row(self, at: int, row: int, bad: GlobalBranchCandidate) -> None:
        rows = list(self.windows[at].candidates)
        rows[row] = bad
        self.spoil(at, candidates=rows)


def _rows(name: str) -> list[GlobalBranchCandidate]:
    return [candidate(f"{name}{at}", 9.0 - at) for at in range(4)]


def _fewer_records(case: _Case, most: int) -> None:
    case.most_records = min(case.most_records, most)


def _fewer_bytes(case: _Case, most: int) -> None:
    case.most_bytes = min(case.most_bytes, most)


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is done to a case, and what alone it ends in: the error and the bytes charged."""

    name: str
    do: Callable[[_Case], object]
    kind: WindowErrorKind
    charged: int
    only_strict: bool = False


#: In the order of the algorithm: step 1 first.
_FAULTS = (
    _Fault("limit", lambda c: setattr(c, "limit", 0), _VALIDATION, 0),
    _Fault("many windows", lambda c: _fewer_records(c, 2), _OVER, 0),
    _Fault("expected name", lambda c: c.expected.append(" "), _VALIDATION, 0),
    _Fault("branch name", lambda c: c.spoil(0, branch_name="\t"), _VALIDATION, 0),
    _Fault(
        "scope text",
        lambda c: c.spoil(1, scope=replace(SCOPE, corpus_scope="")),
        _CORRUPTION,
        0,
    ),
    _Fault(
        "scope too long",
        lambda c: c.spoil(1, scope=replace(SCOPE, score_profile="x" * 257)),
        _CORRUPTION,
        0,
    ),
    _Fault("no list", lambda c: c.spoil(2, candidates=None), _VALIDATION, 0),
    _Fault("header bytes", lambda c: _fewer_bytes(c, 199), _OVER, 150),
    _Fault("expected twice", lambda c: c.expected.append("one"), _VALIDATION, _HEADERS),
    _Fault(
        "other scope",
        lambda c: c.spoil(0, scope=replace(SCOPE, score_profile="other")),
        _CORRUPTION,
        _HEADERS,
    ),
    _Fault("stranger", lambda c: c.spoil(1, source_window_id="else"), _VALIDATION, _HEADERS),
    _Fault("records", lambda c: _fewer_records(c, _ROWS - 1), _OVER, _HEADERS),
    _Fault("missing", lambda c: c.expected.append("absent"), _LOST, _HEADERS, True),
    _Fault("incomplete", lambda c: c.spoil(2, complete=False), _LOST, _HEADERS, True),
    _Fault(
        "truncated",
        lambda c: c.spoil(0, truncated=True),
        WindowErrorKind.UNSUPPORTED_CAPABILITY,
        _HEADERS,
        True,
    ),
    _Fault(
        "part too long",
        lambda c: c.spoil_row(0, 1, candidate("x" * 257)),
        _CORRUPTION,
        _HEADERS + 20,
    ),
    _Fault(
        "not finite",
        lambda c: c.spoil_row(0, 2, candidate("one2", math.nan)),
        _CORRUPTION,
        _HEADERS + 3 * 20,
    ),
    _Fault("bytes", lambda c: _fewer_bytes(c, _HEADERS + 100), _OVER, _HEADERS + 100),
    _Fault(
        "order",
        lambda c: c.spoil_row(2, 0, candidate("three0", -1.0)),
        _CORRUPTION,
        _HEADERS + 10 * 20,
    ),
    _Fault(
        "two revisions",
        lambda c: c.spoil_row(1, 3, spoiled(candidate("one3", 6.0), revision=7)),
        _CORRUPTION,
        _HEADERS + _ROWS * 20,
    ),
)


def _ends_in(faults: list[_Fault], *, lenient: bool) -> tuple[WindowErrorKind, int]:
    case = _Case()
    # A list that is not there cannot hold a fault: those inside are put in first.
    for fault in reversed(faults):
        fault.do(case)
    budget = fixed(max_scan_records=case.most_records, max_batch_bytes=case.most_bytes)
    asked = request(case.expected, limit=case.limit, allow_incomplete=lenient)
    return error_of(asked, case.windows, budget), budget.query_bytes


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda f: f.name)
def test_each_fault_alone_is_reported_as_itself(fault: _Fault) -> None:
    assert _ends_in([fault], lenient=False) == (fault.kind, fault.charged)


@PROPERTY
@given(faults=st.sets(st.sampled_from(range(len(_FAULTS))), min_size=2), lenient=st.booleans())
def test_of_several_faults_the_first_in_the_order_is_reported(
    faults: set[int], lenient: bool
) -> None:
    chosen = [_FAULTS[at] for at in sorted(faults)]
    counting = [f for f in chosen if not (lenient and f.only_strict)]
    if counting:
        assert _ends_in(chosen, lenient=lenient) == (counting[0].kind, counting[0].charged)


def test_all_windows_are_compared_before_any_candidate_is_counted() -> None:
    case = _Case()
    case.spoil(2, kind=9)
    _fewer_records(case, 3)
    windows: list[GlobalBranchWindow] = case.windows
    budget = fixed(max_scan_records=3)
    assert error_of(request(case.expected, limit=2), windows, budget) is _CORRUPTION
