"""The window kernel beside the search it is part of, and the merge of many stores' windows.

Prints the adapter's share of a search of one store (asked for: below 2 %) at two sizes, and the
best of several runs in ms of merging 20 windows of 51 candidates, beside one sort of the same rows
by the same keys.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from core.retrieval.arms import DenseCandidate, LexicalCandidate
from core.retrieval.branches import dense_branch, lexical_branch
from core.retrieval.outcome import SearchOutcome
from core.windows.budget import Budget
from core.windows.contracts import (
    EntityRef,
    GlobalBranchCandidate,
    GlobalBranchKind,
    GlobalBranchMergeRequest,
    GlobalBranchScope,
    GlobalBranchWindow,
)
from core.windows.merge import merge
from core.windows.order import sort_key
from tests.bench.generated_store import generate, query_vectors
from tests.support.engine import open_engine

_SIZES = (1_000, 20_000)
_WINDOWS = 20
_WIDTH = 51
_WARM = 3
_MOST = 0.02
_SCOPE = GlobalBranchScope("bm25 unicode61 gist content", "memory", "0" * 64)


def best_s(work: Callable[[], object], runs: int = 30) -> float:
    """Return the shortest time of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def adapter_s(outcome: SearchOutcome) -> float:
    """Return what the kernel takes to look at both arms of a search."""
    near = {
        h.dense.rank: DenseCandidate(h.uuid, h.dense.distance, h.dense.chunk_id, 0, h.head.rowid)
        for h in outcome.hits
        if h.dense
    }
    words = {
        h.lexical.rank: LexicalCandidate(h.uuid, h.lexical.bm25, h.head.rowid)
        for h in outcome.hits
        if h.lexical
    }
    meaning = tuple(near[rank] for rank in sorted(near))
    lexical = tuple(words[rank] for rank in sorted(words))
    return best_s(lambda: (dense_branch(meaning), lexical_branch(lexical)))


async def measure(count: int, folder: Path) -> None:
    """Print the adapter's share of the searches of one store, its matrix built."""
    texts = generate(folder, count)
    searches: list[float] = []
    adapters: list[float] = []
    async with open_engine(folder) as engine:
        await engine.searcher.refresh_matrix()
        for text, vector in zip(texts, query_vectors(len(texts)), strict=True):
            start = time.perf_counter()
            outcome = await engine.by_vector(text, vector)
            searches.append(time.perf_counter() - start)
            adapters.append(adapter_s(outcome))
    search, adapter = statistics.median(searches[_WARM:]), statistics.median(adapters[_WARM:])
    share = adapter / search
    print(
        f"{count:>7,} memories  search {search * 1e3:7.2f} ms  adapter {adapter * 1e6:6.1f} us  "
        f"{share:6.2%}  at most {_MOST:.0%}: {'ok' if share < _MOST else 'MISSED'}",
        flush=True,
    )


def _windows() -> list[GlobalBranchWindow]:
    dice = random.Random(1)

    def row() -> GlobalBranchCandidate:
        name = str(UUID(int=dice.getrandbits(128), version=4))
        reference = EntityRef("local", "zikaron", "memory", "main", "memory", name)
        return GlobalBranchCandidate(reference, 1, dice.random())

    return [
        GlobalBranchWindow(
            *("text", GlobalBranchKind.TEXT, f"store {at}", _SCOPE),
            sorted((row() for _ in range(_WIDTH)), key=sort_key),
            complete=True,
            approximate=False,
            truncated=False,
        )
        for at in range(_WINDOWS)
    ]


def measure_merge() -> None:
    """Print what a merge takes beside the sort that any way of merging would need."""
    windows = _windows()
    names = [w.source_window_id for w in windows]
    request = GlobalBranchMergeRequest("text", GlobalBranchKind.TEXT, _SCOPE, names, _WIDTH)
    rows = [row for window in windows for row in window.candidates]
    kernel = best_s(lambda: merge(request, windows, Budget()))
    plain = best_s(lambda: sorted(rows, key=sort_key))
    print(
        f"merge {_WINDOWS} x {_WIDTH}  {kernel * 1e3:7.2f} ms  plain sort {plain * 1e3:7.2f} ms  "
        f"{kernel / plain:5.1f}x"
    )


async def run() -> None:
    """Run every size, then the merge."""
    with tempfile.TemporaryDirectory(prefix="genizah-bench-") as work:
        for count in _SIZES:
            await measure(count, Path(work) / str(count))
    measure_merge()


if __name__ == "__main__":
    asyncio.run(run())
