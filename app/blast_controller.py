"""The blast radius: how saved and recent searches would rank after what is staged.

A page for all of it or one entry, asked for; of each entry a few words in its line, by themselves
where a private copy of the store is quickly made.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.long_work import WorkWords
from app.open_store import OpenStore
from app.pending_checks import verdict_of
from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.queries import Queries
from core.commands.blast_radius import AskedQuery, Ground, QueryShift, blast_radius
from core.commands.changes import Change
from core.commands.commit import BatchRefused
from core.commands.staging import Staged
from core.errors import GenizahError
from core.filters.parsing import parse
from core.progress import Progress, WorkCancelledError
from core.retrieval.searcher import MeaningSide
from core.settings import EMBED_PREFIX
from core.store.text import is_blank
from widgets.blast_content import no_query_page, radius_words, shifts_page
from widgets.table_content import TableContent

_KEY = "blast"
_MOST_RECENT = 10
_PAUSE_S = 0.7
_QUICKLY_COPIED_BYTES = 64 << 20
_MOST_ENTRIES = 20
_WORDS = WorkWords(_KEY, "Trying the changes on a private copy", lambda a, b: f"{a} of {b} steps")


class BlastController:
    """Rehearse what is staged, one rehearsal at a time."""

    def __init__(
        self,
        context: WriteContext,
        pending: PendingController,
        show: Callable[[TableContent], None],
    ) -> None:
        self._context = context
        self._pending = pending
        self._show = show
        self._looking: asyncio.Task[None] | None = None
        self._known: dict[Change, str] = {}

    def open(self) -> None:
        """Rehearse everything that is staged, then show the page."""
        self.open_of(self._pending.list.entries)

    def open_of(self, entries: Sequence[Staged]) -> None:
        """Rehearse these entries alone, then show the page."""
        context, store = self._context, self._context.store
        if store is None or not entries or context.work.is_running(_KEY):
            return
        context.messages.end(_KEY)
        self._with_queries(store, lambda queries: self._rehearse(store, tuple(entries), queries))

    def _with_queries(
        self, store: OpenStore, then: Callable[[tuple[AskedQuery, ...]], None]
    ) -> None:
        """Call `then` with the search on screen, the saved and the last ones, blank ones out."""
        context = self._context
        bar = context.window.search_bar
        own = AskedQuery(bar.text(), bar.includes_retired())

        def told(kept: Sequence[AskedQuery]) -> None:
            if store is context.store:
                words = (replace(q, text=parse(q.text).free_text) for q in (own, *kept))
                then(tuple(dict.fromkeys(q for q in words if not is_blank(q.text))))

        if context.own is None:
            told(())
            return

        async def work(database: AppDatabase) -> None:
            assert context.own is not None
            queries = Queries(database, context.own.clock)
            saved = [AskedQuery(s.text, s.include_retired) for s in await queries.saved()]
            recent = [AskedQuery(text) for text in (await queries.last())[:_MOST_RECENT]]
            told((*saved, *recent))

        context.keep(work, name="searches to try")

    def _rehearse(
        self, store: OpenStore, entries: tuple[Staged, ...], queries: tuple[AskedQuery, ...]
    ) -> None:
        tasks = self._context.store_tasks
        if not queries:
            self._show(no_query_page(len(entries)))
        elif tasks is not None:
            tasks.spawn(self._run(store, entries, queries), name="blast radius")

    # In the line of each entry

    def follow(self) -> None:
        """Say in each line how many searches its change would move; the newest list wins."""
        self._end_look()
        store, entries = self._context.store, self._pending.list.entries
        if store is None or not 0 < len(entries) <= _MOST_ENTRIES:
            return
        self._tell()
        unknown = [e for e in entries if e.change not in self._known]
        if unknown and _is_quickly_copied(store):
            self._with_queries(store, lambda queries: self._look(store, unknown, queries))

    def forget(self) -> None:
        """Forget what was found: the store or the model is another now."""
        self._end_look()
        self._known.clear()
        self.follow()

    def _end_look(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def _look(
        self, store: OpenStore, entries: Sequence[Staged], queries: tuple[AskedQuery, ...]
    ) -> None:
        tasks = self._context.store_tasks
        if queries and tasks is not None:
            self._end_look()
            work = self._look_at(store, entries, queries)
            self._looking = tasks.spawn(work, name="blast radius of each")

    async def _look_at(
        self, store: OpenStore, entries: Sequence[Staged], queries: tuple[AskedQuery, ...]
    ) -> None:
        await asyncio.sleep(_PAUSE_S)
        for entry in entries:
            try:
                found = await self._tried(store, [entry.change], queries, Progress())
            except GenizahError:
                continue  # the verdict beside it says what stands in the way
            if not isinstance(found, BatchRefused):
                self._known[entry.change] = radius_words(found)
                self._tell()

    def _tell(self) -> None:
        entries = self._pending.list.entries
        self._pending.show_radius({e.number: self._known.get(e.change, "") for e in entries})

    # The rehearsal

    async def _tried(
        self,
        store: OpenStore,
        changes: Sequence[Change],
        queries: tuple[AskedQuery, ...],
        progress: Progress,
    ) -> tuple[QueryShift, ...] | BatchRefused:
        context = self._context
        ground = Ground(
            store.facts,
            context.settings,
            context.text_model,
            context.services.clock,
            context.services.data_dir,
        )

        async def meaning(text: str) -> MeaningSide:
            return await context.model.side(text, store.settings.text(EMBED_PREFIX))

        return await blast_radius(ground, changes, queries, meaning, report=progress.report)

    async def _run(
        self, store: OpenStore, entries: tuple[Staged, ...], queries: tuple[AskedQuery, ...]
    ) -> None:
        context = self._context
        changes = [entry.change for entry in entries]

        async def work(progress: Progress) -> tuple[QueryShift, ...] | BatchRefused:
            return await self._tried(store, changes, queries, progress)

        try:
            found = await context.work.run(_WORDS, work)
        except WorkCancelledError:
            return
        except GenizahError as error:
            context.messages.show_error(_KEY, error)
            return
        if isinstance(found, BatchRefused):
            self._pending.note_refused(entries[found.index], verdict_of(found.refused))
            context.messages.show_error(_KEY, found.refused.error())
        else:
            self._show(shifts_page(found, len(entries)))


def _is_quickly_copied(store: OpenStore) -> bool:
    try:
        return store.facts.location.database.stat().st_size <= _QUICKLY_COPIED_BYTES
    except OSError:
        return False
