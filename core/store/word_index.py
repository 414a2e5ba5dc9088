"""Writing `memory_fts`, which has no triggers: its texts must be the very ones of `memory`.

Both statements take the texts from the table itself, so they cannot differ from it.
"""

from core.store.connection import Connection


async def add(connection: Connection, uuid: str) -> None:
    """Index the texts the row has now."""
    await connection.rows(
        "INSERT INTO memory_fts(rowid, gist, content) "
        "SELECT rowid, gist, content FROM memory WHERE uuid = ?",
        (uuid,),
    )


async def remove(connection: Connection, uuid: str) -> None:
    """Take the texts the row has now out of the index; call it before they change."""
    await connection.rows(
        "INSERT INTO memory_fts(memory_fts, rowid, gist, content) "
        "SELECT 'delete', rowid, gist, content FROM memory WHERE uuid = ?",
        (uuid,),
    )
