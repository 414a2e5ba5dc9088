"""Grades: what a person thinks of a memory for a search, and how good lists are by them.

Running all graded searches and their files is in app/query_set_controller.
"""

from collections.abc import Callable, Mapping

from app.panel_context import PanelContext, gists_of
from app.what_if_controller import WhatIfController
from core.appdata.database import AppDatabase
from core.appdata.judgments import GradedSearch, Judgments
from core.errors import GenizahError
from core.explain.fragility import fragility
from core.retrieval.outcome import SearchOutcome
from core.store.text import well_formed
from widgets.quality_content import JudgedSearch, definitions, metrics_line, quality_page
from widgets.table_content import TableContent

type _Search = tuple[str, bool]


class GradesController:
    """Grade memories of the open store. `show` opens a page."""

    def __init__(
        self,
        context: PanelContext,
        what_if: WhatIfController,
        show: Callable[[TableContent], None],
    ) -> None:
        self._context = context
        self._what_if = what_if
        self._show = show
        self._banner = context.window.results_page.grades_banner
        self._banner.pressed.connect(lambda _name: self.show_quality())
        self._grades: dict[_Search, dict[str, int]] = {}

    def begin(self) -> None:
        """Start with another store, or with none."""
        self._grades = {}
        self.listed()
        self.reload()

    def reload(self) -> None:
        """Read the kept grades: another window may have given some."""
        store_id = self._context.store_id

        async def work(database: AppDatabase) -> None:
            await self._read(self.judgments(database), store_id)

        if store_id:
            self._context.keep(work, name="grades")

    def judgments(self, database: AppDatabase) -> Judgments:
        """Return what keeps the grades."""
        assert self._context.own is not None
        return Judgments(database, self._context.own.clock)

    async def _read(self, judgments: Judgments, store_id: str) -> None:
        found = await judgments.graded(store_id)
        if store_id == self._context.store_id:
            self._grades = {(g.text, g.include_retired): dict(g.grades) for g in found}
            self.listed()

    # Grading

    def graded(self) -> tuple[GradedSearch, ...]:
        """Return every graded search of the open store."""
        return tuple(GradedSearch(*key, grades) for key, grades in self._grades.items() if grades)

    def grades(self) -> Mapping[str, int]:
        """Return the grades of the search on screen by uuid."""
        outcome = self._context.view.outcome
        return {} if outcome is None else self._grades.get(_key(outcome), {})

    def grade(self, uuid: str | None, grade: int) -> None:
        """Grade a memory for the search on screen; an earlier grade is replaced."""
        outcome = self._context.view.outcome
        if uuid is None or outcome is None or outcome.query.text is None:
            return
        self.keep(GradedSearch(*_key(outcome), {uuid: grade}))
        self._context.window.hit_view.announce(f"grade {grade}")

    def keep(self, graded: GradedSearch) -> None:
        """Keep grades of one search of the open store; those of other memories stay."""
        store_id, key = self._context.store_id, (well_formed(graded.text), graded.include_retired)
        self._grades[key] = {**self._grades.get(key, {}), **graded.grades}
        self.listed()

        async def work(database: AppDatabase) -> None:
            await self.judgments(database).give_all(store_id, graded)

        self._context.keep(work, name="grade")

    def withdraw(self, uuid: str | None) -> None:
        """Take a memory's grade back."""
        outcome = self._context.view.outcome
        if uuid is None or outcome is None or uuid not in self.grades():
            return
        store_id, (text, include_retired) = self._context.store_id, _key(outcome)
        self._grades[text, include_retired].pop(uuid)
        self._context.window.hit_view.announce("no grade")
        self.listed()

        async def work(database: AppDatabase) -> None:
            await self.judgments(database).withdraw(text, include_retired, store_id, uuid)

        self._context.keep(work, name="withdraw grade")

    # What is shown

    def listed(self) -> None:
        """Bring marks and measures in step with the list on screen."""
        outcome, grades = self._context.view.outcome, self.grades()
        self._context.window.hit_view.set_grades(grades)
        self._context.window.literal_list.set_grades(grades)
        ranking = [] if outcome is None else [hit.uuid for hit in outcome.hits]
        line = "" if self._context.view.is_refining else metrics_line(grades, ranking)
        self._banner.say(line, definitions())

    def show_quality(self) -> None:
        """Show the measures of the list on screen with their definitions."""
        self._context.spawn(self._show_quality(), name="quality")

    async def _show_quality(self) -> None:
        store, outcome = self._context.store, self._context.outcome
        if store is None or outcome is None or outcome.query.text is None:
            return
        grades = self.grades()
        try:
            gists = await self._context.gists(store, set(grades), gists_of(outcome))
        except GenizahError as error:
            self._context.failed(error)
            return
        ranking = [hit.uuid for hit in outcome.hits]
        numbers = f", ranked with {self._what_if.words}" if self._what_if.is_on else ""
        search = JudgedSearch(outcome.query.text, grades, ranking)
        self._show(quality_page(search, gists, numbers, fragility(outcome).sentences()))


def _key(outcome: SearchOutcome) -> _Search:
    return well_formed(outcome.query.text or ""), outcome.scope.include_retired
