"""The peer writes in a loop while two hundred changes of ours are committed: nothing is lost."""

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Self

import pytest

from core.commands.changes import Amend, Change, Remember, Retire, Supersede, SupersedeWithText
from core.commands.commit import Committed, commit_batch
from core.errors import ErrorCode, GenizahError
from core.store.backup import Backup, back_up
from core.store.location import locate
from core.store.opening import inspect
from tests.peer.client import Encoder, Peer, PeerError
from tests.support.wait import until
from tests.support.writing import Hand, HashedEncoder, embedded_counter, problems_of, rows_of

pytestmark = pytest.mark.peer

_WIDTH = 16
_BEFORE = 151  # the last one takes the place of others
_SIZES = (1, 2, 5, 12, 20)  # of our batches, round and round
_OURS, _THEIRS = "ours", "theirs"


@dataclass
class Told:
    """What the peer said it wrote, and how often it met our lock."""

    remembered: list[str] = field(default_factory=list)
    amended: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    busy: int = 0


class PeerAtWork:
    """The peer in a thread: remembers, amends, retires memories of its own until told to stop."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self.begun = threading.Event()
        self.told = Told()
        self.failure: PeerError | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        assert self.begun.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    async def writes_once_more(self) -> None:
        """Wait until the peer has begun and written one memory more."""
        enough = len(self.told.remembered) + 2  # one may be written, but not told yet
        await until(lambda: len(self.told.remembered) >= enough or self.failure)

    def _work(self) -> None:
        number = 0
        while not self._stop.is_set() and self.failure is None:
            try:
                self._one(number)
            except PeerError as error:
                if error.code == "store_busy":
                    self.told.busy += 1
                else:
                    self.failure = error
            number += 1
            if number > 2:
                self.begun.set()
        self.begun.set()

    def _one(self, number: int) -> None:
        uuid = self._peer.remember(f"theirs {number}", f"the peer's fact {number}").uuid
        self.told.remembered.append(uuid)
        if number % 3 == 1:
            self._peer.amend(uuid, 1, f"theirs {number} again", "amended by the peer")
            self.told.amended.append(uuid)
        elif number % 3 == 2:
            self._peer.retire(uuid, 1)
            self.told.retired.append(uuid)


def _changes(uuids: Sequence[str]) -> list[Change]:
    """Return two hundred changes of rows that only we touch, of every kind and mixed."""
    last = uuids[-1]
    kinds: list[list[Change]] = [
        [Amend(u, 1, f"ours {n} amended", "a text of ours") for n, u in enumerate(uuids[:50])],
        [Retire(u, 1) for u in uuids[50:100]],
        [Supersede(u, 1, last) for u in uuids[100:130]],
        [SupersedeWithText(u, 1, f"new {n}", "said anew") for n, u in enumerate(uuids[130:150])],
        [Remember(f"ours {n}", f"our fact {n}") for n in range(50)],
    ]
    mixed = [(at / len(kind), change) for kind in kinds for at, change in enumerate(kind)]
    return [change for _, change in sorted(mixed, key=lambda pair: pair[0])]


async def _commit(hand: Hand, batch: Sequence[Change]) -> None:
    """Commit, again and again where the peer is in the way."""
    while True:
        try:
            done = await commit_batch(hand.gate, batch)
        except GenizahError as error:
            if error.code is not ErrorCode.STORE_BUSY:
                raise
        else:
            assert isinstance(done, Committed), done
            return


async def _commit_all(
    project: Path, changes: list[Change], data_dir: Path, work: PeerAtWork
) -> Backup:
    """Commit in batches of several sizes, each after a write of theirs; back up on the way."""
    hand = await Hand.open(project, HashedEncoder(embedded_counter(), _WIDTH), _OURS, wait_s=5.0)
    made: Backup | None = None
    number = 0
    while changes:
        size = _SIZES[number % len(_SIZES)]
        batch, changes = changes[:size], changes[size:]
        await work.writes_once_more()
        await _commit(hand, batch)
        number += 1
        if made is None and len(changes) < 100:
            facts = await inspect(locate(project))
            made = await back_up(facts, data_dir, datetime(2026, 3, 2, tzinfo=UTC))
    await hand.close()
    assert made is not None
    return made


def test_two_hundred_changes_beside_a_peer_that_writes_lose_nothing_on_either_side(
    peer: Peer, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    peer.create(project, {"embedding.embed_dim": _WIDTH}, Encoder.STUB)
    uuids = [peer.remember(f"before {n}", f"fact {n}").uuid for n in range(_BEFORE)]
    peer.identify(_THEIRS)
    changes = _changes(uuids)
    assert len(changes) == 200
    with PeerAtWork(peer) as work, asyncio.Runner() as runner:
        made = runner.run(_commit_all(project, changes, tmp_path / "data", work))
    assert work.failure is None
    assert peer.problems() == ()
    peer.close()
    _assert_ours_are_there(project, uuids)
    _assert_theirs_are_there(project, work.told)
    (tmp_path / "scratch").mkdir()
    assert problems_of(project, tmp_path / "scratch") == []
    assert made.memories > _BEFORE


def _assert_ours_are_there(project: Path, uuids: Sequence[str]) -> None:
    rows = rows_of(project)
    by_uuid = {row[1]: row for row in rows["memory"]}
    mine = [by_uuid[u] for u in uuids]
    assert [r[3] for r in mine[:50]] == [f"ours {n} amended" for n in range(50)]
    assert [r[5] for r in mine] == [1] * 50 + [0] * 100 + [1]
    assert [r[6] for r in mine[50:130]] == [None] * 50 + [uuids[-1]] * 30
    assert [by_uuid[r[6]][3] for r in mine[130:150]] == [f"new {n}" for n in range(20)]
    assert [r[7] for r in mine] == [2] * 150 + [1]
    events = Counter(r[5] for r in rows["event"] if r[2] == _OURS)
    del events["dedup_offered"]
    assert events == {"fetch": 150, "amend": 50, "retire": 100, "remember": 70}


def _assert_theirs_are_there(project: Path, told: Told) -> None:
    rows = rows_of(project)
    by_uuid = {row[1]: row for row in rows["memory"]}
    assert len(rows["memory"]) == _BEFORE + 70 + len(told.remembered)
    for uuid in told.remembered:
        version = 2 if uuid in {*told.amended, *told.retired} else 1
        assert (by_uuid[uuid][5], by_uuid[uuid][7]) == (int(uuid not in told.retired), version)
    events = Counter(r[5] for r in rows["event"] if r[2] == _THEIRS)
    counts = (len(told.remembered), len(told.amended), len(told.retired))
    assert (events["remember"], events["amend"], events["retire"]) == counts
    writers = [r[2] for r in rows["event"] if r[2] in (_OURS, _THEIRS)]
    turns = sum(1 for one, next_one in pairwise(writers) if one != next_one)
    assert turns > 40, "they did write in turns"
