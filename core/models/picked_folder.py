"""A folder that a person points at, as the source of a model's files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import ErrorCode, GenizahError
from core.models.catalogue import ModelFile, NamedModel
from core.models.library import Incoming

_BLOCK = 1 << 20


class PickedFolder:
    """Read a model's files from a folder in which they lie side by side."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def open(self, model: NamedModel, file: ModelFile) -> Iterator[Incoming]:
        """Begin one file. Raises GenizahError(DOWNLOAD_FAILED)."""
        path = self._folder / file.name
        try:
            opened = path.open("rb")
        except OSError as error:
            names = ", ".join(f.name for f in model.files)
            raise GenizahError(
                ErrorCode.DOWNLOAD_FAILED,
                f"{path} cannot be read ({error.strerror}); the model {model.name} needs {names} "
                "in one folder.",
                path=str(path),
                reason="not_there",
            ) from error
        with opened:
            yield Incoming(iter(lambda: opened.read(_BLOCK), b""), path.stat().st_size)
