"""The demo store: a private copy of the bundled one; the bundle itself is never opened."""

from pathlib import Path

from app.bootstrap import Services
from core.datadir import private_folder, write_private
from core.errors import ErrorCode, GenizahError
from core.store.location import CONFIG_NAME, DATABASE_NAME, STORE_FOLDER
from resources import RESOURCES

DEMO_QUERY = "why does the integration test hang"
_BUNDLE = RESOURCES / "demo" / STORE_FOLDER


def prepare_demo(services: Services, named: str | None) -> Path:
    """Return a project folder with a private copy of the demo store.

    A named folder must be empty or absent: GenizahError(FOLDER_NOT_EMPTY) otherwise. Without one
    the copy lies in the program's data folder and is made once.
    """
    if named is None:
        folder = services.data_dir / "demo"
        if (folder / STORE_FOLDER / DATABASE_NAME).exists():
            return folder
    else:
        folder = Path(named)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise GenizahError(
                ErrorCode.FOLDER_NOT_EMPTY,
                f"{folder} is not an empty folder; name an empty or new one for the demo store.",
                path=str(folder),
            )
    try:
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
