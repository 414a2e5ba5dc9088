"""Whether a store is sound: the file, its foreign keys, the word index, chunks against vectors."""

from typing import Any

_UNPAIRED = (
    "SELECT 'chunk without vector', chunk_id FROM memory_chunk"
    " WHERE chunk_id NOT IN (SELECT rowid FROM memory_vec)"
    " UNION ALL SELECT 'vector without chunk', rowid FROM memory_vec"
    " WHERE rowid NOT IN (SELECT chunk_id FROM memory_chunk)"
    " UNION ALL SELECT 'memory without chunk', uuid FROM memory"
    " WHERE uuid NOT IN (SELECT memory_uuid FROM memory_chunk WHERE part_index = 0)"
)
# Rank 1 compares the index with the text of the memories as well.
_WORD_INDEX = "INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)"


async def problems(db: Any) -> list[str]:
    """List what SQLite and the format's own rules find wrong, one line each.

    A word index that disagrees with the texts raises the driver's error instead.
    """
    checked = await db.execute_fetchall("PRAGMA integrity_check")
    found = [str(text) for (text,) in checked if text != "ok"]
    found += [str(tuple(row)) for row in await db.execute_fetchall("PRAGMA foreign_key_check")]
    found += [f"{what}: {which}" for what, which in await db.execute_fetchall(_UNPAIRED)]
    await db.execute(_WORD_INDEX)
    await db.rollback()
    return found
