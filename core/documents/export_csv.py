"""An export as CSV for spreadsheets: no cell is a formula, whatever a memory says.

RFC 4180: quoted where needed, quotes doubled. Not for reading back: a text that begins like a
formula gets an apostrophe before it, and half a character becomes U+FFFD.
"""

import csv
import io
import re
from collections.abc import Iterator

from core.documents.export_content import Export, ExportedMemory
from core.store.text import well_formed

BYTE_ORDER_MARK = "\ufeff"
"""Begins a file: without it spreadsheets read UTF-8 as another encoding."""
FILE_LINE_END = "\r\n"
COLUMNS = (
    *("position", "group", "store", "store_id", "uuid", "state", "tier", "gist", "content"),
    *("version", "created_at", "updated_at", "session_id", "token_count", "superseded_by"),
)
# What a spreadsheet takes for a formula, or skips before one; East Asian ones take wide signs too.
_FORMULA = re.compile("[\t\r\n]|[\\s\x00-\x1f\ufeff]*[=+\\-@＝＋－＠]")


def export_csv(export: Export, line_end: str = FILE_LINE_END) -> Iterator[str]:
    """Yield the header, then a row a memory; line breaks inside a text stay as they are."""
    yield _line(COLUMNS, line_end)
    for memory in export.memories:
        yield _line(_cells(export, memory), line_end)


def _cells(export: Export, memory: ExportedMemory) -> tuple[str | int | None, ...]:
    store, head = export.stores[memory.store], memory.detail.head
    return (
        *(memory.position, memory.group, store.path, store.store_id, head.uuid),
        *(head.state.value, head.tier, head.gist, memory.detail.content, head.version),
        *(head.created_at, head.updated_at, head.session_id, head.token_count),
        head.superseded_by,
    )


def _line(cells: tuple[str | int | None, ...], line_end: str) -> str:
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator=line_end)
    writer.writerow([safe_cell(c) if isinstance(c, str) else c for c in cells])
    return written.getvalue()


def safe_cell(text: str) -> str:
    """Return a text that no spreadsheet calculates."""
    clean = well_formed(text)
    return f"'{clean}" if _FORMULA.match(clean) else clean
