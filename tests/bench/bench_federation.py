"""Several stores beside the one that holds all their rows, in the same run; embedding excluded.

Prints a table: median and p95 in ms of both, and the ratio of medians (below 1: several are
faster). The stores together hold exactly the rows of the one, and every answer is compared.
"""

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pysqlite3

from app.open_store import OpenStore
from core.federation.member import ModelKey
from core.federation.searcher import FederatedSearcher
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from core.store.connection import vec0_path
from core.store.location import locate
from tests.bench.generated_store import generate, query_vectors

_ROWS = 20_000
_STORES = (2, 5, 20)
_WARM = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One query: its text and its vector."""

    text: str
    vector: bytes


def _connect(project: Path) -> pysqlite3.Connection:
    raw = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    raw.enable_load_extension(True)
    raw.load_extension(str(vec0_path()))
    return raw


def _split(whole: Path, target: Path, part: int, of: int) -> Path:
    """Copy a store and keep every `of`-th row of it, under an id of its own."""
    shutil.copytree(whole, target)
    raw = _connect(target)
    raw.execute("PRAGMA synchronous = OFF")
    raw.execute("BEGIN")
    others = "SELECT rowid FROM memory WHERE rowid % ?1 <> ?2"
    raw.execute(f"DELETE FROM memory_vec WHERE rowid IN ({others})", (of, part))
    raw.execute(f"DELETE FROM memory_chunk WHERE chunk_id IN ({others})", (of, part))
    raw.execute(f"DELETE FROM memory_fts WHERE rowid IN ({others})", (of, part))
    raw.execute("DELETE FROM memory WHERE rowid % ?1 <> ?2", (of, part))
    raw.execute("INSERT INTO memory_fts(memory_fts) VALUES ('optimize')")
    raw.execute(
        "UPDATE meta SET value = ? WHERE key = 'store_id'",
        (f"7b1c8f2e-93d4-4c55-a6b7-{part + 1000 * of:012x}",),
    )
    raw.execute("COMMIT")
    raw.execute("VACUUM")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return target


async def _of_one(store: OpenStore, case: Case) -> tuple[float, SearchOutcome]:
    start = time.perf_counter()
    found = await store.searcher.search(case.text, MeaningSide(DenseQuery(case.vector)))
    return time.perf_counter() - start, found


async def _of_several(several: FederatedSearcher, case: Case) -> tuple[float, SearchOutcome]:
    side = MeaningSide(DenseQuery(case.vector))

    async def meaning(_key: ModelKey) -> MeaningSide:
        return side

    start = time.perf_counter()
    found = await several.search(case.text, meaning)
    return time.perf_counter() - start, found.first.outcome


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def _seen(outcome: SearchOutcome) -> list[tuple[str, float]]:
    return [(h.uuid, h.fused_score) for h in outcome.hits]


async def _compare(one: OpenStore, folders: Sequence[Path], cases: Sequence[Case]) -> None:
    async with AsyncExitStack() as stack:
        members: list[OpenStore] = []
        for folder in folders:
            member = await OpenStore.open(locate(folder))
            stack.push_async_callback(member.aclose)
            await member.searcher.refresh_matrix()
            members.append(member)
        several = FederatedSearcher(members)
        ones: list[float] = []
        manies: list[float] = []
        for i, case in enumerate(cases):  # in turn, so that both see the same machine
            alone, expected = await _of_one(one, case)
            together, found = await _of_several(several, case)
            if _seen(found) != _seen(expected):
                sys.exit(f"{len(folders)} stores answer {case.text!r} differently")
            if i >= _WARM:
                ones.append(alone)
                manies.append(together)
    mine, theirs = statistics.median(manies), statistics.median(ones)
    print(
        f"{len(folders):3} stores of {_ROWS // len(folders):,}".ljust(24)
        + f"{mine * 1e3:7.1f} / {_p95(manies) * 1e3:7.1f} ms   "
        f"one of {_ROWS:,} {theirs * 1e3:7.1f} / {_p95(ones) * 1e3:7.1f} ms   "
        f"{mine / theirs:5.2f}x",
        flush=True,
    )


async def run() -> None:
    """Run every number of stores."""
    work = Path(tempfile.mkdtemp(prefix="genizah-bench-"))
    try:
        texts = generate(work / "one", _ROWS)
        cases = [Case(t, v) for t, v in zip(texts, query_vectors(len(texts)), strict=True)]
        one = await OpenStore.open(locate(work / "one"))
        await one.searcher.refresh_matrix()
        for of in _STORES:
            folders = [
                _split(work / "one", work / f"part{part}of{of}", part, of) for part in range(of)
            ]
            await _compare(one, folders, cases)
        await one.aclose()
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    asyncio.run(run())
