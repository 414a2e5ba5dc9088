"""Errors in the window's words: a title for each code, details to copy, the moves on offer."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import Blame, ErrorCode, GenizahError
from core.store.connection import sqlite_version


class Move(StrEnum):
    """What the window can offer to do about an error."""

    OPEN_COPY = "open_copy"
    SAVE_ROWS = "save_rows"
    OPEN_AGAIN = "open_again"


_TITLES = {
    ErrorCode.NO_STORE: "Nothing there",
    ErrorCode.NOT_A_FILE: "Not a store",
    ErrorCode.EMPTY_FILE: "Empty file",
    ErrorCode.NOT_A_DATABASE: "Not a database",
    ErrorCode.NOT_A_STORE: "Another kind of database",
    ErrorCode.NOT_READABLE: "No permission to read",
    ErrorCode.WAL_NEEDS_COPY: "Changes that cannot be read here",
    ErrorCode.DAMAGED: "Damaged store",
    ErrorCode.STORE_IO: "The file could not be read",
    ErrorCode.STORE_BUSY: "The store is busy",
    ErrorCode.STORE_CHANGED: "The store was replaced",
    ErrorCode.REINDEXING: "Being reindexed",
    ErrorCode.BAD_META: "Unusable store",
    ErrorCode.SCHEMA_INCOMPATIBLE: "Made by a newer version",
    ErrorCode.BAD_CONFIG: "Unusable settings",
}
_MOVES = {
    ErrorCode.WAL_NEEDS_COPY: (Move.OPEN_COPY,),
    ErrorCode.STORE_IO: (Move.OPEN_AGAIN,),
    ErrorCode.DAMAGED: (Move.SAVE_ROWS,),
    ErrorCode.STORE_BUSY: (Move.OPEN_AGAIN,),
    ErrorCode.STORE_CHANGED: (Move.OPEN_AGAIN,),
    ErrorCode.REINDEXING: (Move.OPEN_AGAIN,),
    ErrorCode.BAD_CONFIG: (Move.OPEN_AGAIN,),
}
_MOVE_TEXTS = {
    Move.OPEN_COPY: "Open a private copy",
    Move.SAVE_ROWS: "Save readable rows…",
    Move.OPEN_AGAIN: "Open again",
}


@dataclass(frozen=True, slots=True)
class PresentedError:
    """An error as a page shows it; `moves` are (action, button text)."""

    title: str
    sentence: str
    code: str
    details: str
    moves: tuple[tuple[str, str], ...]


def present(error: GenizahError, program_version: str) -> PresentedError:
    """Put an error into the window's words; the sentence is the error's own."""
    fallback = "Something failed" if error.blame is Blame.FAILED else "Not possible"
    details = "\n".join(
        [
            f"genizah {program_version}, SQLite {sqlite_version()}",
            f"code: {error.code.value}",
            f"message: {error.message}",
            *(f"{key}: {value}" for key, value in error.fields.items()),
        ]
    )
    return PresentedError(
        _TITLES.get(error.code, fallback),
        error.message,
        error.code.value,
        details,
        tuple((m.value, _MOVE_TEXTS[m]) for m in _MOVES.get(error.code, ())),
    )
