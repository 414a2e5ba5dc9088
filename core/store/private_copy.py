"""Private copies of a store in a folder of ours: for deep checks and for folders nobody may write.

The original is only read.
"""

import os
from contextlib import suppress
from pathlib import Path

from core.datadir import PRIVATE_FILE, private_folder
from core.store.connection import Connection, backup, vec0_path
from core.store.files import Access
from core.store.location import CONFIG_NAME, DATABASE_NAME, STORE_FOLDER, StoreLocation, locate
from core.store.opening import connect_reader

_BLOCK = 1 << 20


def _copy_file(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with source.open("rb") as reading, os.fdopen(descriptor, "wb") as writing:
        while block := reading.read(_BLOCK):
            writing.write(block)


def copy_files(location: StoreLocation, folder: Path) -> StoreLocation:
    """Copy database, write-ahead log and settings file by file into folder/.zikaron.

    For a store that SQLite cannot open where it lies. Raises OSError; FileExistsError where the
    folder already holds a store.
    """
    target = private_folder(folder / STORE_FOLDER)
    database = location.database.resolve()
    wal = database.with_name(database.name + "-wal")
    _copy_file(database, target / DATABASE_NAME)
    if wal.exists() and wal.stat().st_size:
        _copy_file(wal, target / (DATABASE_NAME + "-wal"))
    if location.config.exists():
        _copy_file(location.config, target / CONFIG_NAME)
    return locate(folder)


async def snapshot_copy(location: StoreLocation, access: Access, target: Path) -> None:
    """Copy one consistent state of the database with SQLite's online backup, in steps.

    A commit by the agent between two steps starts the copy over; the agent never waits.
    Raises GenizahError.
    """
    private_folder(target.parent)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    source, _ = await connect_reader(location, access)
    try:
        await backup(source, target)
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
