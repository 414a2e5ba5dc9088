"""What the panels about rankings share: the window, the open store, how to search and to keep."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.long_work import LongWork, WorkWords
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData, Work
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
from core.progress import WorkCancelledError
from core.retrieval.outcome import SearchOutcome
from core.settings import EMBED_PREFIX, RetrievalSettings
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

    @property
    def store_id(self) -> str:
        """Return the open store's id, empty where none is open."""
        return "" if self.store is None else self.store.facts.meta.store_id

    @property
    def outcome(self) -> SearchOutcome | None:
        """Return the list on screen, None for one that is still to be refined."""
        return None if self.view.is_refining else self.view.outcome

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
    ) -> SearchOutcome:
        """Search beside the list on screen. Raises GenizahError."""
        side = await self.model.side(text, store.settings.text(EMBED_PREFIX))
        return await store.searcher.search(
            text, side, include_retired=include_retired, settings=settings
        )

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
