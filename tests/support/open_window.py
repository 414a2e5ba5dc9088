"""A real window on a real store inside an async test: what a person does, and what they see."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QPushButton

from app.bootstrap import Services
from app.tasks import TaskSet
from app.window_controller import WindowController
from core.retrieval.encoder import Encoder
from core.retrieval.outcome import SearchOutcome
from tests.support.wait import until
from widgets.main_window import MainWindow
from widgets.row_model import ROW_ROLE

type Loader = Callable[[str], Encoder]


@dataclass(frozen=True)
class WindowServices(Services):
    """The program's own services with a given way to load a model."""

    load: Loader = field(kw_only=True)

    def load_encoder(self, model: str) -> Encoder:
        """Load a model as the test wants it."""
        return self.load(model)


def services(load: Loader, environ: Mapping[str, str], working_folder: Path) -> WindowServices:
    """Return services that look at `environ` and stand in `working_folder`."""
    return WindowServices(environ=dict(environ), working_folder=working_folder, load=load)


class OpenWindow:
    """One window with its controller; hands and eyes for a test."""

    def __init__(self, window: MainWindow, controller: WindowController) -> None:
        self.window = window
        self.controller = controller

    # Hands

    def type(self, text: str) -> None:
        """Replace the text in the box."""
        self.window.search_bar.set_text(text)

    async def search(self, text: str) -> SearchOutcome:
        """Type a text and wait until both arms have answered and the literal list is whole."""
        self.type(text)
        await self.controller.settled()
        outcome = self.outcome
        assert outcome is not None, self.page_text()
        return outcome

    async def open(self, path: Path | None) -> None:
        """Open a store in the place of all that are open; wait until list and panels stand."""
        stores = self.controller.opening.stores
        self.controller.opening.close_stores([entry.key for entry in stores.entries])
        await self.controller.opening.settled()
        await self.add(path)

    async def add(self, path: Path | None) -> None:
        """Open a store beside those that are open and wait until list and panels stand."""
        self.controller.open_path(path)
        await self.settled()

    async def settled(self) -> None:
        """Wait until nothing more is coming; of the list by time, the rows in view."""
        await self.controller.settled()
        await until(lambda: not self.is_loading())
        if self.page() == "browse":
            await until(self.browse_rows)

    async def select(self, uuid: str) -> None:
        """Select a memory in the ranked list and wait for the panels."""
        assert self.window.hit_view.select(uuid)
        await self.controller.settled()

    def press(self, label: str) -> None:
        """Press the button of the page that says `label`."""
        buttons = self.window.state_page.findChildren(QPushButton)
        (button,) = [b for b in buttons if b.text() == label and b.isVisible()]
        button.click()

    # Eyes

    @property
    def outcome(self) -> SearchOutcome | None:
        """Return the outcome on screen."""
        return self.controller.view.outcome

    def page(self) -> str:
        """Tell which page stands on the left: browse, results or state."""
        current = self.window.pages.currentWidget()
        assert current is not None
        names = {
            self.window.browse_view: "browse",
            self.window.results_page: "results",
            self.window.state_page: "state",
            self.window.lineage_page: "lineage",
        }
        return next((n for widget, n in names.items() if widget is current), current.objectName())

    def page_text(self) -> str:
        """Return everything the state page says, its buttons last."""
        page = self.window.state_page
        labels = [w.text() for w in page.findChildren(QLabel) if w.isVisibleTo(page)]
        buttons = [w.text() for w in page.findChildren(QPushButton) if w.isVisibleTo(page)]
        return "\n".join([*labels, *buttons])

    def is_loading(self) -> bool:
        """Tell whether the state page says that a store is being opened."""
        return self.page() == "state" and self.page_text().startswith("Opening")

    def banners(self) -> str:
        """Return the sentences and codes of all banners, empty where none stands."""
        bar = self.window.notice_bar
        if not bar.isVisibleTo(self.window):
            return ""
        return "\n".join(label.text() for label in bar.findChildren(QLabel))

    def rows(self) -> list[str]:
        """Return the uuids of the ranked list in order."""
        return uuids_of(self.window.hit_view.list)

    def literal_rows(self) -> list[str]:
        """Return the uuids of the literal list in order."""
        return uuids_of(self.window.literal_list.list)

    def browse_rows(self) -> list[str]:
        """Return the uuids of the loaded rows of the list by time."""
        return uuids_of(self.window.browse_view.table)

    def why(self) -> str:
        """Return what the Why panel says, as it is copied."""
        return self.window.why_panel.text()

    def is_empty_handed(self) -> bool:
        """Tell whether no row is selected, nothing is read and no memory is explained."""
        window = self.window
        selected = (
            window.hit_view.selected_uuid(),
            window.literal_list.selected_uuid(),
            window.browse_view.selected_uuid(),
            window.detail_panel.shown_uuid,
        )
        of_no_memory = ("Select a ranked memory", "This search ran")
        return not any(selected) and self.why().startswith(of_no_memory)


def uuids_of(view: QAbstractItemView) -> list[str]:
    """Return the uuids of a list's rows, those that are loaded."""
    model = view.model()
    found = [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]
    return [content.uuid for content in found if content is not None]


def spoken_rows(view: QAbstractItemView) -> list[str]:
    """Return what a screen reader says of each row."""
    model = view.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.data(model.index(row, 0), role)) for row in range(model.rowCount())]


@asynccontextmanager
async def open_window(
    services: Services, path: Path | None = None, *, show: bool = True
) -> AsyncIterator[OpenWindow]:
    """Show a window as the program does, with the store at `path` open where one is given."""
    tasks = TaskSet()
    window = MainWindow()
    controller = WindowController(services, window, tasks)
    opened = OpenWindow(window, controller)
    if show:
        window.show()
    try:
        if path is not None:
            await opened.open(path)
        yield opened
    finally:
        window.hide()
        stuck = await tasks.close()
        await controller.close()
        window.deleteLater()
        assert not stuck
        for widget in QApplication.topLevelWidgets():
            assert widget is window or not widget.isVisible(), f"left open: {widget}"
