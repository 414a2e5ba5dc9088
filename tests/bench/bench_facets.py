"""Facets and lists of 100,000 memories beside their targets, and beside the list of all of them.

The store has sessions, tiers, chains of replacements and an event log as an agent of years leaves
them; it is read through the browse reader with its own small cache, as the window does.
"""

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from core.filters.compiling import FilterContext, condition_of
from core.filters.counts import count_of
from core.filters.facets import FacetCounts, MarkedRows, count_facets, read_marks
from core.filters.parsing import ParsedSearch, parse
from core.store import memories
from core.store.conditions import Condition
from core.store.connection import Connection
from core.store.row_order import RowOrder, SortColumn, rowids_in_order
from tests.support.big_store import LARGE, SMALL, big_store
from tests.support.engine import Engine, open_engine
from tests.support.stores import writing

TARGET_MS = 200.0
_RUNS = 7
_CONTEXT = FilterContext(datetime(2026, 9, 10, tzinfo=UTC))
_FILTERS = (
    *("", "is:live", "is:live tier:long_term", "is:injected", "-is:injected tokens:>400"),
    *("created:2025-03,2025-04", "session:session-17", "is:dead-head,cycle", "edited:30d"),
)
_INDEXES = (
    "CREATE INDEX memory_by_tier ON memory(tier, active, created_at)",
    "CREATE INDEX memory_by_session ON memory(session_id)",
    "CREATE INDEX event_by_kind ON event(kind, at)",
    "CREATE INDEX event_by_memory ON event(memory_uuid, at)",
)
_ROWS = """
UPDATE memory SET
  session_id = CASE WHEN rowid % 10 THEN format('session-%d', rowid / 40) END,
  tier = iif(rowid % 3, 'journal', 'long_term'), token_count = rowid % 900,
  created_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 1700000000 + rowid * 600, 'unixepoch'),
  active = rowid % 5 > 1,
  superseded_by = CASE WHEN rowid % 5 = 1
                       THEN format('%08x-0000-4000-8000-%012x', rowid + rowid % 2 * 3 + 1,
                                   rowid + rowid % 2 * 3 + 1) END
"""
_CHUNKS = """
INSERT INTO memory_chunk (memory_uuid, part_index, token_count, embed_model, embed_dim)
SELECT uuid, 0, 5, 'stub/words', 16 FROM memory WHERE rowid % 1000 > 0
"""
# A third of the memories was injected, some of them often; a fifth was fetched.
_EVENTS = """
INSERT INTO event(at, session_id, client_kind, op_id, kind, memory_uuid, detail)
SELECT m.created_at, m.session_id, 'hook', 'op', kind.name, m.uuid, '{"rank": 1, "demoted": false}'
FROM memory m JOIN (SELECT 'surface' AS name, 3 AS every UNION ALL SELECT 'surface', 9
                    UNION ALL SELECT 'surface', 30 UNION ALL SELECT 'fetch', 5) kind
ON m.rowid % kind.every = 0
"""


def years_of_work(folder: Path) -> Path:
    """Make the store; a fifth of its rows is superseded, half of these by a retired one."""
    project = big_store(folder)
    with writing(project) as raw:
        for statement in (*_INDEXES, _ROWS, _CHUNKS, _EVENTS):
            raw.execute(statement)
    return project


type Work = Callable[[Connection], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of every run: on the clock, and of this process on the processor."""

    clock: tuple[float, ...]
    processor: tuple[float, ...]

    @property
    def unit(self) -> float:
        """Return the median on the processor, which other work on the machine moves least."""
        return statistics.median(self.processor)


async def _timed(engine: Engine, work: Work) -> Times:
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(_RUNS):
        start, used = time.perf_counter(), time.process_time()
        async with engine.database.browse.snapshot() as connection:
            await work(connection)
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return Times(tuple(clock), tuple(processor))


def _line(name: str, times: Times, unit_s: float) -> str:
    median = statistics.median(times.clock)
    said = "ok" if median * 1e3 <= TARGET_MS else "MISSED"
    return (
        f"  {name:44} {median * 1e3:7.1f} {max(times.clock) * 1e3:7.1f} {times.unit * 1e3:7.1f} ms "
        f"{times.unit / unit_s:6.2f}x   at most {TARGET_MS:.0f}: {said}"
    )


async def _measure(engine: Engine) -> None:
    plain = await _timed(engine, memories.rowids_newest_first)
    unit = plain.unit
    print(_line("all memories, newest first (1.00x)", plain, unit), flush=True)
    print(_line("marks, once for a state of the store", await _timed(engine, _marks), unit))
    async with engine.database.browse.snapshot() as connection:
        marks = await _marks(connection)
    for text in _FILTERS:
        where = condition_of(parse(text).filters, _CONTEXT)
        facets = await _timed(engine, partial(_facets, marks, where))
        print(_line(f"facets of {text or 'everything'}", facets, unit), flush=True)
    for column in SortColumn:
        for text in _FILTERS[:2]:
            where = condition_of(parse(text).filters, _CONTEXT)
            order = RowOrder(column)
            listed = await _timed(engine, partial(_list, where, order))
            print(_line(f"{text or 'everything'} by {column}", listed, unit), flush=True)
    for text in (*_FILTERS[1:4], "is:live harbour"):
        parsed = parse(text)
        counted = await _timed(engine, partial(_count, parsed))
        print(_line(f"count of {text}", counted, unit), flush=True)


async def _marks(connection: Connection) -> MarkedRows:
    return await read_marks(connection, _CONTEXT)


async def _facets(marks: MarkedRows, where: Condition, connection: Connection) -> FacetCounts:
    return await count_facets(connection, where, _CONTEXT, marks)


async def _list(where: Condition, order: RowOrder, connection: Connection) -> list[int]:
    return await rowids_in_order(connection, where, order)


async def _count(parsed: ParsedSearch, connection: Connection) -> int | None:
    return await count_of(connection, parsed, _CONTEXT, include_retired=False, max_terms=64)


async def run() -> None:
    """Make the store and print the table."""
    work = Path(tempfile.mkdtemp(prefix="genizah-bench-"))
    try:
        async with open_engine(years_of_work(work)) as engine:
            print(f"{SMALL + LARGE:,} memories {'median':>40} {'worst':>7} {'cpu':>7}", flush=True)
            await _measure(engine)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    asyncio.run(run())
