"""Scenarios 72-85: sums of weighted reciprocal ranks over branches in global order."""

from collections.abc import Mapping, Sequence

import pytest

from core.windows.budget import Budget
from core.windows.contracts import EntityRef, GlobalBranchCandidate, GlobalBranchKind
from core.windows.errors import WindowError, WindowErrorKind
from core.windows.fusion import FusionBranch, FusionFilter, fuse
from core.windows.local import local_candidates
from tests.core.windows.making import (
    asked_for,
    candidate,
    error_of,
    listed,
    merged,
    reference,
    window,
)

_TEXT, _VECTOR, _GRAPH = GlobalBranchKind


def _ranked(ids: str) -> list[GlobalBranchCandidate]:
    """Return candidates of falling score in this order."""
    return [candidate(id_, 100.0 - at) for at, id_ in enumerate(ids.split())]


def _fused(
    k: int, *branches: tuple[GlobalBranchKind, str, float], passing: FusionFilter | None = None
) -> list[tuple[str, float]]:
    rows = [FusionBranch(kind, _ranked(ids), weight) for kind, ids, weight in branches]
    found = fuse(rows, k, Budget(), passing=passing or FusionFilter())
    return [(row.reference.id, row.score) for row in found]


def _references(ids: str) -> frozenset[EntityRef]:
    return frozenset(reference(id_) for id_ in ids.split())


def _corruption_of(rows: Sequence[GlobalBranchCandidate]) -> None:
    with pytest.raises(WindowError) as caught:
        local_candidates(rows)
    assert caught.value.kind is WindowErrorKind.CORRUPTION


_WEIGHTED = ((_TEXT, "a b c", 2.0), (_VECTOR, "b a c d", 1.0), (_GRAPH, "d c b", 13 / 132))


def test_s72_a_merged_list_is_fused_by_its_global_ranks() -> None:
    result = merged([window("one", "first:.9 second:.8"), window("two", "first:.9")])
    found = fuse([FusionBranch(_VECTOR, result.candidates)], 13, Budget())
    assert [(f.reference.id, f.score) for f in found] == [
        ("first", 0.07142857142857142),
        ("second", 1 / 15),
    ]


def test_s73_one_source_alone_gets_its_own_list_back() -> None:
    rows = [candidate("same", tenant_id="a"), candidate("same", tenant_id="z")]
    assert local_candidates(rows) is rows
    assert [c.reference.tenant_id for c in rows] == ["a", "z"]
    _corruption_of(rows[::-1])


def test_s74_weights_and_ranks_of_three_branches() -> None:
    assert _fused(10, *_WEIGHTED) == [
        ("a", 0.26515151515151515),
        ("b", 0.26515151515151514),
        ("c", 0.2389763014763015),
        ("d", 0.08038173947264857),
    ]


def test_s74_terms_are_added_text_vector_graph_in_whatever_order_they_come() -> None:
    backwards = _fused(60, (_GRAPH, "a", 3.0), (_VECTOR, "a", 2.0), (_TEXT, "a", 1.0))
    stated = (1 / 61 + 2 / 61) + 3 / 61
    assert stated != (3 / 61 + 2 / 61) + 1 / 61
    assert backwards == [("a", stated)]


def test_s75_rows_that_are_filtered_out_take_no_rank() -> None:
    passing = FusionFilter(_references("b c d"), _references("a b c"))
    assert _fused(10, *_WEIGHTED, passing=passing) == [
        ("b", 0.2809343434343434),
        ("c", 0.25895316804407714),
    ]


def test_s75_either_filter_alone_and_an_empty_one() -> None:
    in_one = _fused(10, *_WEIGHTED, passing=FusionFilter(allowed=_references("d")))
    assert in_one == [("d", 1 / 11 + 13 / 132 / 11)]
    in_other = _fused(10, *_WEIGHTED, passing=FusionFilter(scope=_references("d")))
    assert in_other == in_one
    assert _fused(10, *_WEIGHTED, passing=FusionFilter(allowed=frozenset())) == []


def test_s76_a_branch_of_weight_zero_still_brings_its_rows() -> None:
    found = _fused(60, (_TEXT, "a", 1.0), (_VECTOR, "b", 0.0))
    assert found == [("a", 0.01639344262295082), ("b", 0.0)]


def test_s77_a_graph_of_weight_zero_brings_none() -> None:
    assert _fused(60, (_GRAPH, "a b", 0.0)) == []
    assert _fused(60, (_TEXT, "a", 1.0), (_GRAPH, "b", 0.0)) == [("a", 1 / 61)]


def test_s78_a_branch_without_the_row_adds_nothing() -> None:
    assert _fused(60, (_TEXT, "a", 1.0), (_VECTOR, "b", 1.0))[0] == ("a", 1 / 61)


def test_s79_an_empty_branch_adds_nothing() -> None:
    vector = local_candidates(listed("d20:.9 d21:.9"))
    rows = [FusionBranch(_TEXT, []), FusionBranch(_VECTOR, vector)]
    found = fuse(rows, 60, Budget())
    assert [(f.reference.id, f.score) for f in found] == [("d20", 1 / 61), ("d21", 1 / 62)]


def test_s80_three_branches_of_one_mind() -> None:
    found = _fused(60, *((kind, "x y", 1.0) for kind in GlobalBranchKind))
    assert [id_ for id_, _ in found] == ["x", "y"]
    assert [score for _, score in found] == pytest.approx([3 / 61, 3 / 62], rel=1e-15)


def test_s81_equal_sums_go_by_the_whole_reference() -> None:
    small, large = candidate("z", tenant_id="a"), candidate("a", tenant_id="b")
    for text, vector in ((small, large), (large, small)):
        rows = [FusionBranch(_TEXT, [text]), FusionBranch(_VECTOR, [vector])]
        (found,) = fuse(rows, 60, Budget(), limit=1)
        assert (found.reference, found.score) == (small.reference, 1 / 61)


def test_s82_a_row_given_twice_by_one_source_counts_twice() -> None:
    branch = FusionBranch(_VECTOR, local_candidates(listed("a:1 a:1")))
    (found,) = fuse([branch], 60, Budget())
    assert found.score == 0.03252247488101534


@pytest.mark.parametrize("score", ["nan", "inf", "-inf"])
def test_s83_a_score_that_is_not_finite_is_refused(score: str) -> None:
    _corruption_of(listed(f"a:1 b:{score}" if score != "inf" else f"a:{score} b:1"))


_LONG = {
    _TEXT: " ".join(f"d{n * 7 % 20:02}" for n in range(20)),
    _VECTOR: " ".join(f"d{n * 11 % 32:02}" for n in range(32)),
    _GRAPH: " ".join(f"d{n * 5 % 6 + 25:02}" for n in range(6)),
}


def _cut(branches: Mapping[GlobalBranchKind, str], width: int) -> tuple[list[FusionBranch], bool]:
    """Send every branch through a merge of this width; tell whether one was cut."""
    results = {
        kind: merged([window("all", _ranked(ids), kind=kind)], kind=kind, limit=width)
        for kind, ids in branches.items()
    }
    cut = any(result.truncated for result in results.values())
    return [FusionBranch(kind, result.candidates) for kind, result in results.items()], cut


def test_s84_wider_windows_lose_nothing_and_whole_ones_change_nothing() -> None:
    before: set[str] = set()
    for width in (1, 4, 8, 32):
        branches, cut = _cut(_LONG, width)
        union = {c.reference.id for branch in branches for c in branch.candidates}
        assert before <= union
        assert cut is (width < 32)
        before = union
    whole = [FusionBranch(kind, _ranked(ids)) for kind, ids in _LONG.items()]
    assert fuse(branches, 60, Budget()) == fuse(whole, 60, Budget())


def test_s85_a_narrow_window_hides_what_only_deeper_ranks_show() -> None:
    both = {_TEXT: "a b c", _VECTOR: "c b a"}
    narrow, cut = _cut(both, 1)
    found = fuse(narrow, 60, Budget())
    assert [(f.reference.id, f.score) for f in found] == [("a", 1 / 61), ("c", 1 / 61)]
    assert cut
    wide, cut = _cut(both, 3)
    found = fuse(wide, 60, Budget())
    assert [(f.reference.id, f.score) for f in found] == [
        ("a", 0.032266458495966696),
        ("c", 0.032266458495966696),
        ("b", 0.03225806451612903),
    ]
    assert not cut


@pytest.mark.parametrize(
    ("weight", "k"), [(-1.0, 60), (float("nan"), 60), (float("inf"), 60), (1.0, -1)]
)
def test_weights_and_constants_without_sense_are_invalid(weight: float, k: int) -> None:
    with pytest.raises(WindowError) as caught:
        _fused(k, (_TEXT, "a", weight))
    assert caught.value.kind is WindowErrorKind.VALIDATION


def test_a_source_out_of_order_is_refused_by_the_adapter_and_the_merge_alike() -> None:
    turned = _ranked("a b")[::-1]
    _corruption_of(turned)
    windows = [window("one", turned)]
    assert error_of(asked_for(windows), windows) is WindowErrorKind.CORRUPTION
