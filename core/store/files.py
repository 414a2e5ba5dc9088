"""Looking at the files of a store before SQLite does: kind, write-ahead log, way of access."""

import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import ErrorCode, GenizahError

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_READ_VERSION_OFFSET = 19
_WAL = 2


class Access(StrEnum):
    """How a reader opens the file."""

    READ_ONLY = "read_only"
    IMMUTABLE = "immutable"


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """What tells a replaced file from the one that was opened."""

    device: int
    inode: int


def identity(path: Path) -> FileIdentity | None:
    """Return device and inode of the file, None where it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileIdentity(found.st_dev, found.st_ino)


def _refuse(code: ErrorCode, path: Path, sentence: str) -> GenizahError:
    return GenizahError(code, sentence, path=str(path))


def read_header(path: Path) -> bytes:
    """Return the first 100 bytes of a database file after the checks that need no SQLite.

    Raises not_a_file, empty_file, not_a_database or not_readable, each with its own sentence.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise _refuse(
                ErrorCode.NOT_A_FILE, path, f"{path} is not a file; name the store's memory.db."
            )
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError as error:
        raise _refuse(
            ErrorCode.NO_STORE, path, f"There is no file {path} any more; open another store."
        ) from error
    except OSError as error:
        raise _refuse(
            ErrorCode.NOT_READABLE,
            path,
            f"The file {path} cannot be read ({error.strerror}); check its permissions.",
        ) from error
    if not header:
        raise _refuse(
            ErrorCode.EMPTY_FILE,
            path,
            f"{path} is an empty file, not a memory store; it was left as it is.",
        )
    if not header.startswith(_MAGIC):
        raise _refuse(
            ErrorCode.NOT_A_DATABASE,
            path,
            f"{path} is not a SQLite database; name the memory.db of a store.",
        )
    return header


def uses_log(header: bytes) -> bool:
    """Tell whether a database of this header keeps a write-ahead log."""
    return len(header) > _READ_VERSION_OFFSET and header[_READ_VERSION_OFFSET] == _WAL


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def choose_access(path: Path) -> Access:
    """Decide between an ordinary read-only connection and the static view (immutable).

    A database in WAL mode needs its -shm file; where the folder cannot be written and there is
    none, only an empty write-ahead log may be passed over. Raises GenizahError(WAL_NEEDS_COPY)
    where unread changes lie in the log.
    """
    uses_wal = uses_log(read_header(path))
    folder = path.resolve().parent  # SQLite puts -wal and -shm beside the real file
    real = path.resolve()
    wal, shm = real.with_name(real.name + "-wal"), real.with_name(real.name + "-shm")
    if not uses_wal or os.access(folder, os.W_OK):
        return Access.READ_ONLY
    if _size(wal) == 0:
        return Access.IMMUTABLE
    if shm.exists() and os.access(shm, os.R_OK):
        return Access.READ_ONLY
    raise GenizahError(
        ErrorCode.WAL_NEEDS_COPY,
        f"{path} has changes in {wal.name} that cannot be read where it lies, because the folder "
        "cannot be written; copy the database together with its -wal file to a folder of yours "
        "and open the copy.",
        path=str(path),
    )
