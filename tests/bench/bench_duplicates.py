"""Looking for duplicates in a whole store: reading, comparing all pairs (10,000: within 10 s).

Prints seconds for each step beside one plain product of all vectors with all others in float64,
which no exact comparison can beat by much, and the peak of resident memory. GENIZAH_BENCH_ROWS=n
sets the size.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from core.duplicates.corpus import Corpus
from core.duplicates.groups import groups_of
from core.duplicates.reading import read_corpus
from core.duplicates.scanning import LOWEST, PairScan, scan_pairs
from core.store.database import Database
from core.store.location import locate
from tests.bench.generated_store import generate

_ROWS = int(os.environ.get("GENIZAH_BENCH_ROWS", "10000"))
_MIB = 1 << 20


async def _read(folder: Path) -> Corpus:
    database = await Database.open(locate(folder))
    try:
        return await read_corpus([database])
    finally:
        await database.close()


def _plain_product(corpus: Corpus) -> None:
    vectors = corpus.spaces[0].firsts.astype(np.float64)
    for start in range(0, len(vectors), 1024):
        vectors[start : start + 1024] @ vectors[start:].T


def _seconds[T](work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        generate(Path(name), _ROWS)
        process = psutil.Process()
        before = process.memory_info().rss
        corpus, reading = _seconds(lambda: asyncio.run(_read(Path(name))))
        scan: PairScan
        scan, scanning = _seconds(lambda: scan_pairs(corpus, LOWEST))
        groups, grouping = _seconds(lambda: groups_of(corpus, scan, LOWEST))
        grown = (process.memory_info().rss - before) / _MIB
        _, plain = _seconds(lambda: _plain_product(corpus))
    print(f"{len(corpus.memories)} live of {_ROWS} memories, {len(groups)} groups")
    print(f"read {reading:.2f} s · compare {scanning:.2f} s · group {grouping:.2f} s", end=" · ")
    print(f"compare / plain product {scanning / plain:.2f} · {grown:.0f} MiB more resident")


if __name__ == "__main__":
    main()
