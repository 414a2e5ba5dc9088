"""Stores on which the peer's own search fails or is odd: we answer exactly and say the truth."""

import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from core.notices import NoticeCode
from core.retrieval.outcome import SearchOutcome
from tests.peer.answers import Retrieval
from tests.peer.client import Encoder, Peer, PeerError
from tests.support.engine import open_engine
from tests.support.stores import STUB_MODEL, WIDTH, Memory, build_store, distractors
from tests.support.stub_encoder import axis, packed, unpacked

pytestmark = pytest.mark.peer

_NORTH = axis(WIDTH, 0)
_NAN = packed([1.0] * (WIDTH - 1) + [math.nan])
_LONGEST = 1.8e19
_CONFIG = (
    f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {WIDTH}\nembed_prefix_query = ""\n'
)
type Rows = list[tuple[str, int | None, int | None, float | None]]


def _bearing(at: float) -> bytes:
    return packed([math.cos(at), math.sin(at), *[0.0] * (WIDTH - 2)])


def _fan(count: int, *, active: bool = True, start: float = 0.5) -> list[Memory]:
    return [
        Memory(f"fan {n}", f"beam {n}", active=active, vectors=(_bearing(start + n / count),))
        for n in range(count)
    ]


def _codes(outcome: SearchOutcome) -> set[str]:
    return {n.code.value for n in outcome.notices if n.code.value.startswith("peer_fails")}


def _ours(outcome: SearchOutcome) -> Rows:
    return [
        (
            h.uuid,
            h.dense.rank if h.dense else None,
            h.lexical.rank if h.lexical else None,
            h.dense.distance if h.dense else None,
        )
        for h in outcome.hits
    ]


def _theirs(found: Retrieval) -> Rows:
    return [(r.uuid, r.dense_rank, r.lexical_rank, r.best_distance) for r in found.pool]


def _peers_answer(peer: Peer, folder: Path, text: str) -> Retrieval | None:
    """Return what the peer answers, None where it fails."""
    peer.open(folder, Encoder.STUB)
    try:
        return peer.retrieve(text, vector=_NORTH)
    except PeerError:
        return None
    finally:
        peer.close()


def _by_brute_force(memories: Iterable[Memory], depth: int = 50) -> list[str]:
    """Return the eligible uuids nearest to _NORTH, by float64 arithmetic."""
    found = []
    for m in memories:
        if not m.active or m.vectors is None:
            continue
        distances = [math.dist(unpacked(v), unpacked(_NORTH)) for v in m.vectors]
        finite = [d for d in distances if not math.isnan(d)]
        if finite:
            found.append((min(finite), m.uuid))
    return [uuid for _, uuid in sorted(found)[:depth]]


def _dense_order(outcome: SearchOutcome) -> list[str]:
    ranked = sorted((h.dense.rank, h.uuid) for h in outcome.hits if h.dense is not None)
    return [uuid for _, uuid in ranked]


async def _searched(folder: Path, text: str, *, matrix: bool) -> SearchOutcome:
    async with open_engine(folder) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        return await engine.by_vector(text, _NORTH)


_BOTH = pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])


@_BOTH
async def test_a_probe_above_the_extensions_limit_is_answered_exactly(
    peer: Peer, tmp_path: Path, matrix: bool
) -> None:
    deep = "[retrieval]\nfusion_depth = 100\nchunk_overfetch = 64\n"
    memories = _fan(150)
    build_store(tmp_path, memories, config=_CONFIG + deep)
    assert _peers_answer(peer, tmp_path, "beam 3") is None
    outcome = await _searched(tmp_path, "beam 3", matrix=matrix)
    assert _codes(outcome) == {NoticeCode.PEER_FAILS_K_LIMIT}
    assert _dense_order(outcome) == _by_brute_force(memories, depth=100)
    assert (outcome.dense.depth_reached, outcome.dense.stop_reason) == (101, "depth_reached")
    assert outcome.doublings == 0


@_BOTH
async def test_the_fifth_probe_at_the_defaults_is_answered_exactly(
    peer: Peer, tmp_path: Path, matrix: bool
) -> None:
    """A23 as well: thousands of retired rows lie nearer than the few live ones."""
    live = [
        Memory(f"live {n}", f"far lamp {n}", vectors=(_bearing(2.0 + n / 10),)) for n in range(5)
    ]
    memories = [*_fan(3400, active=False), *live]
    build_store(tmp_path, memories)
    assert _peers_answer(peer, tmp_path, "beam") is None
    outcome = await _searched(tmp_path, "beam", matrix=matrix)
    assert _codes(outcome) == {NoticeCode.PEER_FAILS_K_LIMIT}
    assert _dense_order(outcome) == [m.uuid for m in live]
    assert outcome.doublings == 4
    assert (outcome.dense.depth_reached, outcome.dense.stop_reason) == (5, "index_exhausted")


@_BOTH
async def test_a_probe_that_does_not_reach_the_limit_gives_no_notice(
    peer: Peer, tmp_path: Path, matrix: bool
) -> None:
    """A23 at its own size: 300 retired rows near, 5 live ones far; the peer manages that."""
    live = [
        Memory(f"live {n}", f"far lamp {n}", vectors=(_bearing(2.0 + n / 10),)) for n in range(5)
    ]
    build_store(tmp_path, [*_fan(300, active=False), *live])
    theirs = _peers_answer(peer, tmp_path, "beam")
    outcome = await _searched(tmp_path, "beam", matrix=matrix)
    assert theirs is not None
    assert _ours(outcome) == _theirs(theirs)
    assert [h.uuid for h in outcome.hits] == [m.uuid for m in live]
    assert _codes(outcome) == set()


async def test_a_circle_of_replacements_keeps_the_order_of_scores_and_says_so(
    peer: Peer, tmp_path: Path
) -> None:
    circle = [
        Memory("a", "red lamp", by="b", vectors=(_bearing(0.1),)),
        Memory("b", "red lamp", by="a", vectors=(_bearing(0.2),)),
        Memory("waits", "red lamp", by="a", vectors=(_bearing(0.05),)),
    ]
    chain = [
        Memory("old", "red lamp", by="new", vectors=(_bearing(0.0),)),
        Memory("new", "blue", vectors=(_bearing(3.0),)),
    ]
    build_store(tmp_path, [*circle, *chain, *distractors(30)])
    assert _peers_answer(peer, tmp_path, "red lamp") is None
    outcome = await _searched(tmp_path, "red lamp", matrix=False)
    assert _codes(outcome) == {NoticeCode.PEER_FAILS_CYCLE}
    assert {h.uuid for h in outcome.hits if h.on_cycle} == {m.uuid for m in circle}
    stuck = [h for h in outcome.hits if h.on_cycle]
    assert [h.fused_score for h in stuck] == sorted((h.fused_score for h in stuck), reverse=True)
    order = [h.uuid for h in outcome.hits]
    assert order.index(chain[1].uuid) < order.index(chain[0].uuid)


async def test_a_circle_outside_the_pool_gives_no_notice(peer: Peer, tmp_path: Path) -> None:
    circle = [
        Memory("a", "zebra", by="b", vectors=(_bearing(3.1),)),
        Memory("b", "zebra", by="a", vectors=(_bearing(3.1),)),
    ]
    build_store(tmp_path, [*_fan(80), *circle])
    theirs = _peers_answer(peer, tmp_path, "beam")
    outcome = await _searched(tmp_path, "beam", matrix=False)
    assert theirs is not None
    assert _ours(outcome) == _theirs(theirs)
    assert _codes(outcome) == set()


@_BOTH
@pytest.mark.parametrize("by", [None, "fan 3"], ids=["live", "superseded"])
async def test_a_vector_that_is_no_number_is_left_out_and_the_notice_says_so(
    peer: Peer, tmp_path: Path, matrix: bool, by: str | None
) -> None:
    odd = Memory("odd", "odd lamp", by=by, vectors=(_NAN,))
    memories = _fan(60)
    build_store(tmp_path, [odd, *memories])
    assert _peers_answer(peer, tmp_path, "lamp") is None
    outcome = await _searched(tmp_path, "lamp", matrix=matrix)
    assert _codes(outcome) == {NoticeCode.PEER_FAILS_VECTOR}
    (notice,) = outcome.notices
    assert ": 1 memory has a stored vector" in notice.text and "leaves it out." in notice.text
    assert _dense_order(outcome) == _by_brute_force(memories)
    hit = outcome.hit(odd.uuid)
    assert hit is not None, "the words still find it"
    assert (hit.dense, hit.lexical.rank if hit.lexical else None) == (None, 1)


@_BOTH
async def test_vectors_that_are_no_numbers_cannot_crowd_the_others_out(
    peer: Peer, tmp_path: Path, matrix: bool
) -> None:
    """A hundred of them against probes of 3 to 48: the three nearest are found all the same."""
    shallow = "[retrieval]\nfusion_depth = 3\nchunk_overfetch = 1\n"
    odd = [Memory(f"odd {n}", f"odd {n}", vectors=(_NAN,)) for n in range(100)]
    memories = _fan(40)
    build_store(tmp_path, [*odd, *memories], config=_CONFIG + shallow)
    assert _peers_answer(peer, tmp_path, "beam") is None
    outcome = await _searched(tmp_path, "beam", matrix=matrix)
    assert _codes(outcome) == {NoticeCode.PEER_FAILS_VECTOR}
    (notice,) = outcome.notices
    assert " memories have a stored vector" in notice.text and "leaves them out." in notice.text
    assert _dense_order(outcome) == _by_brute_force(memories, depth=3)
    assert (outcome.dense.depth_reached, outcome.dense.stop_reason) == (4, "depth_reached")


@_BOTH
@pytest.mark.parametrize(
    "odd",
    [
        Memory("odd", "odd lamp", active=False, vectors=(_NAN,)),
        Memory("odd", "odd lamp", vectors=(_NAN, _bearing(0.0))),
        Memory("odd", "odd lamp", vectors=(_bearing(0.0), _NAN)),
    ],
    ids=["retired", "beside a good chunk", "behind a good chunk"],
)
async def test_where_the_peer_gets_by_with_such_a_vector_there_is_no_notice(
    peer: Peer, tmp_path: Path, matrix: bool, odd: Memory
) -> None:
    build_store(tmp_path, [odd, *_fan(60)])
    theirs = _peers_answer(peer, tmp_path, "lamp")
    outcome = await _searched(tmp_path, "lamp", matrix=matrix)
    assert theirs is not None
    assert _ours(outcome) == _theirs(theirs)
    assert _codes(outcome) == set()


@_BOTH
async def test_an_infinite_vector_comes_last_as_in_the_peers_list(
    peer: Peer, tmp_path: Path, matrix: bool
) -> None:
    odd = Memory("odd", "odd lamp", vectors=(axis(WIDTH, 0, math.inf),))
    build_store(tmp_path, [odd, *_fan(20)])
    theirs = _peers_answer(peer, tmp_path, "beam")
    outcome = await _searched(tmp_path, "beam", matrix=matrix)
    assert theirs is not None
    assert _ours(outcome) == _theirs(theirs)
    assert _dense_order(outcome)[-1] == odd.uuid
    assert _codes(outcome) == set()


def _odd_store(dice: random.Random) -> list[Memory]:
    """Return rows in any order of which some have vectors with NaN, infinite or of any length."""

    def vector() -> bytes:
        kind = dice.random()
        if kind < 0.04:
            return _NAN
        if kind < 0.08:
            return axis(WIDTH, 1, math.inf)
        length = dice.choice([1.0, 1.0, 1.0, 1e-3, 7.0, 1e20])
        at = dice.choice([0.0, 1.0, dice.uniform(0, 6)])
        return packed([length * math.cos(at), length * math.sin(at), *[0.0] * (WIDTH - 2)])

    return [
        Memory(
            f"row {n}",
            f"beam {dice.randint(0, 9)}",
            active=dice.random() < 0.6,
            vectors=[vector() for _ in range(dice.randint(1, 3))],
        )
        for n in range(90)
    ]


def _nearest_by_brute_force(memories: Iterable[Memory], depth: int) -> list[float]:
    """Return the distances of the nearest live memories; what a float32 cannot square is far."""
    found = []
    for m in memories:
        distances = [math.dist(unpacked(v), unpacked(_NORTH)) for v in m.vectors or ()]
        known = [math.inf if d > _LONGEST else d for d in distances if not math.isnan(d)]
        if m.active and known:
            found.append(min(known))
    return sorted(found)[:depth]


@pytest.mark.timeout(120)
async def test_stores_full_of_odd_vectors_are_answered_as_the_peer_answers_or_fails(
    peer: Peer, tmp_path: Path
) -> None:
    outcomes: Sequence[bool] = []
    shallow = "[retrieval]\nfusion_depth = 6\nchunk_overfetch = 3\n"
    for seed in range(24):
        folder = tmp_path / str(seed)
        memories = _odd_store(random.Random(seed))
        build_store(folder, memories, config=_CONFIG + shallow)
        theirs = _peers_answer(peer, folder, "beam 4")
        for matrix in (False, True):
            ours = await _searched(folder, "beam 4", matrix=matrix)
            assert (theirs is None) == (NoticeCode.PEER_FAILS_VECTOR in _codes(ours)), seed
            if theirs is not None:
                assert _ours(ours) == _theirs(theirs), seed
            else:
                found = [h.dense.distance for h in ours.hits if h.dense is not None]
                nearest = _nearest_by_brute_force(memories, depth=6)
                assert sorted(found) == pytest.approx(nearest, rel=1e-5, abs=1e-6), seed
        outcomes = [*outcomes, theirs is None]
    assert {True, False} == set(outcomes), "both kinds were tried"
