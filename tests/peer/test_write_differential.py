"""The same changes by the peer and by us, on two copies of one store, leave equal rows.

Refusals included; each goes on with the store the other wrote.
"""

import asyncio
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from core.commands.refusals import EdgeFault
from core.retrieval.artifacts import EMBEDDED_MODEL
from core.retrieval.encoder import Encoder as OurEncoder
from core.retrieval.fastembed_encoder import load_encoder
from tests.peer.client import Encoder, Peer
from tests.peer.environment import PeerEnvironment
from tests.peer.write_machine import WORDS, Bench, Writing, machine_of, try_changes
from tests.support.writing import HashedEncoder, embedded_counter, rows_of

pytestmark = pytest.mark.peer

_WIDTH = 16
_SETTINGS: dict[str, object] = {
    "indexing.chunk_max_tokens": 64,
    "indexing.gist_max_tokens": 12,
    "retrieval.supersession_max_depth": 3,
    "dedup.dedup_threshold": 0.55,
    "dedup.dedup_max": 2,
}
_SHALLOW: dict[str, object] = {
    **_SETTINGS,
    "retrieval.fusion_depth": 2,
    "retrieval.chunk_overfetch": 1,
    "retrieval.fts_query_max_terms": 3,
    "dedup.dedup_threshold": 0.2,
    "dedup.dedup_max": 5,
}


def _bench(
    environment: PeerEnvironment,
    folder: Path,
    kind: Encoder,
    encoder: OurEncoder,
    chosen: Mapping[str, object] = _SETTINGS,
) -> Iterator[Bench]:
    with Peer(environment) as peer, asyncio.Runner() as runner:
        width = {} if kind is Encoder.ARTIFACT else {"embedding.embed_dim": _WIDTH}
        peer.create(folder / "template", {**chosen, **width}, kind)
        for number, word in enumerate(WORDS[:4]):
            peer.remember(f"{word} note", f"{word} office at gate {number}")
        peer.close()
        yield Bench(peer, kind, encoder, folder / "template", folder, runner)


@pytest.fixture(params=[_SETTINGS, _SHALLOW], ids=["deep", "shallow"])
def bench(
    request: pytest.FixtureRequest, peer_environment: PeerEnvironment, tmp_path: Path
) -> Iterator[Bench]:
    """Give both sides with vectors hashed from words."""
    encoder = HashedEncoder(embedded_counter(), _WIDTH)
    yield from _bench(peer_environment, tmp_path, Encoder.STUB, encoder, request.param)


@pytest.mark.timeout(180)
def test_any_changes_leave_the_rows_the_peer_leaves(bench: Bench) -> None:
    try_changes(bench, examples=12, steps=20)
    kinds = ("fetch", "remember", "amend", "retire", "dedup_offered", "version_conflict")
    assert min(bench.events[kind] for kind in (*kinds, "no_receipt")) >= 5, bench.events


_ROOMY: dict[str, object] = {**_SETTINGS, "indexing.gist_max_tokens": 256, "dedup.dedup_max": 0}


@pytest.mark.parametrize("bench", [_ROOMY], indirect=True, ids=["roomy"])
def test_every_refusal_is_the_peers_and_leaves_what_it_leaves(bench: Bench) -> None:
    made = _bound(bench)
    try:
        _refuse_everything(made)
    finally:
        made.teardown()
    wanted = {"not_found None", "no_read_receipt None", "inactive_row None"}
    wanted |= {"version_conflict None", "index_failed budget", "index_failed assembly"}
    wanted |= {f"bad_supersession {fault.value}" for fault in EdgeFault}
    assert wanted <= bench.seen, wanted - bench.seen


def _refuse_everything(made: Writing) -> None:
    for number in range(4):
        made.remember(0, f"winter {number}", "the pier office")
    made.fetch(0, list(range(8)))
    for place in range(5):  # a chain of six rows, five edges; the cap is three
        made.supersede(0, place, 0, place + 1)
    made.fetch(1, [3, 4])
    made.fetch(1, [0, 3])
    made.retire(1, 0, 1)
    made.amend(1, 0, 1, "late", "too late")
    made.supersede(1, 7, 0, 0)
    made.fetch(1, [7])
    for target in (7, 9, 0, 1, 2, 3):
        made.supersede(1, 7, 0, target)
    made.retire(1, 6, 0)
    made.fetch(1, [6])
    made.retire(1, 6, 0)
    made.supersede(1, 7, 1, 6)
    made.supersede(0, 5, 0, 6)
    made.supersede(0, 5, 0, 3)
    made.amend(0, 4, 0, "replaced", "already")
    made.amend(0, 6, 0, "retired", "already")
    made.remember(0, "a " * 253, "no room is left")
    made.remember(0, "a " * 252, "room for one")
    made.remember(0, "glued", "ismsilicokw zzzzestablish microdisestablish antimicrozzment " * 12)
    made.amend(0, 5, 0, "a " * 256, "no room is left")


_ALL_NEAR: dict[str, object] = {**_SHALLOW, "dedup.dedup_threshold": 0.0, "dedup.dedup_max": 20}


@pytest.mark.parametrize("bench", [_ALL_NEAR], indirect=True, ids=["all near"])
def test_a_near_duplicate_that_only_words_found_is_measured_by_its_nearest_chunk(
    bench: Bench,
) -> None:
    made = _bound(bench)
    try:
        made.remember(0, "lantern", "\n\n".join(f"zarquon {w} " + f"{w} " * 30 for w in WORDS))
        chunks = len(rows_of(made.ours)["memory_chunk"])
        assert chunks > 6, "one memory of several chunks"
        for word in WORDS[:4]:
            made.remember(0, f"{word} note", f"zarquon {word} office at gate")
            made.remember(1, f"{word} note", f"lantern {word} office at gate")
        offered = [str(r[7]) for r in rows_of(made.ours)["event"] if r[5] == "dedup_offered"]
        assert len(offered) > 16, "more than the two that the vectors found"
    finally:
        made.teardown()


def _bound(bench: Bench) -> Writing:
    made = machine_of(bench)()
    made.begin()
    return made


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_more_changes_leave_the_rows_the_peer_leaves(bench: Bench) -> None:
    try_changes(bench, examples=100, steps=40)
    met = {"written", "fetched", "not_found", "version_conflict", "no_read_receipt"}
    met |= {"inactive_row", "bounds", "bad_supersession", "index_failed"}
    assert met <= bench.seen, met - bench.seen


@pytest.fixture
def embedding_bench(
    peer_environment: PeerEnvironment, tmp_path: Path
) -> Iterator[Bench]:
    """Give both sides with the embedded model, each running it by itself."""
    encoder = load_encoder(EMBEDDED_MODEL, dict(os.environ), tmp_path / "model")
    yield from _bench(peer_environment, tmp_path, Encoder.ARTIFACT, encoder)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_embedded_model_gives_both_sides_the_same_bits(embedding_bench: Bench) -> None:
    try_changes(embedding_bench, examples=8, steps=20)
