"""A window as tests/support/open_window makes it, with what the program remembers beside it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.bootstrap import Services
from app.dress import dress
from app.late_actions import LateActions
from app.own_data import OwnData
from app.personal import Personal
from app.tasks import TaskSet
from app.window_controller import WindowController
from tests.support.open_window import OpenWindow
from tests.support.wait import until
from widgets.main_window import MainWindow
from widgets.theme import ThemeFollower

STAY_S = 0.01
_PATIENCE_S = 20.0  # on a busy machine the program shows its defaults; here they would be wrong


@dataclass(frozen=True)
class PersonalWindow:
    """One window and its memory of its own."""

    opened: OpenWindow
    personal: Personal
    own: OwnData

    @property
    def window(self) -> MainWindow:
        """Return the window."""
        return self.opened.window

    async def settled(self) -> None:
        """Wait until lists and panels stand and everything to be remembered is."""
        await self.opened.settled()
        await self.own.settled()

    def trigger(self, name: str) -> None:
        """Choose an action of the menu."""
        self.window.actions_by_name[name].trigger()


@asynccontextmanager
async def personal_window(
    services: Services, path: Path | None = None, stay_s: float = STAY_S
) -> AsyncIterator[PersonalWindow]:
    """Start, show and close a window as the program does, with the store at `path` open."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = ThemeFollower(app)
    tasks = TaskSet()
    own = OwnData(services.data_dir, services.clock, glance_limit_s=_PATIENCE_S)
    look = await own.first_look()
    window = MainWindow()
    actions = LateActions(window)
    dress(window, theme, look)
    controller = WindowController(services, window, tasks, actions)
    folder = services.data_dir
    personal = Personal(own, look, window, controller, tasks, theme, folder, stay_s)
    window.show()
    await until(window.isVisible)
    personal.start()
    opened = OpenWindow(window, controller)
    try:
        if path is not None:
            await opened.open(path)
        await own.settled()
        yield PersonalWindow(opened, personal, own)
    finally:
        personal.leave()
        window.hide()
        stuck = await tasks.close()
        await controller.close()
        await own.close()
        window.deleteLater()
        theme.set_font_points(0)
        theme.deleteLater()
        assert not stuck
