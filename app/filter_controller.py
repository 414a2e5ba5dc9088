"""The filters of the box in the window: chips, what was not understood, the search in words, and
the list that filters leave without a rank, in its order.

Counting what filters would keep is app/filter_facets'.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint

from app.ask import ask
from app.browse_controller import BrowseController
from app.browse_order import ListWanted
from app.filter_asked import check_size, filters_of
from app.filter_contexts import FilterContexts
from app.filter_orders import SORT_NAMES, order_words, other_way, sorted_by
from app.newest_tasks import NewestTasks
from app.open_stores import OpenStores
from app.tasks import TaskSet
from app.text_reading import TextReading
from app.window_view import WindowView
from core.errors import GenizahError
from core.filters import clicks
from core.filters.compiling import narrowing_of
from core.filters.filter import Filter, FilterKey
from core.filters.parsing import MOST_READ, ParsedSearch, parse
from core.filters.values import write_filter
from core.filters.words import explain_search, filter_words
from core.store.row_order import RowOrder, SortColumn
from widgets.action_spec import Menu
from widgets.chip_bar import MOST_CHIPS, ChipContent
from widgets.facet_list import Click
from widgets.graphemes import cut_head
from widgets.main_window import MainWindow
from widgets.plain_box import plain_box
from widgets.state_content import filtered_out
from widgets.texts import counted, grouped, memories
from widgets.window_menus import Handlers

_BANNER = "Filtered – not the agent's list"
_PART = "a store is missing"
_LONG = "long text"
_LONGEST_LINE = 400
_IS_READ = "The text is being read for filters…"
_HOW = {
    Click.REPLACE: clicks.replaced_by,
    Click.AND: clicks.and_also,
    Click.OR: clicks.or_else,
    Click.NOT: clicks.and_not,
}


class FilterController:
    """Keep chips, banner and the unranked list in step with the text in the box."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        browse: BrowseController,
        stores: OpenStores,
        contexts: FilterContexts,
        reading: TextReading,
        tasks: TaskSet,
    ) -> None:
        self._window = window
        self._view = view
        self._browse = browse
        self._stores = stores
        self._contexts = contexts
        self._reading = reading
        self._tasks = tasks
        self._long = NewestTasks()
        self._long.use(tasks)
        self._parsed = parse("")
        self._counts: tuple[int, int] | None = None
        self.listed: Callable[[], None] = lambda: None
        """Called when the list that nothing ranks is in another order."""
        browse.context_of, browse.naming = contexts.of, self._name_list
        view.put_browse = self._put_browse
        self._connect()

    def _connect(self) -> None:
        window, bar = self._window, self._window.chip_bar
        window.search_bar.query_changed.connect(self._mirror)
        bar.removed.connect(self._take_out)
        bar.explain_wanted.connect(self.explain)
        bar.clear_wanted.connect(self.clear)
        window.results_page.filter_banner.pressed.connect(lambda _name: self.clear())
        window.sidebar.facets.chosen.connect(self.choose)
        window.browse_view.sort_wanted.connect(self._offer_orders)

    def handlers(self) -> Handlers:
        """Return what the actions about filters and orders do."""
        sorting = {f"sort_{column.value}": self._sorter(column) for column in SORT_NAMES}
        return {
            **sorting,
            "sort_other_way": lambda: self.sort(other_way(self._browse.wanted.order)),
            "clear_filters": self.clear,
            "search_in_words": self.explain,
        }

    # The text

    @property
    def parsed(self) -> ParsedSearch:
        """Return what the text in the box asks for."""
        return self._parsed

    def _mirror(self, text: str) -> None:
        self._counts = None
        self._long.end(_LONG)
        parsed = self._reading.known(text)
        if parsed is None:
            self._parsed = ParsedSearch(text, text, (), ())
            self._window.chip_bar.show_search((), (_IS_READ,))
            self._long.start(_LONG, partial(self._mirror_long, text))
        else:
            self._show_parsed(parsed)

    async def _mirror_long(self, text: str) -> None:
        self._show_parsed(await self._reading.read(text))

    def _show_parsed(self, parsed: ParsedSearch) -> None:
        self._parsed = parsed
        said = [finding.text for finding in parsed.findings]
        filters = [chip.filter for chip in parsed.chips[:MOST_CHIPS]]
        chips = [ChipContent(write_filter(f), _chip_words(f)) for f in filters]
        more = len(parsed.chips) - len(chips)
        if parsed.is_cut:
            said.append(f"More than {grouped(MOST_READ)} filter values in the text.")
        elif more:
            said.append(f"{counted(more, 'more filter')} in the text.")
        self._window.chip_bar.show_search(chips, said)

    def _take_out(self, at: int) -> None:
        if at < len(self._parsed.chips):
            self._put(self._parsed.without(self._parsed.chips[at]))
            if not self._parsed.chips:
                self._window.search_bar.focus_box()

    def _put(self, text: str) -> None:
        self._window.search_bar.set_text(text)

    def clear(self) -> None:
        """Take all filters out of the search; the words stay."""
        if self._parsed.chips:
            self._put(self._parsed.free_text)

    def choose(self, filter_: Filter, how: str) -> None:
        """Put a filter into the search as a click on a facet says."""
        self._put(_HOW[Click(how)](self._window.search_bar.text(), filter_))

    def explain(self) -> None:
        """Say in words what the text in the box asks for."""
        self._tasks.spawn(self._explain(), name="search in words")

    async def _explain(self) -> None:
        await ask(plain_box(self._window, "This search in words", self._in_words()))

    def _in_words(self) -> str:
        front, parsed = self._stores.front, self._parsed
        try:
            check_size(parsed)
        except GenizahError as error:
            return error.message
        narrowing = None
        if front is not None and front.store is not None:
            narrowing = narrowing_of(parsed.filters, self._contexts.of(front.store))
        retired = self._window.search_bar.includes_retired()
        lines = explain_search(parsed, narrowing, include_retired=retired)
        return "\n".join(_in_short(line) for line in lines)

    # What is listed

    def lists_shown(self) -> None:
        """Say above a ranked list that it is not the agent's, where filters narrow it."""
        outcome = self._view.outcome
        banner = self._window.results_page.filter_banner
        filters = "" if outcome is None else filters_of(outcome)
        if not filters:
            banner.say("")
            return
        passing = "" if self._counts is None else _share(*self._counts)
        banner.say(f"{_BANNER}{passing}", filters)

    def show_passing(self, passing: int, total: int) -> None:
        """Say how many memories of the scope pass the filters of the ranked list."""
        self._counts = (passing, total)
        self.lists_shown()

    def _name_list(self, wanted: ListWanted, total: int, is_whole: bool) -> None:
        out_of = total if wanted.filters else None
        order = order_words(wanted.order)
        self._window.browse_view.name_list(order if is_whole else f"{order}, {_PART}", out_of)

    def _put_browse(self) -> None:
        """Show the list, or that the filters leave nothing of it."""
        window, filters = self._window, self._browse.wanted.filters
        if not filters or window.browse_view.number_of_rows():
            window.show_browse()
            return
        total = sum(e.counts.total for e in self._stores.open_and_checked if e.counts is not None)
        written = " ".join(map(write_filter, filters))
        window.show_state(filtered_out(written, total, self._view.scope.offer))

    # Its order

    def _sorter(self, column: SortColumn) -> Callable[[], None]:
        return lambda: self.sort_by(column)

    def sort_by(self, column: SortColumn) -> None:
        """Sort by a column; the one that it is sorted by already runs the other way then."""
        order = self._browse.wanted.order
        self.sort(other_way(order) if order.column is column else sorted_by(column))

    def sort(self, order: RowOrder) -> None:
        """List in another order from now on, as long as the window is open."""
        self._tasks.spawn(self._sort(order), name="sort")

    async def _sort(self, order: RowOrder) -> None:
        try:
            await self._browse.sort(order)
        except GenizahError:
            return  # said where the list is
        self._window.browse_view.table.scrollToTop()
        self.show_order()
        self.listed()

    def show_order(self) -> None:
        """Mark the column in the menu that the list is sorted by."""
        for column in SORT_NAMES:
            action = self._window.actions_by_name.get(f"sort_{column.value}")
            if action is not None:
                action.setChecked(column is self._browse.wanted.order.column)

    def _offer_orders(self, at: QPoint) -> None:
        self.show_order()
        self._window.menus[Menu.SORT].popup(at)


def _chip_words(filter_: Filter) -> str:
    if filter_.key is FilterKey.SIMILAR:
        return f"ranked by likeness to {write_filter(filter_).partition(':')[2]}"
    return filter_words(filter_)


def _in_short(line: str) -> str:
    """Return a sentence without the end of a long text in it: a box lays out all it says."""
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{cut_head(line, _LONGEST_LINE)} … ({counted(len(line), 'character')})"


def _share(passing: int, total: int) -> str:
    return f". {grouped(passing)} of {memories(total)} pass"
