"""Broken things put into the words of a verb: a lock is busy and may be tried again, an index that
cannot be written has failed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from core.errors import ErrorCode, GenizahError

_DRIVER = frozenset({ErrorCode.STORE_FAILED, ErrorCode.STORE_IO, ErrorCode.DAMAGED})


class Verb(StrEnum):
    """What was asked for, as errors and the log name it; a supersession is a retirement there."""

    FETCH = "fetch"
    REMEMBER = "remember"
    AMEND = "amend"
    RETIRE = "retire"
    COMMIT = "commit"


@contextmanager
def busy_in_words(verb: Verb) -> Iterator[None]:
    """Turn a lock that could not be had into store_busy(verb)."""
    try:
        yield
    except GenizahError as error:
        if error.code is not ErrorCode.STORE_BUSY:
            raise
        raise GenizahError(
            ErrorCode.STORE_BUSY,
            f"The store {error.path} is busy: another program is writing it. Nothing was saved; "
            "try again in a moment.",
            path=error.path,
            fields={"verb": verb.value},
        ) from error


@contextmanager
def writing_indexes() -> Iterator[None]:
    """Turn what the driver says while rows and indexes are written into index_failed."""
    try:
        yield
    except GenizahError as error:
        if error.code not in _DRIVER:
            raise
        raise GenizahError(
            ErrorCode.INDEX_FAILED,
            f"The memory could not be written with its indexes, so nothing was: {error.message}",
            path=error.path,
            reason="index_write",
            fields={"stage": "index_write", **error.fields},
        ) from error
