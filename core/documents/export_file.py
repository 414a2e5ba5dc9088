"""Writing an export to a file that a person named: whole or not at all, never over another.

The texts of every form are made elsewhere; here they become bytes.
"""

import os
from contextlib import suppress
from pathlib import Path

from core.datadir import PRIVATE_FILE, writing_private
from core.documents.export_content import Export, ExportFormat
from core.documents.export_csv import BYTE_ORDER_MARK, csv_text
from core.documents.export_document import export_document
from core.documents.export_markdown import export_markdown
from core.documents.json_text import dump
from core.errors import ErrorCode, GenizahError
from core.store.location import STORE_FOLDER
from core.store.text import well_formed


def export_bytes(export: Export, form: ExportFormat) -> bytes:
    """Return a whole file: UTF-8, one line break at the end; CSV begins with a mark for it."""
    match form:
        case ExportFormat.JSON:
            text = dump(export_document(export)) + "\n"
        case ExportFormat.CSV:
            text = BYTE_ORDER_MARK + csv_text(export)
        case ExportFormat.MARKDOWN:
            text = export_markdown(export) + "\n"
    return well_formed(text).encode("utf-8")


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


def write_export(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write the file, for its owner alone: whatever happens, all of it or nothing is there.

    Raises GenizahError(USAGE) for a file that is there already unless it is to be overwritten,
    and STORE_IO where the system refuses.
    """
    check_target(path, overwrite=overwrite)
    try:
        _write(path, data, overwrite)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise GenizahError(
            ErrorCode.STORE_IO,
            f"{path} could not be written ({error.strerror or error}); nothing was.",
            path=str(path),
        ) from error


def _write(path: Path, data: bytes, overwrite: bool) -> None:
    reserved = False
    try:
        with writing_private(path) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
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
