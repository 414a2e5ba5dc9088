"""Statistics over several stores: what cannot be is refused, what can is summed."""

import re
from dataclasses import replace

import pytest

from core.federation.statistics import StatisticsRequest, StoreStatistics, shared_statistics
from core.windows.errors import WindowError, WindowErrorKind

_TERMS = ("source", "destination")
_ASKED = StatisticsRequest(_TERMS, "live")
_ONE = StoreStatistics("one", 3, 11, _TERMS, (2, 0))
_OTHER = StoreStatistics("other", 1, 1, _TERMS, (0, 1))


def _refused(*stores: StoreStatistics) -> WindowErrorKind:
    with pytest.raises(WindowError) as refusal:
        shared_statistics(_ASKED, stores)
    return refusal.value.kind


def test_numbers_of_all_stores_are_summed() -> None:
    found = shared_statistics(_ASKED, [_ONE, _OTHER])
    assert (found.rows, found.tokens, found.dfs) == (4, 12, (2, 1))


def test_90_nothing_that_matches_has_an_epoch_all_the_same() -> None:
    empty = StatisticsRequest((), "live")
    none = [replace(s, terms=(), dfs=()) for s in (_ONE, _OTHER)]
    for asked, stores in ((empty, none), (_ASKED, [replace(_ONE, dfs=(0, 0))])):
        assert re.fullmatch("[0-9a-f]{64}", shared_statistics(asked, stores).epoch)


def test_92_stores_that_answer_for_other_terms_are_corrupt() -> None:
    other = replace(_OTHER, terms=("source", "elsewhere"))
    assert _refused(_ONE, other) is WindowErrorKind.CORRUPTION


@pytest.mark.parametrize(
    "wrong",
    [
        replace(_OTHER, dfs=(0, 2)),
        replace(_OTHER, rows=-1),
        replace(_OTHER, tokens=-1),
        replace(_OTHER, dfs=(0, -1)),
        replace(_OTHER, rows=0, tokens=5, dfs=(0, 0)),
        replace(_OTHER, dfs=(1,)),
        replace(_OTHER, dfs=(0, 1, 0)),
    ],
)
def test_93_numbers_that_no_index_has_are_corrupt(wrong: StoreStatistics) -> None:
    assert _refused(_ONE, wrong) is WindowErrorKind.CORRUPTION


@pytest.mark.parametrize(
    ("most", "over"),
    [
        (replace(_ONE, rows=2**31 - 2), replace(_ONE, rows=2**31 - 1)),
        (replace(_ONE, tokens=2**63 - 2), replace(_ONE, tokens=2**63 - 1)),
    ],
    ids=["rows", "tokens"],
)
def test_94_sums_that_do_not_fit_exceed_the_budget(
    most: StoreStatistics, over: StoreStatistics
) -> None:
    assert shared_statistics(_ASKED, [most, _OTHER]).rows >= 4
    assert _refused(over, _OTHER) is WindowErrorKind.BUDGET_EXCEEDED


def test_95_without_a_store_there_are_no_statistics() -> None:
    assert _refused() is WindowErrorKind.VALIDATION


def test_every_number_store_and_request_is_in_the_epoch() -> None:
    def epoch(asked: StatisticsRequest, *stores: StoreStatistics) -> str:
        return shared_statistics(asked, stores).epoch

    epochs = {
        epoch(_ASKED, _ONE, _OTHER),
        epoch(_ASKED, _OTHER, _ONE),
        epoch(_ASKED, replace(_ONE, rows=4), _OTHER),
        epoch(_ASKED, replace(_ONE, tokens=12), _OTHER),
        epoch(_ASKED, replace(_ONE, dfs=(3, 0)), _OTHER),
        epoch(_ASKED, replace(_ONE, store_id="third"), _OTHER),
        epoch(replace(_ASKED, scope="all"), _ONE, _OTHER),
    }
    assert len(epochs) == 7
    assert epoch(_ASKED, _ONE, _OTHER) in epochs
