"""The last queries and the saved searches.

Half surrogates, which no database takes, are kept as U+FFFD: a search treats both alike.
"""

from dataclasses import dataclass, replace

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.store.text import is_blank, well_formed

KEPT = 50
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search kept under a name."""

    name: str
    text: str
    include_retired: bool

    def __post_init__(self) -> None:
        if is_blank(self.name):
            raise ValueError("a saved search has a name")


class Queries:
    """Remember the last 50 queries and the named searches."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def last(self) -> tuple[str, ...]:
        """Return the last queries, newest first."""
        async with self._database.reading() as connection:
            rows = await connection.rows("SELECT text FROM query ORDER BY id DESC")
        return tuple(str(row[0]) for row in rows)

    async def note(self, text: str) -> None:
        """Remember a query; a blank one or one of more than 2,000 characters is not kept."""
        text = well_formed(text)
        if is_blank(text) or len(text) > LONGEST:
            return
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM query WHERE text = ?", (text,))
            await connection.rows(
                "INSERT INTO query(text, at) VALUES (?, ?)", (text, self._clock.now().isoformat())
            )
            await connection.rows(
                "DELETE FROM query WHERE id NOT IN "
                "(SELECT id FROM query ORDER BY id DESC LIMIT ?)",
                (KEPT,),
            )

    async def forget(self, text: str) -> None:
        """Forget one query."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM query WHERE text = ?", (well_formed(text),))

    async def clear(self) -> None:
        """Forget all queries; saved searches stay."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM query")

    async def saved(self) -> tuple[SavedSearch, ...]:
        """Return the saved searches by name, capitals beside small letters."""
        async with self._database.reading() as connection:
            rows = await connection.rows("SELECT name, text, include_retired FROM saved_search")
        found = [
            SavedSearch(str(name), str(text), retired == 1)
            for name, text, retired in rows
            if not is_blank(str(name))
        ]
        return tuple(sorted(found, key=lambda search: (search.name.casefold(), search.name)))

    async def save(self, search: SavedSearch) -> None:
        """Keep a search; one of the same name is replaced."""
        name, text = well_formed(search.name), well_formed(search.text)
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT INTO saved_search(name, text, include_retired, at) VALUES (?1, ?2, ?3, ?4) "
                "ON CONFLICT(name) DO UPDATE SET text = ?2, include_retired = ?3, at = ?4",
                (name, text, int(search.include_retired), self._clock.now().isoformat()),
            )

    async def rename(self, search: SavedSearch, name: str) -> None:
        """Give a saved search another name; one that has it already is replaced."""
        renamed = replace(search, name=well_formed(name))
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM saved_search WHERE name = ?", (search.name,))
            await connection.rows(
                "INSERT OR REPLACE INTO saved_search(name, text, include_retired, at) "
                "VALUES (?, ?, ?, ?)",
                (
                    renamed.name,
                    renamed.text,
                    int(renamed.include_retired),
                    self._clock.now().isoformat(),
                ),
            )

    async def drop(self, name: str) -> None:
        """Forget one saved search."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM saved_search WHERE name = ?", (well_formed(name),))
