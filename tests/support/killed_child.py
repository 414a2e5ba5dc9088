"""Commits that kill their own process at a chosen statement or moment; POSIX only.

usage: python -m tests.support.killed_child, then one line a commit on its input: PROJECT KIND AT
KIND statement: dies before statement AT is run (counted from 1); vector: before vector AT is put
in, its chunk being there; moment: AT microseconds after the first BEGIN; none: lives. Answers one
line: how it ended, statements, microseconds.
Each commit runs in a fork, so that the modules are imported once.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
)
from core.commands.commit import Committed, commit_batch
from core.store import connection
from tests.support.stores import uuid_of
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand

_LONG = "\n\n".join(f"paragraph {n} with words of its own" for n in range(20))

#: One of each verb, and enough of it that indexes, chunks and vectors all change.
CHANGES: tuple[Change, ...] = (
    Amend(uuid_of("a"), 1, "new wording", _LONG),
    Remember("one more", "ferry"),
    Retire(uuid_of("b"), 1),
    Supersede(uuid_of("c"), 1, uuid_of("a")),
    SupersedeWithText(uuid_of("d"), 1, "the fact", "changed"),
    Amend(uuid_of("e"), 1, "short", "again"),
)


class _Watch:
    """Count the statements of a commit; kill the process where it was asked for."""

    def __init__(self, kind: str, at: int) -> None:
        self._kind = kind
        self._at = at
        self.statements = 0
        self.vectors = 0
        self.begun_ns = 0

    def before(self, sql: str) -> None:
        if sql == "BEGIN IMMEDIATE":
            self.begun_ns = time.monotonic_ns()
            if self._kind == "moment":
                threading.Timer(self._at / 1e6, _die).start()
        if self.begun_ns:
            self.statements += 1
        if "INSERT INTO memory_vec" in sql:
            self.vectors += 1
        if (self._kind, self._at) in (("statement", self.statements), ("vector", self.vectors)):
            _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Watched:
    """A driver connection whose statements are told before they are run."""

    def __init__(self, raw: Any, watch: _Watch) -> None:
        self.__dict__.update(raw=raw, watch=watch)

    def execute(self, sql: str, *parameters: Any) -> Any:
        self.watch.before(sql)
        return self.raw.execute(sql, *parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["raw"], name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["raw"], name, value)


def _install(watch: _Watch) -> None:
    plain = connection._connector

    def connector(uri: str, *, vec0: Path | None, prepare: Sequence[str]) -> Callable[[], object]:
        connect = plain(uri, vec0=vec0, prepare=prepare)
        return lambda: _Watched(connect(), watch)

    connection._connector = connector


async def commit(project: Path) -> None:
    """Commit all changes, with the same clock and uuids each time, and close the store."""
    hand = await Hand.open(project, StubEncoder())
    assert isinstance(await commit_batch(hand.gate, CHANGES), Committed)
    await hand.close()


def _commit_watched(project: Path, kind: str, at: int, answer: int) -> None:
    watch = _Watch(kind, at)
    _install(watch)
    asyncio.run(commit(project))
    micros = (time.monotonic_ns() - watch.begun_ns) // 1000
    os.write(answer, f"lived {watch.statements} {micros}".encode())


def _in_a_fork(project: Path, kind: str, at: int) -> str:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _commit_watched(project, kind, at, writing)
        finally:
            os._exit(3)  # only the pipe says that all went well
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return "killed 0 0"
    return said or "failed 0 0"


def _main() -> None:
    for line in sys.stdin:
        project, kind, at = line.rstrip("\n").rsplit(" ", 2)
        print(_in_a_fork(Path(project), kind, int(at)), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    _main()
