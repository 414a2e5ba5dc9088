"""Starting the window: Qt application, event loop, controllers; and the picture of a search."""

import asyncio
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from app.application import Application, OpenedFiles
from app.arguments import program_version
from app.bootstrap import Services
from app.dress import dress
from app.late_actions import LateActions
from app.loop import Stop, leave, run
from app.other_starts import bring_forward
from app.own_data import FirstLook, OwnData
from app.single_instance import SingleInstance, Wish
from app.tasks import TaskSet
from core.datadir import private_folder
from core.errors import ErrorCode, GenizahError
from core.store.location import locate_upwards
from widgets.main_window import MainWindow
from widgets.theme import ThemeFollower

if TYPE_CHECKING:  # imported once the window is painted
    from app.window_controller import WindowController

_PAINT_LIMIT_S = 0.5
_PICTURE_LIMIT_S = 30.0


def run_window(
    services: Services, arguments: Namespace, instance: SingleInstance | None = None
) -> int:
    """Open the window on the named stores, or on the nearest one above; return when it is closed.

    With `screenshot`, save a picture once the typed search is complete, print its path and end.
    `instance` brings the wishes of later starts.
    """
    app = Application()
    theme = ThemeFollower(app)
    paths = [Path(store) for store in arguments.stores]
    session = _Session(services, arguments, paths, theme, app.files, instance)
    code = run(session.main, app)
    del theme
    leave(code)


class _FirstPaint(QObject):
    """Notice when a widget is painted; make it before the widget is shown."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._painted = asyncio.Event()
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._painted.set()
        return False

    async def wait(self) -> None:
        """Wait for the paint; not for long, as a window nobody sees is never painted."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PAINT_LIMIT_S):
                await self._painted.wait()
        self.deleteLater()


class _Session:
    """One run of the window."""

    def __init__(
        self,
        services: Services,
        arguments: Namespace,
        paths: list[Path],
        theme: ThemeFollower,
        files: OpenedFiles,
        instance: SingleInstance | None,
    ) -> None:
        self._services = services
        self._files = files
        self._instance = instance
        self._theme = theme
        self._paths = paths
        self._query: str | None = getattr(arguments, "query", None)
        self._picture: str | None = getattr(arguments, "screenshot", None)

    async def main(self, stop: Stop) -> int:
        own = self._own_data()
        try:
            # Before the window, or it would change its look in front of people.
            return await self._show(stop, own, await own.first_look())
        finally:
            await own.close()

    async def _show(self, stop: Stop, own: OwnData, look: FirstLook) -> int:
        """Paint the window with its menus, then import and start what serves it."""
        window = MainWindow()
        window.closing.connect(stop)
        actions = LateActions(window)
        dress(window, self._theme, look)
        first_paint = _FirstPaint(window)
        window.show()
        await first_paint.wait()
        return await self._serve(window, actions, own, look)

    async def _serve(
        self, window: MainWindow, actions: LateActions, own: OwnData, look: FirstLook
    ) -> int:
        if self._names_a_store() and look.preferences.meaning_search:
            # Half of a model's loading time; the store it is for is not open yet.
            asyncio.get_running_loop().run_in_executor(None, _import_model_libraries)
        from app.error_presenter import machine_line
        from app.fault_reporter import FaultReporter
        from app.log_file import start_log
        from app.personal import Personal
        from app.program_icon import program_icon
        from app.window_controller import WindowController

        await asyncio.sleep(0)  # asked to end during the imports: nothing is built any more
        QApplication.setApplicationVersion(program_version())
        QApplication.setWindowIcon(program_icon())
        tasks = TaskSet()
        controller = WindowController(self._services, window, tasks, actions)
        folder = self._services.data_dir
        personal = Personal(own, look, window, controller, tasks, self._theme, folder)
        faults = FaultReporter(controller.messages)
        try:
            if self._picture is None:
                start_log(folder, machine_line(program_version()))
                faults.install()
            await asyncio.sleep(0)  # the same of what was built: nothing is begun
            personal.start()
            if self._instance is not None:
                self._instance.listen(lambda wish: _grant(wish, window, controller))
            self._files.serve(lambda path: _grant(Wish((path,)), window, controller))
            return await self._live(window, controller)
        finally:
            self._files.serve(None)
            if self._instance is not None:
                self._instance.close()
            faults.remove()
            personal.leave()
            window.hide()
            await tasks.close()
            await controller.close()

    async def _live(self, window: MainWindow, controller: "WindowController") -> int:
        self._open_first(controller)
        if self._query is not None:
            window.search_bar.set_text(self._query)
        elif window.search_bar.text():
            controller.ask()  # typed before anything listened
        if self._picture is not None:
            return await self._take_picture(window, controller, Path(self._picture))
        await asyncio.Event().wait()
        return 0

    def _own_data(self) -> OwnData:
        # A picture shows the program, not the person at it.
        folder = None if self._picture is not None else self._services.data_dir
        return OwnData(folder, self._services.clock)

    def _names_a_store(self) -> bool:
        if self._paths:
            return True
        try:
            locate_upwards(self._services.working_folder)
        except GenizahError:
            return False
        return True

    def _open_first(self, controller: "WindowController") -> None:
        if self._names_a_store():  # else the welcome page stands
            controller.open_paths(self._paths)

    async def _take_picture(
        self, window: MainWindow, controller: "WindowController", target: Path
    ) -> int:
        async with asyncio.timeout(_PICTURE_LIMIT_S):
            await complete(window, controller)
        _save_picture(window, target)
        return 0


async def complete(window: MainWindow, controller: "WindowController") -> None:
    """Wait until all of a search is on screen, the first memory beside it and the facets too."""
    await controller.settled()
    window.hit_view.select_first()
    await controller.settled()
    await controller.filtering.facets.settled()  # counted a moment after the list


def _grant(wish: Wish, window: MainWindow, controller: "WindowController") -> None:
    """Do in this window what a later start was for."""
    bring_forward(window, wish.token)
    if wish.paths:
        controller.open_paths([Path(path) for path in wish.paths])
    if wish.query is not None:
        window.search_bar.set_text(wish.query)


def _import_model_libraries() -> None:
    from core.retrieval.fastembed_encoder import import_libraries

    import_libraries()


def _save_picture(window: MainWindow, target: Path) -> None:
    private_folder(target.absolute().parent)
    if not window.grab().save(str(target)):
        raise GenizahError(ErrorCode.USAGE, f"The picture could not be saved to {target}.")
    print(target, flush=True)  # noqa: T201 - the result of this run
