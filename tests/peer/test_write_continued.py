"""What the program itself commits, the peer goes on with: it searches, reads, changes the rows."""

import asyncio
from pathlib import Path

import pytest

from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
)
from core.commands.commit import Committed, commit_batch
from core.store.text import is_damaged
from tests.peer.client import Encoder, Peer, PeerError
from tests.support.engine import open_engine
from tests.support.writing import Hand, HashedEncoder, embedded_counter, problems_of, rows_of

pytestmark = pytest.mark.peer

_WIDTH = 16
_QUESTIONS = ("where is the ferry", "winter ticket", "lantern at the door", "nothing of this")


def _commit_ours(project: Path, uuids: list[str]) -> tuple[str | None, ...]:
    """Make one change of every kind in one batch; return the uuids of the new rows."""
    changes: list[Change] = [
        Amend(uuids[0], 1, "the ferry is late", "a lantern\n\nhangs at the door"),
        Retire(uuids[1], 1),
        Supersede(uuids[2], 1, uuids[3]),
        Remember("the ferry is late", "again, in winter"),
        SupersedeWithText(uuids[4], 1, "ticket office", "open until noon"),
    ]

    async def work() -> Committed:
        hand = await Hand.open(project, HashedEncoder(embedded_counter(), _WIDTH))
        try:
            done = await commit_batch(hand.gate, changes)
        finally:
            await hand.close()
        assert isinstance(done, Committed)
        return done

    with asyncio.Runner() as runner:
        written = runner.run(work()).written
    return written[3].uuid, written[4].new_uuid


def _assert_same_ranks(peer: Peer, project: Path) -> None:
    encoder = HashedEncoder(embedded_counter(), _WIDTH)

    async def ours() -> list[list[tuple[str, float]]]:
        found = []
        async with open_engine(project) as engine:
            for text in _QUESTIONS:
                outcome = await engine.by_encoder(text, encoder)
                found.append([(h.uuid, h.fused_score) for h in outcome.hits])
        return found

    with asyncio.Runner() as runner:
        mine = runner.run(ours())
    for text, hits in zip(_QUESTIONS, mine, strict=True):
        theirs = [(row.uuid, row.fused_score) for row in peer.retrieve(text).pool]
        assert hits == theirs, text


def test_the_peer_ranks_reads_and_changes_what_we_wrote(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, {"embedding.embed_dim": _WIDTH}, Encoder.STUB)
    texts = ("ferry at dawn", "winter", "quay", "pier", "ticket office")
    uuids = [peer.remember(text, f"{text} and more").uuid for text in texts]
    peer.close()
    new, replacement = _commit_ours(tmp_path, uuids)
    assert new is not None
    assert replacement is not None
    peer.open(tmp_path, Encoder.STUB)
    assert peer.problems() == ()
    _assert_same_ranks(peer, tmp_path)
    with pytest.raises(PeerError) as unread:
        peer.amend(uuids[0], 2, "mine", "now")
    assert unread.value.code == "no_read_receipt"
    records = {r.uuid: r for r in peer.fetch([*uuids, new, replacement]).records}
    assert records[uuids[0]].content == "a lantern\n\nhangs at the door"
    assert [records[u].state for u in uuids[1:]] == ["retired", "superseded", "live", "superseded"]
    assert records[uuids[4]].superseded_by_latest == replacement
    assert peer.amend(uuids[0], 2, "the ferry sails", "at noon").version == 3
    assert peer.retire(new, 1, superseded_by=replacement).version == 2
    assert peer.problems() == ()


def test_both_write_in_turn_and_nothing_is_lost(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path / "store", {"embedding.embed_dim": _WIDTH}, Encoder.STUB)

    async def ours() -> None:
        hand = await Hand.open(
            tmp_path / "store", HashedEncoder(embedded_counter(), _WIDTH), wait_s=10.0
        )
        try:
            for number in range(20):
                peer.remember(f"theirs {number}", f"pier {number}")
                done = await commit_batch(hand.gate, [Remember(f"ours {number}", "quay")])
                assert isinstance(done, Committed)
        finally:
            await hand.close()

    with asyncio.Runner() as runner:
        runner.run(ours())
    gists = [str(row[3]) for row in rows_of(tmp_path / "store")["memory"]]
    assert sorted(gists) == sorted(f"{who} {n}" for who in ("ours", "theirs") for n in range(20))
    assert not any(map(is_damaged, gists))
    (tmp_path / "scratch").mkdir()
    assert problems_of(tmp_path / "store", tmp_path / "scratch") == []
