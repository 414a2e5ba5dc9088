"""Writing to the standard streams: UTF-8 whatever the locale, one result, one trailing newline."""

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from core.documents.json_text import dump, error_document
from core.errors import ErrorCode, GenizahError, JsonValue
from core.notices import Notice
from core.store.text import well_formed


class Output:
    """The result on one stream, notices and errors on the other; None for a closed one."""

    def __init__(self, result: BinaryIO | None, side: BinaryIO | None, *, as_json: bool) -> None:
        self._result = result
        self._side = side
        self.as_json = as_json

    @classmethod
    def standard(cls, *, as_json: bool) -> "Output":
        """Use the process's own streams; Python has None for one that was closed before."""
        result, side = (None if s is None else s.buffer for s in (sys.stdout, sys.stderr))
        return cls(result, side, as_json=as_json)

    def text(self, text: str) -> None:
        """Write a result in words."""
        self._write_result((_line(text),))

    def pieces(self, pieces: Iterable[bytes]) -> None:
        """Write a result that is long, as it comes; its line ends are its own."""
        self._write_result(pieces)

    def document(self, document: dict[str, JsonValue]) -> None:
        """Write a result as one line of JSON."""
        self._write_result((_line(dump(document)),))

    def notice(self, text: str) -> None:
        """Write a sentence beside the result."""
        if self._side is not None:
            self._side.write(_line(text))
            self._side.flush()

    def error(self, error: GenizahError) -> None:
        """Say an error: the object on the result stream where JSON was asked for, the sentence
        always."""
        if self.as_json:
            self.document(error_document(error))
        self.notice(f"genizah: {error.message}")

    def notices(self, notices: Iterable[Notice]) -> None:
        """Write every notice with its code beside the result."""
        for notice in notices:
            self.notice(f"{notice.code.value}: {notice.text}")

    def _write_result(self, pieces: Iterable[bytes]) -> None:
        """Write to the result's stream. Raises GenizahError where that takes no more; nothing is
        written to it then."""
        stream = self._result
        if stream is None:
            return
        try:
            stream.writelines(pieces)
            stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self._result = None
            _give_up(stream)
            words = f"The result could not be written ({error.strerror}); it is not whole."
            raise GenizahError(ErrorCode.STORE_IO, words) from error


def _line(text: str) -> bytes:
    return well_formed(text).encode("utf-8") + b"\n"


def _give_up(stream: BinaryIO) -> None:
    """Let what is left in a stream go nowhere, or Python fails on it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)
