"""The pages that stand in place of the lists: each made when it is first asked for, then served.

All of them read every open store that is checked; a row chosen is shown in its own store.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from app.bootstrap import Services
from app.filtering import Filtering
from app.lineage_controller import LINEAGE
from app.list_export import ListExport
from app.own_data import OwnData
from app.page_host import PageHost
from app.page_scope import PageScope
from app.selection_controller import SelectionController
from app.shown_list import ShownList
from app.tasks import TaskSet
from app.window_view import WindowView
from app.writing import Writing
from widgets.browsing_page import BrowsingPage
from widgets.memory_list import MemoryList
from widgets.window_menus import Handlers


class PageController(Protocol):
    """What serves one page."""

    @property
    def page(self) -> BrowsingPage:
        """Return the page."""

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Read these stores from now on, or none: the page may be on screen or not."""

    def moved(self) -> None:
        """Follow stores that were written."""

    @property
    def is_busy(self) -> bool:
        """Tell whether something is coming."""

    async def settled(self) -> None:
        """Wait until nothing more is coming."""

    def close(self) -> None:
        """End what does not end with the tasks."""


class BrowsingPages:
    """Own the pages of one window and what serves them."""

    def __init__(self, host: PageHost) -> None:
        self._host = host
        self._makers: dict[str, Callable[[], PageController]] = {
            "timeline": self._make_timeline,
            "audit": self._make_audit,
            "duplicates": self._make_duplicates,
            "health": self._make_health,
        }
        self._made: dict[str, PageController] = {}
        self._tasks: TaskSet | None = None
        self.export = ListExport(host.window, host.work)

    def handlers(self) -> Handlers:
        """Return the actions that show a page, and those that export what is listed."""
        shows = {name: partial(self.show, name) for name in self._makers}
        return {**shows, **self.export.handlers()}

    def of(self, name: str) -> PageController:
        """Return what serves a page; it is made with its page where it is not there yet."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
            for view in self._made[name].page.findChildren(MemoryList):
                self._host.serve_list(view)
            if self._tasks is not None:
                self._made[name].use(self._host.scope(), self._tasks)
        return self._made[name]

    def show(self, name: str) -> None:
        """Turn to a page and give it the keyboard."""
        self._host.window.show_page(self.of(name).page, name)

    def use(self, tasks: TaskSet) -> None:
        """Read the stores that are open and checked now, in tasks that end with their turn."""
        self._tasks = tasks
        self.export.use(tasks)
        scope = self._host.scope()
        for controller in self._made.values():
            controller.use(scope, tasks)

    def lead(
        self,
        selection: SelectionController,
        filtering: Filtering,
        show_lineage: Callable[[], None],
    ) -> None:
        """Learn of the search box, and let the way back lead over the pages and the lineages'."""
        self._host.filters = filtering.asked
        self._host.context_of = filtering.contexts.of
        shows: dict[str, Callable[[], None]] = {LINEAGE: show_lineage}
        shows |= {name: partial(self.show, name) for name in self._makers}
        selection.show_page = lambda name: shows[name]()
        self._host.window.page_turned.connect(selection.navigation.turned)

    def serve(self, writing: Writing, services: Services, view: WindowView) -> None:
        """Learn of the rest of the window: what stages changes, what is on screen."""
        host = self._host
        host.stage_into_one, host.serve_list = writing.staging.into_one_of, writing.serve_list
        host.copies = services.data_dir / "copies"
        self.export.list_of = ShownList(host.window, view, host.stores)

    def remember(self, own: OwnData) -> None:
        """Keep what a person says of pairs in the program's own file from now on."""
        self._host.own = own

    def moved(self) -> None:
        """Follow stores that were written."""
        for controller in self._made.values():
            controller.moved()

    def _parts(self) -> tuple[PageController | ListExport, ...]:
        return (self.export, *self._made.values())

    @property
    def is_busy(self) -> bool:
        """Tell whether a page is being read."""
        return any(part.is_busy for part in self._parts())

    async def settled(self) -> None:
        """Wait until no page is being read."""
        for part in self._parts():
            await part.settled()

    def close(self) -> None:
        """End what does not end with the tasks."""
        for part in self._parts():
            part.close()

    # Their widgets are imported when they are first shown: never before the first paint.

    def _make_timeline(self) -> PageController:
        from app.timeline_controller import TimelineController

        return TimelineController(self._host)

    def _make_audit(self) -> PageController:
        from app.audit_controller import AuditController

        return AuditController(self._host)

    def _make_duplicates(self) -> PageController:
        from app.duplicates_controller import DuplicatesController

        return DuplicatesController(self._host)

    def _make_health(self) -> PageController:
        from app.health_controller import HealthController

        return HealthController(self._host)
