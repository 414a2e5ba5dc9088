"""Reading what near memories are told from: every chunk's owner, every stored vector.

Page by page; what is alike is decided in core/duplicates.
"""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from core.store import vectors
from core.store.connection import Connection
from core.store.database import Reader
from core.store.vectors import VectorBlock

PAGE_CHUNKS = 5000


@dataclass(frozen=True, slots=True)
class OwnedChunk:
    """A chunk, the row it is a part of and whether it is that row's first part."""

    chunk_id: int
    rowid: int
    is_first: bool


async def chunk_page(
    connection: Connection, after: int, model: str, width: int
) -> list[OwnedChunk]:
    """Return the next page of chunks made with that model, by chunk id; empty at the end."""
    rows = await connection.rows(
        "SELECT c.chunk_id, m.rowid, c.part_index FROM memory_chunk c "
        "JOIN memory m ON m.uuid = c.memory_uuid "
        "WHERE c.chunk_id > ? AND c.embed_model = ? AND c.embed_dim = ? "
        "ORDER BY c.chunk_id LIMIT ?",
        (after, model, width, PAGE_CHUNKS),
    )
    return [
        OwnedChunk(chunk, rowid, part == 0)
        for chunk, rowid, part in rows
        if isinstance(chunk, int) and isinstance(rowid, int)
    ]


async def vector_blocks(
    reader: Reader, chunk_ids: Sequence[int], width: int
) -> AsyncIterator[VectorBlock]:
    """Yield all vectors, a page a snapshot; where storage has another shape, those named.

    A vector is yielded once, if at all.
    """
    vector_bytes = width * 4
    left = set(chunk_ids)
    async with reader.snapshot() as connection:
        ids = await vectors.block_ids(connection)
    for at in range(0, len(ids), vectors.PAGE_BLOCKS):
        async with reader.snapshot() as connection:
            page = ids[at : at + vectors.PAGE_BLOCKS]
            blocks = await vectors.read_blocks(connection, page, vector_bytes)
        if blocks is None:
            break
        for block in blocks:
            left.difference_update(block.chunk_ids)
            yield block
    unread = sorted(left)
    for at in range(0, len(unread), PAGE_CHUNKS):
        async with reader.snapshot() as connection:
            block = await _row_wise(connection, unread[at : at + PAGE_CHUNKS], vector_bytes)
        yield block


async def _row_wise(
    connection: Connection, chunk_ids: Sequence[int], vector_bytes: int
) -> VectorBlock:
    rows = await connection.rows(
        "SELECT v.rowid, v.embedding FROM json_each(?) j JOIN memory_vec v ON v.rowid = j.value",
        (json.dumps(list(chunk_ids)),),
    )
    found = [
        (chunk, vector)
        for chunk, vector in rows
        if isinstance(chunk, int) and isinstance(vector, bytes) and len(vector) == vector_bytes
    ]
    return VectorBlock(tuple(c for c, _ in found), b"".join(v for _, v in found))
