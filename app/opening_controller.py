"""The stores of the window: opened beside each other, closed, a locked one tried again.

While none is open the page says what becomes of the one asked for last. Which one is in front is
app/front_store's; what is searched is told by `changed`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Executor
from pathlib import Path

from app.bootstrap import Services
from app.front_store import FrontStore
from app.open_store import OpenStore
from app.open_stores import OpenStores, StoreEntry, StoreState
from app.patience import after_a_while
from app.retry import Retry
from app.tasks import TaskSet
from app.unforeseen import PutRight
from app.window_view import WindowView
from core.errors import ErrorCode, GenizahError

_AT_ONCE = 4
_TOGETHER_S = 0.05
_log = logging.getLogger(__name__)


class OpeningController:
    """Own the open stores."""

    def __init__(
        self, services: Services, view: WindowView, tasks: TaskSet, executor: Executor
    ) -> None:
        self._services = services
        self._view = view
        self._tasks = tasks
        self._executor = executor
        self.stores = OpenStores()
        self.front = FrontStore(self.stores, tasks)
        self._wanted: StoreEntry | None = None
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._closing: set[asyncio.Task[None]] = set()
        self._joining: asyncio.Task[None] | None = None
        self.changed: Callable[[], Coroutine[None, None, None]] = _at_once
        """Awaited when other stores are open; nothing reads one that is not, afterwards."""
        self.closed: Callable[[OpenStore], Awaitable[None]] = _of_store
        """Awaited once a store is closed: nothing may touch it from there on."""
        self.brought: Callable[[], None] = lambda: None
        """Called once a store is in the place of another one in front because it was asked for."""
        self.told: Callable[[], None] = lambda: None
        """Called when there may be something else to say about the stores."""
        self.opened: Callable[[OpenStore], None] = lambda _store: None
        """Called with every store that was opened."""
        self.released: Callable[[OpenStore], None] = lambda _store: None
        """Called before a store is closed."""
        self.dismissed: Callable[[StoreEntry], None] = lambda _entry: None
        """Called with every store that a person closes."""
        self.failed: Callable[[GenizahError], None] = lambda _error: None
        """Called with what kept a store from being opened while another one is open."""
        self.given_up: Callable[[StoreEntry], None] = lambda _entry: None
        """Called where a store could not be opened and is not tried again."""

    # What there is

    @property
    def store(self) -> OpenStore | None:
        """Return the store in front, None while none is open."""
        return None if self.front.entry is None else self.front.entry.store

    @property
    def named(self) -> Path | None:
        """Return the path that was asked for last, None for the nearest store."""
        return None if self._wanted is None else self._wanted.asked

    @property
    def is_busy(self) -> bool:
        """Tell whether a store is being opened, closed or put in front."""
        return bool(self._under_way()) or self.front.is_busy

    def _under_way(self) -> set[asyncio.Task[None]]:
        opening = {e.opening for e in self.stores.entries if e.opening is not None}
        joining = set() if self._joining is None else {self._joining}
        return {task for task in (*opening, *self._closing, *joining) if not task.done()}

    @property
    def is_retrying(self) -> bool:
        """Tell whether a locked store will be tried again."""
        return any(entry.retry.is_waiting for entry in self.stores.entries)

    async def settled(self) -> None:
        """Wait until what is under way has ended."""
        while under_way := self._under_way():
            await asyncio.wait(under_way)
        await self.front.settled()

    # Asked for

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder, and put it in front.

        One that is open already only comes to the front.
        """
        self._wanted = self._ask_for(path)
        self._bring(self._wanted)

    def open_all(self, paths: Sequence[Path]) -> None:
        """Open several stores; the first of them comes to the front."""
        asked = [self._ask_for(path) for path in paths]
        if asked:
            self._wanted = asked[0]
            self._bring(asked[0])

    def _bring(self, entry: StoreEntry) -> None:
        """Put a store in front that is open already; any other comes there once it is."""
        if entry.store is not None:
            self.front.put(entry, self.brought)

    def _ask_for(self, path: Path | None) -> StoreEntry:
        if self.store is None:
            self._forget_failed()
        entry = self._entry(path, self._path_of(path))
        entry.kept = None
        if entry.store is None:
            entry.retry.end()
            self._start(entry)
        return entry

    def _entry(self, path: Path | None, name: str) -> StoreEntry:
        """Return the entry of a path, made where there is none."""
        for entry in self.stores.entries:
            if entry.path == name or (path is not None and entry.asked == path):
                entry.asked = path
                return entry
        entry = StoreEntry(path, name, Retry(self._tasks))
        self.stores.entries.append(entry)
        return entry

    def _path_of(self, path: Path | None) -> str:
        try:
            return str(self._services.locate(path).database)
        except GenizahError:
            return str(path or self._services.working_folder)

    def _forget_failed(self) -> None:
        """Where none is open, a store that failed makes room for the one asked for next."""
        over = (StoreState.FAILED, StoreState.LOCKED)
        failed = [entry for entry in self.stores.entries if entry.state in over]
        for entry in failed:
            entry.retry.end()
            self.stores.entries.remove(entry)

    def reopen(self, path: Path, kept: str | None) -> None:
        """Open the file anew that took the place of an open store; `kept` stays selected."""
        entry = self._entry(path, str(path))
        entry.kept = kept or entry.kept
        if entry is self.front.entry or self.store is None:
            self._wanted = entry
        self._start(entry)

    def try_again(self, key: str) -> None:
        """Open a store again that could not be opened."""
        entry = self.stores.find(key)
        if entry is not None and entry.store is None and not entry.is_being_opened:
            entry.retry.end()
            self._start(entry)

    def cancel(self) -> None:
        """Leave an opening to itself: what it still opens it closes."""
        entry, self._wanted = self._wanted, None
        if entry is not None and entry.store is None and entry in self.stores.entries:
            entry.opening = None
            entry.retry.end()
            self.stores.entries.remove(entry)
        if self.store is None:
            self._view.show_welcome()
        self.told()

    def stop_trying(self) -> None:
        """Wait for a locked store no more."""
        entry = self._wanted
        if entry is not None and entry.error is not None and entry.store is None:
            entry.retry.end()
            self._view.show_open_error(entry.error)
            self.told()

    def close_stores(self, keys: Sequence[str]) -> None:
        """Close some stores; another open one comes to the front in the place of theirs."""
        for entry in [e for e in self.stores.entries if e.key in keys]:
            entry.retry.end()
            entry.opening = None
            self.stores.entries.remove(entry)
            self.dismissed(entry)
            task = self._tasks.spawn(self._close_for_good(entry), name="close store")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def scope_changed(self) -> None:
        """Read the stores that are checked now."""
        task = self._tasks.spawn(self.changed(), name="other stores searched")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Close all stores; running statements are interrupted."""
        entries, self.stores.entries = self.stores.entries, []
        await self.front.leave()
        await self.changed()
        await asyncio.gather(*(self._release(entry) for entry in entries))

    # Opening

    def _start(self, entry: StoreEntry) -> None:
        opening = self._open(entry, entry.opening)
        entry.opening = self._tasks.spawn(opening, name="open store")

    async def _open(self, entry: StoreEntry, earlier: asyncio.Task[None] | None) -> None:
        # One after another, and none is cancelled half-way: nothing is left open behind it.
        if earlier is not None:
            await asyncio.wait({earlier})
        if entry.opening is asyncio.current_task():
            with PutRight(lambda error: self._broke(entry, error)):
                await self._open_alone(entry)

    def _broke(self, entry: StoreEntry, error: GenizahError) -> None:
        """Show why a store is not open, unless a newer opening sees to that."""
        if entry.opening is not asyncio.current_task():
            return
        if entry.store is not None:
            task = self._tasks.spawn(self._close(entry), name="close store")
            self._closing.add(task)
            task.add_done_callback(lambda done: self._closed_broken(done, entry, error))
        else:
            self._not_opened(entry, error)

    def _closed_broken(
        self, task: asyncio.Task[None], entry: StoreEntry, error: GenizahError
    ) -> None:
        self._closing.discard(task)
        if entry in self.stores:
            self._not_opened(entry, error)

    async def _open_alone(self, entry: StoreEntry) -> None:
        if entry.store is not None:
            await self._close(entry)
        if self.store is None:
            self._view.show_opening(self._called(entry))
        self.told()
        try:
            with after_a_while(lambda: self._offer_cancel(entry)):
                async with self._slots:
                    store = await self._services.open_store(entry.asked, self._executor)
        except GenizahError as error:
            if entry.opening is asyncio.current_task():
                self._not_opened(entry, error)
            return
        if entry.opening is asyncio.current_task():
            _log.info("open: %s", store.facts.location.database)
            await self._use(entry, store)
        else:
            await store.aclose()

    def _offer_cancel(self, entry: StoreEntry) -> None:
        if entry is self._wanted and self.store is None and entry.opening is not None:
            self._view.offer_cancel(self._called(entry))

    def _called(self, entry: StoreEntry) -> str:
        return str(entry.asked or self._services.working_folder)

    def _not_opened(self, entry: StoreEntry, error: GenizahError) -> None:
        _log.info("not opened: %s, %s", error.code.value, error.path)
        entry.error = error
        is_alone = self.store is None and entry in (self._wanted, *self.stores.entries[:1])
        if error.code is ErrorCode.STORE_BUSY:
            delay = entry.retry.later(lambda: self._start(entry))
            if is_alone:
                self._view.show_busy(error, delay)
        else:
            entry.retry.end()
            if is_alone:
                self._view.show_open_error(error)
            elif self.store is not None:
                self.failed(error)
            self.given_up(entry)
        self._join()

    async def _use(self, entry: StoreEntry, store: OpenStore) -> None:
        was_kept_out, entry.store, entry.error = entry.error is not None, store, None
        entry.path = str(store.facts.location.database)
        entry.retry.end()
        self.opened(store)
        if self.front.entry is None and not self.front.is_busy:
            self.front.serve(entry)
            await self.changed()
            self.told()
            return
        if entry is self._wanted:
            # One that was locked comes when nobody expects it: the selected row is left alone.
            self.front.put(entry, None if was_kept_out else self.brought)
        self._join()

    def _join(self) -> None:
        """Search what was opened beside the others; what comes within a moment comes together."""
        self.told()
        if self._joining is None or self._joining.done():
            self._joining = self._tasks.spawn(self._tell_changed(), name="stores joined")

    async def _tell_changed(self) -> None:
        await asyncio.sleep(_TOGETHER_S)
        self._joining = None  # what is opened from here on is told again
        await self.changed()

    # Closing

    async def _close_for_good(self, entry: StoreEntry) -> None:
        if entry is self.front.entry:
            await self.front.may_leave()
        await self._close(entry)
        if not self.stores.open and not any(e.is_being_opened for e in self.stores.entries):
            self._view.show_welcome()
        self._join()

    async def _close(self, entry: StoreEntry) -> None:
        """Close a store; the next open one takes its place in front."""
        others = [other for other in self.stores.open if other is not entry]
        if entry is self.front.entry:
            await self.front.leave(is_turn=bool(others))
            self.front.serve_next(entry)
        await self._release(entry)

    async def _release(self, entry: StoreEntry) -> None:
        store, entry.store = entry.store, None
        if store is None:
            return
        self.released(store)
        await self.changed()
        await entry.tasks.close()  # first, or their statements meet a closed connection
        entry.tasks = TaskSet()
        await store.aclose()
        await self.closed(store)


async def _at_once() -> None:
    return


async def _of_store(_store: OpenStore) -> None:
    return
