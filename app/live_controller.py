"""Staying in step with a store that others write, and with its file: what the news leads to.

Reads nothing itself: list, search and panels each read their own part anew.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from enum import StrEnum
from pathlib import Path

from app.browse_controller import BrowseController
from app.detail_controller import DetailController
from app.message_controller import MessageController
from app.open_store import OpenStore
from app.retry import Retry
from app.search_controller import SearchController
from app.store_watcher import POLL_S, StoreWatcher
from app.tasks import TaskSet
from core.errors import ErrorCode, GenizahError
from core.store.watch import StoreNews

_log = logging.getLogger(__name__)
_BEFORE_GONE = 3  # looks: a file that is being replaced is missing for a moment
_REOPENED = {
    StoreNews.REPLACED: "Another file has taken the place of {path}; it was opened.",
    StoreNews.OTHER_META: "The store {path} was made over; it was opened again.",
    StoreNews.OUTDATED_VIEW: "The store {path} was written meanwhile; it was opened again.",
}
_GONE = "The file {path} is gone: moved, renamed or deleted. Once it is back, it is opened again."
_BACK = "The file {path} is back; it was opened again."
_UNREADABLE = (
    ErrorCode.REINDEXING,
    ErrorCode.BAD_META,
    ErrorCode.NOT_A_STORE,
    ErrorCode.SCHEMA_INCOMPATIBLE,
)


class Origin(StrEnum):
    """Where an error came up while a list is shown; each has one message at a time."""

    STORE = "store"
    SEARCH = "search"
    LIST = "list"
    PAGE = "page"
    DETAIL = "detail"
    BUSY = "busy"
    FILE = "file"


class LiveController:
    """Act on the news of the open store; `reopen` opens a path without forgetting what is shown."""

    def __init__(
        self,
        controllers: tuple[BrowseController, SearchController, DetailController],
        messages: MessageController,
        reopen: Callable[[Path], None],
        tasks: TaskSet,
        executor: Executor,
    ) -> None:
        self._browse, self._search, self._detail = controllers
        self._messages = messages
        self._reopen = reopen
        self._tasks = tasks
        self._watcher = StoreWatcher(self, executor)
        self._retry = Retry(tasks)
        self._store: OpenStore | None = None
        self._missing = 0
        self._busy: GenizahError | None = None
        self._has_given_up = False
        self._vectors_due = False
        self._coming_back: tuple[Path, str] | None = None
        self._waiting: asyncio.Task[None] | None = None
        self.may_read_vectors: Callable[[], bool] = lambda: False
        self.moved: Callable[[], None] = lambda: None
        """Called when the store was written, by whomever."""

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Follow a store from now on."""
        self._store, self._missing, self._vectors_due = store, 0, False
        self._watcher.use(store, tasks)
        self._stop_waiting()
        if self._coming_back is not None:
            path, text = self._coming_back
            self._coming_back = None
            self._messages.tell(Origin.FILE, text.format(path=path), ErrorCode.STORE_CHANGED)

    def drop(self) -> None:
        """Follow nothing from now on; the watch is ended with the store's tasks."""
        self._store = None
        self._is_free()

    def forget(self) -> None:
        """Forget the store of before, because a person opens one."""
        self._coming_back = None
        self._browse.forget_place()
        self._stop_waiting()
        self._messages.clear()

    def not_opened(self) -> None:
        """Wait for a file that was to be opened again but could not be."""
        if self._coming_back is not None:
            path, _ = self._coming_back
            self._stop_waiting()
            self._waiting = self._tasks.spawn(self._wait_for(path), name="wait for the file")

    # Asked for by a person

    def refresh(self) -> None:
        """Look at the store and read everything anew."""
        store = self._store
        if store is not None:
            self._has_given_up = False
            self._watcher.look_now()
            self._tasks.spawn(self._read_anew(store), name="refresh")

    def give_up(self) -> None:
        """Wait for a locked store no more until asked to."""
        self._retry.end()
        self._has_given_up = True
        if self._busy is not None:
            self._messages.show_given_up(Origin.BUSY, self._busy)

    # News

    async def on_news(self, store: OpenStore, news: StoreNews) -> None:
        """Act on what a look found; the next look waits for it."""
        if store is not self._store:
            return
        was_busy = self._busy is not None
        self._is_free()
        self._messages.end(Origin.STORE)
        self._missing = self._missing + 1 if news is StoreNews.GONE else 0
        path = store.facts.location.database
        if self._missing >= _BEFORE_GONE:
            self._messages.tell(Origin.FILE, _GONE.format(path=path), ErrorCode.NO_STORE)
            self._open_again(path, _BACK)
        elif news.needs_reopening:
            self._open_again(path, _REOPENED[news])
        elif was_busy or news in (StoreNews.COMMITTED, StoreNews.REWRITTEN):
            await self._read_moved(store, news)
        elif news is StoreNews.NOTHING and self._vectors_due and self.may_read_vectors():
            self._vectors_due = False  # only now, or every commit of many would read them all
            self._search.refresh_matrix(store)

    async def on_blind(self, store: OpenStore, error: GenizahError) -> None:
        """Act on a look that failed."""
        if store is not self._store:
            return
        if error.code in _UNREADABLE:
            self._open_again(store.facts.location.database, _REOPENED[StoreNews.OTHER_META])
        else:
            self.failed(Origin.STORE, error)

    def failed(self, origin: Origin, error: GenizahError) -> None:
        """Say what failed while a list is shown; a locked store is tried again."""
        _log.info("%s: %s", origin.value, error.code.value)
        if error.code is ErrorCode.STORE_BUSY:
            self._wait_until_free(error)
        elif error.code is ErrorCode.STORE_CHANGED:
            self._watcher.look_now()
        else:
            self._messages.show_error(origin, error)

    def worked(self, origin: Origin) -> None:
        """Take back what was said of an earlier failure."""
        self._messages.end(origin)

    # Reading anew

    async def _read_moved(self, store: OpenStore, news: StoreNews) -> None:
        if news is StoreNews.REWRITTEN:
            await store.database.search.forget_cache()
            await store.database.browse.forget_cache()
            store.searcher.forget_matrix()
        self._vectors_due = True
        await self._read_anew(store)

    async def _read_anew(self, store: OpenStore) -> None:
        if not await self._browse.refresh() or store is not self._store:
            return
        self._is_free()
        if self._search.request.text.strip() and not self._search.is_cancelled:
            self._search.again()
        self._detail.again()
        self.moved()

    # A locked store

    def _wait_until_free(self, error: GenizahError) -> None:
        self._busy = error
        if self._retry.is_waiting or self._has_given_up:
            return
        delay = self._retry.later(self._try_again)
        self._messages.show_waiting(Origin.BUSY, error, delay)

    def _try_again(self) -> None:
        if self._store is not None:
            self._tasks.spawn(self._read_anew(self._store), name="refresh")

    def _is_free(self) -> None:
        self._busy, self._has_given_up = None, False
        self._retry.end()
        self._messages.end(Origin.BUSY)

    # A file that was replaced or is gone

    def _open_again(self, path: Path, then: str) -> None:
        _log.info("opening again: %s", path)
        self._coming_back = (path, then)
        self._browse.keep_place()
        self._store = None
        self._reopen(path)

    def _stop_waiting(self) -> None:
        if self._waiting is not None and self._waiting is not asyncio.current_task():
            self._waiting.cancel()
        self._waiting = None

    async def _wait_for(self, path: Path) -> None:
        """Open the file again as soon as it has changed since it could not be opened."""
        before = _stamp(path)
        while _stamp(path) in (before, None):  # noqa: ASYNC110 - files tell nobody
            await asyncio.sleep(POLL_S)
        self._reopen(path)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
