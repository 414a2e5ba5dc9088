"""The window's wiring: what the person asks for, passed to the controllers; who serves a store.

How a store is opened and closed is the opening controller's.
"""

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
from app.lineage_controller import LineageController
from app.lineage_export import LineageExport
from app.links import LinkOpener
from app.live_controller import LiveController, Origin
from app.long_work import LongWork
from app.marks_controller import MarksController
from app.marks_view import MarksInWindow
from app.message_controller import MessageController
from app.model_controller import ModelController, ModelState
from app.open_store import OpenStore
from app.opening_controller import OpeningController, Served
from app.panels import Panels
from app.quick_open_controller import QuickOpenController
from app.rescue_controller import RescueController
from app.search_controller import Request, SearchController
from app.search_hints import SearchHints
from app.selection_controller import SelectionController
from app.tasks import TaskSet
from app.window_actions import ActionController
from app.window_dialogs import about, ask_for_path
from app.window_view import WindowView
from app.worker import Worker
from app.writing import make_writing
from core.errors import GenizahError
from core.store.location import StoreLocation
from widgets.main_window import MainWindow


class WindowController:
    """Own the controllers that serve one window and its store."""

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
        self.opened: Callable[[OpenStore], None] = lambda _store: None  # told of each one
        self._make_controllers(installed)
        self._connect()

    def _make_controllers(self, installed: LateActions | None) -> None:
        services, window, tasks = self._services, self._window, self._tasks
        self.view = WindowView(window)
        self.opening = OpeningController(services, self.view, tasks, self._scan_worker)
        self.model = ModelController(services.load_encoder, tasks, self._model_worker)
        self.search = SearchController(self.view, self.model)
        self.browse = BrowseController(self.view)
        self.detail = DetailController(self.view, DEFAULT_LIMIT, self._store_moved)
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
        self.lineage = LineageController(window, self.work, self.selection.walk_to)
        self.lineage_export = LineageExport(window, self.lineage, self.messages, tasks)
        self.hints = SearchHints(
            window.search_bar.hint, self.search, self.model, self.panels.what_if
        )
        self.actions = ActionController(
            window,
            tasks,
            self.detail,
            self.selection,
            self.quick_open,
            self.refresh,
            {
                **self.panels.handlers(),
                **self.writing.handlers(),
                "backup": self.backups.start,
                "lineage": self.lineage.show,
                "export_lineage": self.lineage_export.start,
            },
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
        self.opening.served, self.opening.left = self._serve, self._leave
        self.opening.closed = self.writing.release  # last, so that it leaves no log behind
        self.opening.given_up = self.live.not_opened
        self.rescue.open_path, self.rescue.confirm = self.open_path, self.messages.confirm
        self.model.changed = self._model_changed
        self.view.failed, self.view.worked = self.live.failed, self.live.worked
        self.live.may_read_vectors = lambda: self.model.state is ModelState.READY
        self.search.shown = self._list_shown
        self.live.moved = self._moved
        self.lineage.dropped = self.writing.staging.stage_replacements
        self.view.selected_shown = lambda detail: self.marks.text_shown(detail, self.view.outcome)

    def _moved(self) -> None:
        self.writing.moved()
        self.lineage.moved()

    def _store_moved(self) -> None:
        """Search again: the store is no longer the one that the list describes."""
        self.view.note_store_changed()
        self.search.again()

    # Opening

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder; newest wins."""
        self.rescue.opens_another()
        self.live.forget()
        self.opening.open_path(path)

    def _reopen(self, path: Path) -> None:
        """Open the file anew that took the place of the open store; box and memory are kept."""
        self.opening.reopen(path, self.selection.uuid)

    def open_demo(self) -> None:
        """Open the private copy of the demo store."""
        try:
            self.open_path(prepare_demo(self._services, None))
        except GenizahError as error:
            self.view.show_open_error(error)

    async def settled(self) -> None:
        """Wait until the store is open and list and panels belong to text and selection."""
        while self._is_busy():
            await self.opening.settled()
            await self.search.settled()
            await self.detail.settled()
            await self.marks.settled()
            await self.panels.settled()
            await self.lineage.settled()
            await self.writing.settled()

    def _is_busy(self) -> bool:
        lists = (self.opening, self.search, self.detail, self.marks)
        return any(part.is_busy for part in (*lists, self.panels, self.lineage, self.writing))

    def _serve(self, served: Served) -> None:
        store, tasks = served.store, served.tasks
        self.live.use(store, tasks)
        self.selection.begin(served.kept)
        self.browse.use(store, tasks)
        meta = store.facts.meta
        self.model.use(meta.embed_model, meta.embed_dim, store.facts.dense_refusal)
        self.detail.use(store, tasks)
        self.marks.use(store, tasks)
        self.panels.use(store, tasks)
        self.lineage.use(store, tasks)
        self.backups.use(store, tasks)
        self.search.use(store, tasks)
        self.quick_open.use(store, tasks)
        self.writing.use(store, tasks)
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

    def _leave(self) -> None:
        self.selection.forget()
        self.live.drop()
        self.backups.drop()
        self.writing.drop()
        serving = (self.search, self.browse, self.detail, self.marks, self.panels, self.quick_open)
        for controller in (*serving, self.lineage):
            controller.drop()
        self.actions.set_store(False)

    async def close(self) -> None:
        """Close the store; running statements are interrupted, a running model load is left."""
        self.rescue.close()
        self._model_worker.close()
        self._scan_worker.close()
        self.marks.close()
        self.panels.close()
        self.lineage.close()
        self.lineage_export.close()
        self.writing.close()
        self._watch_worker.close()
        await self.opening.close()

    async def _ask_for_path(self) -> None:
        await ask_for_path(self._window, self._services.working_folder, self.open_path)

    # Searching

    def ask(self) -> None:
        """Search for what is in the box now."""
        self._window.leave_lineage()
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
        store = self.opening.store
        if model.state is ModelState.READY and store is not None:
            self.search.refresh_matrix(store)

    # Moves offered by an error page

    def _move(self, name: str) -> None:
        match name:
            case Move.OPEN_AGAIN:
                self.open_path(self.opening.named)
            case Move.OPEN_COPY:
                self._rescue(self.rescue.open_copy)
            case Move.SAVE_ROWS:
                self._rescue(self.rescue.save_rows)
            case Move.WITH_RETIRED:
                self._window.search_bar.include_retired.setChecked(True)
            case Move.CANCEL_OPENING:
                self.live.forget()
                self.opening.cancel()
            case Move.CANCEL_SEARCH:
                self.search.cancel()
            case Move.CANCEL_DEPTH:
                self.panels.what_if.cancel_probe()
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
        if self.opening.store is not None:
            self.live.give_up()
        else:
            self.opening.stop_trying()

    def _load_model_again(self) -> None:
        self.model.load_again()
        if self.view.outcome is not None:
            self.search.again()

    def _rescue(self, act: Callable[[StoreLocation], None]) -> None:
        try:
            act(self._services.locate(self.opening.named))
        except GenizahError as error:
            self._file_failed(error)

    def _file_failed(self, error: GenizahError) -> None:
        if self.opening.store is None:
            self.view.show_open_error(error)
        else:
            self.live.failed(Origin.FILE, error)
