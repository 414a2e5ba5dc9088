"""A37: two windows change one store at once; every row follows one of them, nothing is lost."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from core.commands.changes import Amend, Change, Remember, Retire, Supersede
from core.commands.commit import BatchRefused, Committed, commit_batch, commit_one
from core.commands.outcome import Written
from core.errors import ErrorCode
from tests.support.stores import uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, problems_of, rows_of


async def _one_by_one(hand: Hand, changes: list[Change]) -> list[Written | ErrorCode]:
    found: list[Written | ErrorCode] = []
    for change in changes:
        done = await commit_one(hand.gate, change)
        found.append(done if isinstance(done, Written) else done.code)
    return found


@pytest.mark.parametrize("verb", ["amend", "retire", "supersede"])
async def test_a37_of_two_windows_at_once_exactly_one_changes_each_row(
    project: Path, tmp_path: Path, verb: str
) -> None:
    def change(number: int, who: str) -> Change:
        uuid = uuid_of(str(number))
        match verb:
            case "amend":
                return Amend(uuid, 1, f"{who} {number}", "text")
            case "retire":
                return Retire(uuid, 1)
        return Supersede(uuid, 1, uuid_of("39" if who == "one" else "38"))

    hands = [await Hand.open(project, StubEncoder(), who, wait_s=20.0) for who in ("one", "two")]
    hands[1].ids.source.seed(2)
    numbers = list(range(30))
    one, two = await asyncio.gather(
        _one_by_one(hands[0], [change(n, "one") for n in numbers]),
        _one_by_one(hands[1], [change(n, "two") for n in reversed(numbers)]),
    )
    two.reverse()
    for first, second in zip(one, two, strict=True):
        assert ErrorCode.VERSION_CONFLICT in (first, second)
        assert [isinstance(done, Written) for done in (first, second)].count(True) == 1
    winners = ["one" if isinstance(done, Written) else "two" for done in one]
    rows = {row[1]: row for row in rows_of(project)["memory"]}
    changed = [rows[uuid_of(str(n))] for n in numbers]
    assert {row[7] for row in changed} == {2}
    if verb == "amend":
        assert [row[3] for row in changed] == [f"{w} {n}" for n, w in enumerate(winners)]
    if verb == "supersede":
        ends = {"one": uuid_of("39"), "two": uuid_of("38")}
        assert [row[6] for row in changed] == [ends[w] for w in winners]
    events = Counter(row[5] for row in rows_of(project)["event"])
    kind = "amend" if verb == "amend" else "retire"
    assert (events[kind], events["version_conflict"]) == (30, 30)
    for hand in hands:
        await hand.close()
    (tmp_path / "scratch").mkdir()
    assert problems_of(project, tmp_path / "scratch") == []


async def test_batches_of_two_windows_that_share_one_row_are_whole_or_nothing(
    project: Path,
) -> None:
    def batch(who: str, numbers: range) -> list[Change]:
        shared = Amend(uuid_of("0"), 1, who, "text")
        return [*(Retire(uuid_of(str(n)), 1) for n in numbers), Remember(who, "beside"), shared]

    hands = [await Hand.open(project, StubEncoder(), who, wait_s=20.0) for who in ("one", "two")]
    hands[1].ids.source.seed(2)
    done = await asyncio.gather(
        commit_batch(hands[0].gate, batch("one", range(1, 10))),
        commit_batch(hands[1].gate, batch("two", range(10, 20))),
    )
    for hand in hands:
        await hand.close()
    assert sorted(type(d).__name__ for d in done) == ["BatchRefused", "Committed"]
    refused = next(d for d in done if isinstance(d, BatchRefused))
    assert refused.refused.code is ErrorCode.VERSION_CONFLICT
    winner, retired = ("one", 9) if isinstance(done[0], Committed) else ("two", 10)
    rows = rows_of(project)["memory"]
    assert sum(1 for row in rows if row[5] == 0) == retired
    assert [row[3] for row in rows if row[4] == "beside"] == [winner]
