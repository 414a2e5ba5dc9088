"""What the panels about rankings share: the window, the open store, how to search and to keep."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.filter_asked import check_size
from app.long_work import LongWork, WorkWords
from app.meanings import Meanings
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData, Work
from app.search_scope import plain_context
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
from core.federation.member import model_key
from core.filters.compiling import FilterContext, narrowing_of
from core.filters.parsing import parse
from core.progress import WorkCancelledError
from core.retrieval.eligibility import Narrowing
from core.retrieval.outcome import SearchOutcome
from core.settings import RetrievalSettings
from core.store import memories
from widgets.main_window import MainWindow


@dataclass
class PanelContext:
    """One window's means; `store` is None while none is open, `own` while nothing is kept."""

    window: MainWindow
    view: WindowView
    model: ModelController
    tasks: TaskSet
    work: LongWork
    store: OpenStore | None = None
    store_tasks: TaskSet | None = None
    own: OwnData | None = None
    moved: Callable[[], None] = field(default=lambda: None)
    """Called where the store is no longer the one that the list describes."""
    failed: Callable[[GenizahError], None] = field(default=lambda _error: None)
    """Called with what could not be done."""
    stores_of: Callable[[SearchOutcome], Sequence[OpenStore]] = field(default=lambda _outcome: ())
    """Says which stores a list comes from, in the order of its parts."""
    context_of: Callable[[OpenStore], FilterContext] = plain_context
    """Says what filters depend on in a store."""

    @property
    def store_id(self) -> str:
        """Return the open store's id, empty where none is open."""
        return "" if self.store is None else self.store.facts.meta.store_id

    @property
    def outcome(self) -> SearchOutcome | None:
        """Return the list on screen, None for one that is still to be refined."""
        return None if self.view.is_refining else self.view.outcome

    def alone(self, outcome: SearchOutcome) -> OpenStore | None:
        """Return the one store that a list comes from, None for a list of several."""
        if outcome.union is not None:
            return None
        return next(iter(self.stores_of(outcome)), self.store)

    def with_id(self, store_id: str) -> OpenStore | None:
        """Return the store of an id: the one in front, or one of the list on screen."""
        listed = () if self.view.outcome is None else self.stores_of(self.view.outcome)
        stores = (*listed, *(() if self.store is None else (self.store,)))
        return next((s for s in stores if s.facts.meta.store_id == store_id), None)

    def spawn(self, work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None] | None:
        """Start work on the open store; it ends, with the dialog it asks in, before that closes."""
        if self.store_tasks is None:
            work.close()
            return None
        return self.store_tasks.spawn(work, name=name)

    async def patiently[T](self, doing: str, work: Coroutine[Any, Any, T]) -> T:
        """Do work that is shown once it takes long; `doing` is 'Comparing the queries'.

        Raises what it raises, and WorkCancelledError where it was cancelled there or where the
        same is being done already.
        """
        if self.work.is_running(doing):
            work.close()
            raise WorkCancelledError
        words = WorkWords(doing, doing, lambda done, total: f"{done} of {total}")
        return await self.work.run(words, lambda _progress: work)

    def keep(self, work: Work, *, name: str) -> None:
        """Do some work in the program's own file, where there is one."""
        if self.own is not None:
            self.own.do(work, name=name)

    async def search(
        self,
        store: OpenStore,
        text: str,
        include_retired: bool,
        settings: RetrievalSettings | None = None,
        narrowed: Narrowing | None = None,
    ) -> SearchOutcome:
        """Search beside the list on screen; filters in `text` are words. Raises GenizahError."""
        key = model_key(store)
        sides = await Meanings(self.model).sides(text, [key])
        return await store.searcher.search(
            text,
            sides[key],
            include_retired=include_retired,
            settings=settings,
            narrowed=narrowed,
        )

    async def search_asked(
        self,
        store: OpenStore,
        text: str,
        include_retired: bool,
        settings: RetrievalSettings | None = None,
    ) -> SearchOutcome:
        """Search for a text as it is typed into the box, by its filters. Raises GenizahError."""
        parsed = parse(text)
        check_size(parsed)
        narrowed = narrowing_of(parsed.filters, self.context_of(store))
        return await self.search(store, parsed.free_text, include_retired, settings, narrowed)

    async def gists(
        self, store: OpenStore, uuids: set[str], known: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the gists of memories as they are stored now. Raises GenizahError."""
        missing = sorted(uuids - set(known))
        async with store.database.browse.snapshot() as connection:
            heads = await memories.heads_by_uuid(connection, missing)
        return {**known, **{uuid: head.gist for uuid, head in heads.items()}}


def gists_of(*outcomes: SearchOutcome) -> dict[str, str]:
    """Return the gists of all hits by uuid."""
    return {hit.uuid: hit.head.gist for outcome in outcomes for hit in outcome.hits}
