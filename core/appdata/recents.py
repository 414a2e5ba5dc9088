"""The stores opened last, newest first."""

from dataclasses import dataclass

from core.appdata.database import AppDatabase
from core.clock import Clock

KEPT = 20


@dataclass(frozen=True, slots=True)
class Recent:
    """One store: the path it was opened by, its id and the name people know it by."""

    path: str
    store_id: str
    name: str
    opened_at: str


class Recents:
    """Remember at most 20 stores."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def all(self) -> list[Recent]:
        """Return the stores, newest first."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT path, store_id, name, opened_at FROM recent "
                "ORDER BY opened_at DESC, path"
            )
        return [Recent(*(str(value) for value in row)) for row in rows]

    async def note(self, path: str, store_id: str, name: str) -> None:
        """Remember that a store was opened now."""
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO recent VALUES (?1, ?2, ?3, ?4) ON CONFLICT(path) DO UPDATE "
                "SET store_id = ?2, name = ?3, opened_at = ?4",
                (path, store_id, name, self._clock.now().isoformat()),
            )
            await connection.rows(
                "DELETE FROM recent WHERE path NOT IN "
                "(SELECT path FROM recent ORDER BY opened_at DESC, path LIMIT ?)",
                (KEPT,),
            )

    async def forget(self, path: str) -> None:
        """Forget one store."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM recent WHERE path = ?", (path,))
