"""The one connection that writes a store: opened late, for a store this program may write.

Which rows are written is not decided here; BEGIN and COMMIT are core/store/transactions'.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from core.errors import ErrorCode, GenizahError
from core.store import event_rows, files
from core.store.connection import Connection, vec0_path
from core.store.opening import SUPPORTED_SCHEMA, StoreFacts, StoreMeta, current_meta
from core.store.transactions import write_transaction

#: How long a change waits for another program's write lock before it is refused as busy.
LOCK_WAIT_S = 5.0
_PREPARE = (
    "PRAGMA busy_timeout = 50",  # one of many short waits: a long one cannot be interrupted
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    # The agent check-points. WORKAROUND for https://sqlite.org/wal.html#walresetbug: below SQLite
    # 3.51.3 a check-point may miss that another process has begun the log anew; only the last
    # connection of all, alone with the file, still makes one when it closes.
    "PRAGMA wal_autocheckpoint = 0",
)


def _refuse(facts: StoreFacts, reason: str, sentence: str) -> GenizahError:
    path = str(facts.location.database)
    return GenizahError(ErrorCode.NOT_WRITABLE, sentence, path=path, reason=reason)


def check_writable(facts: StoreFacts) -> None:
    """Refuse what opening showed to be for reading only; touches no database.

    Raises GenizahError: STORE_CHANGED, SCHEMA_INCOMPATIBLE or NOT_WRITABLE.
    """
    path = facts.location.database
    if files.identity(path) != facts.identity:
        raise GenizahError(
            ErrorCode.STORE_CHANGED,
            f"The file {path} was replaced since it was opened, so nothing is written to it; "
            "open it again.",
            path=str(path),
        )
    if facts.access is files.Access.IMMUTABLE:
        raise _refuse(
            facts,
            "static_view",
            f"The folder of {path} cannot be written, so the store is only shown.",
        )
    _check_schema(facts.meta, str(path))
    if not os.access(path, os.W_OK):
        raise _refuse(
            facts, "read_only_file", f"The file {path} can only be read; nothing was written."
        )


def _check_schema(meta: StoreMeta, path: str) -> None:
    if meta.is_newer:
        raise GenizahError(
            ErrorCode.SCHEMA_INCOMPATIBLE,
            f"The store {path} has schema version {meta.schema_version}, this program writes "
            f"versions up to {SUPPORTED_SCHEMA}; change it with a newer version of this program.",
            path=path,
            fields={"found": meta.schema_version, "supported": SUPPORTED_SCHEMA},
        )


class Writer:
    """A store open for writing, one transaction at a time. `client_kind` is what it logs us as."""

    def __init__(
        self, connection: Connection, facts: StoreFacts, client_kind: str, wait_s: float
    ) -> None:
        self.facts = facts
        self.client_kind = client_kind
        self._connection = connection
        self._wait_s = wait_s
        self._lock = asyncio.Lock()

    @classmethod
    async def open(cls, facts: StoreFacts, *, wait_s: float = LOCK_WAIT_S) -> Self:
        """Open the store that `facts` describe. Raises GenizahError; leaves nothing open.

        Refused are a replaced file, a static view, a newer schema, a file that is read-only or
        whose journal mode is not WAL already: nobody's journal mode is changed here.
        """
        check_writable(facts)
        path = facts.location.database
        connection = await Connection.open(path, vec0=vec0_path(), prepare=_PREPARE, mode="rw")
        try:
            mode = await connection.value("PRAGMA journal_mode")
            if mode != "wal":
                raise _refuse(
                    facts,
                    "journal_mode",
                    f"The store {path} is in journal mode {str(mode)!r}, not WAL; nothing was "
                    "written, as an agent could be disturbed.",
                )
            kind = await event_rows.client_kind(connection)
        except BaseException:
            await connection.close()
            raise
        return cls(connection, facts, kind, wait_s)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Give the connection inside one write transaction, after a look at what may have changed.

        Raises GenizahError: STORE_BUSY after a bounded wait, STORE_CHANGED, REINDEXING,
        SCHEMA_INCOMPATIBLE; what the body did is then gone.
        """
        async with self._lock, write_transaction(self._connection, wait_s=self._wait_s):
            await self._check_still_ours()
            yield self._connection

    async def _check_still_ours(self) -> None:
        check_writable(self.facts)
        meta, ours = await current_meta(self._connection), self.facts.meta
        _check_schema(meta, self._connection.path)
        known = (ours.store_id, ours.embed_model, ours.embed_dim)
        if (meta.store_id, meta.embed_model, meta.embed_dim) != known:
            raise GenizahError(
                ErrorCode.STORE_CHANGED,
                f"The store {self._connection.path} was given another model or identity since it "
                "was opened; open it again.",
                path=self._connection.path,
            )

    async def close(self) -> None:
        """Close the connection; an open transaction is rolled back."""
        await self._connection.close()
