"""Looking at the open store four times a second and passing the news on, one piece at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.store.watch import StoreNews, StoreWatch

POLL_S = 0.25  # reading a list of 100,000 anew takes half a second on top, and one is promised


class NewsListener(Protocol):
    """Who acts on the news; the next look waits for it."""

    async def on_news(self, store: OpenStore, news: StoreNews) -> None:
        """Act on what a look found, NOTHING included."""

    async def on_blind(self, store: OpenStore, error: GenizahError) -> None:
        """Act on a look that failed."""


class StoreWatcher:
    """Watch one store at a time; `pause_s` says how long it rests between two looks."""

    def __init__(
        self,
        listener: NewsListener,
        executor: Executor,
        pause_s: Callable[[], float] = lambda: POLL_S,
    ) -> None:
        self._listener = listener
        self._executor = executor
        self._pause_s = pause_s
        self._at_once = asyncio.Event()

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Watch a store from now on, as one of its tasks."""
        watch = StoreWatch(store.database, self._executor)
        self._at_once = asyncio.Event()
        tasks.spawn(self._run(store, watch, self._at_once), name="store watcher")

    def look_now(self) -> None:
        """Look without waiting for the next turn."""
        self._at_once.set()

    async def _run(self, store: OpenStore, watch: StoreWatch, at_once: asyncio.Event) -> None:
        while True:
            await self._look(store, watch)
            await _wait_or(at_once, self._pause_s())

    async def _look(self, store: OpenStore, watch: StoreWatch) -> None:
        try:
            news = await watch.look()
        except GenizahError as error:
            await self._listener.on_blind(store, error)
        else:
            await self._listener.on_news(store, news)


async def _wait_or(at_once: asyncio.Event, pause_s: float) -> None:
    try:
        async with asyncio.timeout(pause_s):
            await at_once.wait()
    except TimeoutError:
        return
    at_once.clear()
