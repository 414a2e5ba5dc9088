"""The preferences in force: chosen in a dialog, applied at once, kept; also those of others."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.ask import ask
from app.own_data import OwnData
from app.tasks import TaskSet
from core.appdata.choices import Preferences
from core.appdata.database import AppDatabase
from core.appdata.preferences import PreferenceStore
from widgets.preferences_dialog import PreferencesDialog

type Apply = Callable[[Preferences], None]


class PreferencesController:
    """Hold the preferences and pass each change to `apply`; `forget` is asked for beside them."""

    def __init__(self, own: OwnData, tasks: TaskSet, first: Preferences) -> None:
        self._own = own
        self._tasks = tasks
        self.chosen = first
        self.apply: Apply = lambda _chosen: None
        self.forget: Callable[[], None] = lambda: None
        self._dialog: PreferencesDialog | None = None
        self._times_chosen = 0

    def ask(self, parent: QWidget) -> None:
        """Open the dialog, or bring it forward."""
        if self._dialog is None:
            self._tasks.spawn(self._ask(parent), name="preferences")
        else:
            self._dialog.raise_()

    def choose(self, chosen: Preferences) -> None:
        """Apply and keep preferences."""
        self._times_chosen += 1
        self._use(chosen)

        async def work(database: AppDatabase) -> None:
            await PreferenceStore(database).save(chosen)

        self._own.do(work, name="keep preferences")

    def reload(self) -> None:
        """Take over what another window has chosen, unless something is chosen here meanwhile."""
        chosen_here = self._times_chosen

        async def work(database: AppDatabase) -> None:
            found = await PreferenceStore(database).load()
            if self._own.remembers and self._times_chosen == chosen_here and self._dialog is None:
                self._use(found)

        self._own.do(work, name="preferences")

    def _use(self, chosen: Preferences) -> None:
        if chosen != self.chosen:
            self.chosen = chosen
            self.apply(chosen)

    async def _ask(self, parent: QWidget) -> None:
        dialog = self._dialog = PreferencesDialog(parent, self.chosen)
        dialog.changed.connect(self.choose)
        dialog.forget_wanted.connect(self.forget)
        dialog.forget_wanted.connect(dialog.say_forgotten)
        try:
            await ask(dialog)
        finally:
            self._dialog = None
