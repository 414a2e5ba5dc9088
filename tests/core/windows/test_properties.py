"""The merge as stated: parts equal the whole in any arrival order, flags claim what is true."""

import math
import struct
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from core.windows.budget import Budget
from core.windows.contracts import EntityRef, GlobalBranchCandidate, GlobalBranchWindow
from core.windows.errors import WindowError, WindowErrorKind
from core.windows.fusion import FusionBranch, fuse
from core.windows.identifiers import is_identifier
from core.windows.local import local_candidates
from core.windows.measure import JsonMeasure, canonical_bytes
from core.windows.merge import merge
from tests.core.windows.making import merged, request, window
from tests.support.properties import PROPERTY, any_texts

type _Split = tuple[list[GlobalBranchCandidate], list[GlobalBranchWindow]]

_NAMES = ("a", "B", "aa", "é", "\uff5e", "\U0001f600", "\U0001f600b", "\ud83d", "0")
_SCORES = (1.0, 0.5, -2.0, 0.0, 5e-324, 1e308)
_references = st.builds(
    EntityRef,
    *(st.sampled_from(("t", "T")), st.sampled_from(("d", "\U0001f600", "\uff5e"))),
    *(st.just("m"), st.just("p"), st.just("c"), st.sampled_from(_NAMES)),
)
_rows = st.lists(
    st.builds(GlobalBranchCandidate, _references, st.integers(1, 3), st.sampled_from(_SCORES)),
    unique_by=lambda c: c.reference,
    max_size=12,
)


def _in_order(rows: Sequence[GlobalBranchCandidate]) -> list[GlobalBranchCandidate]:
    """Sort as the contract says: score, then the parts by their UTF-16 code units."""

    def place(row: GlobalBranchCandidate) -> tuple[float, list[bytes]]:
        r = row.reference
        named = (r.tenant_id, r.database_id, r.transaction_domain_id, r.partition_key)
        texts = (*named, r.collection, r.id)
        return -row.score, [t.encode("utf-16-be", "surrogatepass") for t in texts]

    return sorted(rows, key=place)


@st.composite
def _splits(draw: st.DrawFn) -> _Split:
    """Draw rows and windows that hold each of them at least once, in any arrival order."""
    rows = draw(_rows)
    count = draw(st.integers(1, 4))
    homes = [draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=count)) for _ in rows]
    windows = [
        window(f"w{at}", _in_order([r for r, h in zip(rows, homes, strict=True) if at in h]))
        for at in range(count)
    ]
    return rows, draw(st.permutations(windows))


@PROPERTY
@given(split=_splits(), limit=st.integers(1, 14))
def test_any_split_in_any_arrival_order_equals_one_window(split: _Split, limit: int) -> None:
    rows, windows = split
    whole = merged([window("all", _in_order(rows))], limit=limit)
    parts = merged(windows, limit=limit)
    assert list(whole.candidates) == _in_order(rows)[:limit]
    assert parts.candidates == whole.candidates
    assert parts.examined_candidate_count == sum(len(w.candidates) for w in windows)
    assert (parts.window_complete, parts.approximate, parts.truncated, parts.exhaustive) == (
        *(whole.window_complete, whole.approximate),
        *(len(rows) > limit, len(rows) <= limit),
    )
    assert parts.truncated == whole.truncated


@PROPERTY
@given(split=_splits(), k=st.integers(0, 100))
def test_fusion_of_parts_equals_fusion_of_the_whole(split: _Split, k: int) -> None:
    rows, windows = split
    kind = windows[0].kind
    in_parts = fuse([FusionBranch(kind, merged(windows, limit=20).candidates)], k, Budget())
    whole = local_candidates(_in_order(rows))
    assert in_parts == fuse([FusionBranch(kind, whole)], k, Budget())


@PROPERTY
@given(
    split=_splits(), at=st.integers(0, 11), other=st.sampled_from(_SCORES), limit=st.integers(1, 3)
)
def test_two_windows_that_disagree_on_a_row_never_give_a_result(
    split: _Split,
    at: int,
    other: float,
    limit: int,
) -> None:
    rows, windows = split
    if at >= len(rows):
        return
    row = rows[at]
    liar = GlobalBranchCandidate(row.reference, row.revision, other)
    given_windows = [*windows, window("liar", [liar])]
    if struct.pack("d", other) == struct.pack("d", row.score):
        assert liar in merged(given_windows, limit=20).candidates
        return
    try:
        merged(given_windows, limit=limit)
    except WindowError as error:
        assert error.kind is WindowErrorKind.CORRUPTION
    else:
        raise AssertionError("a contradiction went unnoticed")


@st.composite
def _sources(draw: st.DrawFn) -> _Split:
    """Draw what all sources hold, and windows of some of them with flags that are true.

    A source may understate what it gave, never overstate it.
    """
    everything, windows = draw(_splits())
    received = []
    for source in windows:
        held = source.candidates
        given_rows = held[: draw(st.integers(0, len(held)))]
        whole = len(given_rows) == len(held)
        received.append(
            window(
                source.source_window_id,
                given_rows,
                complete=draw(st.booleans()),
                approximate=draw(st.booleans()),
                truncated=not whole and draw(st.booleans()),
                exhaustive=whole and draw(st.booleans()),
            )
        )
    return everything, [w for w in received if draw(st.integers(0, 3))]


@PROPERTY
@given(sources=_sources(), limit=st.integers(1, 14))
def test_the_flags_never_claim_more_than_is_true(sources: _Split, limit: int) -> None:
    everything, received = sources
    asked = request([f"w{at}" for at in range(4)], limit=limit, allow_incomplete=True)
    result = merge(asked, received, Budget())
    got = {c.reference for w in received for c in w.candidates}
    if result.exhaustive:
        assert list(result.candidates) == _in_order(everything)
    if result.window_complete:
        assert len(received) == 4
        assert all(w.complete for w in received)
    if not result.truncated:
        assert {c.reference for c in result.candidates} == got
    if not result.approximate:
        assert not any(w.approximate for w in received)
    assert {*result.missing_window_ids} == {"w0", "w1", "w2", "w3"} - {
        w.source_window_id for w in received
    }


@PROPERTY
@given(
    texts=st.tuples(*[any_texts] * 6),
    revision=st.integers(1, 10**12),
    score=st.one_of(st.floats(), st.integers(-9, 9)),
)
def test_a_candidate_is_as_long_as_its_canonical_json(
    texts: tuple[str, str, str, str, str, str], revision: int, score: float
) -> None:
    tenant, database, domain, partition, collection, id_ = texts
    fields = {
        "reference": {
            "tenant_id": tenant,
            "database_id": database,
            "transaction_domain_id": domain,
            "partition_key": partition,
            "collection": collection,
            "id": id_,
        },
        "revision": revision,
        "score": score,
    }
    row = GlobalBranchCandidate(EntityRef(*texts), revision, score)
    assert JsonMeasure().candidate(row) == canonical_bytes(fields)


@PROPERTY
@given(texts=st.tuples(*[any_texts] * 6), score=st.floats())
def test_a_candidate_is_taken_where_its_parts_are_identifiers_and_its_score_is_finite(
    texts: tuple[str, str, str, str, str, str], score: float
) -> None:
    row = GlobalBranchCandidate(EntityRef(*texts), 1, score)
    fit = all(map(is_identifier, texts)) and math.isfinite(score)
    try:
        found = merged([window("one", [row])]).candidates
    except WindowError as error:
        assert not fit
        assert error.kind is WindowErrorKind.CORRUPTION
    else:
        assert fit
        assert found == (row,)
