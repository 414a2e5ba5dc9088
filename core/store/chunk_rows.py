"""Writing `memory_chunk` and `memory_vec` together: a chunk has the vector of its own number."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.store.connection import Connection


@dataclass(frozen=True, slots=True)
class NewChunk:
    """One chunk: its token count, whether it was cut, its unit vector as float32 bytes."""

    token_count: int
    truncated: bool
    vector: bytes


async def add(
    connection: Connection, uuid: str, chunks: Sequence[NewChunk], *, model: str, width: int
) -> None:
    """Insert the chunks in part order, each with its vector; SQLite assigns the numbers."""
    for part, chunk in enumerate(chunks):
        number = await connection.count(
            "INSERT INTO memory_chunk (memory_uuid, part_index, token_count, truncated, "
            "embed_model, embed_dim) VALUES (?, ?, ?, ?, ?, ?) RETURNING chunk_id",
            (uuid, part, chunk.token_count, int(chunk.truncated), model, width),
        )
        await connection.rows(
            "INSERT INTO memory_vec(rowid, embedding) VALUES (?, ?)", (number, chunk.vector)
        )


async def remove(connection: Connection, uuid: str) -> None:
    """Delete the vectors of a memory, then its chunks."""
    rows = await connection.rows(
        "SELECT chunk_id FROM memory_chunk WHERE memory_uuid = ? ORDER BY chunk_id", (uuid,)
    )
    for (number,) in rows:
        await connection.rows("DELETE FROM memory_vec WHERE rowid = ?", (number,))
    await connection.rows("DELETE FROM memory_chunk WHERE memory_uuid = ?", (uuid,))


async def smallest_distance(connection: Connection, uuid: str, query: bytes) -> float | None:
    """Return the L2 distance of a memory's nearest chunk, None where none can be measured."""
    found = await connection.value(
        "SELECT min(vec_distance_L2(v.embedding, ?)) FROM memory_chunk c "
        "JOIN memory_vec v ON v.rowid = c.chunk_id WHERE c.memory_uuid = ?",
        (query, uuid),
    )
    return found if isinstance(found, float) else None
