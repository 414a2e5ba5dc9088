"""The harness itself: what the peer answers through it, and that a failing call leaves it alive."""

import json
import sqlite3
import struct
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.peer.client import BulkItem, Encoder, Peer, PeerError

pytestmark = pytest.mark.peer

_NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
_BOATS = (
    ("the ferry sails at dawn", "the morning boat leaves the quay at six"),
    ("the harbour office is closed", "nobody sells tickets on Sunday"),
    ("kubernetes drains the node", "pods are evicted before the upgrade"),
)


def _remember_boats(peer: Peer) -> list[str]:
    return [peer.remember(gist, content).uuid for gist, content in _BOATS]


def _rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{folder}/.zikaron/memory.db?mode=ro", uri=True)
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def test_a_search_by_meaning_finds_the_nearest_memory_first(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path)
    ferry, office, _ = _remember_boats(peer)
    found = peer.retrieve("when does the first ship depart")
    assert found.pool[0].uuid == ferry
    assert found.terms == ("depart", "first", "when", "does", "ship", "the")
    hits = peer.search("tickets on Sunday", limit=1)
    assert [hit.uuid for hit in hits] == [office]


def test_a_superseded_memory_comes_below_its_replacement(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    old, new, _ = _remember_boats(peer)
    peer.retire(old, 1, superseded_by=new)
    found = peer.retrieve("the ferry sails at dawn")
    order = [row.uuid for row in found.pool]
    assert order.index(new) < order.index(old)
    states = {row.uuid: row.state for row in found.pool}
    assert (states[old], states[new]) == ("superseded", "live")


def test_a_retired_memory_is_found_only_when_asked_for(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    gone, *_ = _remember_boats(peer)
    peer.retire(gone, 1)
    text = "the ferry sails at dawn"
    assert gone not in [row.uuid for row in peer.retrieve(text).pool]
    assert gone in [row.uuid for row in peer.retrieve(text, include_retired=True).pool]


def test_a_stale_version_is_a_conflict_and_the_next_call_still_works(
    peer: Peer, tmp_path: Path
) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    uuid, *_ = _remember_boats(peer)
    assert peer.amend(uuid, 1, "the ferry sails at noon", "it is late").version == 2
    with pytest.raises(PeerError) as refusal:
        peer.amend(uuid, 1, "mine", "mine too")
    assert refusal.value.code == "version_conflict"
    assert refusal.value.fields["current"]["gist"] == "the ferry sails at noon"
    assert peer.fetch([uuid]).records[0].version == 2


def test_another_session_must_read_before_it_writes(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    uuid, *_ = _remember_boats(peer)
    peer.identify("somebody-else")
    with pytest.raises(PeerError) as refusal:
        peer.retire(uuid, 1)
    assert refusal.value.code == "no_read_receipt"
    assert peer.fetch([uuid, "no-such-uuid"]).missing == ("no-such-uuid",)
    assert peer.retire(uuid, 1).version == 2


def test_a_failure_that_has_no_code_answers_with_its_type(peer: Peer, tmp_path: Path) -> None:
    with pytest.raises(PeerError) as early:
        peer.fetch(["anything"])
    assert early.value.code == "NoStoreError"
    # The vector extension takes no k above 4096: the peer's own search fails there.
    deep = {"retrieval.fusion_depth": 100, "retrieval.chunk_overfetch": 64}
    peer.create(tmp_path, {**deep, "dedup.dedup_max": 0}, encoder=Encoder.STUB)
    _remember_boats(peer)
    with pytest.raises(PeerError) as late:
        peer.search("boat")
    assert late.value.code == "OperationalError"
    assert "k value" in late.value.message


def test_near_duplicates_are_offered_in_order(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, {"dedup.dedup_max": 1}, encoder=Encoder.STUB)
    first = peer.remember("the quay is closed in winter", "use the north pier")
    again = peer.remember("the quay is closed in winter", "use the north pier then")
    assert [(one.uuid, one.rank) for one in again.near_duplicates] == [(first.uuid, 1)]
    assert 0.8 <= again.near_duplicates[0].cosine <= 1.0


def test_a_given_vector_decides_the_distance(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, {"embedding.embed_dim": 2}, encoder=Encoder.STUB)
    east, north = struct.pack("<2f", 1.0, 0.0), struct.pack("<2f", 0.0, 1.0)
    uuid = peer.remember("east", "the east pier", vectors=[east]).uuid
    found = peer.retrieve("anything", vector=north)
    assert found.vector == north
    assert [row.uuid for row in found.pool] == [uuid]
    assert found.pool[0].best_distance == pytest.approx(2**0.5, abs=1e-6)


def test_a_set_clock_and_a_seed_make_the_same_store_twice(peer: Peer, tmp_path: Path) -> None:
    tables = []
    for name in ("one", "two"):
        peer.seed_ids(7)
        peer.set_clock(_NOON, tick_us=250_000)
        peer.create(tmp_path / name, encoder=Encoder.STUB)
        _remember_boats(peer)
        peer.close()
        everything = "SELECT uuid, created_at, session_id FROM memory ORDER BY rowid"
        tables.append(_rows(tmp_path / name, everything))
    assert tables[0] == tables[1]
    assert tables[0][0][1] == "2026-03-02T12:00:00+00:00"


def test_a_prompt_injects_a_block_and_logs_each_memory_shown(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    uuids = _remember_boats(peer)
    peer.identify("session-1", "hook")
    block = peer.surface("is the harbour office closed?", limit=2)
    assert uuids[1] in block
    peer.log_call("memory_surface", 12.5)
    peer.close()
    kinds = Counter(kind for (kind,) in _rows(tmp_path, "SELECT kind FROM event"))
    assert kinds == {"remember": 3, "surface_call": 1, "surface": 2, "call": 1}
    calls = _rows(tmp_path, "SELECT detail FROM event WHERE kind = 'call'")
    assert json.loads(str(calls[0][0]))["duration_ms"] == 12.5


def test_consolidation_lifts_a_memory_into_the_long_term_tier(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    uuids = _remember_boats(peer)
    peer.identify("cleaner", "consolidator")
    peer.plan_groups()
    lifted = []
    while (group := peer.next_group()) is not None:
        for member in group.members:
            peer.promote(group.group_id, member.gist, member.content, [member])
            lifted.append(member.uuid)
    assert sorted(lifted) == sorted(uuids)
    tiers = {record.tier for record in peer.fetch(uuids).records}
    assert tiers == {"long_term"}


def test_a_generated_store_holds_every_row_in_order_and_is_timed(
    peer: Peer, tmp_path: Path
) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    items = [BulkItem(f"note {n}", f"pier number {n} of many", "long_term") for n in range(1200)]
    uuids = peer.bulk_remember(items)
    found = peer.retrieve("pier number 1011")
    assert uuids[1011] in [row.uuid for row in found.pool[:3]]
    assert found.dense.stop_reason == "depth_reached"
    seconds = peer.time_retrieve("pier number 1011", found.vector, repeat=3)
    assert len(seconds) == 3
    assert all(0 < one < 60 for one in seconds)
    peer.close()
    counts = _rows(tmp_path, "SELECT count(*), count(DISTINCT uuid) FROM memory")
    assert counts == [(1200, 1200)]


def test_a_closed_store_is_one_file_in_wal_mode(peer: Peer, tmp_path: Path) -> None:
    peer.create(tmp_path, encoder=Encoder.STUB)
    _remember_boats(peer)
    peer.close()
    names = {path.name for path in (tmp_path / ".zikaron").iterdir()}
    assert names == {"memory.db", "config.toml"}
    # Bytes 18 and 19 of an SQLite file are 2 in write-ahead mode.
    assert (tmp_path / ".zikaron" / "memory.db").read_bytes()[18:20] == b"\x02\x02"
    peer.open(tmp_path, encoder=Encoder.STUB)
    assert len(peer.retrieve("the").pool) == 3
