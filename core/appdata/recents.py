"""The stores opened last, newest first."""

import os
from dataclasses import dataclass
from pathlib import Path

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.store.connection import SqlValue
from core.store.text import well_formed

KEPT = 20


@dataclass(frozen=True, slots=True)
class Recent:
    """One store: the file it was opened by, its id and the name people know it by."""

    path: Path
    store_id: str
    name: str
    opened_at: str


class Recents:
    """Remember at most 20 stores. A path is kept byte by byte, whatever its encoding."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def all(self) -> tuple[Recent, ...]:
        """Return the stores, newest first."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT path, store_id, name, opened_at FROM recent ORDER BY id DESC"
            )
        return tuple(
            Recent(_path(path), str(store_id), str(name), str(at))
            for path, store_id, name, at in rows
        )

    async def note(self, path: Path, store_id: str, name: str) -> None:
        """Remember that a store was opened now."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM recent WHERE path = ?", (os.fsencode(path),))
            await connection.rows(
                "INSERT INTO recent(path, store_id, name, opened_at) VALUES (?, ?, ?, ?)",
                (
                    os.fsencode(path),
                    well_formed(store_id),
                    well_formed(name),
                    self._clock.now().isoformat(),
                ),
            )
            await connection.rows(
                "DELETE FROM recent WHERE id NOT IN "
                "(SELECT id FROM recent ORDER BY id DESC LIMIT ?)",
                (KEPT,),
            )

    async def forget(self, path: Path) -> None:
        """Forget one store."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM recent WHERE path = ?", (os.fsencode(path),))

    async def clear(self) -> None:
        """Forget all stores."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM recent")


def _path(stored: SqlValue) -> Path:
    return Path(os.fsdecode(stored if isinstance(stored, bytes) else str(stored)))
