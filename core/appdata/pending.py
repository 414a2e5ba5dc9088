"""The Pending lists of all stores, so that a kill loses no staged change; undo steps are not kept.

What an entry is, and the rules of the list, are in core/commands/staging.
"""

import uuid
from collections.abc import Sequence

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.commands.staging import Staged
from core.commands.staging_json import staged_from_text, to_text
from core.store.connection import Connection, Row
from core.store.text import well_formed


class Pending:
    """Keep staged changes by store. Two programs on one store never delete each other's."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._owner = str(uuid.uuid4())

    async def load(self, store_id: str) -> tuple[Staged, ...]:
        """Take over what is staged for a store, by whomever, in its order, numbered from 1.

        A second change of the same memory, staged by another program, stays for the next time.
        """
        async with self._database.writing() as connection:
            rows = await connection.rows(
                "SELECT id, entry FROM pending WHERE store_id = ? "
                "ORDER BY owner <> ?, owner, place, id",
                (well_formed(store_id), self._owner),
            )
            taken = _distinct(rows)
            for _, number in taken:
                await connection.rows("DELETE FROM pending WHERE id = ?", (number,))
            entries = tuple(entry for entry, _ in taken)
            await self._write(connection, store_id, entries)
        return entries

    async def save(self, store_id: str, entries: Sequence[Staged]) -> None:
        """Keep a list as it is now; what it holds no more is forgotten."""
        async with self._database.writing() as connection:
            await self._write(connection, store_id, entries)

    async def _write(
        self, connection: Connection, store_id: str, entries: Sequence[Staged]
    ) -> None:
        """Write what differs: a list of long texts is not written anew for each change."""
        named = (well_formed(store_id), self._owner)
        rows = await connection.rows(
            "SELECT number, place, entry FROM pending WHERE store_id = ? AND owner = ?", named
        )
        kept = {number: (place, entry) for number, place, entry in rows}
        now = self._clock.now().isoformat()
        for place, staged in enumerate(entries):
            text = to_text(staged.change, staged.seen)
            if kept.pop(staged.number, None) == (place, text):
                continue
            await connection.rows(
                "INSERT INTO pending(store_id, owner, number, place, entry, at) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(store_id, owner, number) "
                "DO UPDATE SET place = ?4, entry = ?5, at = ?6",
                (*named, staged.number, place, text, now),
            )
        for number in kept:
            await connection.rows(
                "DELETE FROM pending WHERE store_id = ? AND owner = ? AND number = ?",
                (*named, number),
            )


def _distinct(rows: Sequence[Row]) -> list[tuple[Staged, int]]:
    """Return the entries that are understood, one for each memory, with their rows' ids."""
    found: list[tuple[Staged, int]] = []
    subjects: set[str] = set()
    for row, entry in rows:
        try:
            staged = staged_from_text(len(found) + 1, str(entry))
        except ValueError:
            continue
        if not isinstance(row, int) or staged.subject in subjects:
            continue
        if staged.subject is not None:
            subjects.add(staged.subject)
        found.append((staged, row))
    return found
