"""What the program remembers for a person, put together for one window.

Recent stores, queries, saved searches, preferences and the window's layout, all in the program's
own file. Decides nothing about searching: it asks the window's controller.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from app.first_steps import FirstSteps
from app.history_controller import STAY_S, HistoryController
from app.own_data import FirstLook, OwnData
from app.preferences_controller import PreferencesController
from app.recents_controller import RecentsController
from app.saved_searches import SavedSearches
from app.tasks import TaskSet
from app.window_controller import WindowController
from core.appdata.choices import Preferences
from core.appdata.database import AppDatabase
from core.appdata.preferences import PreferenceStore
from core.store.text import well_formed
from widgets.action_spec import Menu
from widgets.main_window import MainWindow
from widgets.sidebar import SidebarEntry
from widgets.theme import Scheme, ThemeFollower
from widgets.window_layout import save_layout


class Personal:
    """Serve one window that app/dress has given its look."""

    def __init__(
        self,
        own: OwnData,
        look: FirstLook,
        window: MainWindow,
        controller: WindowController,
        tasks: TaskSet,
        theme: ThemeFollower,
        own_folder: Path,
        stay_s: float = STAY_S,
    ) -> None:
        self._own = own
        self._window = window
        self._controller = controller
        self._theme = theme
        self._is_started = False
        self.recents = RecentsController(own, window, own_folder)
        self.history = HistoryController(own, window, tasks, stay_s)
        self.saved = SavedSearches(own, window, tasks)
        self.preferences = PreferencesController(own, tasks, look.preferences)
        self.steps = FirstSteps(window, controller, self.preferences, own_folder / "demo")
        self._apply(look.preferences)
        self._connect()

    def _connect(self) -> None:
        window, recents = self._window, self.recents
        self._own.changed = lambda: self._controller.view.set_own_notices(self._own.notices)
        self._controller.opened, self._controller.dismissed = recents.note, recents.show
        recents.open_paths = self._controller.open_databases
        self._controller.panels.remember(self._own)
        self._controller.writing.remember(self._own)
        self._controller.pages.remember(self._own)
        self.preferences.apply = self._apply
        self.preferences.forget = self.history.clear
        self.saved.changed.connect(self._show_saved)
        self._controller.filtering.saved.changed = self._show_saved
        window.preferences_wanted.connect(lambda: self.preferences.ask(window))
        window.save_search_wanted.connect(self.saved.ask_save)
        for place in (recents.menu, window.state_page.recents, window.sidebar):
            place.store_wanted.connect(self._open_recent)
        for place in (recents.menu, window.state_page.recents):
            place.forget_wanted.connect(recents.forget)
        window.sidebar.saved_wanted.connect(self._run_saved)
        window.sidebar.saved.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        window.sidebar.saved.customContextMenuRequested.connect(self._offer_saved)
        self._add_menu()

    def _add_menu(self) -> None:
        file = self._window.menus[Menu.FILE]
        after = file.actions().index(self._window.actions_by_name["open"])
        file.insertMenu(file.actions()[after + 1], self.recents.menu)

    def start(self) -> None:
        """Open the program's own file and read it; call it once the window is painted."""
        self._is_started = True
        self._own.open()
        self.steps.start(self._own)
        self.reload()
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._came_back)

    def reload(self) -> None:
        """Read everything again, for another window may have changed it."""
        for part in (
            self.preferences,
            self.recents,
            self.history,
            self.saved,
            self._controller.panels,
        ):
            part.reload()

    def leave(self) -> None:
        """Keep the window's layout; call it before the file is closed."""
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication) and self._is_started:
            app.applicationStateChanged.disconnect(self._came_back)
        parts = save_layout(self._window)

        async def work(database: AppDatabase) -> None:
            await PreferenceStore(database).save_geometry(parts)

        self._own.do(work, name="keep layout")

    def _came_back(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.reload()

    def _apply(self, chosen: Preferences) -> None:
        self._theme.choose(Scheme(chosen.theme.value))
        self._theme.set_font_points(chosen.font_points)
        self._controller.set_limit(chosen.limit)
        self._controller.set_meaning_search(chosen.meaning_search)
        self.history.set_on(chosen.query_history)
        self._controller.writing.texts.is_on = chosen.text_history
        self.steps.refresh()

    def _open_recent(self, key: str) -> None:
        path = self.recents.path_of(key)
        if path is not None:
            self._controller.open_path(path)

    # Saved searches in the sidebar

    def _show_saved(self) -> None:
        counting = self._controller.filtering.saved
        counting.follow(self.saved.saved())
        self._window.sidebar.show_saved(
            [
                SidebarEntry(
                    s.name,
                    s.name,
                    s.text,
                    counting.counts.get(s.name),
                    is_least=not counting.are_whole,
                )
                for s in self.saved.saved()
            ]
        )

    def _run_saved(self, name: str) -> None:
        self.saved.run(well_formed(name))

    def _offer_saved(self, at: QPoint) -> None:
        choices = self._window.sidebar.saved
        item = choices.itemAt(at) or choices.currentItem()
        if item is None:
            return
        name = choices.entry_keys()[choices.row(item)]
        menu = QMenu(choices)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        offers: tuple[tuple[str, Callable[[str], None]], ...] = (
            ("&Rename…", self.saved.ask_rename),
            ("&Forget", self.saved.drop),
        )
        for words, step in offers:
            menu.addAction(words).triggered.connect(
                lambda _checked=False, step=step: step(name)
            )
        menu.popup(choices.viewport().mapToGlobal(at))
