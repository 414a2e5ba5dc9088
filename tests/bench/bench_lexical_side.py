"""The word arm's part of an explanation at 10,000 and 100,000 memories, beside its targets.

For the selected row, for rows beyond the list (their true rank costs a pass over all that match)
and for one that is ruled out. $GENIZAH_BENCH_STORES names a folder in which the generated stores
are kept for the next run.
"""

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.explain.lexical_side import lexical_side
from core.readmodels import MemoryHead
from core.retrieval.outcome import SearchOutcome
from core.store.memories import heads_by_rowid
from tests.bench.generated_store import generate
from tests.support.engine import Engine, open_engine

_MANY_TERMS = 64
_QUERIES = 15
_OUTSIDE = (11, 222, 3333)


@dataclass(frozen=True, slots=True)
class Target:
    """A size of store, and what the selected row may take at most with few and with many terms."""

    count: int
    few_ms: float
    many_ms: float


TARGETS = (Target(10_000, 30, 30), Target(100_000, 150, 150))


def line(name: str, times_s: Sequence[float], most_ms: float | None = None) -> str:
    """Return one row of the table: median and worst in ms beside the target for the median."""
    median, worst = statistics.median(times_s) * 1e3, max(times_s) * 1e3
    said = f"  {name:44} {median:8.1f} {worst:8.1f} ms"
    if most_ms is None:
        return said
    return f"{said}   at most {most_ms:.0f}: {'ok' if median <= most_ms else 'MISSED'}"


def store_of(folder: Path, count: int) -> tuple[Path, list[str]]:
    """Return a store of so many memories and query texts; make it where it is not there."""
    store, texts = folder / str(count), folder / f"{count}.txt"
    if not texts.exists():
        texts.write_text("\n".join(generate(store, count)), encoding="utf-8")
    return store, texts.read_text(encoding="utf-8").splitlines()


async def timed(
    engine: Engine, outcome: SearchOutcome, head: MemoryHead, *, eligible: bool = True
) -> float:
    """Return the seconds that one reading takes, its snapshot included."""
    start = time.perf_counter()
    async with engine.database.search.snapshot() as connection:
        await lexical_side(connection, outcome, head, eligible)
    return time.perf_counter() - start


async def measure(engine: Engine, queries: Sequence[str], name: str, most_ms: float) -> None:
    """Print the rows of one kind of query."""
    selected: list[float] = []
    outside: list[float] = []
    ruled_out: list[float] = []
    for text in queries:
        outcome = await engine.by_words(text)
        for place in (0, len(outcome.hits) // 2, len(outcome.hits) - 1):
            selected.append(await timed(engine, outcome, outcome.hits[place].head))
        async with engine.database.search.snapshot() as connection:
            heads = await heads_by_rowid(connection, _OUTSIDE)
        outside += [await timed(engine, outcome, h) for h in heads]
        ruled_out += [await timed(engine, outcome, h, eligible=False) for h in heads]
    print(line(f"{name}: the selected row", selected, most_ms))
    print(line(f"{name}: a row outside the list", outside))
    print(line(f"{name}: a row ruled out", ruled_out), flush=True)


async def run() -> None:
    """Run every size."""
    work = Path(tempfile.mkdtemp(prefix="genizah-bench-"))
    given = os.environ.get("GENIZAH_BENCH_STORES")
    try:
        for target in TARGETS:
            store, texts = store_of(Path(given) if given else work, target.count)
            print(f"{target.count:,} memories {'median':>38} {'worst':>8}", flush=True)
            async with open_engine(store) as engine:
                await engine.by_words("warm up")
                await measure(engine, texts[:_QUERIES], "typical query", target.few_ms)
                await measure(
                    engine, [" ".join(texts)], f"{_MANY_TERMS} terms", target.many_ms
                )
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    asyncio.run(run())
