"""Where a store lies: from what a person names to memory.db and the settings file beside it."""

import errno
import stat
from dataclasses import dataclass
from pathlib import Path

from core.errors import ErrorCode, GenizahError

STORE_FOLDER = ".zikaron"
DATABASE_NAME = "memory.db"
CONFIG_NAME = "config.toml"


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """The database file, the settings file beside it and whether a link was followed."""

    database: Path
    config: Path
    via_symlink: bool

    @property
    def name(self) -> str:
        """A short name for people: the project folder's name, else the file's."""
        return name_of(self.database)


def name_of(database: Path) -> str:
    """Return what people call a store: the project folder's name, else the file's."""
    folder = database.parent
    return folder.parent.name if folder.name == STORE_FOLDER else database.name


def _at(database: Path) -> StoreLocation:
    absolute = database.absolute()
    return StoreLocation(absolute, absolute.parent / CONFIG_NAME, absolute.resolve() != absolute)


def _mode(path: Path) -> int | None:
    """Return the file mode, None where nothing is there. Raises GenizahError(NOT_READABLE) where
    the system does not let us look, or takes the name for no path."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None  # a link that leads to itself leads nowhere
        raise GenizahError(
            ErrorCode.NOT_READABLE,
            f"{path} cannot be looked at ({error.strerror}); ask for the right to read it, or "
            "name another store.",
            path=str(path),
        ) from error


def locate(path: Path) -> StoreLocation:
    """Resolve a project folder, a `.zikaron` folder or a database file.

    A file is taken as it is, whatever its name; a folder without a store is not_a_file.
    Raises GenizahError: NO_STORE where nothing is there, NOT_READABLE where one may not look.
    """
    mode = _mode(path)
    if mode is None:
        raise GenizahError(
            ErrorCode.NO_STORE,
            f"There is nothing at {path}; name a project folder, a {STORE_FOLDER} folder "
            f"or a {DATABASE_NAME}.",
            path=str(path),
        )
    if not stat.S_ISDIR(mode):
        return _at(path)
    for candidate in (path / STORE_FOLDER / DATABASE_NAME, path / DATABASE_NAME):
        if _mode(candidate) is not None:
            return _at(candidate)
    raise GenizahError(
        ErrorCode.NOT_A_FILE,
        f"{path} is a folder without a memory store; it would hold "
        f"{STORE_FOLDER}/{DATABASE_NAME}.",
        path=str(path),
    )


def locate_upwards(start: Path) -> StoreLocation:
    """Look for a `.zikaron` folder in `start` and its parents, nearest first.

    Raises GenizahError: NO_STORE, or NOT_READABLE for a folder on the way that hides its content.
    """
    for folder in (start.absolute(), *start.absolute().parents):
        if _mode(folder / STORE_FOLDER / DATABASE_NAME) is not None:
            return locate(folder)
    raise GenizahError(
        ErrorCode.NO_STORE,
        f"No {STORE_FOLDER} folder in {start} or above it; name a store, or try `genizah demo`.",
        path=str(start),
    )
