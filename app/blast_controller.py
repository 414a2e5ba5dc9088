"""The blast radius page: how saved and recent searches would rank after what is staged."""

from collections.abc import Callable

from app.long_work import WorkWords
from app.open_store import OpenStore
from app.pending_checks import verdict_of
from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.queries import Queries
from core.commands.blast_radius import AskedQuery, Ground, QueryShift, blast_radius
from core.commands.commit import BatchRefused
from core.errors import GenizahError
from core.progress import Progress, WorkCancelledError
from core.retrieval.searcher import MeaningSide
from core.settings import EMBED_PREFIX
from core.store.text import is_blank
from widgets.blast_content import no_query_page, shifts_page
from widgets.table_content import TableContent

_KEY = "blast"
_MOST_RECENT = 10
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

    def open(self) -> None:
        """Rehearse, then show the page."""
        context, store = self._context, self._context.store
        if store is None or not self._pending.list.entries or context.work.is_running(_KEY):
            return
        context.messages.end(_KEY)
        if context.own is None:
            self._rehearse(store, ())
            return

        async def work(database: AppDatabase) -> None:
            assert context.own is not None
            queries = Queries(database, context.own.clock)
            saved = [AskedQuery(s.text, s.include_retired) for s in await queries.saved()]
            recent = [AskedQuery(text) for text in (await queries.last())[:_MOST_RECENT]]
            self._rehearse(store, (*saved, *recent))

        context.keep(work, name="searches to try")

    def _rehearse(self, store: OpenStore, kept: tuple[AskedQuery, ...]) -> None:
        bar = self._context.window.search_bar
        asked = (AskedQuery(bar.text(), bar.includes_retired()), *kept)
        queries = tuple(dict.fromkeys(q for q in asked if not is_blank(q.text)))
        tasks = self._context.store_tasks
        if not queries:
            self._show(no_query_page(len(self._pending.list.entries)))
        elif tasks is not None and store is self._context.store:
            tasks.spawn(self._run(store, queries), name="blast radius")

    async def _run(self, store: OpenStore, queries: tuple[AskedQuery, ...]) -> None:
        context, entries = self._context, self._pending.list.entries
        ground = Ground(
            store.facts,
            context.settings,
            context.text_model,
            context.services.clock,
            context.services.data_dir,
        )
        changes = [entry.change for entry in entries]

        async def meaning(text: str) -> MeaningSide:
            return await context.model.side(text, store.settings.text(EMBED_PREFIX))

        async def work(progress: Progress) -> tuple[QueryShift, ...] | BatchRefused:
            return await blast_radius(ground, changes, queries, meaning, report=progress.report)

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
