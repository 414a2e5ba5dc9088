"""The open store: opening it, one at a time and newest wins; a locked one tried again; closing.

Who serves the store is told by `served` and `left`; what they do with it is theirs.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.open_store import OpenStore
from app.patience import after_a_while
from app.retry import Retry
from app.tasks import TaskSet
from app.unforeseen import PutRight
from app.window_view import WindowView
from core.errors import ErrorCode, GenizahError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Served:
    """An open store, the tasks that end with it, and the memory to be selected in it again."""

    store: OpenStore
    tasks: TaskSet
    kept: str | None


class OpeningController:
    """Own the open store, None while there is none."""

    def __init__(
        self, services: Services, view: WindowView, tasks: TaskSet, executor: Executor
    ) -> None:
        self._services = services
        self._view = view
        self._tasks = tasks
        self._executor = executor
        self.store: OpenStore | None = None
        self.named: Path | None = None
        """The path that was asked for last, None for the nearest store."""
        self._store_tasks = TaskSet()
        self._opening: asyncio.Task[None] | None = None
        self._retry = Retry(tasks)
        self._kept: str | None = None
        self._locked: GenizahError | None = None
        self.served: Callable[[Served], None] = lambda _served: None
        """Called once a store is open."""
        self.left: Callable[[], None] = lambda: None
        """Called before another one is opened, and before the last one is closed."""
        self.closed: Callable[[], Awaitable[None]] = _nothing
        """Awaited once a store is closed: nothing may touch it from there on."""
        self.given_up: Callable[[], None] = lambda: None
        """Called where a store could not be opened and is not tried again."""

    # Asked for

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder; newest wins."""
        self._retry.end()
        self._kept = None
        self._start(path)

    def reopen(self, path: Path, kept: str | None) -> None:
        """Open the file anew that took the place of the open store; `kept` stays selected."""
        self._kept = kept or self._kept
        self._start(path)

    def cancel(self) -> None:
        """Leave an opening to itself: what it still opens it closes."""
        self._opening, self._kept = None, None
        self._view.show_welcome()

    def stop_trying(self) -> None:
        """Wait for a locked store no more."""
        if self._locked is not None:
            self._retry.end()
            self._view.show_open_error(self._locked)

    @property
    def is_busy(self) -> bool:
        """Tell whether a store is being opened."""
        return self._opening is not None and not self._opening.done()

    @property
    def is_retrying(self) -> bool:
        """Tell whether a locked store will be tried again."""
        return self._retry.is_waiting

    async def settled(self) -> None:
        """Wait until the opening under way has ended."""
        if self._opening is not None:
            await asyncio.wait({self._opening})

    async def close(self) -> None:
        """Close the store; running statements are interrupted."""
        self.left()
        await self._close_store()

    # Opening

    def _start(self, path: Path | None) -> None:
        self.named = path
        self._opening = self._tasks.spawn(self._open(path, self._opening), name="open store")

    async def _open(self, path: Path | None, earlier: asyncio.Task[None] | None) -> None:
        # One after another, and none is cancelled half-way: nothing is left open behind it.
        if earlier is not None:
            await asyncio.wait({earlier})
        if self._is_newest():
            with PutRight(lambda error: self._broke(path, error)):
                await self._open_alone(path)

    def _broke(self, path: Path | None, error: GenizahError) -> None:
        """Show why nothing is open, unless a newer opening sees to the page."""
        if not self._is_newest():
            return
        self.left()
        if self.store is not None:
            self._tasks.spawn(self._close_store(), name="close store")
        self._not_opened(path, error)

    async def _open_alone(self, path: Path | None) -> None:
        self.left()
        name = str(path or self._services.working_folder)
        self._view.show_opening(name)
        try:
            with after_a_while(lambda: self._offer_cancel(name)):
                await self._close_store()
                store = await self._services.open_store(path, self._executor)
        except GenizahError as error:
            if self._is_newest():
                self._not_opened(path, error)
            return
        if self._is_newest():
            _log.info("open: %s", store.facts.location.database)
            self._use(store)
        else:
            await store.aclose()

    def _is_newest(self) -> bool:
        return self._opening is asyncio.current_task()

    def _offer_cancel(self, name: str) -> None:
        if self._opening is not None and self.store is None:
            self._view.offer_cancel(name)

    def _not_opened(self, path: Path | None, error: GenizahError) -> None:
        _log.info("not opened: %s, %s", error.code.value, error.path)
        if error.code is ErrorCode.STORE_BUSY:
            delay = self._retry.later(lambda: self._start(path))
            self._locked = error
            self._view.show_busy(error, delay)
        else:
            self._retry.end()
            self._view.show_open_error(error)
            self.given_up()

    def _use(self, store: OpenStore) -> None:
        self.store, self._store_tasks = store, TaskSet()
        self._retry.end()
        self._view.show_store(store)
        kept, self._kept = self._kept, None
        self.served(Served(store, self._store_tasks, kept))

    async def _close_store(self) -> None:
        store, self.store = self.store, None
        await self._store_tasks.close()  # first, or their statements meet a closed connection
        if store is not None:
            await store.aclose()
        await self.closed()


async def _nothing() -> None:
    return
