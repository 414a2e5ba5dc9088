"""Finding stores: a folder is asked for, walked in a thread, and what is chosen of it opened.

Looking leaves nothing behind: a store is only counted until it is opened.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QDialog

from app.arguments import program_version
from app.ask import ask
from app.error_presenter import present
from app.long_work import in_worker
from app.open_stores import OpenStores
from app.tasks import TaskSet
from app.window_dialogs import ask_for_folder
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.progress import Progress, WorkCancelledError
from core.store.finder import FoundStore, StoreFinder
from core.store.glance import count_memories
from core.store.location import name_of
from widgets.find_content import FindLine, FindTally
from widgets.find_dialog import FindDialog
from widgets.main_window import MainWindow

_STEP_S = 0.1
_NO_STORE = frozenset({ErrorCode.EMPTY_FILE, ErrorCode.NOT_A_DATABASE, ErrorCode.NOT_A_STORE})


class FindController:
    """Serve the search for stores of one window; there is one at a time."""

    def __init__(
        self,
        window: MainWindow,
        stores: OpenStores,
        open_paths: Callable[[Sequence[Path]], None],
        tasks: TaskSet,
    ) -> None:
        self._window = window
        self._stores = stores
        self._open_paths = open_paths
        self._tasks = tasks
        self._running: asyncio.Task[None] | None = None
        window.find_wanted.connect(self.start)
        window.offer_finding()

    def start(self) -> None:
        """Ask where to look, then look there."""
        if self._running is None or self._running.done():
            self._running = self._tasks.spawn(self._run(), name="find stores")

    async def _run(self) -> None:
        folders: list[Path] = []
        await ask_for_folder(self._window, "Find stores below", Path.home(), folders.append)
        if folders:
            await self._look_below(folders[0])

    async def _look_below(self, folder: Path) -> None:
        dialog = FindDialog(self._window, str(folder))
        search = _Search(dialog, folder, self._stores)
        looking = self._tasks.spawn(search.run(), name="look for stores")
        try:
            code = await ask(dialog)
            chosen = search.paths(dialog.chosen()) if code == QDialog.DialogCode.Accepted else []
        finally:
            if not looking.cancelling():  # else it is on its way out, and not to be hurried
                looking.cancel()
            await asyncio.wait({looking})
        if chosen:
            self._open_paths(chosen)


class _Search:
    """One search, shown by one dialog until that is closed."""

    def __init__(self, dialog: FindDialog, folder: Path, stores: OpenStores) -> None:
        self._dialog = dialog
        self._stores = stores
        self._finder = StoreFinder(folder)
        self._progress = Progress()
        self._found: deque[FoundStore] = deque()  # filled by the thread, emptied here
        self._uncounted: asyncio.Queue[FindLine | None] = asyncio.Queue()
        self._paths: dict[str, Path] = {}
        self._walking: asyncio.Task[None] | None = None
        dialog.stop_wanted.connect(self._stop)

    def paths(self, keys: Sequence[str]) -> list[Path]:
        """Return the stores that some keys of the list stand for."""
        return [self._paths[key] for key in keys]

    async def run(self) -> None:
        """Fill the list until all is looked through or the walk is stopped; count on after it."""
        worker = Worker("find")  # of its own: a walk that hangs in a folder holds up no later one
        counting = asyncio.create_task(self._count(), name="count memories")
        try:
            is_stopped = await self._walk(worker)
            self._dialog.show_end(self._tally(), is_stopped=is_stopped)
            self._uncounted.put_nowait(None)
            await counting
            self._dialog.show_end(self._tally(), is_stopped=is_stopped)
        finally:
            worker.close()  # first: a cancellation may come while the rest is waited for
            counting.cancel()
            await asyncio.wait({counting})

    def _stop(self) -> None:
        if self._walking is not None:
            self._walking.cancel()

    async def _walk(self, worker: Worker) -> bool:
        """Look below the folder; return whether that was stopped."""
        looking = in_worker(worker, self._progress, self._collect)
        walking = self._walking = asyncio.create_task(looking, name="walk folders")
        try:
            while not walking.done():
                await asyncio.wait({walking}, timeout=_STEP_S)
                self._list()
                self._dialog.show_progress(self._tally())
        finally:
            walking.cancel()
            await asyncio.wait({walking})
        if walking.cancelled() or isinstance(walking.exception(), WorkCancelledError):
            return True
        walking.result()
        return False

    def _collect(self) -> None:
        self._found.extend(self._finder.find(self._progress.report))

    def _list(self) -> None:
        """List what the thread has found since the last time."""
        new: list[FindLine] = []
        while self._found:
            new.append(self._line(self._found.popleft()))
        self._dialog.show_lines(new)
        for line in new:
            if not line.is_open:  # what this process has open is read by no second connection
                self._uncounted.put_nowait(line)

    def _line(self, found: FoundStore) -> FindLine:
        path = str(found.database)
        key = ascii(path)  # half surrogates do not survive a signal
        self._paths[key] = found.database
        return FindLine(
            key,
            name_of(found.database),
            path,
            found.size_bytes,
            found.modified_s,
            is_open=any(
                entry.store is not None and entry.store.facts.identity == found.identity
                for entry in self._stores.open
            ),
        )

    async def _count(self) -> None:
        while (line := await self._uncounted.get()) is not None:
            self._dialog.show_lines([await self._counted(line)])

    async def _counted(self, line: FindLine) -> FindLine:
        try:
            return replace(line, memories=await count_memories(self._paths[line.key]))
        except GenizahError as error:
            shown = present(error, program_version())
            is_store = error.code not in _NO_STORE
            return replace(line, reason=shown.title, details=shown.sentence, is_store=is_store)

    def _tally(self) -> FindTally:
        finder = self._finder
        stores = sum(line.is_store for line in self._dialog.lines())
        return FindTally(finder.looked_at, stores, finder.skipped, finder.linked, finder.unreadable)
