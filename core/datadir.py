"""The program's own folder: $GENIZAH_DATA_DIR or the platform's, private to the user."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import platformdirs

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def data_dir(environ: Mapping[str, str]) -> Path:
    """Return the program's data folder; nothing is created."""
    given = environ.get("GENIZAH_DATA_DIR")
    return Path(given) if given else Path(platformdirs.user_data_dir("genizah", appauthor=False))


def private_folder(path: Path) -> Path:
    """Create a folder of ours with mode 0700, parents too; an existing folder's mode is kept."""
    missing = [p for p in (path, *path.parents) if not p.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return path


@contextmanager
def writing_private(path: Path) -> Iterator[BinaryIO]:
    """Give a file of ours to write: mode 0600, and on disk either the old content or all of this.

    An error in the body leaves the old file, and nothing of the new one.
    """
    private_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_private(path: Path, data: bytes) -> None:
    """Write a file of ours whole: mode 0600, and either the old or the new content on disk."""
    with writing_private(path) as file:
        file.write(data)
