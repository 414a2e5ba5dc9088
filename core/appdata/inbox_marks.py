"""How far the agent's writes of each store were looked through: the id of the last event."""

from core.appdata.database import AppDatabase
from core.store.text import well_formed


class InboxMarks:
    """Remember one event id a store."""

    def __init__(self, database: AppDatabase) -> None:
        self._database = database

    async def get(self, store_id: str) -> int | None:
        """Return the last event that was looked at, None for a store never looked at."""
        async with self._database.reading() as connection:
            found = await connection.value(
                "SELECT event_id FROM inbox_mark WHERE store_id = ?", (well_formed(store_id),)
            )
        return found if isinstance(found, int) else None

    async def set(self, store_id: str, event_id: int) -> None:
        """Remember that everything up to an event was looked at."""
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO inbox_mark VALUES (?1, ?2) "
                "ON CONFLICT(store_id) DO UPDATE SET event_id = ?2",
                (well_formed(store_id), event_id),
            )
