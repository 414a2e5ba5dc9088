"""Writing the store's event log: one row a change, inside the change's transaction."""

import json
from collections.abc import Mapping
from enum import StrEnum

from core.errors import JsonValue
from core.store.connection import Connection
from core.store.receipts import Author

_CLI = "cli"
_MCP = "mcp"


class EventKind(StrEnum):
    """The kinds of event that this program writes."""

    FETCH = "fetch"
    REMEMBER = "remember"
    AMEND = "amend"
    RETIRE = "retire"
    DEDUP_OFFERED = "dedup_offered"
    VERSION_CONFLICT = "version_conflict"
    NO_RECEIPT = "no_receipt"


async def write(
    connection: Connection,
    author: Author,
    op_id: str,
    kind: EventKind,
    uuid: str,
    detail: Mapping[str, JsonValue],
    *,
    at: str,
) -> None:
    """Append one event; `detail` keeps its order and is JSON's default text."""
    await connection.rows(
        "INSERT INTO event (at, session_id, client_kind, op_id, kind, memory_uuid, detail) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            *(at, author.session_id, author.client_kind, op_id),
            *(kind.value, uuid, json.dumps(dict(detail))),
        ),
    )


async def client_kind(connection: Connection) -> str:
    """Return `cli` where the store's event table lets a client be one, else `mcp`."""
    sql = await connection.value(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'event'"
    )
    return _CLI if f"'{_CLI}'" in str(sql) else _MCP
