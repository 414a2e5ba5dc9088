"""The window's wiring: what the person asks for, passed to the controllers; opening and closing."""

import asyncio
import uuid
from datetime import UTC
from pathlib import Path

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.arguments import DEFAULT_LIMIT, program_version
from app.ask import ask
from app.bootstrap import Services
from app.browse_controller import BrowseController
from app.demo import prepare_demo
from app.detail_controller import DetailController
from app.error_presenter import Move
from app.model_controller import ModelController, ModelState
from app.open_store import OpenStore
from app.search_controller import Request, SearchController
from app.tasks import TaskSet
from app.window_view import WindowView
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.store import private_copy, salvage
from core.store.location import StoreLocation
from widgets.browse_view import BrowseView
from widgets.hit_view import HitView
from widgets.literal_list import LiteralList
from widgets.main_window import MainWindow


class WindowController:
    """Own the open store and the controllers that serve one window."""

    def __init__(self, services: Services, window: MainWindow, tasks: TaskSet) -> None:
        self._services = services
        self._window = window
        self._tasks = tasks
        self._model_worker = Worker("model")
        self._scan_worker = Worker("scan")
        self._store: OpenStore | None = None
        self._store_tasks = TaskSet()
        self._visited: str | None = None
        self._named: Path | None = None
        self._opening: asyncio.Task[None] | None = None
        self.view = WindowView(window)
        self.model = ModelController(services.load_encoder, tasks, self._model_worker)
        self.search = SearchController(self.view, self.model)
        self.browse = BrowseController(self.view)
        self.detail = DetailController(self.view, DEFAULT_LIMIT, self.search.again)
        self.model.changed = self._model_changed
        self._connect()

    def _connect(self) -> None:
        window = self._window
        window.search_bar.query_changed.connect(lambda _text: self._ask())
        window.search_bar.include_retired_changed.connect(lambda _on: self._ask())
        window.hit_view.hit_selected.connect(self._select_ranked)
        window.literal_list.match_selected.connect(self._select_unranked)
        window.browse_view.row_selected.connect(self._select_unranked)
        window.browse_view.page_wanted.connect(self.browse.page_wanted)
        window.detail_panel.memory_wanted.connect(self._go_to)
        window.open_wanted.connect(lambda: self._tasks.spawn(self._ask_for_path(), name="open"))
        window.demo_wanted.connect(self.open_demo)
        window.about_wanted.connect(lambda: self._tasks.spawn(self._about(), name="about"))
        window.path_dropped.connect(lambda path: self.open_path(Path(path)))
        window.action_wanted.connect(self._move)
        self.search.shown = self._list_shown

    # Opening

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder; newest wins."""
        self._named = path
        self._opening = self._tasks.spawn(self._open(path, self._opening), name="open store")

    def open_demo(self) -> None:
        """Open the private copy of the demo store."""
        try:
            self.open_path(prepare_demo(self._services, None))
        except GenizahError as error:
            self.view.show_open_error(error)

    async def settled(self) -> None:
        """Wait until the store is open and list and panels belong to text and selection."""
        while self._is_busy():
            if self._opening is not None:
                await asyncio.wait({self._opening})
            await self.search.settled()
            await self.detail.settled()

    def _is_busy(self) -> bool:
        opens = self._opening is not None and not self._opening.done()
        return opens or self.search.is_busy or self.detail.is_busy

    async def _open(self, path: Path | None, earlier: asyncio.Task[None] | None) -> None:
        # One after another, and none is cancelled half-way: nothing is left open behind it.
        if earlier is not None:
            await asyncio.wait({earlier})
        if not self._is_newest_opening():
            return
        self._drop_store()
        self.view.show_opening(str(path or self._services.working_folder))
        await self._close_store()
        try:
            store = await self._services.open_store(path, self._scan_worker)
        except GenizahError as error:
            if self._is_newest_opening():
                self.view.show_open_error(error)
            return
        if self._is_newest_opening():
            self._use_store(store)
        else:
            await store.aclose()

    def _is_newest_opening(self) -> bool:
        return self._opening is asyncio.current_task()

    def _use_store(self, store: OpenStore) -> None:
        self._store, self._store_tasks = store, TaskSet()
        self.view.show_store(store)
        self.browse.use(store, self._store_tasks)
        meta = store.facts.meta
        self.model.use(meta.embed_model, meta.embed_dim, store.facts.dense_refusal)
        self.detail.use(store, self._store_tasks)
        self.search.use(store, self._store_tasks)

    def _drop_store(self) -> None:
        self._visited = None
        for controller in (self.search, self.browse, self.detail):
            controller.drop()

    async def _close_store(self) -> None:
        store, self._store = self._store, None
        await self._store_tasks.close()  # first, or their statements meet a closed connection
        if store is not None:
            await store.aclose()

    async def close(self) -> None:
        """Close the store; running statements are interrupted, a running model load is left."""
        self._model_worker.close()
        self._scan_worker.close()
        self._drop_store()
        await self._close_store()

    async def _ask_for_path(self) -> None:
        dialog = QFileDialog(self._window, "Open store", str(self._services.working_folder))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Memory stores (memory.db)", "All files (*)"])
        dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)  # stores lie in hidden folders
        dialog.fileSelected.connect(lambda path: self.open_path(Path(path)))
        await ask(dialog)

    async def _about(self) -> None:
        box = QMessageBox(self._window)
        box.setWindowTitle("About Genizah")
        box.setText(f"Genizah {program_version()}: a browser for the memories of coding agents.")
        await ask(box)

    # Searching and selecting

    def _ask(self) -> None:
        self._visited = None
        bar = self._window.search_bar
        self.search.ask(Request(bar.text(), bar.includes_retired()))

    def _list_shown(self) -> None:
        """Bring the panels in step with new lists: the same memory, explained anew, or nothing."""
        window = self._window
        selected = window.hit_view.selected_uuid()
        if selected:
            self.detail.select(selected, self.view.outcome)
        elif window.literal_list.selected_uuid() or window.browse_view.selected_uuid():
            return
        elif self._visited is None:
            self.detail.select(None, None)
        else:
            self._go_to(self._visited)

    def _select_ranked(self, uuid: str) -> None:
        if uuid:
            self._visited = None
            self.detail.select(uuid, self.view.outcome)

    def _select_unranked(self, uuid: str) -> None:
        if uuid:
            self._visited = None
            self.detail.select(uuid, None)

    def _go_to(self, uuid: str) -> None:
        """Show a memory by a link: selected where a list on screen has it, else by itself."""
        window = self._window
        if self.view.outcome is None:
            lists: tuple[HitView | LiteralList | BrowseView, ...] = (window.browse_view,)
        else:
            lists = (window.hit_view, window.literal_list)
        if any(view.select(uuid) for view in lists):
            return
        for view in lists:
            view.clear_selection()
        self._visited = uuid
        self.detail.select(uuid, None)

    def _model_changed(self) -> None:
        model = self.model
        facts = None if model.embedder is None else model.embedder.facts
        self.view.set_fingerprint(None if facts is None else facts.fingerprint)
        self.view.show_model(
            is_loading=model.state is ModelState.LOADING, reason=model.reason, notice=model.notice
        )
        if model.state is ModelState.READY and self._store is not None:
            self.search.refresh_matrix(self._store)

    # Moves offered by an error page

    def _move(self, name: str) -> None:
        match name:
            case Move.OPEN_AGAIN:
                self.open_path(self._named)
            case Move.OPEN_COPY:
                self._tasks.spawn(self._open_copy(), name="private copy")
            case Move.SAVE_ROWS:
                self._tasks.spawn(self._save_rows(), name="save rows")

    def _location(self) -> StoreLocation:
        return self._services.locate(self._named)

    async def _open_copy(self) -> None:
        try:
            original = self._location()
            # Named like the project, for the window's title.
            folder = self._services.data_dir / "copies" / str(uuid.uuid4()) / original.name
            copy = await self._scan_worker.run(private_copy.copy_files, original, folder)
        except GenizahError as error:
            self.view.show_open_error(error)
        except OSError as error:
            self._say_failed(f"The copy could not be made ({error.strerror}).")
        else:
            self.open_path(copy.database)

    async def _save_rows(self) -> None:
        stamp = self._services.clock.now().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        target = self._services.data_dir / "salvaged" / f"rows-{stamp}.jsonl"
        try:
            count = await salvage.save_readable_rows(self._location(), target)
        except (GenizahError, OSError) as error:
            self._say_failed(f"The rows could not be saved: {error}")
            return
        box = QMessageBox(self._window)
        box.setWindowTitle("Readable rows saved")
        box.setText(f"{count} memories were saved to {target}. The damaged store was not changed.")
        await ask(box)

    def _say_failed(self, sentence: str) -> None:
        self.view.show_open_error(GenizahError(ErrorCode.STORE_IO, sentence))
