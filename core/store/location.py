"""Where a store lies: from what a person names to memory.db and the settings file beside it."""

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
        folder = self.database.parent
        return folder.parent.name if folder.name == STORE_FOLDER else self.database.name


def _at(database: Path) -> StoreLocation:
    absolute = database.absolute()
    return StoreLocation(absolute, absolute.parent / CONFIG_NAME, absolute.resolve() != absolute)


def locate(path: Path) -> StoreLocation:
    """Resolve a project folder, a `.zikaron` folder or a database file.

    A file is taken as it is, whatever its name; a folder without a store is not_a_file.
    Raises GenizahError(NO_STORE) where nothing is there.
    """
    if not path.exists():
        raise GenizahError(
            ErrorCode.NO_STORE,
            f"There is nothing at {path}; name a project folder, a {STORE_FOLDER} folder "
            f"or a {DATABASE_NAME}.",
            path=str(path),
        )
    if not path.is_dir():
        return _at(path)
    for candidate in (path / STORE_FOLDER / DATABASE_NAME, path / DATABASE_NAME):
        if candidate.exists():
            return _at(candidate)
    raise GenizahError(
        ErrorCode.NOT_A_FILE,
        f"{path} is a folder without a memory store; it would hold "
        f"{STORE_FOLDER}/{DATABASE_NAME}.",
        path=str(path),
    )


def locate_upwards(start: Path) -> StoreLocation:
    """Look for a `.zikaron` folder in `start` and its parents, nearest first."""
    for folder in (start.absolute(), *start.absolute().parents):
        if (folder / STORE_FOLDER / DATABASE_NAME).exists():
            return locate(folder)
    raise GenizahError(
        ErrorCode.NO_STORE,
        f"No {STORE_FOLDER} folder in {start} or above it; name a store, or try `genizah demo`.",
        path=str(start),
    )
