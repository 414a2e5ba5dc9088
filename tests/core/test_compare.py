"""Two rankings and two memories compared; the numbers are worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.compare import Movement, jaccard, movements, parting, rank_biased_overlap
from core.explain.explanation import DenseSide, Explanation, LexicalSide, Verdict
from core.explain.parting import STEP_WORDS, PartingStep
from core.explain.standing import standing_of
from core.readmodels import State
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from tests.support.pools import head_of, outcome_of
from tests.support.properties import PROPERTY

_lists = st.lists(st.sampled_from("abcdefghij"), unique=True)


def test_jaccard_counts_the_first_k_of_both() -> None:
    assert jaccard("abc", "abc", 5) == 1.0
    assert jaccard("abc", "xyz", 5) == 0.0
    # first two: {a, b} and {b, c}; one of three.
    assert jaccard("abcd", "bcda", 2) == 1 / 3
    assert jaccard("abcd", "bcda", 4) == 1.0
    assert (jaccard("", "", 5), jaccard("a", "", 5)) == (1.0, 0.0)


def test_rank_biased_overlap_of_even_lists_by_hand() -> None:
    """p = 0.9, lists abc and bac. Overlap at 1, 2, 3: 0, 2, 3; agreement 0, 1, 1.

    (1 - p) / p * (0 + p^2 + p^3) + p^3 = 0.1 * (p + p^2) + p^3 = 0.09 + 0.081 + 0.729 = 0.9.
    """
    assert rank_biased_overlap("abc", "bac") == pytest.approx(0.9, abs=1e-12)


def test_rank_biased_overlap_of_uneven_lists_by_hand() -> None:
    """p = 0.9, S = ab (s = 2), L = acb (l = 3). Overlap at 1, 2, 3: 1, 1, 2.

    First sum: 1/1 * 0.9 + 1/2 * 0.81 + 2/3 * 0.729 = 0.9 + 0.405 + 0.486 = 1.791.
    Second sum, d = 3: X_s (d - s) / (s d) p^d = 1 * 1 / 6 * 0.729 = 0.1215.
    (1 - p) / p = 1/9: (1.791 + 0.1215) / 9 = 0.2125.
    Beyond: ((X_l - X_s) / l + X_s / s) p^l = (1/3 + 1/2) * 0.729 = 0.6075. In all 0.82.
    """
    assert rank_biased_overlap("ab", "acb") == pytest.approx(0.82, abs=1e-12)
    assert rank_biased_overlap("acb", "ab") == pytest.approx(0.82, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("", "", 1.0), ("a", "", 0.0), ("", "ab", 0.0), ("abcde", "abcde", 1.0), ("abc", "xyz", 0.0)],
)
def test_rank_biased_overlap_at_its_ends(a: str, b: str, expected: float) -> None:
    assert rank_biased_overlap(a, b) == expected


def test_only_the_first_fifty_count() -> None:
    same = [str(n) for n in range(50)]
    assert rank_biased_overlap([*same, "x", "y"], [*same, "z"]) == 1.0


@PROPERTY
@given(a=_lists, b=_lists)
def test_overlap_is_symmetric_and_between_0_and_1(a: list[str], b: list[str]) -> None:
    found = rank_biased_overlap(a, b)
    assert found == pytest.approx(rank_biased_overlap(b, a))
    assert -1e-12 <= found <= 1 + 1e-12
    assert (found == 0.0) == (not set(a) & set(b) and a != b)
    assert jaccard(a, b, 5) == jaccard(b, a, 5)


def test_movements_name_who_came_moved_and_left() -> None:
    assert movements("abc", "cad") == (
        Movement("c", 3, 1),
        Movement("a", 1, 2),
        Movement("d", None, 3),
        Movement("b", 2, None),
    )


def _explained(outcome: SearchOutcome, uuid: str, limit: int = 2) -> Explanation:
    """Explain a row with no more than its comparison needs."""
    hit = outcome.hit(uuid)
    standing = standing_of(outcome, uuid, limit)
    dense = hit.dense if hit else None
    words = hit.lexical if hit else None
    verdict = Verdict.OUTSIDE_POOL
    if standing is not None:
        verdict = Verdict.HIT if standing.cut.inside else Verdict.BELOW_CUT
    return Explanation(
        uuid=uuid,
        store_id="id",
        verdict=verdict,
        head=hit.head if hit else head_of(uuid),
        outcome=outcome,
        limit=limit,
        ladder=(Rung("all rows", 9, True), Rung("after state", 9, True)),
        dense=DenseSide(dense.rank if dense else None, 9, None, None, None, ()),
        lexical=LexicalSide(words.rank if words else None, 9, None, None, ()),
        standing=standing,
        margins=(),
        provenance=None,
    )


def test_two_memories_part_at_the_first_step_that_differs() -> None:
    """The demoted row is ahead by meaning and level by words; the penalty decides."""
    old = head_of("old", State.SUPERSEDED, by="elsewhere")
    outcome = outcome_of(["old", "live"], None, {"old": old})
    found = parting(_explained(outcome, "old"), _explained(outcome, "live"))
    assert [s.step for s in found.steps] == list(PartingStep) == list(STEP_WORDS)
    assert found.parted is not None
    assert (found.parted.step, found.parted.first, found.parted.second, found.parted.ahead) == (
        PartingStep.DENSE_RANK,
        1,
        2,
        "old",
    )
    assert found.decided is not None
    assert (found.decided.step, found.decided.ahead) == (PartingStep.DEMOTION, "live")
    assert (found.decided.first, found.decided.second) == (0.5 / 61, 1 / 62)
    level = {s.step for s in found.steps if not s.differs}
    assert level == {PartingStep.ELIGIBILITY, PartingStep.LEXICAL_RANK, PartingStep.CUT}


def test_equal_scores_are_parted_by_the_order() -> None:
    outcome = outcome_of(["a", "b"], ["b", "a"])
    found = parting(_explained(outcome, "a"), _explained(outcome, "b"))
    assert [s.ahead for s in found.steps] == [None, "a", "b", None, None, "a", "a", None]
    assert found.decided is not None
    assert found.decided.step is PartingStep.ORDER


def test_a_memory_of_the_pool_is_ahead_of_one_outside() -> None:
    outcome = outcome_of(["a"], None)
    found = parting(_explained(outcome, "none"), _explained(outcome, "a"))
    assert found.decided is not None
    assert (found.decided.step, found.decided.ahead) == (PartingStep.DENSE_RANK, "a")
    assert (found.steps[-1].first, found.steps[-1].second) == (None, "inside")


def test_a_memory_that_is_not_allowed_parts_at_once() -> None:
    outcome = outcome_of(["a", "b"], None)
    ruled_out = replace(
        _explained(outcome, "none"),
        ladder=(Rung("all rows", 9, True), Rung("after state", 8, False)),
    )
    found = parting(_explained(outcome, "b"), ruled_out)
    assert found.parted is found.decided is found.steps[0]
    assert (found.parted.first, found.parted.second) == ("eligible", "after state")
    nobody = parting(ruled_out, ruled_out)
    assert (nobody.parted, nobody.decided) == (None, None)
