"""Opening a store: the checks, in the order of the store contract; nothing is created or migrated.

The result is data: facts about the store and notices for its degraded modes.
"""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import ErrorCode, GenizahError
from core.notices import Notice, NoticeCode
from core.store import files
from core.store.connection import Connection, vec0_path
from core.store.location import StoreLocation
from core.store.transactions import read_transaction

SUPPORTED_SCHEMA = 4
_WIDTH = re.compile(r"float\s*\[\s*(\d+)\s*\]", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
_COLUMNS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "memory": frozenset(
            {"rowid", "uuid", "tier", "gist", "content", "active", "superseded_by", "version"}
            | {"created_at", "updated_at", "session_id", "token_count"}
        ),
        "memory_fts": frozenset({"gist", "content"}),
        "memory_chunk": frozenset({"chunk_id", "memory_uuid", "part_index", "token_count"}),
        "memory_vec": frozenset(),
        "event": frozenset(
            {"id", "at", "session_id", "client_kind", "op_id", "kind", "memory_uuid", "detail"}
        ),
        "read_receipt": frozenset({"session_id", "client_kind", "memory_uuid", "version"}),
    }
)


@dataclass(frozen=True, slots=True)
class StoreMeta:
    """The store's own account of itself."""

    schema_version: int
    store_id: str
    embed_model: str
    embed_dim: int
    chunk_max_tokens: int

    @property
    def is_newer(self) -> bool:
        """Tell whether this program does not know the schema; such a store is never written."""
        return self.schema_version > SUPPORTED_SCHEMA


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What opening found. `vector_width` is None where memory_vec says none."""

    location: StoreLocation
    meta: StoreMeta
    access: files.Access
    identity: files.FileIdentity
    vector_width: int | None
    has_vec0: bool
    notices: tuple[Notice, ...]

    @property
    def dense_refusal(self) -> Notice | None:
        """Return why the store itself rules the dense arm out, or None."""
        for notice in self.notices:
            if notice.code in (NoticeCode.WIDTH_MISMATCH, NoticeCode.NO_VECTOR_EXTENSION):
                return notice
        return None


def _bad_meta(path: str, key: str, found: str | None, expected: str) -> GenizahError:
    said = "is missing" if found is None else f"is {found!r}"
    return GenizahError(
        ErrorCode.BAD_META,
        f"The store {path} cannot be used: meta key {key} {said}, expected {expected}.",
        path=path,
        fields={"key": key, "value": found, "expected": expected},
    )


def _integer(
    values: Mapping[str, str], path: str, key: str, low: int, high: int | None = None
) -> int:
    expected = f"a whole number from {low} to {high}" if high else f"a whole number >= {low}"
    text = values.get(key)
    if text is None or not text.isascii() or not _INTEGER.fullmatch(text) or len(text) > 18:
        raise _bad_meta(path, key, text, expected)
    number = int(text)
    if number < low or (high is not None and number > high):
        raise _bad_meta(path, key, text, expected)
    return number


def _store_id(values: Mapping[str, str], path: str) -> str:
    text = values.get("store_id")
    expected = "a version-4 uuid of 36 characters"
    if text is None or len(text) != 36:
        raise _bad_meta(path, "store_id", text, expected)
    try:
        parsed = uuid.UUID(text)
    except ValueError as error:
        raise _bad_meta(path, "store_id", text, expected) from error
    if parsed.version != 4:
        raise _bad_meta(path, "store_id", text, expected)
    return text


def parse_meta(values: Mapping[str, str], path: str) -> StoreMeta:
    """Check the required meta keys in the contract's order; the first fault is named.

    Raises GenizahError(REINDEXING) or GenizahError(BAD_META).
    """
    if "reindexing" in values:
        since = values["reindexing"]
        raise GenizahError(
            ErrorCode.REINDEXING,
            f"The store {path} is being reindexed since {since}; try again when that has ended.",
            path=path,
            fields={"since": since},
        )
    schema = _integer(values, path, "schema_version", 1)
    store_id = _store_id(values, path)
    model = values.get("embed_model")
    if not model:
        raise _bad_meta(path, "embed_model", model, "the name of a model")
    width = _integer(values, path, "embed_dim", 1)
    chunk = _integer(values, path, "chunk_max_tokens", 64, 8192)
    return StoreMeta(schema, store_id, model, width, chunk)


async def _check_driver(connection: Connection) -> None:
    if not await connection.count("SELECT sqlite_compileoption_used('ENABLE_FTS5')"):
        raise GenizahError(
            ErrorCode.DRIVER_INCOMPLETE,
            "This SQLite has no full-text search (FTS5), so no store can be searched; install the "
            "program's own SQLite package (pysqlite3) again.",
        )


async def _tables(connection: Connection) -> Mapping[str, str]:
    rows = await connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {str(name): str(sql) for name, sql in rows}


async def _check_tables(connection: Connection, tables: Mapping[str, str]) -> None:
    path = connection.path
    for table, wanted in _COLUMNS.items():
        if table not in tables:
            missing = f"table {table}"
        elif wanted:
            found = await connection.rows("SELECT name FROM pragma_table_info(?)", (table,))
            lacking = sorted(wanted - {str(r[0]) for r in found})
            # A column named rowid is the table's own primary key in every schema version.
            missing = f"column {table}.{lacking[0]}" if lacking else ""
        else:
            missing = ""
        if missing:
            await _refuse_newer(connection, tables, missing)
            raise GenizahError(
                ErrorCode.NOT_A_STORE,
                f"{path} is a SQLite database but not a memory store: it has no {missing}.",
                path=path,
                reason=missing,
            )


async def _refuse_newer(connection: Connection, tables: Mapping[str, str], missing: str) -> None:
    """Refuse a store of a newer schema that lacks what is read here, naming both."""
    path = connection.path
    found = None
    if "meta" in tables:
        found = await connection.value("SELECT value FROM meta WHERE key = 'schema_version'")
    text = "" if found is None else str(found)
    if text.isascii() and text.isdigit() and int(text) > SUPPORTED_SCHEMA:
        raise GenizahError(
            ErrorCode.SCHEMA_INCOMPATIBLE,
            f"The store {path} has schema version {text}, which this program does not know, and "
            f"it has no {missing}; open it with a newer version of this program.",
            path=path,
            reason=missing,
            fields={"schema_version": text},
        )


async def _read_meta(connection: Connection, tables: Mapping[str, str]) -> StoreMeta:
    values: dict[str, str] = {}
    if "meta" in tables:
        rows = await connection.rows("SELECT key, value FROM meta")
        values = {str(k): str(v) for k, v in rows if k is not None and v is not None}
    return parse_meta(values, connection.path)


async def current_meta(connection: Connection) -> StoreMeta:
    """Read the store's meta again, in the caller's transaction. Raises as `parse_meta` does."""
    return await _read_meta(connection, await _tables(connection))


def _newer(meta: StoreMeta) -> Notice:
    return Notice(
        NoticeCode.NEWER_SCHEMA,
        f"This store has schema version {meta.schema_version}; this program knows versions up to "
        f"{SUPPORTED_SCHEMA}, so it only shows the store.",
    )


def _width_notice(meta: StoreMeta, width: int | None) -> Notice | None:
    if width == meta.embed_dim:
        return None
    found = "no width" if width is None else str(width)
    return Notice(
        NoticeCode.WIDTH_MISMATCH,
        f"Meaning search off: the vector table has {found}, the store's meta says "
        f"{meta.embed_dim} ({found} ≠ {meta.embed_dim}).",
    )


def _notices(
    location: StoreLocation, meta: StoreMeta, access: files.Access, width: int | None, vec0: bool
) -> tuple[Notice, ...]:
    found: list[Notice | None] = [
        _newer(meta) if meta.is_newer else None,
        Notice(
            NoticeCode.STATIC_VIEW,
            "Static view: the store's folder cannot be written, so changes made meanwhile show "
            "only at the next search.",
        )
        if access is files.Access.IMMUTABLE
        else None,
        Notice(
            NoticeCode.SYMLINK,
            f"Reached through a link: the file is {location.database.resolve()}.",
        )
        if location.via_symlink
        else None,
        _width_notice(meta, width),
        None
        if vec0
        else Notice(
            NoticeCode.NO_VECTOR_EXTENSION,
            "Meaning search off: the vector extension (vec0) could not be loaded; "
            "reinstall the package sqlite-vec.",
        ),
    ]
    return tuple(n for n in found if n is not None)


async def connect_reader(
    location: StoreLocation, access: files.Access, *, cache_mib: int = 8
) -> tuple[Connection, bool]:
    """Open one read-only connection; return it and whether vec0 is loaded.

    query_only is set last: nothing can write.
    """
    prepare = (
        f"PRAGMA cache_size = -{cache_mib * 1024}",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA query_only = ON",
    )
    vec0 = vec0_path()
    immutable = access is files.Access.IMMUTABLE
    if vec0 is not None:
        try:
            connection = await Connection.open(
                location.database, immutable=immutable, vec0=vec0, prepare=prepare
            )
        except GenizahError as error:
            if error.code is not ErrorCode.STORE_FAILED:
                raise
        else:
            return connection, True
    connection = await Connection.open(location.database, immutable=immutable, prepare=prepare)
    return connection, False


async def inspect(location: StoreLocation) -> StoreFacts:
    """Run every opening check on a connection of its own and return what was found.

    Raises GenizahError; nothing stays open, nothing is created or changed.
    """
    path = location.database
    access = files.choose_access(path)
    found = files.identity(path)
    if found is None:
        raise GenizahError(ErrorCode.NO_STORE, f"There is no file {path}.", path=str(path))
    connection, has_vec0 = await connect_reader(location, access)
    try:
        await _check_driver(connection)
        async with read_transaction(connection):
            tables = await _tables(connection)
            await _check_tables(connection, tables)
            meta = await _read_meta(connection, tables)
    finally:
        await connection.close()
    match = _WIDTH.search(tables["memory_vec"])
    width = int(match.group(1)) if match else None
    notices = _notices(location, meta, access, width, has_vec0)
    return StoreFacts(location, meta, access, found, width, has_vec0, notices)
