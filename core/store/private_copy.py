"""Private copies of a store in a folder of ours: for deep checks and for folders nobody may write.

The original is only read.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.datadir import PRIVATE_FILE, private_folder
from core.progress import Report, unreported
from core.store.connection import Connection, backup, vec0_path
from core.store.files import Access
from core.store.location import CONFIG_NAME, DATABASE_NAME, STORE_FOLDER, StoreLocation, locate
from core.store.opening import connect_reader

_BLOCK = 1 << 20


class _Copying:
    """Files and folders of one copy on its way; `undo` removes what was made."""

    def __init__(self, sources: Sequence[Path], report: Report) -> None:
        self._report = report
        self._total = sum(path.stat().st_size for path in sources)
        self._done = 0
        self._folders: list[Path] = []
        self._files: list[Path] = []

    def folder(self, path: Path) -> None:
        """Make a private folder with those above it."""
        self._folders += [p for p in reversed((path, *path.parents)) if not p.exists()]
        private_folder(path)

    def file(self, source: Path, target: Path) -> None:
        """Copy one file, block by block."""
        self._report(self._done, self._total)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        self._files.append(target)
        with source.open("rb") as reading, os.fdopen(descriptor, "wb") as writing:
            while block := reading.read(_BLOCK):
                writing.write(block)
                self._done += len(block)
                self._report(self._done, self._total)

    def undo(self) -> None:
        """Remove what was made; a folder that something else is in stays."""
        for path in self._files:
            with suppress(OSError):
                path.unlink()
        for path in reversed(self._folders):
            with suppress(OSError):
                path.rmdir()


def copy_files(
    location: StoreLocation, folder: Path, report: Report = unreported
) -> StoreLocation:
    """Copy database, write-ahead log and settings file by file into folder/.zikaron.

    For a store that SQLite cannot open where it lies; reports bytes. Raises OSError;
    FileExistsError where the folder already holds a store. Whatever it raises, nothing stays of
    what it made.
    """
    target = folder / STORE_FOLDER
    database = location.database.resolve()
    wal = database.with_name(database.name + "-wal")
    files = [(database, target / DATABASE_NAME)]
    if wal.exists() and wal.stat().st_size:
        files.append((wal, target / (DATABASE_NAME + "-wal")))
    if location.config.exists():
        files.append((location.config, target / CONFIG_NAME))
    copying = _Copying([source for source, _ in files], report)
    try:
        copying.folder(target)
        for source, into in files:
            copying.file(source, into)
        return locate(folder)
    except BaseException:
        copying.undo()
        raise


async def snapshot_copy(
    location: StoreLocation, access: Access, target: Path, report: Report = unreported
) -> None:
    """Copy one consistent state of the database with SQLite's online backup, in steps.

    A commit by the agent between two steps starts the copy over; the agent never waits.
    `report` is told pages from another thread. Raises GenizahError.
    """
    private_folder(target.parent)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    source, _ = await connect_reader(location, access)
    try:
        await backup(source, target, report)
    finally:
        await source.close()


async def open_copy(path: Path) -> Connection:
    """Open a private copy for reading and writing; the caller removes it with `remove_copy`."""
    return await Connection.open(path, vec0=vec0_path(), mode="rw")


def remove_copy(path: Path) -> None:
    """Delete a private copy and the files SQLite put beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError, NotADirectoryError):
            path.with_name(path.name + suffix).unlink()
