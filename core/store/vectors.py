"""Reading stored vectors: one memory's own, exact distances, and all of them for the matrix.

Distances are always computed by the vector extension. The bulk read takes vec0's own storage
blocks, checks their shapes, and falls back to row-wise reads where they are not as expected.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from core.store.conditions import Condition
from core.store.connection import Connection, Statement
from core.store.memories import HEAD_COLUMNS

_FLOAT_BYTES = 4
_ROWID_BYTES = 8
PAGE_BLOCKS = 8


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """One storage block: chunk ids of its rows and their packed float32 vectors, same order."""

    chunk_ids: tuple[int, ...]
    vectors: bytes


async def first_vector(connection: Connection, uuid: str) -> bytes | None:
    """Return the stored vector of a memory's part 0 (little-endian float32), or None."""
    value = await connection.value(
        "SELECT v.embedding FROM memory_chunk c JOIN memory_vec v ON v.rowid = c.chunk_id "
        "WHERE c.memory_uuid = ? AND c.part_index = 0",
        (uuid,),
    )
    return value if isinstance(value, bytes) else None


async def vector_of(connection: Connection, chunk_id: int) -> bytes | None:
    """Return the stored vector of one chunk (little-endian float32), or None."""
    value = await connection.value(
        "SELECT embedding FROM memory_vec WHERE rowid = ?", (chunk_id,)
    )
    return value if isinstance(value, bytes) else None


async def nearest(connection: Connection, query: bytes, k: int) -> list[tuple[int, float | None]]:
    """Return vec0's k nearest (chunk_id, L2 distance); always `k = ?`, never LIMIT."""
    rows = await connection.rows(
        "SELECT rowid, distance FROM memory_vec WHERE embedding MATCH ? AND k = ?", (query, k)
    )
    return [_pair(r[0], r[1]) for r in rows]


async def nearest_exact(connection: Connection, query: bytes) -> list[tuple[int, float | None]]:
    """Return (chunk_id, L2 distance) of every vector, unordered."""
    rows = await connection.rows(
        "SELECT rowid, vec_distance_L2(embedding, ?) FROM memory_vec", (query,)
    )
    return [_pair(r[0], r[1]) for r in rows]


def _pair(chunk_id: object, distance: object) -> tuple[int, float | None]:
    if not isinstance(chunk_id, int):
        raise TypeError("vec0 rowids are integers")
    return chunk_id, distance if isinstance(distance, float) else None


async def distances(connection: Connection, query: bytes, packed: bytes) -> list[float | None]:
    """Return the extension's own L2 distance of each packed vector to the query, in order."""
    width = len(query)
    rows = await connection.rows(
        "SELECT vec_distance_L2(substr(?1, 1 + value * ?2, ?2), ?3) FROM json_each(?4)",
        (packed, width, query, json.dumps(list(range(len(packed) // width)))),
    )
    return [r[0] if isinstance(r[0], float) else None for r in rows]


def measured_memories(
    query: bytes, chunk_ids: Sequence[int], packed: bytes, condition: Condition
) -> Statement:
    """Return the statement that measures packed vectors and reads the memories of their chunks.

    A row for each chunk: chunk_id, the extension's L2 distance, part_index and HEAD_COLUMNS, which
    are NULL where the memory is not of the condition or there is none.
    """
    width = len(query)
    return (
        "SELECT j.value, vec_distance_L2(substr(?, 1 + j.key * ?, ?), ?), c.part_index, "
        f"{HEAD_COLUMNS} FROM json_each(?) j LEFT JOIN memory_chunk c ON c.chunk_id = j.value "
        f"LEFT JOIN memory m ON m.uuid = c.memory_uuid AND {condition.clause}",
        (packed, width, width, query, json.dumps(list(chunk_ids)), *condition.parameters),
    )


async def every_distance(connection: Connection, query: bytes) -> list[tuple[int, float | None]]:
    """Return (chunk_id, L2 distance) of every vector, unordered.

    Measured over the storage blocks, page by page: two to three times as fast as row by row.
    """
    ids = await block_ids(connection)
    found: list[tuple[int, float | None]] = []
    for at in range(0, len(ids), PAGE_BLOCKS):
        page = await read_blocks(connection, ids[at : at + PAGE_BLOCKS], len(query))
        if page is None:
            return await nearest_exact(connection, query)
        for block in page:
            measured = await distances(connection, query, block.vectors)
            found += zip(block.chunk_ids, measured, strict=True)
    return found


async def count(connection: Connection) -> int:
    """Return the number of stored vectors."""
    return await connection.count("SELECT count(*) FROM memory_vec_rowids")


async def distances_of_row(
    connection: Connection, rowid: int, query: bytes
) -> list[tuple[int, int, float | None]]:
    """Return (part_index, chunk_id, L2 distance) of a memory's chunks by part_index.

    No distance where the vector is missing or holds a NaN. By rowid: uuids may be odd.
    """
    rows = await connection.rows(
        "SELECT c.part_index, c.chunk_id, (SELECT vec_distance_L2(v.embedding, ?) "
        "FROM memory_vec v WHERE v.rowid = c.chunk_id) FROM memory_chunk c "
        "WHERE c.memory_uuid = (SELECT uuid FROM memory WHERE rowid = ?) ORDER BY c.part_index",
        (query, rowid),
    )
    return [
        (part, chunk, distance if isinstance(distance, float) else None)
        for part, chunk, distance in rows
        if isinstance(part, int) and isinstance(chunk, int)
    ]


async def chunk_ids(connection: Connection) -> list[int]:
    """Return the chunk ids that have a vector, whatever it holds."""
    rows = await connection.rows("SELECT rowid FROM memory_vec_rowids")
    return [r[0] for r in rows if isinstance(r[0], int)]


async def block_ids(connection: Connection) -> list[int]:
    """Return the ids of vec0's storage blocks in order."""
    rows = await connection.rows("SELECT chunk_id FROM memory_vec_chunks ORDER BY chunk_id")
    return [r[0] for r in rows if isinstance(r[0], int)]


async def read_blocks(
    connection: Connection, ids: list[int], vector_bytes: int
) -> list[VectorBlock] | None:
    """Return the used rows of some storage blocks; None where a block has another shape."""
    rows = await connection.rows(
        "SELECT c.size, c.validity, c.rowids, v.vectors FROM json_each(?) j "
        "JOIN memory_vec_chunks c ON c.chunk_id = j.value "
        "JOIN memory_vec_vector_chunks00 v ON v.rowid = c.chunk_id",
        (json.dumps(ids),),
    )
    if len(rows) != len(ids):
        return None
    found: list[VectorBlock] = []
    for size, validity, rowids, vectors in rows:
        if not (
            isinstance(size, int)
            and isinstance(validity, bytes)
            and isinstance(rowids, bytes)
            and isinstance(vectors, bytes)
            and len(validity) * 8 == size
            and len(rowids) == size * _ROWID_BYTES
            and len(vectors) == size * vector_bytes
        ):
            return None
        found.append(_used(size, validity, rowids, vectors, vector_bytes))
    return found


def _used(
    size: int, validity: bytes, rowids: bytes, vectors: bytes, vector_bytes: int
) -> VectorBlock:
    ids = struct.unpack(f"<{size}q", rowids)
    if validity == b"\xff" * len(validity):
        return VectorBlock(ids, vectors)
    used = [i for i in range(size) if validity[i // 8] >> (i % 8) & 1]
    packed = b"".join(vectors[i * vector_bytes : (i + 1) * vector_bytes] for i in used)
    return VectorBlock(tuple(ids[i] for i in used), packed)
