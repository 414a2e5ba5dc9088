"""Reading many whole rows, texts too: page by page, so that no snapshot is held for long."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.progress import Report, unreported
from core.readmodels import MemoryDetail
from core.store.connection import Connection, Row
from core.store.database import Reader
from core.store.memories import HEAD_COLUMNS, HEAD_WIDTH, head_of, text_of
from core.store.text import is_damaged

PAGE_ROWS = 500
PAGE_BY_UUID = 2000
BEFORE_ALL = -(1 << 63)


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row with its whole text and whether it is live."""

    rowid: int
    uuid: str
    is_live: bool
    created_at: str
    gist: str
    content: str


async def details_by_rowid(connection: Connection, rowids: Sequence[int]) -> list[MemoryDetail]:
    """Return the named rows whole, in the order asked; a vanished row is left out."""
    rows = await connection.rows(
        f"SELECT {HEAD_COLUMNS}, m.content FROM json_each(?) j JOIN memory m ON m.rowid = j.value",
        (json.dumps(list(rowids)),),
    )
    found: dict[int, MemoryDetail] = {}
    for row in rows:
        head, content = head_of(row[:HEAD_WIDTH]), text_of(row[HEAD_WIDTH])
        damaged = is_damaged(head.gist) or is_damaged(content)
        found[head.rowid] = MemoryDetail(head, content, damaged)
    return [found[rowid] for rowid in rowids if rowid in found]


async def read_whole(
    reader: Reader, rowids: Sequence[int], report: Report = unreported
) -> tuple[list[MemoryDetail], bool]:
    """Return the named rows whole, in order, and whether the store was written meanwhile.

    Each page is a snapshot of its own; `report` is told the rows read and how many there are.
    """
    before = await reader.data_version()
    found: list[MemoryDetail] = []
    for first in range(0, len(rowids), PAGE_ROWS):
        report(first, len(rowids))
        async with reader.snapshot() as connection:
            found += await details_by_rowid(connection, rowids[first : first + PAGE_ROWS])
    report(len(rowids), len(rowids))
    return found, await reader.data_version() != before


async def text_page(connection: Connection, after: int) -> list[TextRow]:
    """Return the next page of rows by rowid; empty at the end."""
    rows = await connection.rows(
        "SELECT rowid, uuid, active, created_at, gist, content FROM memory "
        "WHERE rowid > ? ORDER BY rowid LIMIT ?",
        (after, PAGE_ROWS),
    )
    return [
        TextRow(
            rowid, text_of(uuid), active == 1, text_of(created), text_of(gist), text_of(content)
        )
        for rowid, uuid, active, created, gist, content in rows
        if isinstance(rowid, int)
    ]


async def page_by_uuid(connection: Connection, last: Row | None) -> list[Row]:
    """Return the next page of rows by uuid as they are stored: the columns of a head, the content.

    `last` is the last row of the page before, None at the start; the second column is the uuid.
    """
    after, values = ("", ()) if last is None else ("WHERE m.uuid > ?", (last[1],))
    return await connection.rows(
        f"SELECT {HEAD_COLUMNS}, m.content FROM memory m {after} ORDER BY m.uuid "
        f"LIMIT {PAGE_BY_UUID}",
        values,
    )
