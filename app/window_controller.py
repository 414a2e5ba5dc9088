"""The window's wiring: what the person asks for, passed to the controllers; opening and closing."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from app.arguments import DEFAULT_LIMIT
from app.backup_controller import BackupController
from app.bootstrap import Services
from app.browse_controller import BrowseController
from app.demo import prepare_demo
from app.detail_controller import DetailController
from app.error_presenter import Move
from app.late_actions import LateActions
from app.links import LinkOpener
from app.live_controller import LiveController, Origin
from app.long_work import LongWork
from app.marks_controller import MarksController
from app.marks_view import MarksInWindow
from app.message_controller import MessageController
from app.model_controller import ModelController, ModelState
from app.open_store import OpenStore
from app.panels import Panels
from app.patience import after_a_while
from app.quick_open_controller import QuickOpenController
from app.rescue_controller import RescueController
from app.retry import Retry
from app.search_controller import Request, SearchController
from app.search_hints import SearchHints
from app.selection_controller import SelectionController
from app.tasks import TaskSet
from app.unforeseen import PutRight
from app.window_actions import ActionController
from app.window_dialogs import about, ask_for_path
from app.window_view import WindowView
from app.worker import Worker
from app.writing import make_writing
from core.errors import ErrorCode, GenizahError
from core.store.location import StoreLocation
from widgets.main_window import MainWindow

_log = logging.getLogger(__name__)


class WindowController:
    """Own the open store and the controllers that serve one window."""

    def __init__(
        self,
        services: Services,
        window: MainWindow,
        tasks: TaskSet,
        installed: LateActions | None = None,
    ) -> None:
        self._services = services
        self._window = window
        self._tasks = tasks
        self._model_worker = Worker("model")
        self._scan_worker = Worker("scan")
        self._watch_worker = Worker("watch")
        self._store: OpenStore | None = None
        self._store_tasks = TaskSet()
        self._named: Path | None = None
        self._opening: asyncio.Task[None] | None = None
        self._retry_opening = Retry(tasks)
        self._kept: str | None = None
        self._locked: GenizahError | None = None
        self.opened: Callable[[OpenStore], None] = lambda _store: None  # told of each one
        self._make_controllers(installed)
        self._connect()

    def _make_controllers(self, installed: LateActions | None) -> None:
        services, window, tasks = self._services, self._window, self._tasks
        self.view = WindowView(window)
        self.model = ModelController(services.load_encoder, tasks, self._model_worker)
        self.search = SearchController(self.view, self.model)
        self.browse = BrowseController(self.view)
        self.detail = DetailController(self.view, DEFAULT_LIMIT, self._store_moved)
        self.hints = SearchHints(window.search_bar.hint, self.search, self.model)
        self.messages = MessageController(window.message_bar, self._move)
        self.work = LongWork(self.messages)
        self.backups = BackupController(services, self.messages, self.work)
        self.rescue = RescueController(services, window, self.work, tasks, self._file_failed)
        self.live = LiveController(
            (self.browse, self.search, self.detail),
            self.messages,
            self._reopen,
            tasks,
            self._watch_worker,
        )
        self.marks = MarksController(MarksInWindow(window), Worker("marks"))
        self.detail.spans_of = self.marks.spans_of
        self.links = LinkOpener(window, tasks)
        clock = services.clock
        self.selection = SelectionController(window, self.view, self.search, self.detail, clock)
        self.quick_open = QuickOpenController(window, self.selection.go_to_head)
        self.writing = make_writing(
            window, services, self.model, self._model_worker, self.messages, self.work, tasks
        )
        self._make_panels(installed)

    def _make_panels(self, installed: LateActions | None) -> None:
        window, tasks = self._window, self._tasks
        self.panels = Panels(window, self.view, self.model, self.detail, self.work, tasks)
        self.panels.connect_lists(self._list_shown, self._store_moved)
        self.actions = ActionController(
            window,
            tasks,
            self.detail,
            self.selection,
            self.quick_open,
            self.refresh,
            {**self.panels.handlers(), **self.writing.handlers(), "backup": self.backups.start},
            installed,
        )
        self.writing.serve(self.actions, self.selection, self.detail, self.backups, self.refresh)

    def _connect(self) -> None:
        window = self._window
        window.search_bar.query_changed.connect(lambda _text: self.ask())
        window.search_bar.include_retired_changed.connect(lambda _on: self.ask())
        window.literal_list.cancel_wanted.connect(self.search.stop_looking)
        window.browse_view.page_wanted.connect(self.browse.page_wanted)
        window.browse_view.page_wanted.connect(lambda _rowids: self.marks.rows_shown())
        window.detail_panel.link_wanted.connect(self.links.ask_to_open)
        window.open_wanted.connect(lambda: self._tasks.spawn(self._ask_for_path(), name="open"))
        window.demo_wanted.connect(self.open_demo)
        window.about_wanted.connect(lambda: self._tasks.spawn(about(window), name="about"))
        window.path_dropped.connect(lambda path: self.open_path(Path(path)))
        window.action_wanted.connect(self._move)
        window.search_bar.hint.action_wanted.connect(self._move)
        self.rescue.open_path, self.rescue.confirm = self.open_path, self.messages.confirm
        self.model.changed = self._model_changed
        self.view.failed, self.view.worked = self.live.failed, self.live.worked
        self.live.may_read_vectors = lambda: self.model.state is ModelState.READY
        self.search.shown = self._list_shown
        self.live.moved = self.writing.moved
        self.view.selected_shown = lambda detail: self.marks.text_shown(detail, self.view.outcome)

    def _store_moved(self) -> None:
        """Search again: the store is no longer the one that the list describes."""
        self.view.note_store_changed()
        self.search.again()

    # Opening

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder; newest wins."""
        self.rescue.opens_another()
        self.live.forget()
        self._retry_opening.end()
        self._kept = None
        self._start_opening(path)

    def _reopen(self, path: Path) -> None:
        """Open the file anew that took the place of the open store; box and memory are kept."""
        self._kept = self.selection.uuid or self._kept
        self._start_opening(path)

    def _start_opening(self, path: Path | None) -> None:
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
            await self.marks.settled()
            await self.panels.settled()
            await self.writing.settled()

    def _is_busy(self) -> bool:
        opens = self._opening is not None and not self._opening.done()
        return opens or any(
            part.is_busy
            for part in (self.search, self.detail, self.marks, self.panels, self.writing)
        )

    async def _open(self, path: Path | None, earlier: asyncio.Task[None] | None) -> None:
        # One after another, and none is cancelled half-way: nothing is left open behind it.
        if earlier is not None:
            await asyncio.wait({earlier})
        if self._is_newest_opening():
            with PutRight(lambda error: self._opening_broke(path, error)):
                await self._open_alone(path)

    def _opening_broke(self, path: Path | None, error: GenizahError) -> None:
        """Show why nothing is open, unless a newer opening sees to the page."""
        if not self._is_newest_opening():
            return
        self._drop_store()
        if self._store is not None:
            self._tasks.spawn(self._close_store(), name="close store")
        self._not_opened(path, error)

    async def _open_alone(self, path: Path | None) -> None:
        self._drop_store()
        name = str(path or self._services.working_folder)
        self.view.show_opening(name)
        try:
            with after_a_while(lambda: self._offer_cancel(name)):
                await self._close_store()
                store = await self._services.open_store(path, self._scan_worker)
        except GenizahError as error:
            if self._is_newest_opening():
                self._not_opened(path, error)
            return
        if self._is_newest_opening():
            _log.info("open: %s", store.facts.location.database)
            self._use_store(store)
        else:
            await store.aclose()

    def _is_newest_opening(self) -> bool:
        return self._opening is asyncio.current_task()

    def _offer_cancel(self, name: str) -> None:
        if self._opening is not None and self._store is None:
            self.view.offer_cancel(name)

    def _cancel_opening(self) -> None:
        """Leave an opening to itself: what it still opens it closes."""
        self._opening, self._kept = None, None
        self.live.forget()
        self.view.show_welcome()

    def _not_opened(self, path: Path | None, error: GenizahError) -> None:
        _log.info("not opened: %s, %s", error.code.value, error.path)
        if error.code is ErrorCode.STORE_BUSY:
            delay = self._retry_opening.later(lambda: self._start_opening(path))
            self._locked = error
            self.view.show_busy(error, delay)
        else:
            self._retry_opening.end()
            self.view.show_open_error(error)
            self.live.not_opened()

    def _use_store(self, store: OpenStore) -> None:
        self._store, self._store_tasks = store, TaskSet()
        self._retry_opening.end()
        self.view.show_store(store)
        self.live.use(store, self._store_tasks)
        self.selection.begin(self._kept)
        self._kept = None
        self.browse.use(store, self._store_tasks)
        meta = store.facts.meta
        self.model.use(meta.embed_model, meta.embed_dim, store.facts.dense_refusal)
        self.detail.use(store, self._store_tasks)
        self.marks.use(store, self._store_tasks)
        self.panels.use(store, self._store_tasks)
        self.backups.use(store, self._store_tasks)
        self.search.use(store, self._store_tasks)
        self.quick_open.use(store, self._store_tasks)
        self.writing.use(store, self._store_tasks)
        self.actions.set_store(True)
        self.opened(store)

    def refresh(self) -> None:
        """Read list and search anew, also one that was cancelled; selection and scroll stay."""
        self.search.is_cancelled = False
        self.live.refresh()

    def set_limit(self, limit: int) -> None:
        """Draw the agent's cut below this many rows, also in the list on screen."""
        if limit == self.view.limit:
            return
        self.view.limit = limit
        self.detail.set_limit(limit)
        if self.view.outcome is not None:
            self.search.again()

    def set_meaning_search(self, is_on: bool) -> None:
        """Search by meaning beside the words, or by words alone."""
        if self.model.allow(is_on) and self.view.outcome is not None:
            self.search.again()

    def _drop_store(self) -> None:
        self.selection.forget()
        self.live.drop()
        self.backups.drop()
        self.writing.drop()
        serving = (self.search, self.browse, self.detail, self.marks, self.panels, self.quick_open)
        for controller in serving:
            controller.drop()
        self.actions.set_store(False)

    async def _close_store(self) -> None:
        store, self._store = self._store, None
        await self._store_tasks.close()  # first, or their statements meet a closed connection
        if store is not None:
            await store.aclose()
        await self.writing.release()  # last, so that it leaves no log behind

    async def close(self) -> None:
        """Close the store; running statements are interrupted, a running model load is left."""
        self.rescue.close()
        self._model_worker.close()
        self._scan_worker.close()
        self.marks.close()
        self.panels.close()
        self.writing.close()
        self._watch_worker.close()
        self._drop_store()
        await self._close_store()

    async def _ask_for_path(self) -> None:
        path = await ask_for_path(self._window, self._services.working_folder)
        if path is not None:
            self.open_path(path)

    # Searching

    def ask(self) -> None:
        """Search for what is in the box now."""
        self.marks.stop_list()
        self.selection.asked()
        bar = self._window.search_bar
        self.search.ask(Request(bar.text(), bar.includes_retired()))

    def _list_shown(self) -> None:
        if self.view.outcome is not None:
            self.marks.outcome_shown(self.view.outcome)
        self.selection.lists_shown()
        self.panels.lists_shown()
        self.actions.update()

    def _model_changed(self) -> None:
        model = self.model
        facts = None if model.embedder is None else model.embedder.facts
        self.marks.set_counter(None if model.embedder is None else model.embedder.counter)
        self.view.set_fingerprint(None if facts is None else facts.fingerprint)
        self.view.show_model(
            is_loading=model.state is ModelState.LOADING, reason=model.reason, notice=model.notice
        )
        self.hints.update()
        self.writing.model_changed()
        if model.state is ModelState.READY and self._store is not None:
            self.search.refresh_matrix(self._store)

    # Moves offered by an error page

    def _move(self, name: str) -> None:
        match name:
            case Move.OPEN_AGAIN:
                self.open_path(self._named)
            case Move.OPEN_COPY:
                self._rescue(self.rescue.open_copy)
            case Move.SAVE_ROWS:
                self._rescue(self.rescue.save_rows)
            case Move.WITH_RETIRED:
                self._window.search_bar.include_retired.setChecked(True)
            case Move.CANCEL_OPENING:
                self._cancel_opening()
            case Move.CANCEL_SEARCH:
                self.search.cancel()
            case Move.SEARCH_AGAIN:
                self.search.again()
            case Move.CANCEL_MODEL:
                self.model.cancel_load()
            case Move.LOAD_MODEL:
                self._load_model_again()
            case Move.TRY_NOW:
                self.live.refresh()
            case Move.STOP_TRYING:
                self._stop_trying()

    def _stop_trying(self) -> None:
        if self._store is not None:
            self.live.give_up()
        elif self._locked is not None:
            self._retry_opening.end()
            self.view.show_open_error(self._locked)

    def _load_model_again(self) -> None:
        self.model.load_again()
        if self.view.outcome is not None:
            self.search.again()

    def _rescue(self, act: Callable[[StoreLocation], None]) -> None:
        try:
            act(self._services.locate(self._named))
        except GenizahError as error:
            self._file_failed(error)

    def _file_failed(self, error: GenizahError) -> None:
        if self._store is None:
            self.view.show_open_error(error)
        else:
            self.live.failed(Origin.FILE, error)
