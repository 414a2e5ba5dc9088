"""Staged changes in the program's own file, so that a kill loses none of them."""

from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.pending import Pending


class KeptChanges:
    """Load what an earlier run had staged for a store, and keep what is staged now."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self._kept: Pending | None = None
        self._database: AppDatabase | None = None
        self._loaded: set[str] = set()
        self._loading: set[str] = set()

    def use(self) -> None:
        """Load what is kept for the open store, the first time that it is open."""
        store_id = self._context.store_id
        if store_id in self._loaded:
            self.save()
        elif store_id and self._context.own is not None and store_id not in self._loading:
            self._loading.add(store_id)

            async def work(database: AppDatabase) -> None:
                await self._load(database, store_id)

            self._context.keep(work, name="staged changes")

    async def _load(self, database: AppDatabase, store_id: str) -> None:
        try:
            found = await self._keeper(database).load(store_id)
        finally:
            self._loading.discard(store_id)
        if store_id == self._context.store_id:  # else it is loaded when its store is open again
            self._loaded.add(store_id)
            self._pending.restore(found)

    def save(self) -> None:
        """Keep the list as it is now; not before what was kept is in it, or that were lost."""
        store_id, entries = self._context.store_id, self._pending.list.entries
        if store_id not in self._loaded:
            self.use()
            return

        async def work(database: AppDatabase) -> None:
            await self._keeper(database).save(store_id, entries)

        self._context.keep(work, name="keep staged changes")

    def _keeper(self, database: AppDatabase) -> Pending:
        """Return the one that writes under this run's name."""
        if self._kept is None or self._database is not database:
            assert self._context.own is not None
            self._kept, self._database = Pending(database, self._context.own.clock), database
        return self._kept
