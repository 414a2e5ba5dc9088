"""Pairs of memories that a person looked at and called no duplicates.

A uuid is kept byte by byte. The program's own note: nothing of it is in a store.
"""

from collections.abc import Iterable

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.duplicates.keys import KeyPair, MemoryKey, pair_of
from core.store.connection import Row
from core.store.memories import text_of
from core.store.text import well_formed

_THIS_PAIR = "store_id = ? AND uuid = ? AND other_store_id = ? AND other_uuid = ?"


class DuplicateMarks:
    """Remember pairs; the order in a pair does not matter."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def mark(self, pairs: Iterable[KeyPair]) -> None:
        """Remember pairs as no duplicates, all in one step; known ones stay as they are."""
        now = self._clock.now().isoformat()
        async with self._database.writing() as connection:
            for pair in pairs:
                await connection.rows(
                    "INSERT INTO not_duplicate(store_id, uuid, other_store_id, other_uuid, at) "
                    "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    (*_stored(pair), now),
                )

    async def withdraw(self, pairs: Iterable[KeyPair]) -> None:
        """Forget pairs: they may be duplicates again."""
        async with self._database.writing() as connection:
            for pair in pairs:
                await connection.rows(
                    f"DELETE FROM not_duplicate WHERE {_THIS_PAIR}", _stored(pair)
                )

    async def all(self) -> frozenset[KeyPair]:
        """Return every remembered pair, of stores that are not open too."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT store_id, uuid, other_store_id, other_uuid FROM not_duplicate"
            )
        return frozenset(_pair(row) for row in rows)

    async def clear(self) -> None:
        """Forget all pairs."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM not_duplicate")


def _stored(pair: KeyPair) -> tuple[str, bytes, str, bytes]:
    one, other = pair_of(*pair)
    return (*_key(one), *_key(other))


def _key(key: MemoryKey) -> tuple[str, bytes]:
    return well_formed(key.store_id), key.uuid.encode("utf-8", "surrogatepass")


def _pair(row: Row) -> KeyPair:
    store, uuid, other_store, other_uuid = map(text_of, row)
    return pair_of(MemoryKey(store, uuid), MemoryKey(other_store, other_uuid))
