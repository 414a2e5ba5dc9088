"""The Pending lists of all stores, so that a kill loses no staged change; undo steps are not kept.

What an entry is, and the rules of the list, are in core/commands/staging.
"""

import os
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from core.appdata.database import AppDatabase
from core.appdata.places import KeptPaths, StorePlace, among, kept_paths
from core.clock import Clock
from core.commands.staging import Staged
from core.commands.staging_json import staged_from_text, to_text
from core.store.connection import Connection, Row

_TABLE = "pending"
_OWN = "FROM pending WHERE store_id = ? AND path = ? AND owner = ?"


@dataclass(frozen=True, slots=True)
class Strays:
    """Changes of a store's id that were staged for files that are not there any more.

    `paths` names the files that are known.
    """

    number: int
    paths: tuple[str, ...]


class Pending:
    """Keep staged changes by store and place. Two programs on one never delete each other's."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._owner = str(uuid.uuid4())

    async def load(self, store: StorePlace) -> tuple[Staged, ...]:
        """Take over what is staged for a store, by whomever, in its order, numbered from 1.

        A second change of the same memory, staged by another program, stays for the next time.
        """
        paths = await kept_paths(self._database, _TABLE, store)
        async with self._database.writing() as connection:
            taken = _distinct(await self._rows(connection, store, paths.own))
            await _delete(connection, taken)
            entries = tuple(entry for entry, _ in taken)
            await self._write(connection, store, entries)
        return entries

    async def strays(self, store: StorePlace) -> Strays:
        """Count what a store of this id would gain by `adopt`."""
        paths = await kept_paths(self._database, _TABLE, store)
        async with self._database.reading() as connection:
            taken = await self._strays(connection, store, paths)
        known = sorted(os.fsdecode(path) for path in paths.lost if path)
        return Strays(len(taken), tuple(known) if taken else ())

    async def adopt(self, store: StorePlace) -> tuple[Staged, ...]:
        """Make what is staged for files that are gone a store's own, behind what it has.

        A second change of the same memory stays where it is.
        """
        paths = await kept_paths(self._database, _TABLE, store)
        async with self._database.writing() as connection:
            taken = await self._strays(connection, store, paths)
            await _delete(connection, taken)
            named = (*store.stored, self._owner)
            numbers = await connection.row(f"SELECT max(number), max(place) {_OWN}", named)
            number, place = (n if isinstance(n, int) else 0 for n in numbers or (0, 0))
            for at, (staged, _) in enumerate(taken, 1):
                text = to_text(staged.change, staged.seen)
                await self._put(connection, store, number + at, place + at, text)
        return tuple(staged for staged, _ in taken)

    async def save(self, store: StorePlace, entries: Sequence[Staged]) -> None:
        """Keep a list as it is now; what it holds no more is forgotten."""
        async with self._database.writing() as connection:
            await self._write(connection, store, entries)

    async def _rows(
        self, connection: Connection, store: StorePlace, paths: Sequence[bytes]
    ) -> Sequence[Row]:
        """Return entries kept for paths of a store's id, this program's own first."""
        clause, values = among(paths)
        return await connection.rows(
            f"SELECT id, entry FROM pending WHERE store_id = ? AND {clause} "
            "ORDER BY owner <> ?, owner, place, id",
            (store.stored[0], *values, self._owner),
        )

    async def _strays(
        self, connection: Connection, store: StorePlace, paths: KeptPaths
    ) -> list[tuple[Staged, int]]:
        """Return what is kept for files that are gone, beside what the store has of its own."""
        if not paths.lost:
            return []
        own = _distinct(await self._rows(connection, store, paths.own))
        known = {entry.subject for entry, _ in own if entry.subject is not None}
        lost = _distinct(await self._rows(connection, store, paths.lost))
        return [(entry, row) for entry, row in lost if entry.subject not in known]

    async def _write(
        self, connection: Connection, store: StorePlace, entries: Sequence[Staged]
    ) -> None:
        """Write what differs: a list of long texts is not written anew for each change."""
        named = (*store.stored, self._owner)
        rows = await connection.rows(f"SELECT number, place, entry {_OWN}", named)
        kept = {number: (place, entry) for number, place, entry in rows}
        for place, staged in enumerate(entries):
            text = to_text(staged.change, staged.seen)
            if kept.pop(staged.number, None) != (place, text):
                await self._put(connection, store, staged.number, place, text)
        for number in kept:
            await connection.rows(f"DELETE {_OWN} AND number = ?", (*named, number))

    async def _put(
        self, connection: Connection, store: StorePlace, number: int, place: int, text: str
    ) -> None:
        now = self._clock.now().isoformat()
        await connection.rows(
            "INSERT INTO pending(store_id, path, owner, number, place, entry, at) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(store_id, path, owner, number) "
            "DO UPDATE SET place = ?5, entry = ?6, at = ?7",
            (*store.stored, self._owner, number, place, text, now),
        )


async def _delete(connection: Connection, taken: Sequence[tuple[Staged, int]]) -> None:
    for _, number in taken:
        await connection.rows("DELETE FROM pending WHERE id = ?", (number,))


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
