"""What staged changes would do to searches: they are committed to a private copy that is asked.

Exact, since it is the same gate and the same search. The store itself is only read.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.clock import Clock
from core.commands.changes import Change, Remember
from core.commands.commit import BatchRefused, Committed, commit_batch
from core.commands.gate import Gate, Model, WriteSettings, random_uuid, run_session
from core.errors import ErrorCode, GenizahError
from core.explain.compare import Movement, movements
from core.progress import Report, unreported
from core.readmodels import State
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide, Searcher
from core.store.database import Database
from core.store.location import locate
from core.store.opening import StoreFacts
from core.store.private_copy import remove_copy, snapshot_copy
from core.store.writer import Writer

FIRST = 10
_COPIES = "copies"
#: From so many queries on it is faster to read all vectors into memory.
_VECTORS_PAY_FROM = 8
_PREFIX = "blast-"
#: A copy this old was left by a process that was killed.
_LEFT_BEHIND_S = 3600.0

type Meaning = Callable[[str], Awaitable[MeaningSide]]
"""Give the dense side of a query's text, or why there is none."""


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A saved or recent search."""

    text: str
    include_retired: bool = False


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A memory in a ranking; `is_new` is one that the staged changes write."""

    uuid: str
    gist: str
    state: State
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class QueryShift:
    """One search before and after: the first rows of both, in order.

    `movements` has every row of either, today's order first, with its place in the whole pool.
    `words_only` says why meaning was not searched, None where it was.
    """

    query: AskedQuery
    before: tuple[RankedRow, ...]
    after: tuple[RankedRow, ...]
    movements: tuple[Movement, ...]
    words_only: str | None = None

    @property
    def is_changed(self) -> bool:
        """Tell whether the first rows are others, stand otherwise or have another state."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Ground:
    """What a rehearsal needs: the open store's facts, its settings, the model, our data folder."""

    facts: StoreFacts
    settings: WriteSettings
    model: Model
    clock: Clock
    data_dir: Path
    new_uuid: Callable[[], str] = random_uuid


async def blast_radius(
    ground: Ground,
    changes: Sequence[Change],
    queries: Sequence[AskedQuery],
    meaning: Meaning,
    *,
    first: int = FIRST,
    report: Report = unreported,
) -> tuple[QueryShift, ...] | BatchRefused:
    """Return how each query would rank after the changes, in the order of the queries.

    A new memory has another uuid than the one it will get, which matters to its place only among
    rows of exactly the same scores. Where the changes as a whole would be
    refused, that refusal is returned. Reports steps, some from another thread; what `report` raises
    and a cancellation end the work. The copy is removed whatever happens.
    Raises GenizahError as `commit_batch` and a search do.
    """
    total = 2 * len(queries) + 2

    def step(done: int) -> None:
        report(done, total)

    step(0)
    async with _copied(ground, lambda _done, _pages: step(0)) as copy:
        searcher = Searcher(copy, ground.settings.retrieval)
        refusal = ground.facts.dense_refusal
        sides = [
            MeaningSide(None, refusal.text) if refusal else await meaning(query.text)
            for query in queries
        ]
        asked = list(zip(queries, sides, strict=True))
        before = await _search_all(searcher, asked, step, 1)
        step(1 + len(queries))
        done = await _commit(ground, copy.facts, changes)
        if isinstance(done, BatchRefused):
            return done
        after = await _search_all(searcher, asked, step, 2 + len(queries))
        step(total)
        new = _new_rows(changes, done)
        return tuple(
            _shift(query, was, now, new, first)
            for query, was, now in zip(queries, before, after, strict=True)
        )


async def _search_all(
    searcher: Searcher,
    asked: Sequence[tuple[AskedQuery, MeaningSide]],
    step: Callable[[int], None],
    start: int,
) -> list[SearchOutcome]:
    if sum(1 for _, side in asked if side.dense is not None) >= _VECTORS_PAY_FROM:
        await searcher.refresh_matrix()
    found = []
    for at, (query, side) in enumerate(asked, start):
        step(at)
        found.append(
            await searcher.search(query.text, side, include_retired=query.include_retired)
        )
    return found


async def _commit(
    ground: Ground, facts: StoreFacts, changes: Sequence[Change]
) -> Committed | BatchRefused:
    writer = await Writer.open(facts)
    try:
        gate = Gate(
            writer, run_session(), ground.clock, ground.settings, ground.model, ground.new_uuid
        )
        return await commit_batch(gate, changes)
    finally:
        await writer.close()


def _new_rows(changes: Sequence[Change], done: Committed) -> frozenset[str]:
    found = (
        written.uuid if isinstance(change, Remember) else written.new_uuid
        for change, written in zip(changes, done.written, strict=True)
    )
    return frozenset(new for new in found if new is not None)


def _shift(
    query: AskedQuery,
    before: SearchOutcome,
    after: SearchOutcome,
    new: frozenset[str],
    first: int,
) -> QueryShift:
    rows = _first(before, first, new), _first(after, first, new)
    shown = {row.uuid for side in rows for row in side}
    moved = movements([h.uuid for h in before.hits], [h.uuid for h in after.hits])
    return QueryShift(
        query, *rows, tuple(m for m in moved if m.uuid in shown), after.query.dense_reason
    )


def _first(outcome: SearchOutcome, most: int, new: frozenset[str]) -> tuple[RankedRow, ...]:
    return tuple(
        RankedRow(hit.uuid, hit.head.gist, hit.state, hit.uuid in new)
        for hit in outcome.hits[:most]
    )


@asynccontextmanager
async def _copied(ground: Ground, report: Report) -> AsyncIterator[Database]:
    """Give a private copy of the store, open for reading; it is gone afterwards."""
    path = ground.data_dir / _COPIES / f"{_PREFIX}{uuid.uuid4()}.db"
    try:
        await _make_copy(ground.facts, path, report)
        copy = await Database.open(locate(path))
        try:
            yield copy
        finally:
            await copy.close()
    finally:
        remove_copy(path)


async def _make_copy(facts: StoreFacts, path: Path, report: Report) -> None:
    try:
        await asyncio.to_thread(_sweep, path.parent)
        await snapshot_copy(facts.location, facts.access, path, report)
    except OSError as error:
        raise GenizahError(
            ErrorCode.STORE_IO,
            f"A private copy could not be made at {path} ({error.strerror}); nothing was written.",
            path=str(path),
        ) from error


def _sweep(folder: Path) -> None:
    """Remove copies that a killed process left."""
    oldest = time.time() - _LEFT_BEHIND_S
    for path in folder.glob(f"{_PREFIX}*.db"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                remove_copy(path)
