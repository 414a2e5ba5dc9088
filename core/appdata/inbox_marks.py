"""How far the agent's writes of each store were looked through: the id of the last event."""

from core.appdata.database import AppDatabase
from core.appdata.places import StorePlace, among, kept_paths


class InboxMarks:
    """Remember one event id a store and place: the logs of copies go on apart."""

    def __init__(self, database: AppDatabase) -> None:
        self._database = database

    async def get(self, store: StorePlace) -> int | None:
        """Return the last event that was looked at, None for a store never looked at.

        For a store that was moved it is what was noted at a place that is gone.
        """
        paths = await kept_paths(self._database, "inbox_mark", store)
        async with self._database.reading() as connection:
            for places in (paths.own[:1], paths.own[1:], paths.lost):
                clause, values = among(places)
                found = await connection.value(
                    f"SELECT min(event_id) FROM inbox_mark WHERE store_id = ? AND {clause}",
                    (store.stored[0], *values),
                )
                if isinstance(found, int):
                    return found
        return None

    async def set(self, store: StorePlace, event_id: int) -> None:
        """Remember that everything up to an event was looked at."""
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO inbox_mark(store_id, path, event_id) VALUES (?1, ?2, ?3) "
                "ON CONFLICT(store_id, path) DO UPDATE SET event_id = ?3",
                (*store.stored, event_id),
            )
