"""The matrix finds exactly what vec0 finds: equal vectors, ties at the cut, any lengths."""

import asyncio
import random
from pathlib import Path

import pytest

from core.retrieval.outcome import SearchOutcome
from tests.support.engine import Engine, open_engine
from tests.support.stores import STUB_MODEL, Memory, build_store, insert, writing
from tests.support.stub_encoder import packed

_WIDTH = 8


def _vector(dice: random.Random, length: float) -> bytes:
    """Return a vector of few possible directions, so that many are equal."""
    numbers = [dice.choice([-1.0, 0.0, 0.0, 1.0]) for _ in range(_WIDTH)]
    norm = sum(x * x for x in numbers) ** 0.5 or 1.0
    return packed([length * x / norm for x in numbers])


def _store(seed: int, folder: Path) -> Path:
    dice = random.Random(seed)
    lengths = dice.choice([[1.0], [1.0, 0.999999], [1e-6, 1.0, 3.0, 1e3]])
    depth, overfetch = dice.choice([(3, 1), (5, 4), (50, 8)])
    memories = []
    for n in range(dice.choice([40, 300])):
        parts = [_vector(dice, dice.choice(lengths)) for _ in range(dice.choice([1, 1, 2, 5]))]
        state = dice.random()
        by = f"m{n - 1}" if n and state < 0.1 else None
        memories.append(Memory(f"m{n}", f"note {n % 13}", active=state < 0.8, by=by, vectors=parts))
    config = (
        f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {_WIDTH}\n'
        f"[retrieval]\nfusion_depth = {depth}\nchunk_overfetch = {overfetch}\n"
    )
    return build_store(folder, memories, width=_WIDTH, config=config)


async def _ask(engine: Engine, seed: int) -> list[SearchOutcome]:
    dice = random.Random(seed)
    queries = [_vector(dice, dice.choice([1.0, 1.0, 0.01, 50.0, 1e18, 3e38])) for _ in range(8)]
    return [
        await engine.by_vector("note 3", query, include_retired=dice.random() < 0.5)
        for query in queries
    ]


def _seen(outcome: SearchOutcome) -> tuple[object, ...]:
    return (outcome.hits, outcome.dense, outcome.lexical, outcome.doublings, outcome.notices)


@pytest.mark.parametrize("seed", range(20))
async def test_a_probe_through_the_matrix_equals_one_through_vec0(
    seed: int, tmp_path: Path
) -> None:
    async with open_engine(_store(seed, tmp_path)) as engine:
        through_vec0 = await _ask(engine, seed)
        assert all(o.matrix_is_stale for o in through_vec0)
        assert await engine.searcher.refresh_matrix()
        through_matrix = await _ask(engine, seed)
        assert not any(o.matrix_is_stale for o in through_matrix)
    assert list(map(_seen, through_matrix)) == list(map(_seen, through_vec0))


@pytest.mark.parametrize("spread", [1e-2, 1e-4, 1e-6])
async def test_neighbours_that_differ_in_their_last_bits_alone_are_told_apart(
    tmp_path: Path, spread: float
) -> None:
    """A sum of squares in float32 cannot order them; the margin must bring them all along."""
    dice = random.Random(8)

    def near_one() -> bytes:
        return packed([_WIDTH**-0.5 + dice.uniform(-spread, spread) for _ in range(_WIDTH)])

    memories = [Memory(f"m{n}", f"note {n}", vectors=(near_one(),)) for n in range(1500)]
    build_store(tmp_path, memories, width=_WIDTH)
    queries = [near_one() for _ in range(6)]
    async with open_engine(tmp_path) as engine:
        through_vec0 = [await engine.by_vector("zzz", query) for query in queries]
        assert await engine.searcher.refresh_matrix()
        through_matrix = [await engine.by_vector("zzz", query) for query in queries]
    assert list(map(_seen, through_matrix)) == list(map(_seen, through_vec0))


async def test_a_query_too_long_to_be_squared_is_answered_by_vec0(tmp_path: Path) -> None:
    """Every distance is infinite; a scan would take infinity from infinity."""
    config = f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {_WIDTH}\n'
    config += "[retrieval]\nfusion_depth = 3\nchunk_overfetch = 1\n"
    memories = [Memory(f"m{n}", f"note {n}", vectors=(_unit(0),)) for n in range(40)]
    build_store(tmp_path, memories, width=_WIDTH, config=config)
    query = packed([3e38, *[0.0] * (_WIDTH - 1)])
    async with open_engine(tmp_path) as engine:
        through_vec0 = await engine.by_vector("zzz", query)
        assert await engine.searcher.refresh_matrix()
        through_matrix = await engine.by_vector("zzz", query)
    assert len(through_vec0.hits) == 3
    assert _seen(through_matrix) == _seen(through_vec0)


async def test_the_matrix_follows_the_store(tmp_path: Path) -> None:
    """A row written meanwhile is found at once; the stale matrix is not asked."""
    build_store(tmp_path, [Memory("first", "one", vectors=(_unit(0),))], width=_WIDTH)
    async with open_engine(tmp_path) as engine:
        assert await engine.searcher.refresh_matrix()
        with writing(tmp_path) as raw:
            insert(raw, [Memory("second", "two", vectors=(_unit(1),))], STUB_MODEL, _WIDTH)
        outcome = await engine.by_vector("zzz", _unit(1))
        assert outcome.matrix_is_stale
        assert [h.head.gist for h in outcome.hits] == ["two", "one"]
        assert await engine.searcher.refresh_matrix()
        again = await engine.by_vector("zzz", _unit(1))
        assert not again.matrix_is_stale
        assert again.hits == outcome.hits


def _unit(at: int) -> bytes:
    return packed([1.0 if i == at else 0.0 for i in range(_WIDTH)])


async def test_deleted_vectors_are_gone_from_the_matrix(tmp_path: Path) -> None:
    memories = [Memory(f"m{n}", f"note {n}", vectors=(_unit(n % 8),)) for n in range(40)]
    build_store(tmp_path, memories, width=_WIDTH)
    with writing(tmp_path) as raw:
        raw.execute("DELETE FROM memory_vec WHERE rowid % 3 = 0")
        raw.execute("DELETE FROM memory_chunk WHERE chunk_id % 3 = 0")
    async with open_engine(tmp_path) as engine:
        before = await engine.by_vector("zzz", _unit(2))
        assert await engine.searcher.refresh_matrix()
        after = await engine.by_vector("zzz", _unit(2))
    assert len(before.hits) == 27
    assert _seen(after) == _seen(before)


async def test_searches_and_a_refresh_at_the_same_time_agree(tmp_path: Path) -> None:
    async with open_engine(_store(3, tmp_path)) as engine:
        expected = await _ask(engine, 3)
        refresh = asyncio.create_task(engine.searcher.refresh_matrix())
        rounds = await asyncio.gather(*(_ask(engine, 3) for _ in range(4)))
        assert await refresh
    for found in rounds:
        assert list(map(_seen, found)) == list(map(_seen, expected))
