"""Staying in step with a store that others write, and with its file: what the news leads to.

Reads nothing itself: list, search and panels each read their own part anew.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
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
from core.store.database import Database
from core.store.watch import StoreNews

_log = logging.getLogger(__name__)
_OFTEN_LOOKED_AT = 4  # stores: more share the same number of looks
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


@dataclass(eq=False)
class _Watched:
    """A store that is followed, and how often in a row its file was missing."""

    store: OpenStore
    watcher: StoreWatcher
    missing: int = 0
    is_vectors_due: bool = False


class LiveController:
    """Act on the news of the open stores; `reopen` opens a path without forgetting what is shown.

    The store in front is looked at most often; of many others each one rests the longer.
    """

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
        self._executor = executor
        self._retry = Retry(tasks)
        self._watched: dict[Database, _Watched] = {}
        self._front: OpenStore | None = None
        self._busy: GenizahError | None = None
        self._has_given_up = False
        self._coming_back: dict[Path, str] = {}
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        self.failing: str | None = None
        """The store that the last error was about, for whoever acts on it."""
        self.may_read_vectors: Callable[[OpenStore], bool] = lambda _store: False
        self.moved: Callable[[], None] = lambda: None
        """Called when the store in front was written, by whomever."""
        self.any_moved: Callable[[], None] = lambda: None
        """Called when any open store was written, or all are read anew."""

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Follow a store from now on, as one of its tasks."""
        if store.database in self._watched:
            return
        watcher = StoreWatcher(self, self._executor, lambda: self._pause_s(store))
        self._watched[store.database] = _Watched(store, watcher)
        watcher.use(store, tasks)
        path = store.facts.location.database
        self._stop_waiting(path)
        text = self._coming_back.pop(path, None)
        if text is not None:
            self._messages.tell(Origin.FILE, text.format(path=path), ErrorCode.STORE_CHANGED)

    def _pause_s(self, store: OpenStore) -> float:
        if self._front is store:
            return POLL_S
        return POLL_S * max(1.0, len(self._watched) / _OFTEN_LOOKED_AT)

    def leave(self, store: OpenStore) -> None:
        """Follow a store no more; the watch is ended with its tasks."""
        self._watched.pop(store.database, None)
        if not self._watched:
            self._is_free()

    def put_in_front(self, store: OpenStore | None) -> None:
        """Tell which store is in front, if any is."""
        self._front = store

    def forget(self) -> None:
        """Forget the stores of before, because a person opens one."""
        self.failing = None
        self._coming_back.clear()
        self._browse.forget_place()
        for path in tuple(self._waiting):
            self._stop_waiting(path)
        self._messages.clear()

    def dismiss(self, path: Path) -> None:
        """Wait no more for a file that was to be opened again: a person closed its store."""
        self._coming_back.pop(path, None)
        self._stop_waiting(path)

    def not_opened(self, path: Path) -> None:
        """Wait for a file that was to be opened again but could not be."""
        if path in self._coming_back:
            self._stop_waiting(path)
            self._waiting[path] = self._tasks.spawn(self._wait_for(path), name="wait for the file")

    # Asked for by a person

    def refresh(self) -> None:
        """Look at the store and read everything anew."""
        if self._watched:
            self._has_given_up = False
            self._look_now()
            self._tasks.spawn(self._read_anew(), name="refresh")

    def _look_now(self) -> None:
        for watched in self._watched.values():
            watched.watcher.look_now()

    def give_up(self) -> None:
        """Wait for a locked store no more until asked to."""
        self._retry.end()
        self._has_given_up = True
        if self._busy is not None:
            self._messages.show_given_up(Origin.BUSY, self._busy)

    # News

    async def on_news(self, store: OpenStore, news: StoreNews) -> None:
        """Act on what a look found; the next look at that store waits for it."""
        watched = self._watched.get(store.database)
        if watched is None:
            return
        was_busy = self._busy is not None and store is self._front
        if was_busy or len(self._watched) == 1:
            self._is_free()
            self._messages.end(Origin.STORE)
        watched.missing = watched.missing + 1 if news is StoreNews.GONE else 0
        path = store.facts.location.database
        if watched.missing >= _BEFORE_GONE:
            self._messages.tell(Origin.FILE, _GONE.format(path=path), ErrorCode.NO_STORE)
            self._open_again(store, _BACK)
        elif news.needs_reopening:
            self._open_again(store, _REOPENED[news])
        elif was_busy or news in (StoreNews.COMMITTED, StoreNews.REWRITTEN):
            await self._read_moved(watched, news)
        elif news is StoreNews.NOTHING and watched.is_vectors_due and self.may_read_vectors(store):
            watched.is_vectors_due = False  # only now, or every commit of many would read them all
            self._search.refresh_matrix(store)

    async def on_blind(self, store: OpenStore, error: GenizahError) -> None:
        """Act on a look that failed."""
        if store.database not in self._watched:
            return
        if error.code in _UNREADABLE:
            self._open_again(store, _REOPENED[StoreNews.OTHER_META])
        else:
            self.failed(Origin.STORE, error)

    def failed(self, origin: Origin, error: GenizahError) -> None:
        """Say what failed while a list is shown; a locked store is tried again."""
        _log.info("%s: %s", origin.value, error.code.value)
        self.failing = error.path
        if error.code is ErrorCode.STORE_BUSY:
            self._wait_until_free(error)
        elif error.code is ErrorCode.STORE_CHANGED:
            self._look_now()
        else:
            self._messages.show_error(origin, error)

    def worked(self, origin: Origin) -> None:
        """Take back what was said of an earlier failure."""
        self.failing = None
        self._messages.end(origin)

    # Reading anew

    async def _read_moved(self, watched: _Watched, news: StoreNews) -> None:
        store = watched.store
        if news is StoreNews.REWRITTEN:
            await store.database.search.forget_cache()
            await store.database.browse.forget_cache()
            store.searcher.forget_matrix()
        watched.is_vectors_due = True
        self._search.note_moved(store)
        await self._read_anew(store)

    async def _read_anew(self, moved: OpenStore | None = None) -> None:
        """Read lists and detail anew, because one store moved, or all may have."""
        has_read = await self._browse.refresh()
        if not has_read or not self._watched:
            return
        if moved is not None and moved.database not in self._watched:
            return
        self._is_free()
        self.any_moved()
        if self._search.request.text.strip() and not self._search.is_cancelled:
            self._search.again()
        if moved is None or moved is self._front:
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
        if self._watched:
            self._tasks.spawn(self._read_anew(), name="refresh")

    def _is_free(self) -> None:
        self._busy, self._has_given_up = None, False
        self._retry.end()
        self._messages.end(Origin.BUSY)

    # A file that was replaced or is gone

    def _open_again(self, store: OpenStore, then: str) -> None:
        path = store.facts.location.database
        _log.info("opening again: %s", path)
        self._coming_back[path] = then
        self._browse.keep_place()
        self._watched.pop(store.database, None)
        self._reopen(path)

    def _stop_waiting(self, path: Path) -> None:
        waiting = self._waiting.pop(path, None)
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

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
