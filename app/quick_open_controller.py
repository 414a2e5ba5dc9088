"""Quick open and similar memories: what the dialog asks for, read from the open store."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import GenizahError
from core.readmodels import MemoryHead
from core.retrieval.literal import fold
from core.store.quick_find import quick_find
from core.store.text import well_formed
from widgets.quick_open import QuickOpen
from widgets.texts import counted, memories, stub


class QuickOpenController:
    """Own the dialog; the newest text wins."""

    def __init__(self, parent: QWidget, go_to: Callable[[MemoryHead], None]) -> None:
        self.dialog = QuickOpen(parent)
        self.dialog.text_changed.connect(self._find)
        self.dialog.picked.connect(self._picked)
        self._go_to = go_to
        self._then: Callable[[], object] | None = None
        self.dialog.finished.connect(lambda _code: self._cancel())
        self._store: OpenStore | None = None
        self._tasks: TaskSet | None = None
        self._running: asyncio.Task[None] | None = None

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Look into a store from now on, in tasks of its own."""
        self._store, self._tasks = store, tasks

    def drop(self) -> None:
        """Look nowhere from now on; the store's tasks are ended by their owner."""
        self._cancel()
        self._store = self._tasks = None
        self.dialog.close()

    def open(self) -> None:
        """Ask for a memory."""
        self._begin("Quick open", None)

    def open_why_not(self, then: Callable[[], object]) -> None:
        """Ask for a memory to be explained against the list on screen, then call `then`."""
        self._begin("Why not: explain any memory against this list", then)

    def pick(self, title: str) -> None:
        """Ask for a memory for another purpose than going to it."""
        self._begin(title, None)

    def pick_from(self, title: str, heads: Sequence[MemoryHead]) -> None:
        """Ask for one of these memories."""
        if self._store is not None:
            self._then = None
            self._cancel()
            self.dialog.begin_list(title)
            self.dialog.show_rows(heads, memories(len(heads)))

    def _begin(self, title: str, then: Callable[[], object] | None) -> None:
        if self._store is not None:
            self._then = then
            self.dialog.begin(title)

    def _picked(self, head: MemoryHead) -> None:
        self._go_to(head)
        if self._then is not None:
            self._then()

    def open_similar(self, uuid: str) -> None:
        """List the live memories that are most similar to one."""
        if self._store is not None:
            self._then = None
            self.dialog.begin_list(f"Similar to {stub(uuid)}")
            self._spawn(self._list_similar(self._store, uuid))

    async def settled(self) -> None:
        """Wait until the rows belong to the text."""
        while self._running is not None and not self._running.done():
            await asyncio.wait({self._running})

    def _find(self, text: str) -> None:
        if self._store is not None:
            self._spawn(self._list_found(self._store, text))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._cancel()
        if self._tasks is None:
            work.close()
            return
        self._running = self._tasks.spawn(work, name="quick open")

    def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _list_found(self, store: OpenStore, text: str) -> None:
        needle = fold(well_formed(text).strip())
        try:
            async with store.database.browse.snapshot() as connection:
                found = await quick_find(connection, needle, fold)
        except GenizahError as error:
            self.dialog.show_failure(error.message)
        else:
            self.dialog.show_found(found.heads, found.total)

    async def _list_similar(self, store: OpenStore, uuid: str) -> None:
        try:
            outcome = await store.searcher.similar(uuid)
        except GenizahError as error:
            self.dialog.show_failure(error.message)
            return
        heads = [hit.head for hit in outcome.hits]
        found = counted(len(heads), "similar memory", "similar memories")
        self.dialog.show_rows(heads, f"{found}, most similar first")
