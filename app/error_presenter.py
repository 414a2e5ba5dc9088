"""Errors in the window's words: a title for each code, details to copy, the moves on offer."""

import platform
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import qVersion

from core.errors import ErrorCode, GenizahError
from core.store.connection import sqlite_version


class Move(StrEnum):
    """What the window can offer to do about an error."""

    OPEN_COPY = "open_copy"
    SAVE_ROWS = "save_rows"
    OPEN_AGAIN = "open_again"
    TRY_NOW = "try_now"
    STOP_TRYING = "stop_trying"
    CANCEL_OPENING = "cancel_opening"
    CANCEL_WORK = "cancel_work"
    CANCEL_SEARCH = "cancel_search"
    CANCEL_DEPTH = "cancel_depth"
    SEARCH_AGAIN = "search_again"
    CANCEL_MODEL = "cancel_model"
    LOAD_MODEL = "load_model"
    GET_MODEL = "get_model"
    WITH_RETIRED = "with_retired"


_TITLES = {
    ErrorCode.USAGE: "Not understood",
    ErrorCode.NO_DISPLAY: "No screen",
    ErrorCode.MISSING_LIBRARY: "A system library is missing",
    ErrorCode.NO_STORE: "Nothing there",
    ErrorCode.NOT_A_FILE: "Not a store",
    ErrorCode.EMPTY_FILE: "Empty file",
    ErrorCode.NOT_A_DATABASE: "Not a database",
    ErrorCode.NOT_A_STORE: "Another kind of database",
    ErrorCode.NOT_READABLE: "No permission to read",
    ErrorCode.WAL_NEEDS_COPY: "Changes that cannot be read here",
    ErrorCode.DAMAGED: "Damaged store",
    ErrorCode.DRIVER_INCOMPLETE: "A part of the program is missing",
    ErrorCode.STORE_IO: "The file could not be read",
    ErrorCode.STORE_FAILED: "The store could not be read",
    ErrorCode.STORE_BUSY: "The store is busy",
    ErrorCode.STORE_CHANGED: "The store was replaced",
    ErrorCode.INTERRUPTED: "Interrupted",
    ErrorCode.REINDEXING: "Being reindexed",
    ErrorCode.BAD_META: "Unusable store",
    ErrorCode.SCHEMA_INCOMPATIBLE: "Made by a newer version",
    ErrorCode.BAD_CONFIG: "Unusable settings",
    ErrorCode.NOT_FOUND: "Not in this store",
    ErrorCode.AMBIGUOUS: "More than one memory",
    ErrorCode.NO_ARTIFACT: "The model is not on this machine",
    ErrorCode.ARTIFACT_DAMAGED: "Damaged model",
    ErrorCode.ENCODER_FAILED: "The model failed",
    ErrorCode.DOWNLOAD_FAILED: "The model could not be got",
    ErrorCode.BAD_VECTOR: "Unusable query vector",
    ErrorCode.FOLDER_NOT_EMPTY: "The folder is not empty",
    ErrorCode.INCOMPLETE: "Incomplete result",
    ErrorCode.INDEX_FAILED: "An index failed",
    ErrorCode.BOUNDS: "Text out of bounds",
    ErrorCode.VERSION_CONFLICT: "Changed meanwhile",
    ErrorCode.NO_READ_RECEIPT: "Not read before",
    ErrorCode.INACTIVE_ROW: "Not live any more",
    ErrorCode.BAD_SUPERSESSION: "Cannot be replaced by that",
    ErrorCode.NOT_WRITABLE: "Cannot be written",
}
_AGAIN = (Move.OPEN_AGAIN,)
_MOVES = {
    ErrorCode.NO_STORE: _AGAIN,
    ErrorCode.EMPTY_FILE: _AGAIN,
    ErrorCode.NOT_A_DATABASE: _AGAIN,
    ErrorCode.NOT_READABLE: _AGAIN,
    ErrorCode.WAL_NEEDS_COPY: (Move.OPEN_COPY,),
    ErrorCode.STORE_IO: (Move.OPEN_COPY, Move.OPEN_AGAIN),
    ErrorCode.STORE_FAILED: _AGAIN,
    ErrorCode.DAMAGED: (Move.SAVE_ROWS,),
    ErrorCode.STORE_BUSY: _AGAIN,
    ErrorCode.STORE_CHANGED: _AGAIN,
    ErrorCode.REINDEXING: _AGAIN,
    ErrorCode.BAD_META: _AGAIN,
    ErrorCode.BAD_CONFIG: _AGAIN,
    ErrorCode.DOWNLOAD_FAILED: (Move.GET_MODEL,),
}
_MOVE_TEXTS = {
    Move.OPEN_COPY: "Open a private copy",
    Move.SAVE_ROWS: "Save readable rows…",
    Move.OPEN_AGAIN: "Open again",
    Move.TRY_NOW: "Try now",
    Move.STOP_TRYING: "Stop trying",
    Move.CANCEL_OPENING: "Cancel",
    Move.CANCEL_WORK: "Cancel",
    Move.CANCEL_SEARCH: "Cancel",
    Move.CANCEL_DEPTH: "Cancel",
    Move.SEARCH_AGAIN: "Search again",
    Move.CANCEL_MODEL: "Cancel",
    Move.LOAD_MODEL: "Load the model",
    Move.GET_MODEL: "Get the model…",
    Move.WITH_RETIRED: "Search retired ones, too",
}


@dataclass(frozen=True, slots=True)
class PresentedError:
    """An error as a page or message shows it; `moves` are (action, button text)."""

    title: str
    sentence: str
    code: str
    details: str
    moves: tuple[tuple[str, str], ...]


def move_text(move: Move) -> str:
    """Return what the button of a move says."""
    return _MOVE_TEXTS[move]


def machine_line(program_version: str) -> str:
    """Say which program runs on what, as a report of a fault needs it."""
    return (
        f"genizah {program_version}, SQLite {sqlite_version()}, Qt {qVersion()}, "
        f"Python {platform.python_version()}, {platform.platform()}"
    )


def present(error: GenizahError, program_version: str) -> PresentedError:
    """Put an error into the window's words; the sentence is the error's own."""
    details = "\n".join(
        [
            machine_line(program_version),
            f"code: {error.code.value}",
            f"message: {error.message}",
            *([] if error.path is None else [f"path: {error.path}"]),
            *([] if error.reason is None else [f"reason: {error.reason}"]),
            *(f"{key}: {value}" for key, value in error.fields.items()),
        ]
    )
    return PresentedError(
        _TITLES[error.code],
        error.message,
        error.code.value,
        details,
        tuple((m.value, _MOVE_TEXTS[m]) for m in _MOVES.get(error.code, ())),
    )
