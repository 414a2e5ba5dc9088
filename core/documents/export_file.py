"""Writing an export to a file that a person named: whole or not at all, never over another.

The texts of every form are made elsewhere; here they become bytes.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from core.datadir import PRIVATE_FILE, writing_private
from core.documents.export_content import Export, ExportFormat
from core.documents.export_csv import BYTE_ORDER_MARK, FILE_LINE_END, export_csv
from core.documents.export_document import export_json
from core.documents.export_markdown import export_markdown
from core.errors import ErrorCode, GenizahError
from core.store.location import STORE_FOLDER
from core.store.text import well_formed


def _nothing() -> None:
    """Let the file be there."""


def export_bytes(
    export: Export, form: ExportFormat, *, is_file: bool = True
) -> Iterator[bytes]:
    """Yield all of an export, a piece a memory: UTF-8, one line break at the end.

    A CSV file begins with a mark for it and has the line ends of RFC 4180; a stream has neither.
    """
    for piece in _texts(export, form, is_file=is_file):
        yield well_formed(piece).encode("utf-8")


def _texts(export: Export, form: ExportFormat, *, is_file: bool) -> Iterator[str]:
    match form:
        case ExportFormat.JSON:
            yield from export_json(export)
            yield "\n"
        case ExportFormat.CSV:
            yield BYTE_ORDER_MARK if is_file else ""
            yield from export_csv(export, FILE_LINE_END if is_file else "\n")
        case ExportFormat.MARKDOWN:
            yield from export_markdown(export)
            yield "\n"


def check_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that is there, and one in a folder that is missing or is a store's.

    Raises GenizahError(USAGE). Done before the work and again by `write_export`.
    """
    if not overwrite and os.path.lexists(path):
        raise _taken(path)
    if STORE_FOLDER in path.resolve().parts:
        words = f"The file {path} would lie inside a store; name another folder."
        raise GenizahError(ErrorCode.USAGE, words, path=str(path))
    if path.is_dir() or not path.parent.is_dir():
        words = f"{path} cannot be written: it must be a file in a folder that is there."
        raise GenizahError(ErrorCode.USAGE, words, path=str(path))


def write_export(
    path: Path,
    pieces: Iterable[bytes],
    *,
    overwrite: bool = False,
    before_end: Callable[[], None] = _nothing,
) -> None:
    """Write the file, for its owner alone: whatever happens, all of it or nothing is there.

    `before_end` is called where all but its name is made: what it or `pieces` raises ends it all.
    Raises GenizahError(USAGE) for a file that is there already unless it is to be overwritten,
    and STORE_IO where the system refuses.
    """
    check_target(path, overwrite=overwrite)
    try:
        _write(path, pieces, overwrite, before_end)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise GenizahError(
            ErrorCode.STORE_IO,
            f"{path} could not be written ({error.strerror or error}); nothing was.",
            path=str(path),
        ) from error


def _write(
    path: Path, pieces: Iterable[bytes], overwrite: bool, before_end: Callable[[], None]
) -> None:
    reserved = False
    try:
        with writing_private(path) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
            before_end()
            if not overwrite:  # last: what follows is the renaming over it
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
                reserved = True
    except BaseException:
        if reserved:
            with suppress(OSError):
                path.unlink()
        raise


def _taken(path: Path) -> GenizahError:
    return GenizahError(
        ErrorCode.USAGE,
        f"The file {path} is there already; name another one, or remove it first.",
        path=str(path),
    )
