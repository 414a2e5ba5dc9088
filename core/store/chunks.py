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
