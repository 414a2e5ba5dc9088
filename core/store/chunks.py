"""Reading rows of `memory_chunk`: sizes of a memory's chunks. Their texts are not stored."""

from dataclasses import dataclass

from core.store.connection import Connection


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """One chunk row: its place in the memory, its token count, whether it was cut short."""

    part_index: int
    token_count: int
    truncated: bool


async def chunks_of(connection: Connection, uuid: str) -> list[StoredChunk]:
    """Return the chunk rows of a memory by part_index; a row of odd values is left out."""
    rows = await connection.rows(
        "SELECT part_index, token_count, truncated FROM memory_chunk WHERE memory_uuid = ? "
        "ORDER BY part_index",
        (uuid,),
    )
    return [
        StoredChunk(part, tokens, truncated == 1)
        for part, tokens, truncated in rows
        if isinstance(part, int) and isinstance(tokens, int)
    ]


async def ids_of_row(connection: Connection, rowid: int) -> list[tuple[int, int]]:
    """Return (part_index, chunk_id) of a memory's chunks by part_index; by rowid, as uuids may be
    odd."""
    rows = await connection.rows(
        "SELECT c.part_index, c.chunk_id FROM memory_chunk c "
        "WHERE c.memory_uuid = (SELECT uuid FROM memory WHERE rowid = ?) ORDER BY c.part_index",
        (rowid,),
    )
    return [(p, c) for p, c in rows if isinstance(p, int) and isinstance(c, int)]
