"""The window's wiring: what the person asks for, passed to the controllers; who serves a store.

How a store is opened and closed is the opening controller's.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from app.arguments import DEFAULT_LIMIT
from app.backup_controller import BackupController
from app.bootstrap import Services
from app.browse_controller import BrowseController
from app.browsing_pages import BrowsingPages
from app.demo import prepare_demo
from app.detail_controller import DetailController
from app.filtering import Filtering
from app.find_controller import FindController
from app.front_store import Served
from app.late_actions import LateActions
from app.lineage_controller import LineageController
from app.lineage_export import LineageExport
from app.links import LinkOpener
from app.live_controller import LiveController
from app.long_work import LongWork
from app.marks_controller import MarksController
from app.marks_view import MarksInWindow
from app.message_controller import MessageController
from app.model_controller import ModelController, ModelState
from app.model_download import ModelDownload
from app.open_store import OpenStore
from app.open_stores import StoreEntry
from app.opening_controller import OpeningController
from app.page_host import PageHost
from app.panels import Panels
from app.quick_open_controller import QuickOpenController
from app.rescue_controller import RescueController
from app.search_controller import Request, SearchController
from app.search_hints import SearchHints
from app.selection_controller import SelectionController
from app.stores_controller import Readers, StoresController
from app.tasks import TaskSet
from app.window_actions import ActionController
from app.window_dialogs import about, ask_for_path
from app.window_moves import WindowMoves
from app.window_view import WindowView
from app.worker import Worker
from app.writing import make_writing
from core.errors import GenizahError
from core.store.location import StoreLocation
from widgets.main_window import MainWindow

_NOT_OPENED = "not_opened"


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
        self.dismissed: Callable[[], None] = lambda: None  # told once one is closed
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
        self.moves = WindowMoves(self)
        self.messages = MessageController(window.message_bar, self.moves.make)
        self.work = LongWork(self.messages)
        self.backups = BackupController(services, self.messages, self.work)
        self.download = ModelDownload(services, window, self.model, self.work, tasks)
        self.rescue = RescueController(services, window, self.work, tasks, self.moves.file_failed)
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
        readers = Readers(self.search, self.browse, self.marks, self.live, self.model)
        self.stores = StoresController(window, self.view, self.opening, readers)
        self.detail.stores_of = self.stores.shown.stores_of
        lists = self.search, self.browse
        self.filtering = Filtering(window, self.view, lists, self.stores, clock, tasks)
        self.selection = SelectionController(
            window, self.view, self.search, self.detail, self.stores, clock
        )
        self.quick_open = QuickOpenController(window, self.selection.go_to_head)
        self.writing = make_writing(
            window, services, self.model, self._model_worker, self.messages, self.work, tasks
        )
        self._make_panels(installed)

    def _make_panels(self, installed: LateActions | None) -> None:
        window, tasks = self._window, self._tasks
        self.panels = Panels(window, self.view, self.model, self.detail, self.work, tasks)
        self.panels.context.context_of = self.filtering.contexts.of
        self.panels.connect_lists(self._list_shown, self._store_moved)
        self.lineage = LineageController(window, self.work, self.selection.walk_to)
        self.lineage_export = LineageExport(window, self.lineage, self.messages, tasks)
        self._make_pages()
        self.hints = SearchHints(
            window.search_bar.hint, self.search, self.model, self.panels.what_if
        )
        self.finding = FindController(window, self.opening.stores, self.open_paths, tasks)
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
                **self.pages.handlers(),
                **self.filtering.text.handlers(),
                "backup": self.backups.start,
                "close_store": self.stores.close_front,
                "find_stores": self.finding.start,
                "search_all_stores": self.stores.search_all,
                "search_this_store": self.stores.search_only_front,
                "lineage": self.lineage.show,
                "export_lineage": self.lineage_export.start,
            },
            installed,
        )
        self.writing.serve(self.actions, self.selection, self.detail, self.backups, self.refresh)

    def _make_pages(self) -> None:
        window, stores = self._window, self.opening.stores
        host = PageHost(window, self.work, stores, self.stores.bring, self.selection.walk_to)
        self.pages = BrowsingPages(host)
        self.pages.serve(self.writing, self._services, self.view)
        self.pages.lead(self.selection, self.filtering, self.lineage.show)

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
        window.action_wanted.connect(self.moves.make)
        window.search_bar.hint.action_wanted.connect(self.moves.make)
        front = self.opening.front
        front.served, front.left, front.may_leave = self._serve, self._leave, self._may_leave
        self.opening.opened = self._opened
        self.opening.released = self.live.leave
        self.opening.closed = self.writing.release  # last, so that it leaves no log behind
        self.opening.dismissed = self._dismissed
        self.writing.context.named = self.stores.front_name
        self.opening.given_up = lambda entry: self.live.not_opened(Path(entry.path))
        self.opening.failed = lambda error: self.messages.show_error(_NOT_OPENED, error)
        self.stores.listed, self.stores.leaving = self._list_shown, self.detail.give_way
        self.stores.shown.staged_in = lambda entry: self.writing.pending.waiting(entry.path)
        self.rescue.open_path, self.rescue.confirm = self.moves.copied, self.messages.confirm
        self.model.changed = self._model_changed
        self.download.arrived = self.search_anew
        self.view.failed, self.view.worked = self.live.failed, self.live.worked
        self.live.may_read_vectors = self._may_read_vectors
        self.model.shelf.changed = self.search_anew
        self.search.shown = self._list_shown
        self.live.moved, self.live.any_moved = self._moved, self._any_moved
        self.stores.served = self._stores_served
        self.lineage.dropped = self.writing.staging.stage_replacements
        self.view.selected_shown = lambda detail: self.marks.text_shown(detail, self.view.outcome)

    def _may_read_vectors(self, store: OpenStore) -> bool:
        meta, model = store.facts.meta, self.model
        if model.serves(meta.embed_model, meta.embed_dim):
            return model.state is ModelState.READY
        return model.shelf.embedder(meta.embed_model, meta.embed_dim) is not None

    def _moved(self) -> None:
        self.writing.moved()
        self.lineage.moved()

    def _any_moved(self) -> None:
        self.pages.moved()
        self.filtering.moved()

    def _stores_served(self, tasks: TaskSet) -> None:
        self.pages.use(tasks)
        self.filtering.use(tasks)

    def _store_moved(self) -> None:
        """Search again: the store is no longer the one that the list describes."""
        self.view.note_store_changed()
        self.search.again()

    # Opening

    def open_path(self, path: Path | None) -> None:
        """Open a store by path, or the nearest one above the working folder, in front."""
        self._open_another()
        self.opening.open_path(path)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open several stores with the first in front, or the nearest one where none is named."""
        self._open_another()
        if paths:
            self.opening.open_all(paths)
        else:
            self.opening.open_path(None)

    def _open_another(self) -> None:
        self.rescue.opens_another()
        if self.opening.store is None:
            self.live.forget()

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
            await self.pages.settled()
            await self.writing.settled()

    def _is_busy(self) -> bool:
        lists = (self.opening, self.search, self.detail, self.marks, self.pages)
        return any(part.is_busy for part in (*lists, self.panels, self.lineage, self.writing))

    def _serve(self, served: Served) -> None:
        store, tasks = served.store, served.tasks
        self.view.show_store(store)
        self.live.put_in_front(store)
        if not served.is_turn:
            self.selection.begin(served.kept)
        meta = store.facts.meta
        self.model.use(meta.embed_model, meta.embed_dim, store.facts.dense_refusal)
        self.stores.want_models()  # also the one whose load ended with the turn of its store
        self.detail.use(store, tasks)
        self.marks.use_front(store, tasks)
        if served.is_turn:
            self.panels.turn_to(store, tasks)
        else:
            self.panels.use(store, tasks)
        for part in (self.lineage, self.backups, self.quick_open, self.writing):
            part.use(store, tasks)
        self.actions.set_store(True)
        self.stores.shown.update()

    def _opened(self, store: OpenStore) -> None:
        self.opened(store)

    def _dismissed(self, entry: StoreEntry) -> None:
        self.live.dismiss(Path(entry.path))
        self.messages.end(_NOT_OPENED)
        self.writing.pending.tell_waiting(entry.path, entry.name)
        self.dismissed()

    def open_databases(self) -> list[Path]:
        """Return the files of the stores that are open."""
        return [Path(entry.path) for entry in self.opening.stores.open]

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
        has_changed = self.model.allow(is_on)
        self.stores.want_models()
        if has_changed and self.view.outcome is not None:
            self.search.again()

    def _leave(self, is_turn: bool) -> None:
        """Serve the store in front no more; the lists stay where another one takes its place."""
        self.live.put_in_front(None)
        self.selection.forget()
        for part in (self.backups, self.writing, self.detail, self.quick_open, self.lineage):
            part.drop()
        self.marks.drop_front()
        if not is_turn:
            self.stores.leave()
            self.panels.drop()
        self.actions.set_store(False)

    async def _may_leave(self) -> None:
        """Wait for a commit under way: it is not cut off from its store."""
        await self.writing.commit.settled()

    async def close(self) -> None:
        """Close the store; running statements are interrupted, a running model load is left."""
        self.rescue.close()
        await self.opening.close()  # what waits for the workers is ended before they are
        self._model_worker.close()
        self._scan_worker.close()
        self.marks.close()
        self.panels.close()
        self.lineage.close()
        self.lineage_export.close()
        self.pages.close()
        self.filtering.close()
        self.writing.close()
        self._watch_worker.close()

    async def _ask_for_path(self) -> None:
        await ask_for_path(self._window, self._services.working_folder, self.open_path)

    # Searching

    def ask(self) -> None:
        """Search for what is in the box now."""
        self._window.leave_page()
        self.marks.stop_list()
        self.filtering.facets.stop()
        self.selection.asked()
        bar = self._window.search_bar
        self.search.ask(Request(bar.text(), bar.includes_retired()))

    def _list_shown(self) -> None:
        if self.view.outcome is not None:
            self.marks.outcome_shown(self.view.outcome)
        self.selection.lists_shown()
        self.panels.lists_shown()
        self.filtering.lists_shown()
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
        self.stores.shown.update_list()
        self.writing.model_changed()
        self.download.model_changed()
        store = self.opening.store
        if model.state is ModelState.READY and store is not None:
            self.search.refresh_matrix(store)

    def search_anew(self) -> None:
        """Run the search on screen once more, because more can be known now."""
        self.stores.shown.update_list()
        if self.view.outcome is not None:
            self.search.again()

    def include_retired(self) -> None:
        """Search retired memories, too."""
        self._window.search_bar.include_retired.setChecked(True)

    def locate(self, path: Path | None) -> StoreLocation:
        """Return where a store lies. Raises GenizahError."""
        return self._services.locate(path)
