"""Another window that uses the program's own file; run as a process of its own.

usage: python -m tests.support.appdata_child open|note FOLDER PREFIX
`open` waits for a line on stdin and opens the file, then says which it set aside; `note` notes
queries for ever and says each number once it is kept.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from core.appdata.database import AppDatabase
from core.appdata.queries import Queries
from core.clock import SystemClock


def _say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def _note(folder: Path, prefix: str) -> None:
    queries = Queries(await AppDatabase.open(folder, SystemClock()), SystemClock())
    for number in itertools.count():
        await queries.note(f"{prefix} {number}")
        _say(number)


async def _open(folder: Path, prefix: str) -> None:
    _say("ready")
    sys.stdin.readline()  # all children set off together
    database = await AppDatabase.open(folder, SystemClock())
    await Queries(database, SystemClock()).note(prefix)
    _say(database.set_aside is not None)
    await database.close()


if __name__ == "__main__":
    work = {"open": _open, "note": _note}[sys.argv[1]]
    asyncio.run(work(Path(sys.argv[2]), sys.argv[3]))
