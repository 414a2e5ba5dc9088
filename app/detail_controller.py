"""The selected memory: its whole text, lineage and events, and what became of it in the list.

An explanation is read in a snapshot of the search connection that is first compared with the
list's own: it never describes another state of the store. What costs more than a look, true ranks
and margins, follows in a second one, which gives way to typing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import ErrorCode, GenizahError
from core.explain.explanation import Explanation
from core.explain.first_look import first_look
from core.explain.reading import located
from core.federation.explaining import explain_searched, ladder_in_union
from core.readmodels import EventRow, LineageStep, LogCounts, MemoryDetail, MemoryHead
from core.retrieval.ladder import Rung, eligibility_ladder
from core.retrieval.outcome import SearchOutcome
from core.store import event_log, memories
from core.store.connection import Connection
from core.store.log_counts import log_counts
from core.store.text import is_damaged, well_formed


@dataclass(frozen=True, slots=True)
class Selected:
    """One memory with what surrounds it; `counts` are those of the whole log."""

    detail: MemoryDetail
    successors: Sequence[LineageStep]
    predecessors: Sequence[MemoryHead]
    events: Sequence[EventRow]
    counts: LogCounts

    def parts(
        self,
    ) -> tuple[
        MemoryDetail, Sequence[LineageStep], Sequence[MemoryHead], Sequence[EventRow], LogCounts
    ]:
        """Return all of it, as the panel takes it."""
        return self.detail, self.successors, self.predecessors, self.events, self.counts


class DetailView(Protocol):
    """What the controller needs of the window."""

    def show_selected(self, selected: Selected) -> None:
        """Show one memory."""

    def show_nothing_selected(self) -> None:
        """Empty the detail and the explanation."""

    def show_explanation(self, explanation: Explanation) -> None:
        """Show what became of the selected memory in the list, in it or not."""

    def show_search(self, outcome: SearchOutcome, ladder: tuple[Rung, ...], limit: int) -> None:
        """Explain the search and its list cut at `limit`, for nothing is selected."""

    def show_no_explanation(self) -> None:
        """Say that the selected row is not part of a ranked list."""

    def show_detail_error(self, error: GenizahError) -> None:
        """Say that the memory could not be read."""


type Spans = tuple[tuple[int, int], ...]


class DetailController:
    """Follow the selection; the newest one wins."""

    def __init__(self, view: DetailView, limit: int, store_moved: Callable[[], None]) -> None:
        self._view = view
        self._limit = limit
        self._store_moved = store_moved
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._running: asyncio.Task[None] | None = None
        self._explaining: asyncio.Task[None] | None = None
        self._uuid: str | None = None
        self._outcome: SearchOutcome | None = None
        self.stores_of: Callable[[SearchOutcome], Sequence[OpenStore]] = self._only_store
        """Says which stores a list comes from, in the order of its parts."""
        self.spans_of: Callable[[MemoryDetail], Awaitable[Spans | None]] = _no_spans
        """Finds the (start, end) of every chunk of a text, None where they are not known."""

    def _only_store(self, _outcome: SearchOutcome) -> Sequence[OpenStore]:
        return () if self._store is None else (self._store,)

    def _is_of_list(self, store: OpenStore, outcome: SearchOutcome | None) -> bool:
        """Tell whether a store is one of those that a list comes from."""
        return outcome is not None and any(s is store for s in self.stores_of(outcome))

    def set_limit(self, limit: int) -> None:
        """Explain against another cut; the explanation on screen follows with its list."""
        self._limit = limit

    async def settled(self) -> None:
        """Wait until the panels belong to the selection."""
        while under_way := self._under_way():
            await asyncio.wait(under_way)

    @property
    def is_busy(self) -> bool:
        """Tell whether more is coming."""
        return bool(self._under_way())

    def _under_way(self) -> set[asyncio.Task[None]]:
        tasks = (self._running, self._explaining)
        return {task for task in tasks if task is not None and not task.done()}

    @property
    def uuid(self) -> str | None:
        """Return the selected memory, which may still be being read; None for none."""
        return self._uuid

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Follow the selection in a store from now on, in tasks of its own."""
        self._store, self._tasks = store, tasks

    def drop(self) -> None:
        """Show nothing from now on; the store's tasks are ended by their owner."""
        self.select(None, None)
        self._store = self._tasks = None

    def select(self, uuid: str | None, outcome: SearchOutcome | None) -> None:
        """Show a memory, explained against the list of `outcome` if there is one.

        None shows no memory, and explains the search itself. What is shown is not read again.
        """
        if uuid == self._uuid and outcome is self._outcome and (uuid or outcome) is not None:
            return
        self._uuid, self._outcome = uuid, outcome
        self.give_way()
        if self._running is not None:
            self._running.cancel()
            self._running = None
        if uuid is None or self._store is None or self._tasks is None:
            self._view.show_nothing_selected()
            if outcome is not None and self._store is not None and self._tasks is not None:
                explaining = self._explain_search(outcome)
                self._explaining = self._tasks.spawn(explaining, name="explanation")
            return
        self._running = self._tasks.spawn(self._run(self._store, uuid, outcome), name="detail")

    def give_way(self) -> None:
        """Explain no further: the search connection is wanted, and another list may come."""
        if self._explaining is not None:
            self._explaining.cancel()
            self._explaining = None

    def again(self) -> None:
        """Read an unranked memory once more, because the store moved.

        A ranked one comes with the list that ranks it, and so does the explanation of any.
        """
        uuid = self._uuid
        if uuid is not None and (self._outcome is None or self._outcome.hit(uuid) is None):
            self._uuid = None
            self.select(uuid, None)

    async def _run(self, store: OpenStore, uuid: str, outcome: SearchOutcome | None) -> None:
        if not self._is_of_list(store, outcome):
            outcome = None  # it cannot have a place in a list of other stores
        try:
            if outcome is None or outcome.hit(uuid) is None:
                shown = await self._unranked(store, uuid)
            else:
                shown = await self._ranked(store, uuid, outcome)
        except GenizahError as error:
            self._view.show_detail_error(error)
            return
        if shown is not None and outcome is not None and self._tasks is not None:
            explaining = self._explain(shown, outcome)
            self._explaining = self._tasks.spawn(explaining, name="explanation")

    async def _unranked(self, store: OpenStore, uuid: str) -> MemoryDetail | None:
        """Show a memory without a place in a list; None where it is not there."""
        async with store.database.browse.snapshot() as connection:
            selected = await _read(connection, uuid)
        if selected is None:
            self._uuid = None
            self._view.show_nothing_selected()
            return None
        self._view.show_selected(selected)
        self._view.show_no_explanation()
        return selected.detail

    async def _ranked(
        self, store: OpenStore, uuid: str, outcome: SearchOutcome
    ) -> MemoryDetail | None:
        """Show a memory and its place in the list; None where the store has moved under it."""
        stores, store_id = self.stores_of(outcome), store.facts.meta.store_id
        if not stores:
            return None  # one was closed meanwhile: another list is on its way
        async with store.database.search.snapshot() as connection:
            moved = await connection.data_version() != outcome.version_of(store_id)
            selected = None if moved else await _read(connection, uuid)
            if not moved and selected is None:
                raise _no_text(connection, uuid)  # the list has it: looking again would not help
        hit = outcome.hit(uuid)
        ladder = None if moved else await _ladder(stores, outcome, uuid)
        if ladder is None or selected is None or hit is None:
            self._store_moved()
            return None
        self._view.show_selected(selected)
        self._view.show_explanation(first_look(outcome, hit, self._limit, ladder, store_id))
        return selected.detail

    async def _explain_search(self, outcome: SearchOutcome) -> None:
        """Explain the search, or ask for the list anew where a store has moved."""
        stores = self.stores_of(outcome)
        if not stores:
            return
        try:
            ladder = await _ladder(stores, outcome, None)
        except GenizahError as error:
            self._view.show_detail_error(error)
            return
        if ladder is None:
            self._store_moved()
        else:
            self._view.show_search(outcome, ladder, self._limit)

    async def _explain(self, detail: MemoryDetail, outcome: SearchOutcome) -> None:
        """Show the rest of the explanation, or ask for the list anew where a store has moved."""
        stores = self.stores_of(outcome)
        if not stores:
            return
        try:
            found = await explain_searched(stores, outcome, detail.head.uuid, self._limit)
            if found is None:
                self._store_moved()
                return
            self._view.show_explanation(found)
            spans = await self.spans_of(detail)
            if spans is not None:
                self._view.show_explanation(located(found, spans))
        except GenizahError as error:
            self._view.show_detail_error(error)


async def _ladder(
    stores: Sequence[OpenStore], outcome: SearchOutcome, uuid: str | None
) -> tuple[Rung, ...] | None:
    """Count what each stage of eligibility leaves; None where a store has moved."""
    if outcome.union is not None:
        return await ladder_in_union(stores, outcome, uuid)
    async with stores[0].database.search.snapshot() as connection:
        if await connection.data_version() != outcome.data_version:
            return None
        return await eligibility_ladder(connection, outcome.scope, uuid)


async def _no_spans(_detail: MemoryDetail) -> Spans | None:
    return None


def _no_text(connection: Connection, uuid: str) -> GenizahError:
    return GenizahError(
        ErrorCode.NOT_FOUND,
        "The uuid of this memory is no valid text in the store, so it cannot be looked up; "
        "“genizah export” of the store writes it whole.",
        path=connection.path,
        fields={"uuid": well_formed(uuid)},
    )


async def _read(connection: Connection, uuid: str) -> Selected | None:
    """Read a memory. Raises GenizahError(NOT_FOUND) for a uuid that no text of SQLite's equals."""
    if is_damaged(uuid):
        raise _no_text(connection, uuid)
    detail = await memories.detail(connection, uuid)
    if detail is None:
        return None
    return Selected(
        detail,
        await memories.successors(connection, uuid),
        await memories.predecessors(connection, uuid),
        await event_log.events_of(connection, uuid),
        await log_counts(connection, uuid),
    )
