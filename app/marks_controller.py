"""What is learnt after a list or a text is on screen: matched words, equal neighbours, dead ends,
the chunk that the meaning search found. The next key ends it; nothing waits for it.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.readmodels import ChainEnd, MemoryDetail, State
from core.retrieval.encoder import Encoder
from core.retrieval.folding import candidates, numbered
from core.retrieval.highlight import Spans, TextField, literal_spans, matched_spans
from core.retrieval.outcome import Hit, SearchOutcome
from core.retrieval.winning_chunk import WinningChunk, chunk_spans, winning_chunk
from core.settings import CHUNK_MAX_TOKENS
from core.store import chunks, likeness
from core.store.chain_ends import chain_ends
from core.store.database import Database

type _Work = Callable[[], Coroutine[Any, Any, None]]

_BATCH = 20
_LONGEST_LITERAL = 300_000


@dataclass(frozen=True, slots=True)
class TextMarks:
    """What is marked in the memory being read; spans in characters of the stored texts."""

    gist: Spans = ()
    content: Spans = ()
    chunk: WinningChunk | None = None


class MarksView(Protocol):
    """What the controller needs of the window."""

    def show_spans(self, spans: Mapping[str, Spans]) -> None:
        """Mark where the gists of the ranked list match, by uuid."""

    def fold_equal(self, equal: set[tuple[int, int]]) -> None:
        """Fold adjacent ranked rows whose texts are equal, given as pairs of rowids."""

    def show_ends(self, ends: Mapping[str, ChainEnd]) -> None:
        """Name what replaced the rows of the ranked list, and where their chains end."""

    def show_dead(self, dead: frozenset[str]) -> None:
        """Warn at memories whose chain ends in a retired one."""

    def show_text_marks(self, uuid: str, marks: TextMarks) -> None:
        """Mark the text of a memory, if that is still being read."""

    def hits_in_view(self) -> tuple[int, int]:
        """Return the positions (from 1) of the first and the last ranked row on screen."""
        ...


class MarksController:
    """Find marks for what the other controllers have shown; the newest list and text win."""

    def __init__(self, view: MarksView, executor: Executor) -> None:
        self._view = view
        self._executor = executor
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._text_tasks: TaskSet | None = None
        self._stores: tuple[OpenStore, ...] = ()
        self._counter: Encoder | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._known: dict[str, Spans] = {}
        self._known_for: tuple[str | None, int, tuple[int, ...]] | None = None
        self._dead_versions: dict[Database, int] = {}
        self._dead: dict[Database, frozenset[str]] = {}
        self.stores_of: Callable[[SearchOutcome], Sequence[OpenStore]] = self._only_store
        """Says which stores a list comes from, in the order of its parts."""
        self._outcome: SearchOutcome | None = None
        self._last_spans: tuple[MemoryDetail, tuple[tuple[int, int], ...] | None] | None = None

    @property
    def is_busy(self) -> bool:
        """Tell whether more marks are coming."""
        return any(not task.done() for task in self._running.values())

    async def settled(self) -> None:
        """Wait until no more marks are coming."""
        while tasks := {task for task in self._running.values() if not task.done()}:
            await asyncio.wait(tasks)

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Serve a store from now on, lists and texts, in tasks of its own."""
        self.use_stores((store,), tasks)
        self.use_front(store, tasks)

    def use_stores(self, stores: Sequence[OpenStore], tasks: TaskSet) -> None:
        """Mark the lists of some stores from now on, in tasks of their own."""
        self._end("list")
        self._end("dead")
        self._stores, self._tasks = tuple(stores), tasks
        self._outcome = None
        self.rows_shown()

    def use_front(self, store: OpenStore, tasks: TaskSet) -> None:
        """Mark the texts of a store from now on."""
        self._store, self._text_tasks = store, tasks

    def drop_front(self) -> None:
        """Mark no text from now on; the tasks are ended by their owner."""
        self._end("text")
        self._store = self._text_tasks = None

    def drop(self) -> None:
        """Mark nothing from now on; the stores' tasks are ended by their owner."""
        for name in tuple(self._running):
            self._end(name)
        self._store = self._tasks = self._text_tasks = self._outcome = None
        self._stores = ()
        self._known_for = None
        self._known, self._dead, self._dead_versions = {}, {}, {}

    def close(self) -> None:
        """End the executor's thread; a job that runs in it is left behind."""
        self._executor.shutdown(wait=False)

    def set_counter(self, counter: Encoder | None) -> None:
        """Take the tokenizer of the store's model; without one no chunk is marked."""
        self._counter = counter

    def stop_list(self) -> None:
        """End the marking of the list: another one is coming."""
        self._outcome = None
        self._end("list")

    def rows_shown(self) -> None:
        """Look for dead ends again if a store has changed."""
        looking = self._running.get("dead")
        if self._stores and (looking is None or looking.done()):
            self._start("dead", partial(self._mark_dead, self._stores))

    def outcome_shown(self, outcome: SearchOutcome) -> None:
        """Mark a ranked list, the rows on screen first; the same one is marked once."""
        if self._stores and outcome is not self._outcome:
            self._outcome = outcome
            self.rows_shown()
            self._start("list", partial(self._mark_list, outcome))

    def _only_store(self, _outcome: SearchOutcome) -> Sequence[OpenStore]:
        return self._stores[:1]

    def text_shown(self, detail: MemoryDetail, outcome: SearchOutcome | None) -> None:
        """Mark a text for the search it was found by; without one nothing is marked."""
        self._end("text")
        if outcome is None:
            self._view.show_text_marks(detail.head.uuid, TextMarks())
        elif self._store is not None:
            self._start("text", partial(self._mark_text, self._store, detail, outcome))

    def _start(self, name: str, work: _Work) -> None:
        self._end(name)
        tasks = self._text_tasks if name == "text" else self._tasks
        if tasks is not None:
            self._running[name] = tasks.spawn(_quietly(work), name=f"marks of {name}")

    def _end(self, name: str) -> None:
        task = self._running.pop(name, None)
        if task is not None:
            task.cancel()

    async def _mark_dead(self, stores: Sequence[OpenStore]) -> None:
        for database in [store.database for store in stores]:
            async with database.browse.snapshot() as connection:
                version = await connection.data_version()
                if version == self._dead_versions.get(database):
                    continue
                self._dead[database] = await likeness.dead_ends(connection)
            self._dead_versions[database] = version
            listed = [self._dead.get(store.database, frozenset()) for store in stores]
            self._view.show_dead(frozenset[str]().union(*listed))

    async def _mark_list(self, outcome: SearchOutcome) -> None:
        stores = tuple(self.stores_of(outcome))
        equal: set[tuple[int, int]] = set()
        ends: dict[str, ChainEnd] = {}
        for at in range(len(stores)):
            learnt = await _facts_of(stores, at, outcome)
            if learnt is None:
                return  # a newer list is on its way
            equal |= learnt[0]
            ends |= learnt[1]
        self._view.fold_equal(equal)
        self._view.show_ends(ends)
        expression = outcome.query.lexical.expression
        self._start_known(expression, outcome)
        if expression is not None:
            for batch in self._batches(outcome.hits):
                await self._mark_batch(stores, outcome, expression, batch)

    def _start_known(self, expression: str | None, outcome: SearchOutcome) -> None:
        parts = () if outcome.union is None else outcome.union.parts
        wanted = (expression, outcome.data_version, tuple(part.data_version for part in parts))
        if wanted != self._known_for:
            self._known_for, self._known = wanted, {}
        self._view.show_spans(dict(self._known))

    def _batches(self, hits: Sequence[Hit]) -> list[list[Hit]]:
        first, last = self._view.hits_in_view()
        seen = [h for h in hits if first <= h.position <= last]
        rest = [h for h in hits if not first <= h.position <= last]
        order = [h for h in (*seen, *rest) if h.uuid not in self._known]
        return [order[at : at + _BATCH] for at in range(0, len(order), _BATCH)]

    async def _mark_batch(
        self,
        stores: Sequence[OpenStore],
        outcome: SearchOutcome,
        expression: str,
        batch: Sequence[Hit],
    ) -> None:
        for at, store in enumerate(stores):
            hits = [hit for hit in batch if _part_of(outcome, hit.uuid) == at]
            texts = {hit.head.rowid: hit.head.gist for hit in hits}
            if texts:
                async with store.database.search.snapshot() as connection:
                    spans = await matched_spans(connection, expression, TextField.GIST, texts)
                self._known |= {hit.uuid: spans[hit.head.rowid] for hit in hits}
        self._view.show_spans(dict(self._known))

    async def _mark_text(
        self, store: OpenStore, detail: MemoryDetail, outcome: SearchOutcome
    ) -> None:
        uuid, hit = detail.head.uuid, outcome.hit(detail.head.uuid)
        if hit is None:
            needle = outcome.query.text or ""
            marks = await self._run(_literal_marks, detail, needle)
        else:
            marks = await _word_marks(store.database, detail, outcome.query.lexical.expression)
        self._view.show_text_marks(uuid, marks)
        if hit is None or hit.dense is None:
            return
        chunk = winning_chunk(await self.spans_of(detail), hit.dense.part_index)
        if chunk is not None:
            self._view.show_text_marks(uuid, TextMarks(marks.gist, marks.content, chunk))

    async def spans_of(self, detail: MemoryDetail) -> tuple[tuple[int, int], ...] | None:
        """Return (start, end) of every chunk of a text; None where they cannot be known.

        The last text's are kept. Raises GenizahError.
        """
        store, counter = self._store, self._counter
        if store is None or counter is None:
            return None
        known = self._last_spans
        if known is None or known[0] is not detail:
            async with store.database.browse.snapshot() as connection:
                stored = await chunks.chunks_of(connection, detail.head.uuid)
            sizes = (store.settings.integer(CHUNK_MAX_TOKENS), store.facts.meta.chunk_max_tokens)
            found = await self._run(chunk_spans, detail, stored, counter, sizes)
            self._last_spans = known = (detail, found)
        return known[1]

    async def _run[*Ts, T](self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *args)


def _part_of(outcome: SearchOutcome, uuid: str) -> int:
    return 0 if outcome.union is None else outcome.union.home[uuid]


async def _facts_of(
    stores: Sequence[OpenStore], at: int, outcome: SearchOutcome
) -> tuple[set[tuple[int, int]], dict[str, ChainEnd]] | None:
    """Return what one store says of its hits: equal neighbours, and where chains end.

    None where it is no longer the one that was searched.
    """
    store, number = stores[at], len(stores)
    pairs = [
        (a // number, b // number)
        for a, b in candidates(numbered(outcome))
        if a % number == b % number == at
    ]
    mine = [hit for hit in outcome.hits if _part_of(outcome, hit.uuid) == at]
    replaced = [hit.uuid for hit in mine if hit.state is State.SUPERSEDED]
    async with store.database.search.snapshot() as connection:
        version = outcome.version_of(store.facts.meta.store_id)
        if await connection.data_version() != version:
            return None
        equal = await likeness.equal_pairs(connection, pairs)
        ends = await chain_ends(connection, replaced)
    return {(a * number + at, b * number + at) for a, b in equal}, dict(ends)


async def _quietly(work: _Work) -> None:
    """Marks are an extra: what keeps them from coming is said by the search and the detail."""
    try:
        await work()  # made here: a task that is ended before its turn leaves none unawaited
    except GenizahError:
        return


async def _word_marks(
    database: Database, detail: MemoryDetail, expression: str | None
) -> TextMarks:
    if expression is None:
        return TextMarks()
    rowid = detail.head.rowid
    gists, contents = {rowid: detail.head.gist}, {rowid: detail.content}
    # Not the search connection: a long text would hold up the next key.
    async with database.browse.snapshot() as connection:
        gist = await matched_spans(connection, expression, TextField.GIST, gists)
        content = await matched_spans(connection, expression, TextField.CONTENT, contents)
    return TextMarks(gist[rowid], content[rowid])


def _literal_marks(detail: MemoryDetail, needle: str) -> TextMarks:
    return TextMarks(
        literal_spans(detail.head.gist, needle),
        literal_spans(detail.content[:_LONGEST_LITERAL], needle),
    )
