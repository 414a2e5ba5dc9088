"""The demo store: a private copy of the bundled one; the bundle itself is never opened."""

from pathlib import Path

from app.bootstrap import Services
from core.datadir import private_folder, write_private
from core.errors import ErrorCode, GenizahError
from core.store.location import CONFIG_NAME, DATABASE_NAME, STORE_FOLDER
from resources import RESOURCES

_BUNDLE = RESOURCES / "demo" / STORE_FOLDER


def _refuse_unless_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GenizahError(
            ErrorCode.FOLDER_NOT_EMPTY,
            f"{folder} is not an empty folder; name an empty or new one for the demo store.",
            path=str(folder),
        )


def prepare_demo(services: Services, named: str | None) -> Path:
    """Return a project folder with a private copy of the demo store.

    A named folder must be empty or absent: GenizahError(FOLDER_NOT_EMPTY) otherwise. Without one
    the copy lies in the program's data folder and is made once.
    """
    folder = services.data_dir / "demo" if named is None else Path(named)
    try:
        if named is not None:
            _refuse_unless_empty(folder)
        elif (folder / STORE_FOLDER / DATABASE_NAME).exists():
            return folder
        target = private_folder(folder / STORE_FOLDER)
        # The settings first: a copy that was cut short has no database and is made again.
        for name in (CONFIG_NAME, DATABASE_NAME):
            write_private(target / name, (_BUNDLE / name).read_bytes())
    except OSError as error:
        raise GenizahError(
            ErrorCode.STORE_IO,
            f"The demo store could not be copied to {folder} ({error.strerror}); name another "
            "folder.",
            path=str(folder),
        ) from error
    return folder
