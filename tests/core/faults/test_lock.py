"""Another process holds the write lock: a batch waits a bounded time, says so, and can go again."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from core.commands.changes import Amend, Change, Remember, Retire
from core.commands.commit import Committed, commit_batch
from core.errors import ErrorCode, ErrorKind, GenizahError
from tests.support.child import child
from tests.support.stores import uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand, problems_of, rows_of

_CHANGES: list[Change] = [
    Amend(uuid_of("0"), 1, "new", "text"),
    Remember("one", "more"),
    Retire(uuid_of("1"), 1),
]


@pytest.fixture
def agent(project: Path) -> Iterator[Popen[str]]:
    """Give a process that holds the lock, with a change it has not committed."""
    with child("tests.support.lock_child", str(project)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield process


async def test_a35_a_lock_of_another_process_is_waited_for_only_so_long(
    project: Path, agent: Popen[str]
) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=0.3)
    before, began = rows_of(project), asyncio.get_running_loop().time()
    with pytest.raises(GenizahError) as busy:
        await commit_batch(hand.gate, _CHANGES)
    assert 0.3 <= asyncio.get_running_loop().time() - began < 3.0
    assert (busy.value.code, busy.value.kind) == (ErrorCode.STORE_BUSY, ErrorKind.REFUSED)
    assert busy.value.fields == {"verb": "commit"}
    assert rows_of(project) == before, "reading goes on, and nothing was written"
    await hand.close()


async def test_a_batch_that_waits_goes_through_when_the_other_process_is_killed(
    project: Path, agent: Popen[str], tmp_path: Path
) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=30.0)
    saving = asyncio.create_task(commit_batch(hand.gate, _CHANGES))
    done, _ = await asyncio.wait({saving}, timeout=0.2)
    assert not done
    agent.kill()
    assert isinstance(await saving, Committed)
    await hand.close()
    gists = {row[1]: row[3] for row in rows_of(project)["memory"]}
    assert (gists[uuid_of("0")], gists[uuid_of("2")]) == ("new", "zarquon 2")
    (tmp_path / "scratch").mkdir()
    assert problems_of(project, tmp_path / "scratch") == []


async def test_a_batch_that_met_a_lock_is_the_same_batch_when_it_is_tried_again(
    project: Path, agent: Popen[str]
) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=0.0)
    for _ in range(3):
        with pytest.raises(GenizahError):
            await commit_batch(hand.gate, _CHANGES)
    agent.kill()
    agent.wait()
    done = await commit_batch(hand.gate, _CHANGES)
    assert isinstance(done, Committed)
    assert [written.version for written in done.written] == [2, 1, 2]
    rows = rows_of(project)
    assert len(rows["memory"]) == 41, "the attempts before left no second one"
    assert [row[5] for row in rows["event"] if row[5] != "dedup_offered"] == [
        "fetch", "amend", "remember", "fetch", "retire",
    ]  # fmt: skip
    await hand.close()
