"""The texts of memories that a person opened or changed: the store itself keeps no earlier ones.

200 MB at most, the oldest going first. Nothing is kept while it is switched off.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.readmodels import MemoryDetail
from core.store.connection import Connection, Row, SqlValue
from core.store.text import decode, well_formed

CAP_BYTES = 200_000_000
#: What a kept text takes beside itself: uuid, digest, times and their places in the index.
_ROW_BYTES = 250
_DROPPED_AT_ONCE = 200
_SIZE = "SELECT coalesce(sum(size), 0) FROM text_history"
_COLUMNS = "uuid, version, gist, content, at, how"


class How(StrEnum):
    """How a text came into the history."""

    SEEN = "seen"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A text as a memory had it; `at` is when it was first kept."""

    uuid: str
    version: int
    gist: str
    content: str
    at: str
    how: How


class TextHistory:
    """Keep texts by store, memory and version. Any text comes back as it was."""

    def __init__(
        self,
        database: AppDatabase,
        clock: Clock,
        is_wanted: Callable[[], bool] = lambda: True,
        cap_bytes: int = CAP_BYTES,
    ) -> None:
        self._database = database
        self._clock = clock
        self._is_wanted = is_wanted
        self._cap_bytes = cap_bytes

    async def note(self, store_id: str, detail: MemoryDetail, how: How = How.SEEN) -> None:
        """Keep the text of a memory as it was read."""
        await self.note_all(store_id, [detail], how)

    async def note_all(
        self, store_id: str, details: Iterable[MemoryDetail], how: How = How.SEEN
    ) -> None:
        """Keep texts, each once a version; nothing where the history is switched off.

        A text that was seen and is then changed counts as changed. A row whose version is no number
        and a text that alone is over the cap are left out.
        """
        rows = [row for d in details if (row := self._row(store_id, d, how)) is not None]
        if not rows or not self._is_wanted():
            return
        async with self._database.writing() as connection:
            for row in rows:
                await connection.rows(
                    "INSERT INTO text_history"
                    "(store_id, uuid, version, gist, content, digest, size, at, how) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT(store_id, uuid, version, digest) DO UPDATE SET how = excluded.how "
                    "WHERE excluded.how = 'changed'",
                    row,
                )
            await self._drop_oldest(connection)

    async def versions(self, store_id: str, uuid: str) -> tuple[TextVersion, ...]:
        """Return the texts of a memory, the newest version first."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                f"SELECT {_COLUMNS} FROM text_history WHERE store_id = ? AND uuid = ? "
                "ORDER BY version DESC, id DESC",
                (well_formed(store_id), _bytes(uuid)),
            )
        return tuple(version for row in rows if (version := _version(row)) is not None)

    async def text_at(self, store_id: str, uuid: str, version: int) -> TextVersion | None:
        """Return the text that a memory had at a version, None where it was not kept."""
        async with self._database.reading() as connection:
            row = await connection.row(
                f"SELECT {_COLUMNS} FROM text_history WHERE store_id = ? AND uuid = ? "
                "AND version = ? ORDER BY id DESC",
                (well_formed(store_id), _bytes(uuid), version),
            )
        return None if row is None else _version(row)

    async def size_bytes(self) -> int:
        """Return about how much room the texts take."""
        async with self._database.reading() as connection:
            return await connection.count(_SIZE)

    async def forget(self, store_id: str, uuid: str, version: int | None = None) -> None:
        """Forget one version of a memory's text, or all of them; no trace stays in the file."""
        clause, more = ("", ()) if version is None else (" AND version = ?", (version,))
        await self._forget(
            f"DELETE FROM text_history WHERE store_id = ? AND uuid = ?{clause}",
            (well_formed(store_id), _bytes(uuid), *more),
        )

    async def clear(self) -> None:
        """Forget all texts of all stores; no trace stays in the file."""
        await self._forget("DELETE FROM text_history", (), shrink=True)

    async def _forget(
        self, sql: str, parameters: tuple[SqlValue, ...], *, shrink: bool = False
    ) -> None:
        async with self._database.writing() as connection:
            await connection.rows(sql, parameters)
        await self._database.flush(shrink=shrink)

    def _row(self, store_id: str, detail: MemoryDetail, how: How) -> tuple[SqlValue, ...] | None:
        head = detail.head
        gist, content = _bytes(head.gist), _bytes(detail.content)
        size = len(gist) + len(content) + _ROW_BYTES
        if head.version is None or size > self._cap_bytes:
            return None
        digest = hashlib.sha256(gist + b"\0" + content).digest()[:16]
        now = self._clock.now().isoformat()
        named = (well_formed(store_id), _bytes(head.uuid), head.version)
        return (*named, gist, content, digest, size, now, how.value)

    async def _drop_oldest(self, connection: Connection) -> None:
        """Drop from the oldest on until the rest is within the cap."""
        held = await connection.count(_SIZE)
        while held > self._cap_bytes:
            rows = await connection.rows(
                "SELECT id, size FROM text_history ORDER BY id LIMIT ?", (_DROPPED_AT_ONCE,)
            )
            if not rows:
                return
            dropped: list[SqlValue] = []
            for number, size in rows:
                dropped.append(number)
                held -= size if isinstance(size, int) else 0
                if held <= self._cap_bytes:
                    break
            await connection.rows("DELETE FROM text_history WHERE id <= ?", (dropped[-1],))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: SqlValue) -> str:
    return decode(stored) if isinstance(stored, bytes) else str(stored)


def _version(row: Row) -> TextVersion | None:
    uuid, version, gist, content, at, how = row
    if not isinstance(version, int) or how not in set(How):
        return None
    return TextVersion(
        _text(uuid), version, _text(gist), _text(content), str(at), How(str(how))
    )
