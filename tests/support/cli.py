"""Run one command line inside the test's process, and judge what it wrote by the contract."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

from app import cli


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it wrote on each stream."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """The result in words."""
        return self.out.decode("utf-8")

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON object; fails on anything else on the stream."""
        (found,) = self.documents
        return found

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The JSON objects, one a line: ASCII, no NaN, each line ended by one newline."""
        assert self.out.endswith(b"\n")
        lines = self.out[:-1].split(b"\n")
        for line in lines:
            assert line.isascii()
            assert line.startswith(b"{")
            assert b"\r" not in line
        return [json.loads(line, parse_constant=_no_constant) for line in lines]


def _no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} in the JSON")


@contextmanager
def _stdin(raw: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(raw), encoding="ascii")
    try:
        yield
    finally:
        sys.stdin = before


class Cli:
    """The command line, as a function."""

    def __init__(self, capture: pytest.CaptureFixture[bytes]) -> None:
        self._capture = capture

    def __call__(self, *argv: object, stdin: bytes = b"") -> Ran:
        """Run `genizah argv`; nothing may be written before."""
        self._capture.readouterr()
        with _stdin(stdin):
            code = cli.run([str(a) for a in argv])
        out, err = self._capture.readouterr()
        return Ran(code, out, err.decode("utf-8"))
