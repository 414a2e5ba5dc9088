"""Looking through all rows for a text, in pages that leave the store's log free between them."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection
from core.store.database import Reader

_PAGE_ROWS = 4000


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row whose `where` (gist, content or uuid) contains the text."""

    rowid: int
    uuid: str
    created_at: str
    where: str


# lower() folds ASCII only, so a row with any other character is folded by us; bytes and characters
# differ in number exactly there. A folded text may shrink to ASCII (the Kelvin sign), so the needle
# being ASCII does not let such a row be skipped.
_PAGE_SQL = """
WITH page AS (SELECT rowid, uuid, created_at, gist, content FROM memory
              WHERE rowid > ?1 ORDER BY rowid LIMIT ?2)
SELECT rowid, uuid, created_at,
       instr(lower(gist), ?3) > 0, instr(lower(content), ?3) > 0, instr(lower(uuid), ?3) > 0,
       CASE WHEN octet_length(gist) <> length(gist) THEN gist END,
       CASE WHEN octet_length(content) <> length(content) THEN content END
FROM page
WHERE instr(lower(gist), ?3) OR instr(lower(content), ?3) OR instr(lower(uuid), ?3)
   OR octet_length(gist) <> length(gist) OR octet_length(content) <> length(content)
"""


async def _page(
    connection: Connection, after: int, needle: str, fold: Callable[[str], str]
) -> list[FoundRow]:
    found: list[FoundRow] = []
    for rowid, uuid, created, in_gist, in_content, in_uuid, gist, content in await connection.rows(
        _PAGE_SQL, (after, _PAGE_ROWS, needle)
    ):
        where = None
        if needle in fold(gist) if isinstance(gist, str) else in_gist:
            where = "gist"
        elif needle in fold(content) if isinstance(content, str) else in_content:
            where = "content"
        elif in_uuid:
            where = "uuid"
        if where is not None and isinstance(rowid, int):
            found.append(FoundRow(rowid, str(uuid), str(created), where))
    return found


async def pages(
    reader: Reader, needle: str, fold: Callable[[str], str]
) -> AsyncIterator[list[FoundRow]]:
    """Yield the matches of each page of rows, in rowid order; `needle` is folded already."""
    after = 0
    async with reader.snapshot() as connection:
        last = await connection.value("SELECT max(rowid) FROM memory")
        first = await connection.value("SELECT min(rowid) FROM memory")
    if not isinstance(last, int) or not isinstance(first, int):
        return
    after = first - 1
    while after < last:
        async with reader.snapshot() as connection:
            found = await _page(connection, after, needle, fold)
            reached = await connection.value(
                "SELECT max(rowid) FROM (SELECT rowid FROM memory WHERE rowid > ? "
                "ORDER BY rowid LIMIT ?)",
                (after, _PAGE_ROWS),
            )
        yield found
        after = reached if isinstance(reached, int) else last


async def heads(reader: Reader, rowids: list[int]) -> list[MemoryHead]:
    """Return the heads of some rows, in order, from a snapshot of their own."""
    async with reader.snapshot() as connection:
        return await memories.heads_by_rowid(connection, rowids)
