"""How many memories each saved search stands for now, counted quietly in the checked stores."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from app.filter_asked import can_be_asked
from app.filter_contexts import FilterContexts
from app.newest_tasks import NewestTasks
from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.tasks import TaskSet
from core.appdata.queries import SavedSearch
from core.errors import GenizahError
from core.filters.counts import count_of
from core.filters.parsing import parse
from core.filters.stores import is_named

AFTER_S = 0.3
_WORK = "saved counts"
_log = logging.getLogger(__name__)


class SavedCounts:
    """Follow the saved searches; `changed` hears of other numbers."""

    def __init__(self, stores: OpenStores, contexts: FilterContexts) -> None:
        self._stores = stores
        self._contexts = contexts
        self._work = NewestTasks()
        self._saved: tuple[SavedSearch, ...] = ()
        self.counts: Mapping[str, int] = {}
        """The numbers by name; a search that ranks any row has none."""
        self.are_whole = True
        """Whether every store is in the numbers."""
        self.changed: Callable[[], None] = lambda: None

    def use(self, tasks: TaskSet) -> None:
        """Count in these tasks from now on."""
        self._work.use(tasks)
        self.again()

    def follow(self, saved: Sequence[SavedSearch]) -> None:
        """Count for these searches from now on."""
        if tuple(saved) != self._saved:
            self._saved = tuple(saved)
            self.again()

    async def settled(self) -> None:
        """Wait until the numbers are those of the stores."""
        await self._work.settled()

    def again(self) -> None:
        """Count once more: a store may hold something else."""
        if self._saved and self._stores.open_and_checked:
            self._work.start(_WORK, self._count)
        else:
            self._work.end(_WORK)

    async def _count(self) -> None:
        await asyncio.sleep(AFTER_S)
        counts: dict[str, int] = {}
        stores = [e.store for e in self._stores.open_and_checked if e.store is not None]
        failed: set[OpenStore] = set()
        for search in self._saved:
            number = await self._count_one(search, stores, failed)
            if number is not None:
                counts[search.name] = number
        if len(failed) == len(stores):
            counts = {}
        is_whole = not failed and len(stores) == len(self._stores.searched)
        if (counts, is_whole) != (self.counts, self.are_whole):
            self.counts, self.are_whole = counts, is_whole
            self.changed()

    async def _count_one(
        self, search: SavedSearch, stores: Sequence[OpenStore], failed: set[OpenStore]
    ) -> int | None:
        """Count in the stores that can be read; note those that cannot."""
        parsed, total = parse(search.text), 0
        if not can_be_asked(parsed):
            return None
        for store in stores:
            context = self._contexts.of(store)
            if store in failed or not is_named(parsed.filters, context.store_names):
                continue
            try:
                async with store.database.browse.snapshot() as connection:
                    number = await count_of(
                        connection,
                        parsed,
                        context,
                        include_retired=search.include_retired,
                        max_terms=store.settings.retrieval.fts_query_max_terms,
                    )
            except GenizahError as error:
                _log.info("saved searches were not counted: %s", error.code.value)
                failed.add(store)
                continue
            if number is None:
                return None
            total += number
        return total
