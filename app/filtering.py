"""Filters in one window, put together: the text's, the facets', those of saved searches."""

from collections.abc import Sequence

from app.browse_controller import BrowseController
from app.filter_asked import can_be_asked
from app.filter_contexts import FilterContexts
from app.filter_controller import FilterController
from app.filter_counts import SavedCounts
from app.filter_facets import FacetController
from app.search_controller import SearchController
from app.stores_controller import StoresController
from app.tasks import TaskSet
from app.text_reading import TextReading
from app.window_view import WindowView
from core.clock import Clock
from core.filters.filter import Filter
from widgets.main_window import MainWindow


class Filtering:
    """Own what serves the filters of one window."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        readers: tuple[SearchController, BrowseController],
        stores: StoresController,
        clock: Clock,
        tasks: TaskSet,
    ) -> None:
        search, browse = readers
        self.contexts = FilterContexts(clock, stores.opened)
        search.context_of, search.narrow_list = self.contexts.of, browse.narrow
        self.reading = TextReading()
        search.read_text = self.reading.read
        self.text = FilterController(
            window, view, browse, stores.opened, self.contexts, self.reading, tasks
        )
        view.parsed = lambda: self.text.parsed
        self.facets = FacetController(
            window, view, stores.opened, self.contexts, stores.shown.stores_of
        )
        self.facets.parsed = lambda: self.text.parsed
        self.facets.passed = self.text.show_passing
        self.text.listed = self.facets.lists_shown
        self.saved = SavedCounts(stores.opened, self.contexts)
        self._stores = stores.shown

    def asked(self) -> Sequence[Filter]:
        """Return the filters in the box, none where a store cannot be asked for so many."""
        parsed = self.text.parsed
        return parsed.filters if can_be_asked(parsed) else ()

    def close(self) -> None:
        """End the thread."""
        self.reading.close()

    def use(self, tasks: TaskSet) -> None:
        """Count in these tasks from now on."""
        self.facets.use(tasks)
        self.saved.use(tasks)

    def moved(self) -> None:
        """Count once more, because a store was written."""
        self.facets.lists_shown()
        self.saved.again()

    def lists_shown(self) -> None:
        """Follow the lists."""
        self._stores.update_list()  # what became of a store is said beside its search alone
        self.text.lists_shown()
        self.facets.lists_shown()
