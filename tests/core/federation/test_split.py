"""Any split of the same rows over several stores answers as the one store that holds them all."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.federation.outcome import FederatedOutcome
from core.federation.searcher import FederatedSearcher
from core.retrieval.outcome import SearchOutcome
from tests.peer.stub_vectors import stub_vector
from tests.support.engine import open_engine
from tests.support.federating import Asked, numbered_store, open_stores, opened
from tests.support.stores import WIDTH, Memory, build_store
from tests.support.stub_encoder import packed

_WORDS = ("alpha", "beta", "gamma", "delta", "Alpha", "tau-rho", "x", "éclair")
_CONFIG = (
    f'[embedding]\nembed_model = "stub/words"\nembed_dim = {WIDTH}\nembed_prefix_query = ""\n'
    "[retrieval]\nfusion_depth = {depth}\nchunk_overfetch = {overfetch}\n"
)

_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def _rows(draw: st.DrawFn) -> list[tuple[Memory, int]]:
    """Return rows with the number of the store that each goes to."""
    count = draw(st.integers(2, 14))
    rows = []
    for n in range(count):
        by = draw(st.one_of(st.none(), st.integers(0, count - 1)))
        gist, content = draw(_texts), draw(_texts)
        chunks = draw(st.integers(1, 3))
        row = Memory(
            f"row {n}",
            gist,
            content,
            tier=draw(st.sampled_from(["journal", "long_term"])),
            active=draw(st.booleans()),
            by=None if by is None or by == n else f"row {by}",
            created_at=f"2026-03-{draw(st.integers(1, 3)):02}T12:00:00+00:00",
            vectors=[packed(stub_vector(f"{gist} {part} {n}", WIDTH)) for part in range(chunks)],
        )
        rows.append((row, draw(st.integers(0, 3))))
    return rows


def _seen(outcome: SearchOutcome) -> object:
    hits = [
        (
            *(h.uuid, h.rrf_score, h.penalty, h.fused_score, h.position_before_repair),
            None if h.dense is None else (h.dense.rank, h.dense.distance, h.dense.part_index),
            h.lexical,
        )
        for h in outcome.hits
    ]
    arms = (outcome.dense, outcome.lexical, outcome.doublings)
    return hits, arms, outcome.memories, outcome.chunks


async def _both(
    folder: Path,
    rows: list[tuple[Memory, int]],
    text: str,
    config: str,
    *,
    retired: bool,
    matrix: bool = False,
    before: str = "",
) -> tuple[SearchOutcome, FederatedOutcome]:
    """Search one store and its parts, these with another text `before`, from which they know words.

    With `matrix` the parts have their vectors in memory.
    """
    vector = packed(stub_vector(text, WIDTH))
    whole = build_store(folder / "whole", [row for row, _ in rows], config=config)
    numbers = sorted({number for _, number in rows})
    parts = [
        numbered_store(folder, n, [row for row, at in rows if at == n], config) for n in numbers
    ]
    async with open_engine(whole) as engine, open_stores(parts) as members:
        for member in opened(members) if matrix else ():
            assert await member.searcher.refresh_matrix()
        several = FederatedSearcher(members)
        if before:
            await several.search(before, Asked(vector=vector))
        expected = await engine.by_vector(text, vector, include_retired=retired)
        found = await several.search(text, Asked(vector=vector), include_retired=retired)
    return expected, found


@pytest.mark.timeout(240)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=_rows(),
    text=_texts,
    depth=st.sampled_from([1, 2, 5, 50]),
    overfetch=st.sampled_from([1, 2, 8]),
    retired=st.booleans(),
    matrix=st.booleans(),
    before=st.one_of(st.just(""), _texts),
)
async def test_a_split_changes_nothing(
    rows: list[tuple[Memory, int]],
    text: str,
    depth: int,
    overfetch: int,
    retired: bool,
    matrix: bool,
    before: str,
) -> None:
    config = _CONFIG.format(depth=depth, overfetch=overfetch)
    with tempfile.TemporaryDirectory() as folder:
        expected, found = await _both(
            Path(folder), rows, text, config, retired=retired, matrix=matrix, before=before
        )
    (group,) = found.groups
    assert _seen(group.outcome) == _seen(expected)


async def test_a_union_stops_at_its_widest_probe_where_one_store_would(tmp_path: Path) -> None:
    """Depth 1, overfetch 1: sixteen chunks at most, and thirty of two memories are nearest.

    Each store alone covers its chunks; all of them together do not, and one memory is never met.
    """
    base = stub_vector("!", WIDTH)
    near, gone, far = (
        [packed([x * (1 + step * k / 1000) + step / 100 for x in base]) for k in range(1, count)]
        for step, count in ((1, 16), (2, 16), (50, 4))
    )
    rows = [
        (Memory("near", "near", vectors=near), 0),
        (Memory("gone", "gone", active=False, vectors=gone), 1),
        (Memory("far", "far", vectors=far), 1),
    ]
    config = _CONFIG.format(depth=1, overfetch=1)
    expected, found = await _both(tmp_path, rows, "!", config, retired=False)
    assert (expected.dense.stop_reason, expected.dense.depth_reached) == ("probe_cap_hit", 1)
    assert _seen(found.first.outcome) == _seen(expected)
    assert found.incomplete
