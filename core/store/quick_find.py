"""Finding memories by a part of their gist or the beginning of their uuid, newest first.

For a person who knows what they look for; it ranks nothing and never looks into the content.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection

QUICK_LIMIT = 50

# lower() and instr() are right for rows of ASCII text only; the others, told by their length in
# bytes, are folded by the caller.
_PLAIN_SQL = """
SELECT created_at, uuid, rowid, count(*) OVER () FROM memory
WHERE octet_length(gist) = length(gist)
  AND (instr(lower(gist), ?1) OR substr(lower(uuid), 1, length(?1)) = ?1)
ORDER BY created_at DESC, uuid LIMIT ?2
"""
_OTHER_SQL = """
SELECT created_at, uuid, rowid, gist, substr(lower(uuid), 1, length(?1)) = ?1 FROM memory
WHERE octet_length(gist) <> length(gist)
"""


@dataclass(frozen=True, slots=True)
class QuickMatches:
    """At most 50 memories, newest first, and how many there are in all."""

    heads: tuple[MemoryHead, ...]
    total: int


async def quick_find(
    connection: Connection, needle: str, fold: Callable[[str], str]
) -> QuickMatches:
    """Return the rows whose gist contains `needle` or whose uuid begins with it.

    `needle` is folded already; an empty one matches every row. The caller holds the transaction;
    cancelling interrupts the statement.
    """
    plain = await connection.rows(_PLAIN_SQL, (needle, QUICK_LIMIT))
    others = await connection.rows(_OTHER_SQL, (needle,))
    found = [(str(row[0]), str(row[1]), row[2]) for row in plain]
    more = [
        (str(created), str(uuid), rowid)
        for created, uuid, rowid, gist, begins in others
        if begins or needle in fold(str(gist))
    ]
    counted = plain[0][3] if plain else 0
    total = (counted if isinstance(counted, int) else 0) + len(more)
    found += more
    found.sort(key=lambda row: row[1])
    found.sort(key=lambda row: row[0], reverse=True)
    rowids = [row[2] for row in found[:QUICK_LIMIT] if isinstance(row[2], int)]
    return QuickMatches(tuple(await memories.heads_by_rowid(connection, rowids)), total)
