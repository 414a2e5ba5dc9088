"""What a page needs of the window it stands in: what to read, where to lead, whom to tell."""

from collections.abc import Callable, Sequence
from pathlib import Path

from app.long_work import LongWork
from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.own_data import OwnData
from app.page_scope import PageScope, page_scope
from app.search_scope import plain_context
from core.filters.clicks import in_place_of_its_key
from core.filters.compiling import FilterContext
from core.filters.filter import Filter
from widgets.main_window import MainWindow
from widgets.memory_list import MemoryList
from widgets.row_model import MemoryKey


class PageHost:
    """What pages need of the window they stand in."""

    def __init__(
        self,
        window: MainWindow,
        work: LongWork,
        stores: OpenStores,
        bring: Callable[[str, Callable[[], None]], None],
        walk_to: Callable[[str], None],
    ) -> None:
        """`bring` does something once a store is in front, `walk_to` shows a memory of it."""
        self.window = window
        self.work = work
        self.stores = stores
        self._bring, self._walk_to = bring, walk_to
        self.own: OwnData | None = None
        """The program's own file, None while nothing is kept."""
        self.stage_into_one: Callable[[Sequence[str]], None] = lambda _uuids: None
        """Asks which of some memories of the store in front stays live."""
        self.serve_list: Callable[[MemoryList], None] = lambda _view: None
        """Gives a list of memories the keys, the menu and the drags of every other one."""
        self.copies = Path()
        """Where private copies are made, and removed again."""
        self.filters: Callable[[], Sequence[Filter]] = tuple
        """Returns the filters in the search box."""
        self.context_of: Callable[[OpenStore], FilterContext] = plain_context
        """Says what filters depend on in a store."""

    def scope(self) -> PageScope:
        """Return what is read now."""
        return page_scope(self.stores)

    def show_memory(self, store: str, uuid: str) -> None:
        """Show a memory beside the page; its store comes to the front."""
        self._bring(store, lambda: self._walk_to(uuid))

    def shown(self) -> MemoryKey | None:
        """Return the memory that is shown beside the page, or None."""
        uuid, front = self.window.detail_panel.shown_uuid, self.stores.front
        return None if uuid is None or front is None else MemoryKey(uuid, front.key)

    def into_one(self, store: str, uuids: Sequence[str]) -> None:
        """Ask which of some memories of a store stays live; the others' replacement is staged."""
        self._bring(store, lambda: self.stage_into_one(uuids))

    def read_memory(self) -> None:
        """Give the keyboard to the memory shown."""
        self.window.detail_panel.text.setFocus()

    def add_filter(self, filter_: Filter) -> None:
        """Put a filter into the search box in place of those of its key; the page stays."""
        bar = self.window.search_bar
        with self.window.page_kept():
            bar.set_text(in_place_of_its_key(bar.text(), filter_))
