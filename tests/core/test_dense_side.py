"""The true rank in the meaning arm, at any depth, against distances worked out by hand."""

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from core.explain.dense_side import dense_side, with_spans
from core.explain.explanation import ChunkDistance, DenseSide
from core.retrieval.arms import StopReason
from tests.support.engine import Engine, open_engine
from tests.support.explaining import explained
from tests.support.stores import STUB_MODEL, WIDTH, Memory, build_store, uuid_of
from tests.support.stub_encoder import axis, packed, unpacked

_SHALLOW = (
    f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {WIDTH}\nembed_prefix_query = ""\n'
    "[retrieval]\nfusion_depth = 5\n"
)
_QUERY = axis(WIDTH, 0)
_NAN = packed([float("nan")] * WIDTH)


def _lattice(rng: random.Random) -> bytes:
    """Return a vector of few quarters: squares are exact in float32, so equal is equal."""
    return packed([rng.randrange(5) / 4 if at < 3 else 0.0 for at in range(WIDTH)])


def _memories() -> list[Memory]:
    rng = random.Random(7)
    states = [(True, None), (True, None), (False, None), (False, "row 0")]
    found = []
    for n in range(150):
        active, by = states[rng.randrange(4)] if n else (True, None)
        vectors = tuple(_lattice(rng) for _ in range(rng.randrange(4)))
        found.append(Memory(f"row {n}", f"row number {n}", active=active, by=by, vectors=vectors))
    return found


def _far(memory: Memory) -> float | None:
    assert memory.vectors is not None
    found = [math.dist(unpacked(v), unpacked(_QUERY)) for v in memory.vectors]
    return min(found, default=None)


def _is_searched(memory: Memory) -> bool:
    return memory.active or memory.by is not None


@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_every_memory_has_its_true_rank_however_far_it_is(
    tmp_path: Path, matrix: bool
) -> None:
    rows = _memories()
    project = build_store(tmp_path / "p", rows, config=_SHALLOW)
    order = sorted(
        (far, row.uuid) for row in rows if _is_searched(row) and (far := _far(row)) is not None
    )
    places = {uuid: rank for rank, (_, uuid) in enumerate(order, 1)}
    assert len({far for far, _ in order}) < len(order) / 2, "many are equally far"
    async with open_engine(project) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await engine.by_vector("zzz", _QUERY)
        ranks = sorted((h.dense.rank, h.uuid) for h in outcome.hits if h.dense is not None)
        assert ranks == [(rank, uuid) for rank, (_, uuid) in enumerate(order[:5], 1)]
        for row in rows:
            e = await explained(engine, outcome, row.uuid)
            assert e.dense.rank == places.get(row.uuid), row.name
            assert e.dense.ranked == len(order)
            far = _far(row)
            assert e.dense.distance == (None if far is None else pytest.approx(far, rel=1e-6))
            assert e.dense.stop_reason is StopReason.DEPTH_REACHED
            assert len(e.dense.chunks) == len(row.vectors or ())
            for chunk, vector in zip(e.dense.chunks, row.vectors or (), strict=True):
                own = math.dist(unpacked(vector), unpacked(_QUERY))
                assert chunk.distance == pytest.approx(own, rel=1e-6)


async def _side(engine: Engine, name: str, query: bytes = _QUERY) -> DenseSide:
    outcome = await engine.by_vector("zzz", query)
    return (await explained(engine, outcome, uuid_of(name))).dense


async def test_a_vector_that_is_not_made_of_numbers_is_never_ranked(tmp_path: Path) -> None:
    rows = [
        Memory("good", "one", vectors=(_QUERY,)),
        Memory("bad", "two", vectors=(_NAN,)),
        Memory("half", "three", vectors=(_NAN, axis(WIDTH, 1))),
    ]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        good, bad, half = [await _side(engine, n) for n in ("good", "bad", "half")]
    assert (good.rank, half.rank, bad.rank) == (1, 2, None)
    assert {side.ranked for side in (good, bad, half)} == {2}
    assert (bad.distance, [c.distance for c in bad.chunks]) == (None, [None])
    assert [c.distance for c in half.chunks] == [None, pytest.approx(math.sqrt(2))]


async def test_a_cosine_is_given_for_two_unit_vectors_only(tmp_path: Path) -> None:
    rows = [
        Memory("unit", "one", vectors=(axis(WIDTH, 1), packed([0.6, 0.8, *[0.0] * (WIDTH - 2)]))),
        Memory("long", "two", vectors=(axis(WIDTH, 0, 1.5),)),
        Memory("none", "three", vectors=()),
    ]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        unit = await _side(engine, "unit")
        assert unit.distance is not None
        assert unit.cosine == 1 - unit.distance * unit.distance / 2
        assert unit.cosine == pytest.approx(0.6)
        assert (await _side(engine, "long")).cosine is None
        assert (await _side(engine, "none")).cosine is None
        assert (await _side(engine, "unit", axis(WIDTH, 0, 2.0))).cosine is None


async def test_a_search_by_words_alone_ranks_nothing_by_meaning(tmp_path: Path) -> None:
    rows = [Memory("a", "harbour"), Memory("b", "pier", vectors=(_QUERY, _QUERY))]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        outcome = await engine.by_words("harbour")
        side = (await explained(engine, outcome, uuid_of("b"))).dense
    assert (side.rank, side.ranked, side.distance, side.stop_reason) == (None, 0, None, None)
    assert [(c.part_index, c.distance) for c in side.chunks] == [(0, None), (1, None)]


async def test_a_memory_left_out_can_be_ranked_as_if_it_were_not(tmp_path: Path) -> None:
    rows = [
        Memory("first", "one", vectors=(axis(WIDTH, 0, 0.9),)),
        Memory("gone", "two", active=False, vectors=(axis(WIDTH, 0, 0.8),)),
        Memory("last", "three", vectors=(axis(WIDTH, 0, 0.7),)),
    ]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        outcome = await engine.by_vector("zzz", _QUERY)
        e = await explained(engine, outcome, uuid_of("gone"))
        assert e.head is not None
        async with engine.database.search.snapshot() as connection:
            side = await dense_side(connection, outcome, e.head, eligible=True)
    assert (e.dense.rank, side.rank, side.ranked) == (None, 2, 2)


def test_spans_are_put_in_by_part_and_left_out_where_unknown() -> None:
    chunks = tuple(ChunkDistance(part, part + 9, 1.0, None, None) for part in range(2))
    side = DenseSide(1, 1, 1.0, None, None, chunks)
    assert with_spans(side, None) is side
    placed = with_spans(side, [(0, 7), (9, 30)])
    assert [(c.start, c.end) for c in placed.chunks] == [(0, 7), (9, 30)]
    assert replace(placed, chunks=chunks) == side
