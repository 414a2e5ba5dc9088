"""Staged changes in the program's own file, so that a kill loses none of them."""

from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.appdata.database import AppDatabase
from core.appdata.pending import Pending, Strays
from core.appdata.places import StorePlace
from core.commands.staging import Staged
from widgets.state_content import StateAction
from widgets.texts import counted

STRAYS_KEY = "strays"
_ADOPT = "adopt"


class KeptChanges:
    """Load what an earlier run had staged for a store, and keep what is staged now."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self._kept: Pending | None = None
        self._database: AppDatabase | None = None
        self._loaded: set[StorePlace] = set()
        self._loading: set[StorePlace] = set()
        self._strays: dict[StorePlace, Strays] = {}
        self._late: dict[StorePlace, tuple[Staged, ...]] = {}
        """What was read when its store was not in front any more."""
        context.messages.served[STRAYS_KEY] = lambda _name: self.adopt()

    def use(self) -> None:
        """Load what is kept for the open store, the first time that it is open."""
        self._context.messages.end(STRAYS_KEY)
        self._use()
        self._offer()

    def _use(self) -> None:
        place = self._context.place
        if place in self._late:
            self._pending.restore(self._late.pop(place))
        if place in self._loaded:
            self.save()
        elif place is not None and self._context.own is not None and place not in self._loading:
            self._loading.add(place)

            async def work(database: AppDatabase) -> None:
                await self._load(database, place)

            self._context.keep(work, name="staged changes")

    async def _load(self, database: AppDatabase, place: StorePlace) -> None:
        try:
            found = await self._keeper(database).load(place)
        finally:
            self._loading.discard(place)
        self._loaded.add(place)
        self._give(place, found)
        self._strays[place] = await self._keeper(database).strays(place)
        self._offer()

    def _give(self, place: StorePlace, found: tuple[Staged, ...]) -> None:
        if place == self._context.place:
            self._pending.restore(found)
        elif found:
            self._late[place] = (*self._late.get(place, ()), *found)

    def _offer(self) -> None:
        """Say what was staged for a file that is gone: it may be this one, moved, or a copy."""
        place = self._context.place
        strays = None if place is None else self._strays.get(place)
        if strays is None or not strays.number:
            return
        number = counted(strays.number, "staged change")
        was = "was" if strays.number == 1 else "were"
        where = "another file" if not strays.paths else " and ".join(strays.paths)
        self._context.messages.tell(
            STRAYS_KEY,
            f"{number} of this store {was} made for {where}, which is not there any more.",
            "",
            (StateAction(_ADOPT, "Stage here"),),
        )

    def adopt(self) -> None:
        """Stage here what was staged for files of this store that are gone."""
        self._context.messages.end(STRAYS_KEY)
        place = self._context.place
        if place is None:
            return
        self._strays.pop(place, None)

        async def work(database: AppDatabase) -> None:
            self._give(place, await self._keeper(database).adopt(place))

        self._context.keep(work, name="adopt staged changes")

    def save(self) -> None:
        """Keep the list as it is now; not before what was kept is in it, or that were lost."""
        place, entries = self._context.place, self._pending.list.entries
        if place is None or place not in self._loaded:
            self._use()
            return

        async def work(database: AppDatabase) -> None:
            await self._keeper(database).save(place, entries)

        self._context.keep(work, name="keep staged changes")

    def _keeper(self, database: AppDatabase) -> Pending:
        """Return the one that writes under this run's name."""
        if self._kept is None or self._database is not database:
            assert self._context.own is not None
            self._kept, self._database = Pending(database, self._context.own.clock), database
        return self._kept
