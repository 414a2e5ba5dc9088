"""The last queries: one is noted when a person stays on a result or presses Enter, not each key."""

import asyncio

from app.own_data import OwnData
from app.tasks import TaskSet
from core.appdata.database import AppDatabase
from core.appdata.queries import Queries
from widgets.main_window import MainWindow
from widgets.query_history import QueryHistory

STAY_S = 2.0
NONE_YET = "No queries yet. One is kept when you press Enter or stay on a result."
SWITCHED_OFF = "Queries are not remembered; switch it on in the preferences."


class HistoryController:
    """Note queries while that is wanted, and offer them below the box."""

    def __init__(
        self, own: OwnData, window: MainWindow, tasks: TaskSet, stay_s: float = STAY_S
    ) -> None:
        self._own = own
        self._window = window
        self._tasks = tasks
        self._stay_s = stay_s
        self._is_on = True
        self._queries: tuple[str, ...] = ()
        self._staying: asyncio.Task[None] | None = None
        self.popup = QueryHistory(window)
        self._connect()

    def _connect(self) -> None:
        window = self._window
        window.search_bar.history_wanted.connect(self._drop_down)
        window.search_bar.query_changed.connect(lambda _text: self._leave())
        window.search_bar.submitted.connect(self.note)
        for selected in (window.hit_view.hit_selected, window.literal_list.match_selected):
            selected.connect(self._selected)
        for opened in (window.hit_view.hit_opened, window.literal_list.match_opened):
            opened.connect(lambda _uuid: self.note())
        self.popup.query_wanted.connect(window.search_bar.set_text)
        self.popup.query_dropped.connect(self.forget)

    @property
    def queries(self) -> tuple[str, ...]:
        """Return the last queries, newest first."""
        return self._queries

    def set_on(self, is_on: bool) -> None:
        """Note queries from now on, or note none; what is kept stays until it is cleared."""
        self._is_on = is_on
        if not is_on:
            self._leave()

    def note(self) -> None:
        """Remember the text in the box."""
        self._leave()
        if not self._is_on:
            return
        text = self._window.search_bar.text()

        async def work(database: AppDatabase) -> None:
            queries = Queries(database, self._own.clock)
            await queries.note(text)
            self._queries = await queries.last()

        self._own.do(work, name="note query")

    def forget(self, text: str) -> None:
        """Forget one query."""

        async def work(database: AppDatabase) -> None:
            queries = Queries(database, self._own.clock)
            await queries.forget(text)
            self._queries = await queries.last()

        self._own.do(work, name="forget query")

    def clear(self) -> None:
        """Forget all queries."""

        async def work(database: AppDatabase) -> None:
            await Queries(database, self._own.clock).clear()
            self._queries = ()

        self._own.do(work, name="forget queries")

    def reload(self) -> None:
        """Read the queries again: another window may have added some."""

        async def work(database: AppDatabase) -> None:
            self._queries = await Queries(database, self._own.clock).last()

        self._own.do(work, name="last queries")

    def _selected(self, uuid: str) -> None:
        self._leave()
        if uuid and self._is_on:
            self._staying = self._tasks.spawn(self._stay(), name="stay on a result")

    async def _stay(self) -> None:
        await asyncio.sleep(self._stay_s)
        self._staying = None
        self.note()

    def _leave(self) -> None:
        if self._staying is not None:
            self._staying.cancel()
            self._staying = None

    def _drop_down(self) -> None:
        why_none = NONE_YET if self._is_on else SWITCHED_OFF
        self.popup.drop_down(self._window.search_bar.box, self._queries, why_none)
