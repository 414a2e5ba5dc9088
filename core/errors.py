"""The one error table: code and exit code. Texts are made where the fault is found."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

type JsonValue = bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None


class ErrorCode(StrEnum):
    """Closed list of reasons; docs/notices.md describes each."""

    USAGE = "usage"
    NO_DISPLAY = "no_display"
    MISSING_LIBRARY = "missing_library"
    NO_STORE = "no_store"
    NOT_A_FILE = "not_a_file"
    EMPTY_FILE = "empty_file"
    NOT_A_DATABASE = "not_a_database"
    NOT_A_STORE = "not_a_store"
    NOT_READABLE = "not_readable"
    WAL_NEEDS_COPY = "wal_needs_copy"
    DAMAGED = "damaged"
    DRIVER_INCOMPLETE = "driver_incomplete"
    STORE_IO = "store_io"
    STORE_FAILED = "store_failed"
    STORE_BUSY = "store_busy"
    STORE_CHANGED = "store_changed"
    INTERRUPTED = "interrupted"
    REINDEXING = "reindexing"
    BAD_META = "bad_meta"
    SCHEMA_INCOMPATIBLE = "schema_incompatible"
    BAD_CONFIG = "bad_config"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    NO_ARTIFACT = "no_artifact"
    ARTIFACT_DAMAGED = "artifact_damaged"
    ENCODER_FAILED = "encoder_failed"
    DOWNLOAD_FAILED = "download_failed"
    BAD_VECTOR = "bad_vector"
    FOLDER_NOT_EMPTY = "folder_not_empty"
    INCOMPLETE = "incomplete"
    INDEX_FAILED = "index_failed"
    BOUNDS = "bounds"
    VERSION_CONFLICT = "version_conflict"
    NO_READ_RECEIPT = "no_read_receipt"
    INACTIVE_ROW = "inactive_row"
    BAD_SUPERSESSION = "bad_supersession"
    NOT_WRITABLE = "not_writable"


class ErrorKind(StrEnum):
    """Whether the person can act on it (refused) or something is broken (failed)."""

    REFUSED = "refused"
    FAILED = "failed"


_REFUSED_EXIT = 3
_BROKEN_EXIT = 4
_EXITS: Mapping[ErrorCode, int] = MappingProxyType(
    {
        ErrorCode.USAGE: 2,
        ErrorCode.AMBIGUOUS: 2,
        ErrorCode.BAD_VECTOR: 2,
        ErrorCode.FOLDER_NOT_EMPTY: 2,
        ErrorCode.NOT_FOUND: _REFUSED_EXIT,
        ErrorCode.REINDEXING: _REFUSED_EXIT,
        ErrorCode.SCHEMA_INCOMPATIBLE: _REFUSED_EXIT,
        ErrorCode.NO_ARTIFACT: _REFUSED_EXIT,
        ErrorCode.INCOMPLETE: _REFUSED_EXIT,
        ErrorCode.BOUNDS: _REFUSED_EXIT,
        ErrorCode.VERSION_CONFLICT: _REFUSED_EXIT,
        ErrorCode.NO_READ_RECEIPT: _REFUSED_EXIT,
        ErrorCode.INACTIVE_ROW: _REFUSED_EXIT,
        ErrorCode.BAD_SUPERSESSION: _REFUSED_EXIT,
        ErrorCode.NOT_WRITABLE: _REFUSED_EXIT,
        ErrorCode.STORE_BUSY: 5,
        ErrorCode.INTERRUPTED: 130,
    }
)
_FAILED_ALL_THE_SAME = frozenset({ErrorCode.SCHEMA_INCOMPATIBLE, ErrorCode.INTERRUPTED})


class GenizahError(Exception):
    """Say in one sentence what went wrong, with which file or field, and what to do.

    `message` is that sentence; `reason` a short machine word inside the code (may be None);
    `path` the file concerned; `fields` the code's payload, JSON-ready.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        path: str | None = None,
        reason: str | None = None,
        fields: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.reason = reason
        self.fields: dict[str, JsonValue] = dict(fields or {})

    @property
    def exit_code(self) -> int:
        """Return the process exit code of spec cli.md: 2 usage, 3 refused, 4 broken, 5 busy."""
        return _EXITS.get(self.code, _BROKEN_EXIT)

    @property
    def kind(self) -> ErrorKind:
        """Return whether a rule refused it or something is broken."""
        acts = self.code in _EXITS and self.code not in _FAILED_ALL_THE_SAME
        refused = acts or self.code is ErrorCode.BAD_CONFIG
        return ErrorKind.REFUSED if refused else ErrorKind.FAILED
