"""Reading rows of `memory`: heads without content, whole rows, pages newest first, lineage, counts.

Callers hold the transaction where several reads must agree.
"""

import json
from collections.abc import Iterable, Sequence

from core.errors import ErrorCode, GenizahError
from core.readmodels import LineageStep, MemoryDetail, MemoryHead, StateCounts
from core.store.conditions import Condition
from core.store.connection import Connection, Row, SqlValue, Statement
from core.store.text import decode, is_damaged

HEAD_COLUMNS = (
    "m.rowid, m.uuid, m.tier, m.gist, m.active, m.superseded_by, m.version, m.created_at, "
    "m.updated_at, m.session_id, m.token_count"
)
HEAD_WIDTH = 11
_MIN_PREFIX = 4
_LINEAGE_LIMIT = 1024


def text_of(value: SqlValue) -> str:
    """Return a cell as text: what another tool stored as a blob or a number stays readable."""
    if isinstance(value, bytes):  # a text that another tool stored as a blob
        return decode(value)
    return "" if value is None else str(value)


def _optional(value: SqlValue) -> str | None:
    return None if value is None else text_of(value)


def head_of(row: Row) -> MemoryHead:
    """Build a head from the columns HEAD_COLUMNS; odd values are kept readable, never raised."""
    rowid, uuid, tier, gist, active, by, version, created, updated, session, tokens = row
    if not isinstance(rowid, int):
        raise TypeError("memory.rowid is an integer primary key")
    return MemoryHead(
        rowid=rowid,
        uuid=text_of(uuid),
        tier=text_of(tier),
        gist=text_of(gist),
        active=active == 1,
        superseded_by=_optional(by),
        version=version if isinstance(version, int) and version >= 1 else None,
        created_at=text_of(created),
        updated_at=text_of(updated),
        session_id=_optional(session),
        token_count=tokens if isinstance(tokens, int) else None,
    )


async def heads_by_uuid(connection: Connection, uuids: Iterable[str]) -> dict[str, MemoryHead]:
    """Return the heads of the named rows; a missing uuid is simply absent."""
    wanted = json.dumps(list(uuids))
    rows = await connection.rows(
        f"SELECT {HEAD_COLUMNS} FROM json_each(?) j JOIN memory m ON m.uuid = j.value", (wanted,)
    )
    return {h.uuid: h for h in map(head_of, rows)}


async def heads_by_rowid(connection: Connection, rowids: Sequence[int]) -> list[MemoryHead]:
    """Return the heads of the named rows in the order asked; a vanished row is left out."""
    rows = await connection.rows(
        f"SELECT {HEAD_COLUMNS} FROM json_each(?) j JOIN memory m ON m.rowid = j.value",
        (json.dumps(list(rowids)),),
    )
    found = {h.rowid: h for h in map(head_of, rows)}
    return [found[r] for r in rowids if r in found]


async def every_uuid(connection: Connection) -> frozenset[str]:
    """Return the uuids of all rows, in one step of the statement."""
    joined = await connection.value("SELECT group_concat(uuid, char(10)) FROM memory")
    return frozenset(joined.split("\n")) if isinstance(joined, str) else frozenset()


def heads_where(rowids: Sequence[int], condition: Condition) -> Statement:
    """Return the statement that reads the heads of those of the named rows for which a condition
    holds, in no order; `head_of` reads each row.
    """
    return (
        f"SELECT {HEAD_COLUMNS} FROM json_each(?) j CROSS JOIN memory m ON m.rowid = j.value "
        f"WHERE {condition.clause}",
        (json.dumps(list(rowids)), *condition.parameters),
    )


async def rowids_newest_first(connection: Connection) -> list[int]:
    """Return every rowid, by created_at descending, then uuid."""
    rows = await connection.rows("SELECT rowid FROM memory ORDER BY created_at DESC, uuid ASC")
    return [r[0] for r in rows if isinstance(r[0], int)]


async def order_newest_first(connection: Connection) -> list[tuple[str, str, int]]:
    """Return (created_at, uuid, rowid) of every row, in the order of rowids_newest_first."""
    rows = await connection.rows(
        "SELECT created_at, uuid, rowid FROM memory ORDER BY created_at DESC, uuid ASC"
    )
    return [(text_of(at), text_of(uuid), r) for at, uuid, r in rows if isinstance(r, int)]


async def newest_heads(connection: Connection, most: int) -> list[MemoryHead]:
    """Return heads of the newest rows, in the order of rowids_newest_first and fewer than `most`.

    An index tells these without sorting the whole table, so they are there long before the order
    of a large store. Rows of one instant that do not all fit are left out: the answer may be empty.
    """
    rows = await connection.rows(
        "WITH newest AS MATERIALIZED (SELECT rowid AS id, created_at AS at FROM memory "
        "ORDER BY created_at DESC LIMIT ?) "
        f"SELECT {HEAD_COLUMNS} FROM newest CROSS JOIN memory m ON m.rowid = newest.id "
        "WHERE m.created_at > (SELECT min(at) FROM newest) ORDER BY m.created_at DESC, m.uuid",
        (most,),
    )
    return [head_of(r) for r in rows]


async def detail(connection: Connection, uuid: str) -> MemoryDetail | None:
    """Return one whole row, or None where there is no such uuid."""
    row = await connection.row(
        f"SELECT {HEAD_COLUMNS}, m.content FROM memory m WHERE m.uuid = ?", (uuid,)
    )
    if row is None:
        return None
    head, content = head_of(row[:HEAD_WIDTH]), text_of(row[HEAD_WIDTH])
    return MemoryDetail(head, content, is_damaged(head.gist) or is_damaged(content))


async def same_text(connection: Connection, gist: str, content: str) -> list[MemoryHead]:
    """Return the rows, of any state, that have exactly this text. Reads every gist."""
    rows = await connection.rows(
        f"SELECT {HEAD_COLUMNS} FROM memory m WHERE m.gist = ? AND m.content = ?", (gist, content)
    )
    return [head_of(r) for r in rows]


async def counts(connection: Connection) -> StateCounts:
    """Count the rows by state."""
    row = await connection.row(
        "SELECT count(*) FILTER (WHERE active = 1), "
        "count(*) FILTER (WHERE active = 0 AND superseded_by IS NOT NULL), "
        "count(*) FILTER (WHERE active = 0 AND superseded_by IS NULL) "
        "FROM memory"
    )
    live, superseded, retired = row or (0, 0, 0)
    if not (isinstance(live, int) and isinstance(superseded, int) and isinstance(retired, int)):
        raise TypeError("counts are integers")
    return StateCounts(live, superseded, retired)


async def index_sizes(connection: Connection) -> tuple[int, int]:
    """Return the number of chunks and the number of memories of this snapshot."""
    row = await connection.row(
        "SELECT (SELECT count(*) FROM memory_chunk), (SELECT count(*) FROM memory)"
    )
    chunks, rows = row or (0, 0)
    if not (isinstance(chunks, int) and isinstance(rows, int)):
        raise TypeError("counts are integers")
    return chunks, rows


def _no_memory(connection: Connection, uuid: str) -> GenizahError:
    return GenizahError(
        ErrorCode.NOT_FOUND,
        f"There is no memory {uuid} in {connection.path}.",
        path=connection.path,
        fields={"uuid": uuid},
    )


async def resolve_uuid(connection: Connection, text: str) -> str:
    """Resolve a full uuid or a unique prefix of four or more characters.

    Raises GenizahError(NOT_FOUND) or GenizahError(AMBIGUOUS), both naming the prefix.
    """
    if is_damaged(text):  # no text of SQLite's can be equal to it
        raise _no_memory(connection, text)
    if await connection.value("SELECT 1 FROM memory WHERE uuid = ?", (text,)):
        return text
    if len(text) < _MIN_PREFIX:
        raise GenizahError(
            ErrorCode.AMBIGUOUS,
            f"{text!r} is too short to name a memory; give at least {_MIN_PREFIX} characters.",
            path=connection.path,
            fields={"uuid": text},
        )
    rows = await connection.rows(
        "SELECT uuid FROM memory WHERE substr(uuid, 1, ?) = ? ORDER BY uuid LIMIT 3",
        (len(text), text),
    )
    if not rows:
        raise _no_memory(connection, text)
    if len(rows) > 1:
        raise GenizahError(
            ErrorCode.AMBIGUOUS,
            f"More than one memory begins with {text}; give more characters.",
            path=connection.path,
            fields={"uuid": text, "matches": [text_of(r[0]) for r in rows]},
        )
    return text_of(rows[0][0])


async def successors(connection: Connection, uuid: str) -> list[LineageStep]:
    """Follow superseded_by from `uuid`, nearest first; a cycle or a missing row ends the walk."""
    seen = {uuid}
    found: list[LineageStep] = []
    heads = await heads_by_uuid(connection, (uuid,))
    at = heads.get(uuid)
    while at is not None and at.superseded_by is not None and len(found) < _LINEAGE_LIMIT:
        after = at.superseded_by
        at = None if after in seen else (await heads_by_uuid(connection, (after,))).get(after)
        found.append(LineageStep(after, at))
        if after in seen:
            break
        seen.add(after)
    return found


async def predecessors(connection: Connection, uuid: str) -> list[MemoryHead]:
    """Return the rows directly replaced by `uuid`, by created_at, then uuid."""
    rows = await connection.rows(
        f"SELECT {HEAD_COLUMNS} FROM memory m WHERE m.superseded_by = ? "
        "ORDER BY m.created_at, m.uuid",
        (uuid,),
    )
    return [head_of(r) for r in rows]
