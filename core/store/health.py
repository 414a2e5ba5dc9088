"""The health check of a store: problems as data. Nothing is repaired, nothing is written."""

import asyncio
import math
import struct
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.errors import ErrorCode, GenizahError
from core.store import vectors
from core.store.connection import Connection, Row
from core.store.database import Database, Reader
from core.store.memories import text_of
from core.store.text import is_blank, is_damaged

_OF_THE_INDEX = (ErrorCode.DAMAGED, ErrorCode.STORE_FAILED)


class ProblemCode(StrEnum):
    """Every kind of problem the check can name."""

    DANGLING = "dangling"
    CYCLE = "cycle"
    DEPTH_CAP = "depth_cap"
    DEAD_HEAD = "dead_head"
    BLANK_TEXT = "blank_text"
    ODD_VERSION = "odd_version"
    DAMAGED_TEXT = "damaged_text"
    NO_CHUNK = "no_chunk"
    NO_VECTOR = "no_vector"
    STRAY_VECTOR = "stray_vector"
    OTHER_MODEL = "other_model"
    VECTOR_NOT_FINITE = "vector_not_finite"
    DATABASE_DAMAGED = "database_damaged"
    INDEX_OUT_OF_DATE = "index_out_of_date"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `uuid` is the memory concerned, None where the store as a whole is."""

    code: ProblemCode
    text: str
    uuid: str | None = None


async def _listed(
    connection: Connection, code: ProblemCode, text: str, sql: str, *parameters: str
) -> list[Problem]:
    rows = await connection.rows(sql, parameters)
    return await asyncio.to_thread(_named, code, text, rows)


def _named(code: ProblemCode, text: str, rows: Sequence[Row]) -> list[Problem]:
    """Return the same problem of every row's uuid; there may be one for every memory."""
    return [Problem(code, text, str(r[0])) for r in rows]


def _beyond_ascii(column: str) -> str:
    """Return the condition that a text may be damaged: it has a NUL or any byte above 127.

    A lone byte such as 0xff counts as one character to length(), so the counts alone miss it.
    """
    ascii_only = "'*[^' || char(1) || '-' || char(127) || ']*'"
    return f"(octet_length({column}) <> length({column}) OR {column} GLOB {ascii_only})"


async def _rows(connection: Connection) -> list[Problem]:
    text = "The version is not a whole number of at least 1; the row is read-only here."
    found = await _listed(
        connection,
        ProblemCode.ODD_VERSION,
        text,
        "SELECT uuid FROM memory WHERE typeof(version) <> 'integer' OR version < 1 ORDER BY uuid",
    )
    rows = await connection.rows(
        "SELECT uuid, gist, content FROM memory "
        f"WHERE {_beyond_ascii('gist')} OR {_beyond_ascii('content')} OR {_beyond_ascii('uuid')} "
        "OR trim(gist, ' ' || char(9, 10, 11, 12, 13, 28, 29, 30, 31)) = '' "
        "OR trim(content, ' ' || char(9, 10, 11, 12, 13, 28, 29, 30, 31)) = '' "
        "OR typeof(uuid) <> 'text' ORDER BY uuid"
    )
    return found + await asyncio.to_thread(_odd_texts, rows)


def _odd_texts(rows: Sequence[Row]) -> list[Problem]:
    found: list[Problem] = []
    for uuid, gist, content in rows:
        for name, value in (("uuid", uuid), ("gist", gist), ("content", content)):
            shown = text_of(value)
            if is_damaged(shown) or (name == "uuid" and not isinstance(value, str)):
                sentence = f"The {name} is not valid UTF-8; it shows with replacement characters."
                found.append(Problem(ProblemCode.DAMAGED_TEXT, sentence, text_of(uuid)))
            elif is_blank(shown.replace("\x00", "")):
                sentence = f"The {name} is blank."
                found.append(Problem(ProblemCode.BLANK_TEXT, sentence, text_of(uuid)))
    return found


async def _indexes(connection: Connection, model: str, width: int) -> list[Problem]:
    found = await _listed(
        connection,
        ProblemCode.NO_CHUNK,
        "The memory has no chunk, so the meaning search cannot find it.",
        "SELECT uuid FROM memory m WHERE NOT EXISTS "
        "(SELECT 1 FROM memory_chunk c WHERE c.memory_uuid = m.uuid) ORDER BY uuid",
    )
    rows = await connection.rows(
        "SELECT DISTINCT memory_uuid FROM memory_chunk WHERE embed_model <> ? OR embed_dim <> ? "
        "ORDER BY memory_uuid",
        (model, width),
    )
    text = "A chunk was embedded with another model than the store's."
    found += await asyncio.to_thread(_named, ProblemCode.OTHER_MODEL, text, rows)
    found += await _listed(
        connection,
        ProblemCode.NO_VECTOR,
        "A chunk has no vector, so the meaning search cannot find it.",
        "SELECT DISTINCT memory_uuid FROM memory_chunk WHERE chunk_id NOT IN "
        "(SELECT rowid FROM memory_vec_rowids) ORDER BY memory_uuid",
    )
    stray = await connection.count(
        "SELECT count(*) FROM memory_vec_rowids WHERE rowid NOT IN "
        "(SELECT chunk_id FROM memory_chunk)"
    )
    if stray:
        sentence = f"{stray} vector(s) belong to no chunk."
        found.append(Problem(ProblemCode.STRAY_VECTOR, sentence))
    return found


async def _vectors(reader: Reader, width: int) -> list[Problem]:
    """Measure every vector's length, a page of storage blocks a snapshot, and name the odd ones."""
    async with reader.snapshot() as connection:
        ids = await vectors.block_ids(connection)
    found: list[Problem] = []
    for at in range(0, len(ids), vectors.PAGE_BLOCKS):
        async with reader.snapshot() as connection:
            page = ids[at : at + vectors.PAGE_BLOCKS]
            lengths = await _lengths(connection, page, width)
            if lengths is not None:
                found += await _not_finite(connection, _overlong(lengths))
                continue
            # Storage of another shape: all of it row by row.
            everything = await vectors.nearest_exact(connection, bytes(width * 4))
            return await _not_finite(connection, _overlong(everything))
    return found


def _overlong(lengths: list[tuple[int, float | None]]) -> list[int]:
    """Return the chunks that have no finite length: not a number, infinite, or an overflow."""
    return [chunk for chunk, length in lengths if length is None or math.isinf(length)]


async def _lengths(
    connection: Connection, page: list[int], width: int
) -> list[tuple[int, float | None]] | None:
    zero = bytes(width * 4)
    blocks = await vectors.read_blocks(connection, page, len(zero))
    if blocks is None:
        return None
    found: list[tuple[int, float | None]] = []
    for block in blocks:
        measured = await vectors.distances(connection, zero, block.vectors)
        found += zip(block.chunk_ids, measured, strict=True)
    return found


async def _not_finite(connection: Connection, odd: list[int]) -> list[Problem]:
    found: list[Problem] = []
    for chunk in sorted(odd):
        rows = await connection.rows(
            "SELECT v.embedding, (SELECT c.memory_uuid FROM memory_chunk c "
            "WHERE c.chunk_id = v.rowid) FROM memory_vec v WHERE v.rowid = ?",
            (chunk,),
        )
        for stored, uuid in rows:
            if isinstance(stored, bytes) and not _is_finite(stored):
                sentence = f"The vector of chunk {chunk} is not made of finite numbers."
                owner = None if uuid is None else str(uuid)
                found.append(Problem(ProblemCode.VECTOR_NOT_FINITE, sentence, owner))
    return found


def _is_finite(vector: bytes) -> bool:
    return all(map(math.isfinite, struct.unpack(f"<{len(vector) // 4}f", vector)))


async def _lineage(connection: Connection, depth_cap: int) -> list[Problem]:
    rows = await connection.rows("SELECT uuid, superseded_by, active FROM memory ORDER BY uuid")
    return await asyncio.to_thread(_lineage_problems, rows, depth_cap)


def _lineage_problems(rows: Sequence[Row], depth_cap: int) -> list[Problem]:
    after = {str(u): (None if s is None else str(s)) for u, s, _ in rows}
    retired = {str(u) for u, s, a in rows if a != 1 and s is None}
    found: list[Problem] = []
    for uuid, first in after.items():
        if first is None:
            continue
        problem = _walk(uuid, after, retired, depth_cap)
        if problem is not None:
            found.append(problem)
    return found


def _walk(
    uuid: str, after: dict[str, str | None], retired: set[str], depth_cap: int
) -> Problem | None:
    """Follow one row's chain: a cycle, a missing end, a retired end, or longer than the cap.

    The walk of a healthy chain is bounded by the cap, so a long chain costs no more than that.
    """
    at, steps, seen = after[uuid], 0, {uuid}
    while at is not None:
        if at not in after:
            sentence = f"Replaced by a record that is missing ({at})."
            return Problem(ProblemCode.DANGLING, sentence, uuid) if steps == 0 else None
        if at in seen:
            if at != uuid:
                return None
            return Problem(ProblemCode.CYCLE, "Replaces itself through a circle.", uuid)
        steps += 1
        if steps > depth_cap:
            sentence = f"More than {depth_cap} replacements follow one another."
            return Problem(ProblemCode.DEPTH_CAP, sentence, uuid)
        if at in retired:
            sentence = f"Replaced by a memory that is itself retired ({at})."
            return Problem(ProblemCode.DEAD_HEAD, sentence, uuid)
        seen.add(at)
        at = after[at]
    return None


async def check(database: Database, depth_cap: int) -> list[Problem]:
    """Run the quick checks, each in a short snapshot of its own; order is fixed."""
    meta = database.facts.meta
    model, width = meta.embed_model, meta.embed_dim
    steps: list[Callable[[Connection], Awaitable[list[Problem]]]] = [
        _rows,
        lambda c: _lineage(c, depth_cap),
        lambda c: _indexes(c, model, width),
    ]
    found = [p for step in steps for p in await _in_snapshot(database.browse, step)]
    if database.facts.dense_refusal is None:
        found += await _vectors(database.browse, width)
    return found


async def _in_snapshot(
    reader: Reader, step: Callable[[Connection], Awaitable[list[Problem]]]
) -> list[Problem]:
    async with reader.snapshot() as connection:
        return await step(connection)


async def deep_check(copy: Connection) -> list[Problem]:
    """Check a private, writable copy: SQLite's own integrity, then FTS5's against the table.

    FTS5's check is an INSERT in form, which is why it needs the copy. Raises GenizahError where
    the copy cannot be read, which says nothing of the index.
    """
    found = [
        Problem(ProblemCode.DATABASE_DAMAGED, f"SQLite reports: {said}")
        for said in [str(r[0]) for r in await copy.rows("PRAGMA integrity_check(20)")]
        if said != "ok"
    ]
    try:
        await copy.rows("INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)")
    except GenizahError as error:
        if error.code not in _OF_THE_INDEX:
            raise
        sentence = f"The word index is out of date: it does not match the texts ({error.message})"
        found.append(Problem(ProblemCode.INDEX_OUT_OF_DATE, sentence))
    return found
