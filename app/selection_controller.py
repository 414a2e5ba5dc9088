"""Which memory is read: the selected row of a list, or one gone to by a link; and the way back."""

from collections.abc import Callable

from app.detail_controller import DetailController
from app.navigation import Navigation, Place
from app.search_controller import SearchController
from app.stores_controller import StoresController
from app.window_view import WindowView
from core.clock import Clock
from core.readmodels import MemoryHead
from widgets.browse_view import BrowseView
from widgets.hit_view import HitView
from widgets.literal_list import LiteralList
from widgets.main_window import MainWindow
from widgets.memory_list import MemoryList

type _Lists = tuple[HitView | LiteralList | BrowseView, ...]


class SelectionController:
    """Keep lists, panels and history on one memory."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        search: SearchController,
        detail: DetailController,
        stores: StoresController,
        clock: Clock,
    ) -> None:
        self._window = window
        self._view = view
        self._search = search
        self._detail = detail
        self._stores = stores
        self._visited: str | None = None
        self._visited_in = ""
        self.navigation = Navigation(clock, self._show_place)
        self.show_page: Callable[[str], None] = lambda _name: None
        """Shows a page in place of the lists."""
        hits, literal, browse = window.hit_view, window.literal_list, window.browse_view
        hits.hit_selected.connect(lambda uuid: self._select(hits, uuid))
        literal.match_selected.connect(lambda uuid: self._select(literal, uuid))
        browse.row_selected.connect(lambda uuid: self._select(browse, uuid))
        window.detail_panel.memory_wanted.connect(self.go_to)

    @property
    def uuid(self) -> str | None:
        """Return the memory that is selected in a list or was gone to, or None."""
        lists = self._lists()
        return next((uuid for view in lists if (uuid := view.selected_uuid())), self._visited)

    def begin(self, uuid: str | None) -> None:
        """Start in another store: with the text in the box, and a memory to go to if known."""
        bar = self._window.search_bar
        self._visited = uuid
        page = self._window.page_name
        self.navigation.begin(Place(bar.text(), bar.includes_retired(), uuid, page=page))

    def forget(self) -> None:
        """Hold on to no memory that was gone to; rows stay selected."""
        self._visited = None

    def asked(self) -> None:
        """Note that the box or the scope has changed."""
        self._visited = None
        self._detail.give_way()
        bar = self._window.search_bar
        self.navigation.asked(bar.text(), bar.includes_retired())

    def lists_shown(self) -> None:
        """Bring the panels in step with new lists: the same memory, explained anew, or nothing."""
        if view := next((view for view in self._lists() if view.selected_uuid()), None):
            self._read(view)
        elif self._visited is None:
            self.navigation.lost()
            self._detail.select(None, self._view.outcome)
        else:
            visited = self._visited
            self._stores.bring(self._visited_in, lambda: self.go_to(visited))

    def go_to(self, uuid: str) -> None:
        """Show a memory by a link: selected where a list on screen has it, else by itself."""
        self.navigation.followed(uuid, self._stores.place)
        self._show(uuid)

    def walk_to(self, uuid: str) -> None:
        """Show a memory on the way to another one, as with the arrow keys in a list."""
        self.navigation.selected(uuid, self._stores.place)
        self._show(uuid)

    def _show(self, uuid: str) -> None:
        window = self._window
        lists: _Lists = (window.hit_view, window.literal_list)
        if self._view.outcome is None:
            lists = (window.browse_view,)
        front = self._stores.front_key
        if any(view.select(uuid, store) for view in lists for store in ("", front)):
            return
        for view in lists:
            view.clear_selection()
        self._visited, self._visited_in = uuid, self._stores.place
        self._detail.select(uuid, self._view.outcome)

    def go_to_head(self, head: MemoryHead) -> None:
        """Show a memory found elsewhere; the list by time need not have loaded its row."""
        self._window.browse_view.note_head(head)
        self.go_to(head.uuid)

    def explain_search(self) -> None:
        """Select nothing, so that the search itself is explained."""
        self._visited = None
        for view in self._lists():
            view.clear_selection()
        self._detail.select(None, self._view.outcome)

    def _select(self, view: MemoryList, uuid: str) -> None:
        if uuid:
            self._visited = None
            self._read(view)
            self.navigation.selected(uuid, view.selected_store())

    def _read(self, view: MemoryList) -> None:
        """Show what is selected in a list, its store in front."""
        self._stores.bring(view.selected_store(), lambda: self._read_selected(view))

    def _read_selected(self, view: MemoryList) -> None:
        uuid = view.selected_uuid()
        if uuid is not None and view.selected_store() in ("", self._stores.front_key):
            self._detail.select(uuid, self._view.outcome)

    def _show_place(self, place: Place) -> None:
        """Bring back a search and the memory that was read in it."""
        bar = self._window.search_bar
        with self._window.page_kept():
            bar.include_retired.setChecked(place.include_retired)
            bar.set_text(place.text)
        if not place.page:
            self._window.leave_page()
        elif place.page != self._window.page_name:
            self.show_page(place.page)
        self._visited, self._visited_in = place.uuid, place.store
        for view in self._lists():
            view.clear_selection()
        if place.uuid is None:
            self._detail.select(None, self._view.outcome)
        elif not self._search.is_busy:  # else it is selected once the list stands
            uuid = place.uuid
            self._stores.bring(place.store, lambda: self._show(uuid))

    def _lists(self) -> _Lists:
        window = self._window
        return window.hit_view, window.literal_list, window.browse_view
