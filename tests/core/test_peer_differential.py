"""Stores written by the real peer: whatever is asked, ours is the peer's own answer."""

import asyncio
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings

from core.retrieval.outcome import SearchOutcome
from core.retrieval.token_counter import TokenCounter
from tests.peer.answers import Retrieval
from tests.peer.client import BulkItem, Encoder, Peer
from tests.peer.environment import PeerEnvironment
from tests.support.engine import Engine, open_engine
from tests.support.properties import PROPERTY, whole_texts
from tests.support.recorded import Answer, RecordedEncoder, answer_of
from tests.support.stub_encoder import packed

pytestmark = pytest.mark.peer

_WIDTH = 12
_WORDS = (
    *("ferry", "quay", "pier", "don't", "GB/s", "GBs", "C++", "20.04"),
    *("multi-agent", "memory:safe"),
    *("café", "cafe\u0301", "ÅNGSTRÖM", "设备清单", "しりとり", "ข้าว", "ﬁle", "ß"),
    *("naïve", "foo_bar"),
    *("kebab-case", "the", "a", "of", "to", "winter", "ticket", "office"),
)
_CROWD = packed([0.6, 0.8, *[0.0] * (_WIDTH - 2)])
_SETTINGS: dict[str, Mapping[str, object]] = {
    "defaults": {},
    "shallow": {
        "retrieval.fusion_depth": 4,
        "retrieval.chunk_overfetch": 1,
        "retrieval.rrf_k": 7,
        "retrieval.supersession_penalty": 0.3,
        "retrieval.retired_penalty": 0.7,
        "retrieval.fts_query_max_terms": 3,
    },
}


def _items(dice: random.Random) -> list[BulkItem]:
    """Return memories of every kind: equal vectors, long texts in many chunks, both tiers."""
    crowd = "\n\n".join(f"{n} winter ticket office quay" for n in range(1200))
    items = [BulkItem("crowd", crowd, vectors=(_CROWD,))]  # about 90 chunks with one vector
    for n in range(260):
        text = " ".join(dice.choices(_WORDS, k=dice.randint(1, 9)))
        tier = dice.choice(["journal", "journal", "long_term"])
        if n % 20 == 0:
            parts = (f"{text} {i}" for i in range(120))
            items.append(BulkItem(f"long {n} {text}", "\n\n".join(parts)))
        elif n % 3 == 0:
            corner = packed([1.0 if i == n % 4 else 0.0 for i in range(_WIDTH)])
            items.append(BulkItem(f"corner {text}", f"pier {text}", tier, (corner,)))
        else:
            items.append(BulkItem(f"note {text}", f"quay {text}", tier))
    return items


def _age(peer: Peer, uuids: tuple[str, ...], dice: random.Random) -> None:
    """Retire, supersede in chains and merges, and amend, through the peer's own verbs."""
    peer.fetch(uuids)
    order = list(uuids)
    dice.shuffle(order)
    for uuid in order[:30]:
        peer.retire(uuid, 1)
    chains, merges = order[30:90], order[90:120]
    for at in range(0, len(chains), 4):
        for old, new in zip(chains[at:], chains[at + 1 : at + 4], strict=False):
            peer.retire(old, 1, superseded_by=new)
    for at in range(0, len(merges), 5):
        for old in merges[at : at + 4]:
            peer.retire(old, 1, superseded_by=merges[at + 4])
    for uuid in order[120:140]:
        peer.amend(uuid, 1, f"amended {dice.choice(_WORDS)}", "winter office")


@dataclass(frozen=True, slots=True)
class _Pair:
    """The peer and our own engine on one store, and the loop ours runs on."""

    peer: Peer
    engine: Engine
    runner: asyncio.Runner
    counter: TokenCounter
    uuids: tuple[str, ...]


@pytest.fixture(scope="module", params=list(_SETTINGS))
def pair(
    request: pytest.FixtureRequest,
    peer_environment: PeerEnvironment,
    token_counter: TokenCounter,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[_Pair]:
    """Let the peer write a store and keep it open; open it ourselves beside it."""
    folder: Path = tmp_path_factory.mktemp(request.param)
    dice = random.Random(request.param)
    with (
        Peer(peer_environment) as peer,
        ThreadPoolExecutor(1) as worker,
        asyncio.Runner() as runner,
    ):
        worker.submit(int).result()  # its thread is there before any test
        peer.seed_ids(11)
        fixed = {
            "embedding.embed_dim": _WIDTH,
            "indexing.chunk_max_tokens": 100,
            "indexing.gist_max_tokens": 32,
            "dedup.dedup_max": 0,
        }
        peer.create(folder, {**fixed, **_SETTINGS[request.param]}, Encoder.STUB)
        uuids = peer.bulk_remember(_items(dice))
        _age(peer, uuids, dice)
        stack = AsyncExitStack()
        engine = runner.run(stack.enter_async_context(open_engine(folder, worker)))
        yield _Pair(peer, engine, runner, token_counter, uuids)
        runner.run(stack.aclose())


def _recorded(found: Retrieval, *, by_text: bool) -> Answer:
    rows = tuple(
        (
            *(r.uuid, r.fused_score, r.dense_rank, r.lexical_rank),
            *((r.best_distance, r.state) if by_text else (None, None)),
        )
        for r in found.pool
    )
    if not by_text:
        return Answer(found.expression, rows)
    return Answer(
        expression=found.expression,
        pool=rows,
        terms=found.terms,
        tokens=found.query_tokens,
        truncated=found.query_truncated,
        dense=(found.dense.depth_reached, found.dense.stop_reason),
        lexical=(found.lexical.depth_reached, found.lexical.stop_reason),
    )


def _ours(pair: _Pair, text: str, vector: bytes, include_retired: bool) -> SearchOutcome:
    encoder = RecordedEncoder(pair.counter, {text: vector})
    search = pair.engine.by_encoder(text, encoder, include_retired=include_retired)
    return pair.runner.run(search)


def _assert_agree(pair: _Pair, text: str) -> set[str | None]:
    stops = set()
    for include_retired in (False, True):
        theirs = pair.peer.retrieve(text, include_retired=include_retired)
        ours = _ours(pair, text, theirs.vector, include_retired)
        assert answer_of(ours) == _recorded(theirs, by_text=True), (text, include_retired)
        stops |= {theirs.dense.stop_reason, theirs.lexical.stop_reason}
    return stops


@pytest.mark.timeout(240)
@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
def test_any_text_is_answered_as_the_peer_answers_it(pair: _Pair, matrix: bool) -> None:
    if matrix:
        assert pair.runner.run(pair.engine.searcher.refresh_matrix())

    @settings(PROPERTY, max_examples=60)
    @given(text=whole_texts)
    def agree(text: str) -> None:
        _assert_agree(pair, text)

    agree()


def test_the_words_of_the_store_are_answered_as_the_peer_answers_them(pair: _Pair) -> None:
    dice = random.Random(5)
    stops: set[str | None] = set()
    texts = [" ".join(dice.choices(_WORDS, k=dice.randint(1, 6))) for _ in range(60)]
    for text in [*texts, "zarquon", "?"]:
        stops |= _assert_agree(pair, text)
    assert {"depth_reached", "index_exhausted"} <= stops


def test_near_duplicates_of_every_memory_are_the_peers(pair: _Pair) -> None:
    for uuid in pair.uuids[::4]:
        theirs = pair.peer.retrieve_internal(uuid)
        ours = pair.runner.run(pair.engine.searcher.similar(uuid))
        assert answer_of(ours) == _recorded(theirs, by_text=False), uuid
        assert ours.dense.depth_reached == theirs.dense.depth_reached
        assert (ours.dense.stop_reason or None) == theirs.dense.stop_reason
        assert ours.lexical.depth_reached == theirs.lexical.depth_reached


@pytest.mark.parametrize("pair", ["shallow"], indirect=True)
def test_a_memory_of_many_chunks_can_use_up_the_probe(pair: _Pair) -> None:
    """The third stop reason: four doublings spent, some chunks never seen."""
    found = pair.peer.retrieve("ferry", vector=_CROWD)
    ours = _ours(pair, "ferry", _CROWD, False)
    assert answer_of(ours) == _recorded(found, by_text=True)
    assert ours.dense.stop_reason == "probe_cap_hit"
    assert ours.dense.depth_reached == 1
    assert ours.doublings == 4
