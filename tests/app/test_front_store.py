"""Which store is in front: where the one that is to come there is closed, another one comes."""

import asyncio
from pathlib import Path
from typing import cast

from app.front_store import FrontStore, Served
from app.open_store import OpenStore
from app.open_stores import OpenStores, StoreEntry
from app.retry import Retry
from app.tasks import TaskSet
from tests.support.wait import until


def _entry(name: str, tasks: TaskSet) -> StoreEntry:
    path = Path("/stores") / name / ".zikaron" / "memory.db"
    store = cast(OpenStore, object())  # nothing here looks into it
    return StoreEntry(path, str(path), Retry(tasks), store)


async def test_a_store_that_is_closed_on_its_way_to_the_front_leaves_another_one_there() -> None:
    tasks, stores, gate = TaskSet(), OpenStores(), asyncio.Event()
    first, wanted = _entry("first", tasks), _entry("wanted", tasks)
    stores.entries += [first, wanted]
    front = FrontStore(stores, tasks)
    served: list[bool] = []

    async def slow_to_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await gate.wait()

    def serve(now: Served) -> None:
        served.append(now.is_turn)
        now.tasks.spawn(slow_to_end(), name="slow to end")

    front.served = serve
    front.serve(first)
    await asyncio.sleep(0)
    front.put(wanted)
    await until(lambda: front.entry is None)
    stores.entries.remove(wanted)
    wanted.store = None
    gate.set()
    await front.settled()
    assert front.entry is first
    assert served == [False, True]
    await front.leave()
    await tasks.close()
