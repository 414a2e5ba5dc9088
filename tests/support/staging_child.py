"""A window that stages changes and writes a text until it is killed; run as a process of its own.

usage: python -m tests.support.staging_child FOLDER
Says each number once its entry is staged and its draft is kept.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from core.appdata.database import AppDatabase
from core.appdata.drafts import Draft, Drafts
from core.appdata.pending import Pending
from core.appdata.places import StorePlace
from core.clock import SystemClock
from core.commands.changes import Amend, Remember
from core.commands.staging import PendingList
from tests.support.staged import seen
from tests.support.stores import STORE_ID, uuid_of

HERE = StorePlace(STORE_ID, "/here/memory.db")


async def _main(folder: Path) -> None:
    clock = SystemClock()
    database = await AppDatabase.open(folder, clock)
    kept, drafts, pending = Pending(database, clock), Drafts(database, clock), PendingList()
    for number in itertools.count():
        pending.stage(Amend(uuid_of(number), 1, "gist", f"text {number}"), seen(str(number)))
        await kept.save(HERE, pending.entries)
        await drafts.keep(HERE, Draft("editor", Remember("", f"text up to {number}")))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))
