"""Texts that are being written: what an open editor holds, so that a kill loses none of it."""

from dataclasses import dataclass

from core.appdata.database import AppDatabase
from core.appdata.places import StorePlace, among, kept_paths
from core.clock import Clock
from core.commands.changes import Change
from core.commands.staging_json import from_text, to_text
from core.readmodels import MemoryDetail
from core.store.connection import Row
from core.store.text import well_formed


@dataclass(frozen=True, slots=True)
class Draft:
    """One open editor: the change its text would make now, blank or not, and what was seen.

    `key` names the editor and is the caller's, a uuid say; `number` is the entry of the Pending
    list that is being edited, None for a change that is not staged yet.
    """

    key: str
    change: Change
    seen: MemoryDetail | None = None
    number: int | None = None


class Drafts:
    """Keep drafts by store and place until they are staged or given up."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def keep(self, store: StorePlace, draft: Draft) -> None:
        """Keep a draft; what was kept under its key is replaced."""
        entry, now = to_text(draft.change, draft.seen), self._clock.now().isoformat()
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO draft(key, store_id, path, number, entry, at) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(key) "
                "DO UPDATE SET store_id = ?2, path = ?3, number = ?4, entry = ?5, at = ?6",
                (well_formed(draft.key), *store.stored, draft.number, entry, now),
            )

    async def all(self, store: StorePlace) -> tuple[Draft, ...]:
        """Return the drafts of a store, the one begun first first.

        Among them are those for files of its id that are not there any more.
        """
        paths = await kept_paths(self._database, "draft", store)
        clause, values = among((*paths.own, *paths.lost))
        async with self._database.reading() as connection:
            rows = await connection.rows(
                f"SELECT key, number, entry FROM draft WHERE store_id = ? AND {clause} ORDER BY id",
                (store.stored[0], *values),
            )
        found = (_draft(row) for row in rows)
        return tuple(draft for draft in found if draft is not None)

    async def drop(self, *keys: str) -> None:
        """Forget drafts: they were staged, or given up."""
        async with self._database.writing() as connection:
            for key in keys:
                await connection.rows("DELETE FROM draft WHERE key = ?", (well_formed(key),))


def _draft(row: Row) -> Draft | None:
    key, number, entry = row
    try:
        return Draft(str(key), *from_text(str(entry)), number if isinstance(number, int) else None)
    except ValueError:
        return None
