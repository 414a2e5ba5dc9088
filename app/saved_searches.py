"""Searches kept under a name: saved from the box, run, renamed, dropped."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog

from app.ask import ask
from app.own_data import OwnData
from app.tasks import TaskSet
from core.appdata.database import AppDatabase
from core.appdata.queries import Queries, SavedSearch
from core.store.text import is_blank, well_formed
from widgets.main_window import MainWindow
from widgets.name_dialog import NameDialog
from widgets.plain_box import plain_box
from widgets.text_marks import one_line

_SUGGESTED = 60


class SavedSearches(QObject):
    """The saved searches of all windows; `changed` tells that `saved()` returns others."""

    changed = Signal()

    def __init__(self, own: OwnData, window: MainWindow, tasks: TaskSet) -> None:
        super().__init__(window)
        self._own = own
        self._window = window
        self._tasks = tasks
        self._saved: tuple[SavedSearch, ...] = ()

    def saved(self) -> tuple[SavedSearch, ...]:
        """Return the saved searches by name."""
        return self._saved

    def run(self, name: str) -> None:
        """Put a saved search into the box and its scope beside it, as if it had been typed."""
        search = self._find(name)
        if search is not None:
            self._window.search_bar.include_retired.setChecked(search.include_retired)
            self._window.search_bar.set_text(search.text)

    def keep(self, search: SavedSearch) -> None:
        """Keep a search; one of the same name is replaced."""

        async def work(database: AppDatabase) -> None:
            queries = Queries(database, self._own.clock)
            await queries.save(search)
            self._show(await queries.saved())

        self._own.do(work, name="save search")

    def rename(self, old: str, new: str) -> None:
        """Give a saved search another name; one that has it already is replaced."""
        search = self._find(old)
        if search is None or is_blank(new):
            return

        async def work(database: AppDatabase) -> None:
            queries = Queries(database, self._own.clock)
            await queries.rename(search, new)
            self._show(await queries.saved())

        self._own.do(work, name="rename search")

    def drop(self, name: str) -> None:
        """Forget a saved search."""

        async def work(database: AppDatabase) -> None:
            queries = Queries(database, self._own.clock)
            await queries.drop(name)
            self._show(await queries.saved())

        self._own.do(work, name="drop search")

    def reload(self) -> None:
        """Read them again: another window may have changed some."""

        async def work(database: AppDatabase) -> None:
            self._show(await Queries(database, self._own.clock).saved())

        self._own.do(work, name="saved searches")

    def ask_save(self) -> None:
        """Ask for a name and keep what is in the box."""
        self._tasks.spawn(self._ask_save(), name="save search")

    def ask_rename(self, name: str) -> None:
        """Ask for another name and give it to a saved search."""
        self._tasks.spawn(self._ask_rename(name), name="rename search")

    async def _ask_save(self) -> None:
        bar = self._window.search_bar
        text, include_retired = bar.text(), bar.includes_retired()
        if is_blank(text):
            text = "There is nothing in the search box to save; type a query first."
            await ask(plain_box(self._window, "Save search", text))
            return
        name = await self._ask_name("Save search", text, one_line(text, _SUGGESTED))
        if name is not None:
            self.keep(SavedSearch(name, text, include_retired))

    async def _ask_rename(self, name: str) -> None:
        search = self._find(name)
        if search is None:
            return
        new = await self._ask_name("Rename search", search.text, name, besides=name)
        if new is not None:
            self.rename(name, new)

    async def _ask_name(
        self, title: str, query: str, name: str, besides: str | None = None
    ) -> str | None:
        taken = [s.name for s in self._saved if s.name != besides]
        dialog = NameDialog(self._window, title, query, name, taken)
        if await ask(dialog) != QDialog.DialogCode.Accepted or is_blank(dialog.name()):
            return None
        return well_formed(dialog.name())

    def _find(self, name: str) -> SavedSearch | None:
        return next((s for s in self._saved if s.name == name), None)

    def _show(self, saved: tuple[SavedSearch, ...]) -> None:
        if saved != self._saved:
            self._saved = saved
            self.changed.emit()
