"""The last queries and the saved searches."""

from dataclasses import dataclass

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.store.text import is_blank

KEPT = 50
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search kept under a name."""

    name: str
    text: str
    include_retired: bool


class Queries:
    """Remember the last 50 queries (unless switched off) and named searches."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def last(self) -> list[str]:
        """Return the last queries, newest first."""
        async with self._database.reading() as connection:
            rows = await connection.rows("SELECT text FROM query ORDER BY at DESC, id DESC")
        return [str(row[0]) for row in rows]

    async def note(self, text: str) -> None:
        """Remember a query; a blank or very long one is not kept."""
        if is_blank(text) or len(text) > _LONGEST:
            return
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM query WHERE text = ?", (text,))
            await connection.rows(
                "INSERT INTO query(text, at) VALUES (?, ?)", (text, self._clock.now().isoformat())
            )
            await connection.rows(
                "DELETE FROM query WHERE id NOT IN "
                "(SELECT id FROM query ORDER BY at DESC, id DESC LIMIT ?)",
                (KEPT,),
            )

    async def clear(self) -> None:
        """Forget all queries; saved searches stay."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM query")

    async def saved(self) -> list[SavedSearch]:
        """Return the saved searches by name."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT name, text, include_retired FROM saved_search ORDER BY name, id"
            )
        return [SavedSearch(str(name), str(text), retired == 1) for name, text, retired in rows]

    async def save(self, search: SavedSearch) -> None:
        """Keep a search; one of the same name is replaced."""
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO saved_search(name, text, include_retired, at) VALUES (?1, ?2, ?3, ?4) "
                "ON CONFLICT(name) DO UPDATE SET text = ?2, include_retired = ?3, at = ?4",
                (
                    search.name,
                    search.text,
                    int(search.include_retired),
                    self._clock.now().isoformat(),
                ),
            )

    async def drop(self, name: str) -> None:
        """Forget one saved search."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM saved_search WHERE name = ?", (name,))
