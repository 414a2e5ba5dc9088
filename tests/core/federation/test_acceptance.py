"""The same rows in three stores give what the peer gave of one: every recorded case, to the bit."""

import itertools
from pathlib import Path

import pytest

from core.federation.outcome import FederatedOutcome
from core.federation.searcher import FederatedSearcher
from tests.support.federating import Asked, open_stores, opened
from tests.support.oracle import copy_project, oracle_folder
from tests.support.recorded import External, Recorded, RecordedEncoder, answer_of, assert_same

_PARTS = ("part0", "part1", "part2")
_CASES = 187


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return private copies of the oracle's three stores; treat them as read-only."""
    folder = tmp_path_factory.mktemp("parts")
    return [copy_project(oracle_folder() / "parts" / name, folder / name) for name in _PARTS]


async def _search(
    several: FederatedSearcher, case: External, encoder: RecordedEncoder
) -> FederatedOutcome:
    asked = Asked(case.query, encoder)
    found = await several.search(case.query, asked, include_retired=case.include_retired)
    assert len(asked.keys) == 1
    return found


async def _assert_all(several: FederatedSearcher, recorded: Recorded, every: int = 1) -> None:
    encoder = RecordedEncoder.of(recorded)
    assert len(recorded.external) == _CASES
    for case in recorded.external[::every]:
        found = await _search(several, case, encoder)
        what = (case.query, case.include_retired)
        (group,) = found.groups
        assert_same(answer_of(group.outcome), case.answer, what)
        assert not found.incomplete
        assert sorted(group.stores) == [0, 1, 2]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_three_stores_answer_as_the_one_that_holds_all_their_rows(
    parts: list[Path], oracle_recorded: Recorded, matrix: bool
) -> None:
    async with open_stores(parts) as members:
        if matrix:
            for member in opened(members):
                assert await member.searcher.refresh_matrix()
        await _assert_all(FederatedSearcher(members), oracle_recorded)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("order", list(itertools.permutations(range(3)))[1:])
async def test_the_order_in_which_stores_are_named_does_not_decide(
    parts: list[Path], oracle_recorded: Recorded, order: tuple[int, ...]
) -> None:
    async with open_stores([parts[at] for at in order]) as members:
        for member in opened(members):
            await member.searcher.refresh_matrix()
        await _assert_all(FederatedSearcher(members), oracle_recorded, every=5)
