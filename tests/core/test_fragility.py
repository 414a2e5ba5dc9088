"""What the first five places rest on, in numbers and in words."""

from dataclasses import replace

from hypothesis import given

from core.explain.fragility import fragility
from core.explain.standing import decided_by
from core.retrieval.outcome import SearchOutcome
from core.retrieval.ranking import OrderKey
from tests.support.pools import head_of, outcome_of, searches
from tests.support.properties import PROPERTY


def test_places_held_by_the_date_or_the_uuid_alone_are_counted() -> None:
    """Each pair of rows is first in one arm, second in the other: three pairs of equal scores."""
    dense, lexical = ["a", "b", "c", "d", "e", "f"], ["b", "a", "d", "c", "f", "e"]
    heads = {"b": head_of("b", at="2026-02-02")}
    found = fragility(outcome_of(dense, lexical, heads))
    assert (found.by_recency, found.by_uuid, found.arbitrary) == ((1,), (3, 5), 3)
    assert found.headline() == "Three of the first 5 places are decided by uuid or date alone."
    assert found.sentences()[0] == (
        "Three of the first 5 places are held over the next row by a tie-break: #1 by the newer "
        "date alone, #3, #5 by the order of their uuids alone. Their scores are equal."
    )


def test_a_list_that_stands_on_scores_has_nothing_to_say() -> None:
    found = fragility(outcome_of(["a", "b", "c"], ["a", "b", "c"]))
    assert (found.places, found.arbitrary, found.sentences()) == (3, 0, ())
    assert found.headline() is None
    nothing = fragility(outcome_of([], []))
    assert (nothing.places, nothing.agreement_dominates, nothing.sentences()) == (0, False, ())


def test_agreement_that_outweighs_rank_is_said_in_words() -> None:
    """Five rows that both arms found at 2 to 6; each arm's first was found by it alone."""
    both = ["b", "c", "d", "e", "f"]
    found = fragility(outcome_of(["x", *both], ["y", *both]))
    assert found.agreement_dominates
    assert (found.agreed, found.overtaken) == (5, ("x", "y"))
    assert found.headline() == "Agreement of both arms decides the first 5 places."
    assert found.sentences() == (
        "Agreement decides: all of the first 5 were found by both arms, and 2 memories that only "
        "one arm found, at a better rank, stand below them.",
    )


def test_with_one_arm_there_is_no_agreement_to_speak_of() -> None:
    found = fragility(outcome_of([f"r{n}" for n in range(9)], None))
    assert (found.agreed, found.overtaken, found.agreement_dominates) == (0, (), False)


def test_a_rank_among_equal_distances_is_called_arbitrary() -> None:
    outcome = outcome_of(["a", "b", "c"], None)
    same = outcome.hits[1].dense
    assert same is not None
    first = replace(outcome.hits[0], dense=replace(same, rank=1))
    found = fragility(replace(outcome, hits=(first, *outcome.hits[1:])))
    assert found.tied_in_arm == (1, 2)
    assert found.sentences() == (
        "The places #1, #2: an arm scored other memories exactly the same, so the rank that "
        "counts was dealt out by uuid.",
    )


@PROPERTY
@given(outcome=searches())
def test_the_places_counted_are_those_whose_deciding_key_says_so(outcome: SearchOutcome) -> None:
    found = fragility(outcome)
    for at, (above, below) in enumerate(zip(outcome.hits[:5], outcome.hits[1:6], strict=False), 1):
        key = decided_by(above, below, outcome)
        assert (at in found.by_uuid) == (key is OrderKey.UUID)
        assert (at in found.by_recency) == (key is OrderKey.CREATED_AT)
    assert all(sentence.endswith(".") for sentence in found.sentences())
