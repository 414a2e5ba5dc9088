"""What the panels about rankings share: the window, the open store, how to search and to keep."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData, Work
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
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
    store: OpenStore | None = None
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
