"""Which memory is read: the selected row of a list, or one gone to by a link; and the way back."""

from app.detail_controller import DetailController
from app.navigation import Navigation, Place
from app.search_controller import SearchController
from app.window_view import WindowView
from core.clock import Clock
from core.readmodels import MemoryHead
from widgets.browse_view import BrowseView
from widgets.hit_view import HitView
from widgets.literal_list import LiteralList
from widgets.main_window import MainWindow

type _Lists = tuple[HitView | LiteralList | BrowseView, ...]


class SelectionController:
    """Keep lists, panels and history on one memory."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        search: SearchController,
        detail: DetailController,
        clock: Clock,
    ) -> None:
        self._window = window
        self._view = view
        self._search = search
        self._detail = detail
        self._visited: str | None = None
        self.navigation = Navigation(clock, self._show_place)
        window.hit_view.hit_selected.connect(self._select_ranked)
        window.literal_list.match_selected.connect(self._select_unranked)
        window.browse_view.row_selected.connect(self._select_unranked)
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
        self.navigation.begin(Place(bar.text(), bar.includes_retired(), uuid))

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
        if selected := next((uuid for v in self._lists() if (uuid := v.selected_uuid())), None):
            self._detail.select(selected, self._view.outcome)
        elif self._visited is None:
            self.navigation.lost()
            self._detail.select(None, self._view.outcome)
        else:
            self.go_to(self._visited)

    def go_to(self, uuid: str) -> None:
        """Show a memory by a link: selected where a list on screen has it, else by itself."""
        self.navigation.followed(uuid)
        self._show(uuid)

    def walk_to(self, uuid: str) -> None:
        """Show a memory on the way to another one, as with the arrow keys in a list."""
        self.navigation.selected(uuid)
        self._show(uuid)

    def _show(self, uuid: str) -> None:
        window = self._window
        lists: _Lists = (window.hit_view, window.literal_list)
        if self._view.outcome is None:
            lists = (window.browse_view,)
        if any(view.select(uuid) for view in lists):
            return
        for view in lists:
            view.clear_selection()
        self._visited = uuid
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

    def _select_ranked(self, uuid: str) -> None:
        if uuid:
            self._visited = None
            self._detail.select(uuid, self._view.outcome)
            self.navigation.selected(uuid)

    def _select_unranked(self, uuid: str) -> None:
        if uuid:
            self._visited = None
            self._detail.select(uuid, self._view.outcome)
            self.navigation.selected(uuid)

    def _show_place(self, place: Place) -> None:
        """Bring back a search and the memory that was read in it."""
        bar = self._window.search_bar
        bar.include_retired.setChecked(place.include_retired)
        bar.set_text(place.text)
        self._visited = place.uuid
        for view in self._lists():
            view.clear_selection()
        if place.uuid is None:
            self._detail.select(None, self._view.outcome)
        elif not self._search.is_busy:  # else it is selected once the list stands
            self.go_to(place.uuid)

    def _lists(self) -> _Lists:
        window = self._window
        return window.hit_view, window.literal_list, window.browse_view
