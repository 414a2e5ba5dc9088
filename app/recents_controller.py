"""The stores opened lately: noted when one opens, offered in the menu, sidebar and first page."""

from collections.abc import Callable, Collection
from pathlib import Path

from app.open_store import OpenStore
from app.own_data import OwnData
from core.appdata.database import AppDatabase
from core.appdata.recents import Recent, Recents
from widgets.main_window import MainWindow
from widgets.recent_list import RecentLine, RecentMenu
from widgets.sidebar import SidebarEntry


class RecentsController:
    """Show the recent stores wherever the window has a place for them.

    Stores inside `own_folder` (the demo, private copies) are not listed: they have entries of
    their own.
    """

    def __init__(self, own: OwnData, window: MainWindow, own_folder: Path) -> None:
        self._own = own
        self._window = window
        self._own_folder = own_folder
        self._recents: tuple[Recent, ...] = ()
        self.open_paths: Callable[[], Collection[Path]] = tuple
        """Says which stores are open: the sidebar lists them above."""
        self.menu = RecentMenu(window)
        self.menu.clear_wanted.connect(self.clear)

    @property
    def recents(self) -> tuple[Recent, ...]:
        """Return the stores, newest first."""
        return self._recents

    def path_of(self, key: str) -> Path | None:
        """Return the store that a key of menu, list or sidebar stands for."""
        return next((r.path for r in self._recents if _key(r) == key), None)

    def note(self, store: OpenStore) -> None:
        """Remember that this store was opened now."""
        location = store.facts.location
        if location.database.is_relative_to(self._own_folder):
            self._show(self._recents)
            return

        async def work(database: AppDatabase) -> None:
            recents = Recents(database, self._own.clock)
            await recents.note(location.database, store.facts.meta.store_id, location.name)
            self._show(await recents.all())

        self._own.do(work, name="note store")

    def forget(self, key: str) -> None:
        """Take one store off the list; the store itself is not touched."""
        path = self.path_of(key)
        if path is None:
            return

        async def work(database: AppDatabase) -> None:
            recents = Recents(database, self._own.clock)
            await recents.forget(path)
            self._show(await recents.all())

        self._own.do(work, name="forget store")

    def clear(self) -> None:
        """Take all stores off the list."""

        async def work(database: AppDatabase) -> None:
            await Recents(database, self._own.clock).clear()
            self._show(())

        self._own.do(work, name="forget stores")

    def reload(self) -> None:
        """Read the list again: another window may have added to it."""

        async def work(database: AppDatabase) -> None:
            self._show(await Recents(database, self._own.clock).all())

        self._own.do(work, name="recent stores")

    def show(self) -> None:
        """Show the list once more, because other stores are open."""
        self._show(self._recents)

    def _show(self, recents: tuple[Recent, ...]) -> None:
        self._recents = recents
        is_open = set(self.open_paths())
        lines = [RecentLine(_key(r), r.name, str(_folder(r))) for r in recents]
        self.menu.show_lines(lines)
        self._window.state_page.recents.show_lines(lines)
        self._window.sidebar.show_recent(
            [
                SidebarEntry(_key(r), r.name, str(_folder(r)))
                for r in recents
                if r.path not in is_open
            ]
        )


def _key(recent: Recent) -> str:
    return ascii(str(recent.path))  # half surrogates do not survive a signal


def _folder(recent: Recent) -> Path:
    """Return what people call the store's place: the project's folder, or the bare file."""
    if recent.path.parent.name == ".zikaron":
        return recent.path.parent.parent
    return recent.path
