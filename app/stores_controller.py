"""What follows when other stores are open, checked or in front: who reads which of them.

Lists, search and watchers serve every checked store; everything else serves the one in front.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from app.browse_controller import BrowseController
from app.browse_order import Counted
from app.live_controller import LiveController
from app.marks_controller import MarksController
from app.model_controller import ModelController, ModelState
from app.open_store import OpenStore
from app.open_stores import OpenStores, StoreEntry
from app.opening_controller import OpeningController
from app.search_controller import SearchController
from app.search_scope import InScope, SearchScope
from app.stores_view import StoresView
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
from core.store.database import Database
from widgets.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Readers:
    """Whatever reads all checked stores."""

    search: SearchController
    browse: BrowseController
    marks: MarksController
    live: LiveController
    model: ModelController


class StoresController:
    """Keep the readers on the stores that are checked, and do what the list of stores asks for."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        opening: OpeningController,
        readers: Readers,
    ) -> None:
        self._window = window
        self._view = view
        self._opening = opening
        self._stores = opening.stores
        self._readers = readers
        self.shown = StoresView(window, view, opening.stores)
        self._served: list[tuple[str, Database | None, GenizahError | None]] = []
        self._tasks = TaskSet()
        self._scope = SearchScope(())
        self.leaving: Callable[[], None] = lambda: None
        """Called before other stores are read: what explains the list on screen gives way."""
        self.listed: Callable[[], None] = lambda: None
        """Called when the list on screen is another group's."""
        self.served: Callable[[TaskSet], None] = lambda _tasks: None
        """Called when stores may have come or gone, with the tasks of reading those checked."""
        opening.changed, opening.told = self.changed, self.shown.update
        opening.brought = self._deselect_others
        self.shown.loads_model = self._loads_model
        readers.browse.counted = self._counted
        readers.browse.missing = self.shown.note_unread
        readers.marks.stores_of = self.shown.stores_of
        self._connect(window)

    def _connect(self, window: MainWindow) -> None:
        listed = window.sidebar.stores
        listed.check_wanted.connect(self.check)
        listed.front_wanted.connect(self.put_in_front)
        listed.close_wanted.connect(lambda key: self._opening.close_stores([key]))
        listed.only_wanted.connect(self.search_only)
        listed.again_wanted.connect(self._opening.try_again)
        self.shown.group_shown = self._group_shown

    def _group_shown(self, keys: Sequence[str]) -> None:
        """Follow the choice of a list: one of its stores is in front."""
        self._put_one_in_front([e for e in self._stores.open if e.key in keys])

    def _put_one_in_front(self, entries: Sequence[StoreEntry]) -> None:
        """Put the first of these in front, unless one of them is; follow the lists then."""
        if entries and self._stores.front not in entries:
            self._opening.front.put(entries[0], self._follow_lists)
        else:
            self.listed()

    def _follow_lists(self) -> None:
        self.listed()

    # Asked for

    def check(self, key: str, is_checked: bool) -> None:
        """Search a store or leave it out; what is searched changes at once."""
        entry = self._stores.find(key)
        if entry is not None:
            entry.is_checked = is_checked
            self._check_changed()

    def search_only(self, key: str) -> None:
        """Search one store and no other."""
        for entry in self._stores.entries:
            entry.is_checked = entry.key == key
        self._check_changed()

    def _check_changed(self) -> None:
        """Search what is checked now, with one of those stores in front."""
        self.shown.update_list()
        self._deselect_all_but([e.key for e in self._stores.entries if e.is_checked])
        self._put_one_in_front(self._stores.open_and_checked)
        self._opening.scope_changed()

    def search_only_front(self) -> None:
        """Search the store in front and no other."""
        if self._stores.front is not None:
            self.search_only(self._stores.front.key)

    def search_all(self) -> None:
        """Search every store that is there."""
        for entry in self._stores.entries:
            entry.is_checked = True
        self.shown.forget_choice()
        self._check_changed()

    def close_front(self) -> None:
        """Close the store in front."""
        if self._stores.front is not None:
            self._opening.close_stores([self._stores.front.key])

    def put_in_front(self, key: str) -> None:
        """Show an open store in front."""
        entry = self._stores.find(key)
        if entry is not None and entry.store is not None:
            self._opening.front.put(entry, self._deselect_others)

    def _deselect_others(self) -> None:
        self._deselect_all_but([self.front_key])
        self.listed()

    def _deselect_all_but(self, keys: Collection[str]) -> None:
        """Select no row of another store than these: it would come to the front with its row."""
        window = self._window
        for view in (window.hit_view, window.literal_list, window.browse_view):
            if view.selected_store() not in ("", *keys):
                view.clear_selection()

    def bring(self, key: str, then: Callable[[], None]) -> None:
        """Do something about a memory of a store once that is in front; the newest call wins."""
        entry = self._stores.find(key) if key else self._stores.front
        if entry is not None and entry.store is not None:
            self._opening.front.put(entry, then)

    @property
    def opened(self) -> OpenStores:
        """Return the stores of the window."""
        return self._stores

    @property
    def front_key(self) -> str:
        """Return the key of the store in front, empty while none is open."""
        return "" if self._stores.front is None else self._stores.front.key

    def front_name(self) -> str:
        """Return what tells the store in front from the others, empty where there are none."""
        labels = self._stores.labels()
        return labels[self.front_key].badge if self.front_key in labels and len(labels) > 1 else ""

    @property
    def place(self) -> str:
        """Return the key of the store in front where there are others, else an empty one."""
        return self.front_key if len(self._stores) > 1 else ""

    # What is read

    async def changed(self) -> None:
        """Read the stores that are open and checked now; nothing reads another one afterwards."""
        searched = self._stores.searched
        wanted = [(e.key, None if e.store is None else e.store.database, e.error) for e in searched]
        self._follow()
        if wanted == self._served:
            self.shown.update()
            self.served(self._tasks)
            return
        self.leaving()
        had_any = bool(self._served)
        self._served = wanted
        before, self._tasks = self._tasks, TaskSet()
        self._serve([_in_scope(entry) for entry in searched], had_any=had_any)
        self.served(self._tasks)
        await before.close()

    def _follow(self) -> None:
        """Watch every store that is open."""
        for entry in self._stores.open:
            assert entry.store is not None
            self._readers.live.use(entry.store, entry.tasks)

    def _serve(self, members: Sequence[InScope], *, had_any: bool) -> None:
        readers, scope = self._readers, SearchScope(members)
        if scope.is_empty:
            readers.search.drop()
            readers.browse.drop()
            self.shown.use(scope)
            if self._stores.open:
                self._view.show_nothing_searched()
                self.listed()
            return
        if had_any and not self._window.browse_view.is_at_rest():
            readers.browse.keep_place()
        self.shown.use(scope)
        self._scope = scope
        self.want_models()
        readers.marks.use_stores(scope.stores, self._tasks)
        readers.browse.use_stores(scope.stores, self._tasks)
        readers.search.use_scope(scope, self._tasks)

    def want_models(self) -> None:
        """Load the models of the stores that are searched, after that of the store in front."""
        model = self._readers.model
        if model.is_allowed:
            model.shelf.want(k.model for k in self._scope.keys if k.model != model.name)

    def _loads_model(self, store: OpenStore) -> bool:
        meta, model = store.facts.meta, self._readers.model
        if model.serves(meta.embed_model, meta.embed_dim):
            return model.state is ModelState.LOADING
        return model.shelf.is_loading(meta.embed_model)

    def leave(self) -> None:
        """Read nothing from now on, because no store is open any more."""
        self._readers.search.drop()
        self._readers.browse.drop()
        self._readers.marks.drop()

    def _counted(self, counted: Counted) -> None:
        for store, counts in counted:
            entry = self._stores.of(store)
            if entry is not None:
                entry.counts = counts
        self.shown.update_list()


def _in_scope(entry: StoreEntry) -> InScope:
    return InScope(entry.key, entry.path, entry.name, entry.store, entry.error, entry.tasks)
