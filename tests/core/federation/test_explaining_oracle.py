"""An explanation over three stores has the very numbers of one over the store of all their rows."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.documents.explanation_document import explanation_document
from core.errors import JsonValue
from core.explain.explanation import Explanation, Verdict
from core.federation.member import Member
from core.readmodels import State
from core.retrieval.outcome import SearchOutcome
from tests.support.explaining_several import explained_in, open_members, search_members
from tests.support.oracle import copy_project, oracle_folder
from tests.support.recorded import External, Recorded

_SAMPLE = 31
"""Of so many recorded searches one is looked at in the everyday run."""
_LONG_SAMPLE = 6
"""And in the slow one: every search takes seconds, for eight memories are explained twice."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return private copies of the oracle's stores by name; treat them as read-only."""
    folder = tmp_path_factory.mktemp("oracle")
    root = oracle_folder()
    places = {"single": root / "single", **{f"part{n}": root / "parts" / f"part{n}" for n in "012"}}
    return {name: copy_project(place, folder / name) for name, place in places.items()}


def _numbers(e: Explanation) -> dict[str, JsonValue]:
    """Return everything that is said of a memory but which store it is in."""
    document = explanation_document(e)
    del document["store_id"]
    if e.verdict is Verdict.NO_SUCH_MEMORY:
        del document["sentence"]  # it counts the stores
    return document


def _in_words(e: Explanation) -> list[tuple[str, str | None]]:
    """Return the events of a memory, whose ids are each store's own."""
    return [] if e.provenance is None else [(v.kind, v.at) for v in e.provenance.events]


async def _states(single: Member) -> dict[str, State]:
    async with single.database.browse.snapshot() as connection:
        rows = await connection.rows("SELECT uuid, active, superseded_by FROM memory")
    states = {True: State.SUPERSEDED, False: State.RETIRED}
    return {
        str(uuid): State.LIVE if active else states[by is not None] for uuid, active, by in rows
    }


def _picked(outcome: SearchOutcome, states: dict[str, State], number: int) -> Sequence[str]:
    """Return a memory of every kind: hits above and below the cut, left out ones, one of none."""
    hits = [h.uuid for h in outcome.hits]
    out = [u for u in states if u not in hits and states[u] is not State.RETIRED]
    gone = [u for u in states if u not in hits and states[u] is State.RETIRED]
    at = number * 37
    some = (hits[:1], hits[number % 7 :: 41][:2], hits[-1:])
    others = ([u[at % len(u)]] for u in (out, gone) if u)
    return [*dict.fromkeys(u for us in (*some, *others) for u in us), "of nobody"]


@pytest.mark.parametrize("step", [pytest.param(_LONG_SAMPLE, marks=pytest.mark.slow), _SAMPLE])
@pytest.mark.timeout(1800)
async def test_three_stores_explain_as_the_one_that_holds_all_their_rows(
    folders: dict[str, Path], oracle_recorded: Recorded, step: int
) -> None:
    verdicts: set[Verdict] = set()
    beyond = 0
    cases: Sequence[External] = oracle_recorded.external[::step]
    parts = [folders["part2"], folders["part0"], folders["part1"]]
    async with open_members([folders["single"]]) as one, open_members(parts) as several:
        states = await _states(one[0])
        for member in (*one, *several):
            assert await member.searcher.refresh_matrix()
        for number, case in enumerate(cases):
            asked = (case.query, case.vector)
            whole = await search_members(one, *asked, include_retired=case.include_retired)
            split = await search_members(several, *asked, include_retired=case.include_retired)
            picked = _picked(whole, states, number)
            for uuid in picked:
                e = await explained_in(one, whole, uuid)
                ours = await explained_in(several, split, uuid)
                assert _numbers(ours) == _numbers(e), (case.query, uuid)
                assert _in_words(ours) == _in_words(e)
                assert (ours.dense.ranked, ours.lexical.ranked) == (
                    e.dense.ranked,
                    e.lexical.ranked,
                )
                verdicts.add(e.verdict)
                depth = whole.settings.fusion_depth
                beyond += (e.lexical.rank or 0) > depth or (e.dense.rank or 0) > depth
    assert verdicts == set(Verdict)
    assert beyond >= len(cases) / 2, "true ranks beyond the depth are among what is compared"


async def test_the_same_numbers_come_through_vec0_without_a_matrix(
    folders: dict[str, Path], oracle_recorded: Recorded
) -> None:
    case = oracle_recorded.external[5]
    parts = [folders[f"part{n}"] for n in "012"]
    async with open_members([folders["single"]]) as one, open_members(parts) as several:
        whole = await search_members(one, case.query, case.vector)
        split = await search_members(several, case.query, case.vector)
        states = await _states(one[0])
        for uuid in _picked(whole, states, 11)[-3:]:
            e = await explained_in(one, whole, uuid)
            assert _numbers(await explained_in(several, split, uuid)) == _numbers(e)
        assert one[0].searcher.matrix_bytes == several[0].searcher.matrix_bytes == 0
