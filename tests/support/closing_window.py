"""The program's own window, brought into the state its argument names and then closed; a process.

Prints "ready" once it is there. What blocks in it would go on for minutes: a process that ends
soon did not wait for it.
"""

import os
import sys
import threading
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pysqlite3
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app import duplicates_controller, health_controller, list_export
from app.bootstrap import Services
from app.error_presenter import Move
from app.list_export import Target
from app.window import run_window
from app.window_controller import WindowController
from core.documents.export_content import ExportFormat
from core.health.deep import deep_problems
from core.retrieval import literal
from core.retrieval.encoder import Encoder
from core.retrieval.searcher import Searcher
from core.store import private_copy, salvage
from core.store.database import Database, Reader
from tests.support.gated_encoder import GatedEncoder
from tests.support.several import store_of, tides
from tests.support.stores import WIDTH
from tests.support.stub_encoder import StubEncoder
from tests.support.wait import until
from widgets.health_page import HealthPage
from widgets.main_window import MainWindow
from widgets.preferences_dialog import PreferencesDialog
from widgets.query_history import QueryHistory
from widgets.texts import APP_NAME

_BLOCKED_S = 300
_HELD_UP_S = 3  # twice the limit of an end
_LONG_SQL = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"
_TEXT = "tide tables"

type Call = Callable[..., Awaitable[Any]]


class _Blocked:
    """A call that does not come back, and the news that it was made."""

    def __init__(self) -> None:
        self.started = threading.Event()

    def wait(self) -> None:
        self.started.set()
        threading.Event().wait(_BLOCKED_S)


class _BlockedEncoder(GatedEncoder):
    def __init__(self, blocked: _Blocked) -> None:
        super().__init__(StubEncoder(WIDTH))
        self._blocked = blocked

    def embed(self, text: str) -> bytes:
        self._blocked.wait()
        return super().embed(text)


@dataclass(frozen=True)
class _Services(Services):
    state: str = ""
    blocked: _Blocked | None = None

    def load_encoder(self, model: str) -> Encoder:
        assert self.blocked is not None
        if self.state == "model_load":
            self.blocked.wait()
        if self.state == "embedding":
            return _BlockedEncoder(self.blocked)
        return StubEncoder(WIDTH)


class Driver:
    """Bring the window into a state; `reached` turns true when it is there."""

    def __init__(self, state: str, way: str, services: _Services) -> None:
        self._state = state
        self._way = way
        self._services = services
        assert services.blocked is not None
        self._started = services.blocked.started

    def prepare(self) -> None:
        """Slow down, with a plain function, what the state is about."""
        owner: object
        slow: Callable[..., Any]
        match self._state:
            case "slow_search":
                owner, name, slow = Searcher, "search", self._before_search(Searcher.search)
            case "literal_scan":
                owner, name, slow = literal, "_report", self._before_report(literal._report)
            case "opening":
                owner, name, slow = Database, "open", self._after_open(Database.open)
            case "copying":
                owner, name, slow = private_copy, "copy_files", self._half(private_copy.copy_files)
            case "saving":
                plain = salvage.save_readable_rows
                owner, name, slow = salvage, "save_readable_rows", self._half(plain)
            case "deep_check":
                slow = self._half(deep_problems)
                owner, name = health_controller, "deep_problems"
            case "comparing":
                owner, name, slow = duplicates_controller, "scan_pairs", self._hang
            case "exporting":
                owner, name, slow = list_export, "export_bytes", self._endless
            case "copy_hangs":
                owner, name, slow = private_copy, "copy_files", self._hang
            case _:
                return
        setattr(owner, name, slow)

    def _before_search(self, plain: Call) -> Call:
        async def slow(searcher: Searcher, *args: Any, **more: Any) -> Any:
            await self._long_statement(searcher._database.search)
            return await plain(searcher, *args, **more)

        return slow

    def _before_report(self, plain: Call) -> Call:
        async def slow(reader: Reader, *args: Any, **more: Any) -> Any:
            await self._long_statement(reader)
            return await plain(reader, *args, **more)

        return slow

    def _after_open(self, plain: Call) -> Call:
        async def slow(*args: Any) -> Any:
            database = await plain(*args)
            await self._long_statement(database.search)
            return database

        return slow

    def _half(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """Let work stop half-way, where it asks for ever whether it is still wanted."""

        def slow(*args: Any) -> Any:
            *others, report = args

            def asking(done: int, total: int) -> None:
                report(done, total)
                while done:
                    self._started.set()
                    threading.Event().wait(0.01)
                    report(done, total)

            return plain(*others, asking)

        return slow

    def _hang(self, *_args: Any) -> Any:
        assert self._services.blocked is not None
        self._services.blocked.wait()

    def _endless(self, *_args: Any) -> Iterator[bytes]:
        while True:
            yield b"one more memory"
            self._started.set()

    async def _long_statement(self, reader: Reader) -> None:
        async with reader.snapshot() as connection:
            self._started.set()
            await connection.rows(_LONG_SQL)

    async def drive(self, window: MainWindow, controller: WindowController) -> None:
        """Reach the state, say so, and close the window if that is the way."""
        step: Callable[[MainWindow, WindowController], Awaitable[None]]
        step = getattr(self, f"_{self._state}")
        await step(window, controller)
        if self._way == "window":
            QTimer.singleShot(0, window.close)
        say("ready")

    async def _open(self, window: MainWindow, controller: WindowController) -> None:
        """Wait until the store is open; opening starts after the first paint."""
        await until(lambda: window.windowTitle() != APP_NAME)
        await controller.settled()

    async def _idle(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)

    async def _locked(self, window: MainWindow, controller: WindowController) -> None:
        await until(lambda: controller.opening.is_retrying)

    async def _gone(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        database = Path(sys.argv[3]) / ".zikaron" / "memory.db"
        database.rename(database.with_name("away.db"))
        await until(lambda: bool(controller.live._waiting))

    async def _at_once(self, window: MainWindow, controller: WindowController) -> None:
        pass

    async def _blocked_call(self, window: MainWindow, controller: WindowController) -> None:
        window.search_bar.set_text(_TEXT)
        await until(self._started.is_set)

    _model_load = _embedding = _slow_search = _opening = _literal_scan = _blocked_call

    async def _offered_work(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        saves = self._state == "saving"
        controller.moves.make(Move.SAVE_ROWS if saves else Move.OPEN_COPY)
        await until(self._started.is_set)

    _copying = _saving = _copy_hangs = _offered_work

    async def _long_page(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        window.actions_by_name["health" if self._state == "deep_check" else "duplicates"].trigger()
        if self._state == "deep_check":
            await controller.settled()
            page = controller.pages.of("health").page
            assert isinstance(page, HealthPage)
            page.deep.click()
        await until(self._started.is_set)

    _deep_check = _comparing = _long_page

    async def _exporting(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        export = controller.pages.export
        await until(lambda: (found := export.list_of(False)) is not None and bool(found.named))
        wanted = export.list_of(False)
        assert wanted is not None
        target = Target(self._services.data_dir / "list.json", ExportFormat.JSON)
        export._running.start("export", lambda: export.write(wanted, target))
        await until(self._started.is_set)

    async def _dialog(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        window.open_wanted.emit()
        await until(lambda: any(d.isVisible() for d in window.findChildren(QFileDialog)))

    async def _about(self, window: MainWindow, controller: WindowController) -> None:
        window.about_wanted.emit()
        await until(lambda: any(d.isVisible() for d in window.findChildren(QMessageBox)))

    async def _preferences(self, window: MainWindow, controller: WindowController) -> None:
        window.actions_by_name["preferences"].trigger()
        await until(lambda: any(d.isVisible() for d in window.findChildren(PreferencesDialog)))

    async def _history(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        window.search_bar.set_text(_TEXT)
        window.search_bar.submitted.emit()
        window.search_bar.history_wanted.emit()
        await until(lambda: any(p.isVisible() for p in window.findChildren(QueryHistory)))

    async def _own_file_locked(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        file = self._services.data_dir / "genizah.db"
        await until(file.exists)
        self._lock = pysqlite3.connect(str(file), timeout=0, isolation_level=None)
        await until(self._takes_lock)  # whoever holds it needs this loop to let it go
        window.search_bar.set_text(_TEXT)
        window.search_bar.submitted.emit()

    def _takes_lock(self) -> bool:
        try:
            self._lock.execute("BEGIN IMMEDIATE")
        except pysqlite3.OperationalError:
            return False
        return True

    async def _many_stores(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        folder = Path(mkdtemp(dir=self._services.data_dir))
        controller.open_paths([store_of(folder / f"s{n}", tides(f"s{n}")) for n in range(19)])
        await controller.settled()
        assert len(controller.opening.stores.open) == 20
        window.search_bar.set_text("tide")

    async def _searched(self, window: MainWindow, controller: WindowController) -> None:
        await self._open(window, controller)
        window.search_bar.set_text(_TEXT)
        await controller.settled()
        window.hit_view.select_first()


def say(line: str) -> None:
    """Tell the parent process."""
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Run as `closing_window STATE window|signal PROJECT`."""
    state, way, project = sys.argv[1:]
    services = _Services(environ=dict(os.environ), state=state, blocked=_Blocked())
    driver = Driver(state, way, services)
    driver.prepare()
    made = WindowController.__init__

    def make(controller: WindowController, given: Services, window: MainWindow, *rest: Any) -> None:
        made(controller, given, window, *rest)
        if state == "held_up":
            say("ready")
            threading.Event().wait(_HELD_UP_S)
            return
        controller._tasks.spawn(driver.drive(window, controller), name="driver")

    name = "__init__"
    setattr(WindowController, name, make)
    run_window(services, Namespace(stores=[str(Path(project))]))


if __name__ == "__main__":
    main()
