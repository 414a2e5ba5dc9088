"""The panels about rankings, put together for one window: what if, chart, baselines, comparing,
grades. Each is a controller of its own; here they hear of stores and lists.
"""

from collections.abc import Callable, Sequence

from app.ask import ask
from app.baseline_controller import BaselineController
from app.compare_controller import CompareController
from app.detail_controller import DetailController
from app.grades_controller import GradesController
from app.long_work import LongWork
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.own_data import OwnData
from app.panel_context import PanelContext
from app.query_set_controller import QuerySetController
from app.rank_chart_controller import RankChartController
from app.tasks import TaskSet
from app.what_if_controller import WhatIfController
from app.window_view import WindowView
from core.errors import GenizahError
from core.retrieval.outcome import SearchOutcome
from widgets.main_window import MainWindow
from widgets.table_content import TableContent
from widgets.table_dialog import TableDialog
from widgets.what_if_content import KnobName
from widgets.window_menus import Handlers

_FAILED = "panels"
GRADES = (0, 1, 2, 3)


class Panels:
    """Serve the panels of one window."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        model: ModelController,
        detail: DetailController,
        work: LongWork,
        tasks: TaskSet,
    ) -> None:
        self._messages = work.messages
        self._tasks = tasks
        self._window = window
        self._detail = detail
        self.context = context = PanelContext(window, view, model, tasks, work, failed=self._say)
        context.stores_of = self._stores_of
        self.what_if = WhatIfController(window, view, detail)
        self.chart = RankChartController(window.rank_panel)
        self.baselines = BaselineController(context, self.what_if, self.show)
        self.compare = CompareController(context, self.what_if, self.show)
        self.grades = GradesController(context, self.what_if, self.show)
        self.query_set = QuerySetController(context, self.grades, self.what_if)
        self.dialog: TableDialog | None = None
        """The page opened last, while it is open."""
        self.what_if.listed = self._listed
        self.query_set.shown = self._opened
        window.rank_panel.k_wanted.connect(lambda k: self.what_if.turn(KnobName.RRF_K, k))
        window.what_if_panel.compare_wanted.connect(self.compare.compare_settings)
        window.results_page.what_if_banner.pressed.connect(self._what_if_pressed)

    def _stores_of(self, outcome: SearchOutcome) -> Sequence[OpenStore]:
        return self._detail.stores_of(outcome)

    def connect_lists(self, relisted: Callable[[], None], moved: Callable[[], None]) -> None:
        """Say what follows a list that was ranked again, and a store that moved under one."""
        self.what_if.relisted = relisted
        self.what_if.moved = self.context.moved = moved

    def remember(self, own: OwnData) -> None:
        """Keep grades and baselines in the program's own file from now on."""
        self.context.own = own
        self.reload()

    def reload(self) -> None:
        """Read what is kept again, for another window may have changed it."""
        self.baselines.reload()
        self.grades.reload()
        self.query_set.read_names()

    # One store

    @property
    def is_busy(self) -> bool:
        """Tell whether a list or a chart is coming."""
        return self.what_if.is_busy or self.chart.is_busy

    async def settled(self) -> None:
        """Wait until list and chart belong to the numbers in force."""
        await self.what_if.settled()
        await self.chart.settled()

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Serve a store from now on, in tasks of its own."""
        self.context.store, self.context.store_tasks = store, tasks
        self._messages.end(_FAILED)
        self.what_if.use(store, tasks)
        self.chart.use(tasks)
        self.baselines.begin()
        self.grades.begin()

    def turn_to(self, store: OpenStore, tasks: TaskSet) -> None:
        """Serve another store of the same list: what was tried with the list stays."""
        self.context.store, self.context.store_tasks = store, tasks
        self.what_if.turn_to(store, tasks)
        self.chart.use(tasks)
        self.grades.begin()
        self._listed()

    def drop(self) -> None:
        """Forget the store."""
        self.context.store = self.context.store_tasks = None
        self.what_if.drop()
        self.chart.drop()
        self.compare.unmark()
        self.baselines.begin()
        self.grades.begin()

    def close(self) -> None:
        """End the threads."""
        self.chart.close()

    # Actions

    def handlers(self) -> Handlers:
        """Return what the actions about rankings do."""
        grades = {f"grade_{n}": self._grader(n) for n in GRADES}
        return {
            **grades,
            "grade_clear": lambda: self.grades.withdraw(self._detail.uuid),
            "pin_baseline": self.baselines.ask_pin,
            "baselines": self.baselines.ask_saved,
            "compare": lambda: self.compare.compare_selected(self._detail.uuid),
            "compare_query": self.compare.ask_query,
            "compare_settings": self.compare.compare_settings,
            "what_if_reset": self.what_if.reset,
            "quality": self.grades.show_quality,
            "run_graded": self.query_set.run,
            "export_grades": self.query_set.ask_export,
            "import_grades": self.query_set.ask_import,
        }

    def _grader(self, grade: int) -> Callable[[], None]:
        return lambda: self.grades.grade(self._detail.uuid, grade)

    def _what_if_pressed(self, name: str) -> None:
        if name == "reset":
            self.what_if.reset()
        else:
            self.compare.compare_settings()

    def lists_shown(self) -> None:
        """Follow the lists: without a ranked one there is nothing to draw or to compare."""
        if self.context.view.outcome is None:
            self.chart.show(None)
            self.compare.unmark()

    def _listed(self) -> None:
        self.compare.listed()
        self.baselines.listed()
        self.grades.listed()
        self.chart.show(self.context.view.outcome)

    # Pages

    def show(self, content: TableContent) -> None:
        """Open a page."""
        dialog = TableDialog(self._window, content)
        self._opened(dialog)
        self._tasks.spawn(ask(dialog), name="page")

    def _opened(self, dialog: TableDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._closed)

    def _closed(self) -> None:
        self.dialog = None

    def _say(self, error: GenizahError) -> None:
        self._messages.show_error(_FAILED, error)
