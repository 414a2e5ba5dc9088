"""Where a store lies, beside its id: copies share an id, and each has what is kept for it.

What was kept for a file that is not there any more belongs to no open store by itself.
"""

import asyncio
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.appdata.database import AppDatabase
from core.store.connection import SqlValue
from core.store.text import well_formed


@dataclass(frozen=True, slots=True)
class StorePlace:
    """One store by its id and by the real path of its file."""

    store_id: str
    path: str

    @property
    def stored(self) -> tuple[str, bytes]:
        """Return both as they are kept; a path byte by byte, whatever its encoding."""
        return well_formed(self.store_id), os.fsencode(self.path)


@dataclass(frozen=True, slots=True)
class KeptPaths:
    """Paths that something is kept for under one id, as they are kept.

    `own` lead to the store asked about, `lost` to no store of this id any more; an empty path is of
    a file that nobody noted.
    """

    own: tuple[bytes, ...]
    lost: tuple[bytes, ...]


async def kept_paths(database: AppDatabase, table: str, place: StorePlace) -> KeptPaths:
    """Sort the paths in a table of the program's own; files are only looked for."""
    store_id, own = place.stored
    async with database.reading() as connection:
        rows = await connection.rows(
            f"SELECT DISTINCT path, path IN (SELECT path FROM recent WHERE store_id <> ?1) "
            f"FROM {table} WHERE store_id = ?1 AND path <> ?2",
            (store_id, own),
        )
    paths = [(path, taken == 1) for path, taken in rows if isinstance(path, bytes)]
    return await asyncio.to_thread(_sorted, own, paths) if paths else KeptPaths((own,), ())


def _sorted(own: bytes, paths: Iterable[tuple[bytes, bool]]) -> KeptPaths:
    """Sort paths; True beside one says that another store was opened there since."""
    ours, lost = [own], []
    for path, is_of_another in paths:
        if path and os.path.realpath(path) == own:
            ours.append(path)
        elif not path or is_of_another or not Path(os.fsdecode(path)).exists():
            lost.append(path)
    return KeptPaths(tuple(ours), tuple(lost))


def among(paths: Sequence[bytes]) -> tuple[str, tuple[SqlValue, ...]]:
    """Return the condition that a row is kept for one of these paths, and its values."""
    return f"path IN ({', '.join('?' * len(paths))})", tuple(paths)
