"""Which open store is in front: the one that detail, lineage, backups and changes are about.

Another one takes its place without anything being opened, closed or searched again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.open_store import OpenStore
from app.open_stores import OpenStores, StoreEntry
from app.tasks import TaskSet


@dataclass(frozen=True, slots=True)
class Served:
    """The store in front, the tasks that end with its turn, the memory to be selected again.

    `is_turn` says that it took the place of another open store: the lists on screen stay.
    """

    store: OpenStore
    tasks: TaskSet
    kept: str | None
    is_turn: bool


class FrontStore:
    """Put stores in front, one at a time and newest wins."""

    def __init__(self, stores: OpenStores, tasks: TaskSet) -> None:
        self._stores = stores
        self._tasks = tasks
        self._turn_tasks = TaskSet()
        self._turning: asyncio.Task[None] | None = None
        self._wanted: StoreEntry | None = None
        self._then: Callable[[], None] = _nothing
        self.served: Callable[[Served], None] = lambda _served: None
        """Called once a store is in front."""
        self.left: Callable[[bool], None] = lambda _is_turn: None
        """Called before it is not in front any more; `True` where another open one follows."""
        self.may_leave: Callable[[], Awaitable[None]] = _at_once
        """Awaited before a store makes room for another one: what it must not be taken from."""

    @property
    def entry(self) -> StoreEntry | None:
        """Return the store in front."""
        return self._stores.front

    @property
    def is_busy(self) -> bool:
        """Tell whether another store is about to come to the front."""
        return self._turning is not None and not self._turning.done()

    async def settled(self) -> None:
        """Wait until the store that was asked for last is in front."""
        if self._turning is not None and not self._turning.done():
            await asyncio.wait({self._turning})

    def put(self, entry: StoreEntry, then: Callable[[], None] | None = None) -> None:
        """Put an open store in front once that may be, and do `then`; the newest call wins."""
        self._wanted, self._then = entry, then or _nothing
        if self.is_busy:
            return
        if entry is self.entry:
            self._then()
        else:
            self._turning = self._tasks.spawn(self._turn(), name="another store in front")

    async def _turn(self) -> None:
        await self.may_leave()
        while (entry := self._wanted) is not None and entry is not self.entry:
            if entry.store is None or entry not in self._stores:
                self.serve_next()  # closed meanwhile, perhaps on its way to the front
                return
            await self.leave(is_turn=True)
            self.serve(entry, is_turn=True)
        self._turning = None
        self._then()

    async def leave(self, *, is_turn: bool = False) -> None:
        """Take the store away from the front; its turn's tasks have ended afterwards."""
        if self.entry is not None:
            self.left(is_turn)
            self._stores.front = None
            await self._turn_tasks.close()

    def serve_next(self, closing: StoreEntry | None = None) -> None:
        """Put the first open store in front where there is none, but not the one being closed."""
        entry = next((e for e in self._stores.open if e is not closing), None)
        if entry is not None:
            self.serve(entry, is_turn=True)

    def serve(self, entry: StoreEntry, *, is_turn: bool = False) -> None:
        """Put a store in front where there is none."""
        if entry.store is None or self.entry is not None:
            return
        self._stores.front = entry
        self._turn_tasks = TaskSet()
        kept, entry.kept = entry.kept, None
        self.served(Served(entry.store, self._turn_tasks, kept, is_turn))


def _nothing() -> None:
    return


async def _at_once() -> None:
    return
