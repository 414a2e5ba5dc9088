"""Grades: what a person thinks of a memory for a search, and how good lists are by them.

Running all graded searches and their files is in app/query_set_controller.
"""

from collections.abc import Callable, Iterable, Mapping

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

_FILTERED = "(of the filtered list, by the grades of its words)"

type _Search = tuple[str, bool]


class GradesController:
    """Grade memories for the list on screen, each for its own store. `show` opens a page."""

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
        self._grades: dict[str, dict[_Search, dict[str, int]]] = {}
        """By the id of their store."""
        self._asked: set[str] = set()

    def begin(self) -> None:
        """Start with another store, or with none."""
        self.listed()
        self.reload()

    def reload(self) -> None:
        """Read the kept grades: another window may have given some."""
        self._asked = set(self._stores())
        self._read(self._asked)

    def _stores(self) -> tuple[str, ...]:
        """Return the ids of the store in front and of those that the list comes from."""
        ids = (self._context.store_id, *self._listed_stores())
        return tuple(dict.fromkeys(store_id for store_id in ids if store_id))

    def _listed_stores(self) -> tuple[str, ...]:
        outcome = self._context.view.outcome
        listed = () if outcome is None else self._context.stores_of(outcome)
        return tuple(store.facts.meta.store_id for store in listed) or (self._context.store_id,)

    def _store_of(self, uuid: str, outcome: SearchOutcome) -> str:
        """Return the id of the store that a memory of the list is in."""
        union = outcome.union
        if union is None:
            return self._listed_stores()[0]
        place = union.home.get(uuid)
        return self._context.store_id if place is None else union.parts[place].store_id

    def _read(self, store_ids: Iterable[str]) -> None:
        wanted = tuple(store_ids)

        async def work(database: AppDatabase) -> None:
            for store_id in wanted:
                found = await self.judgments(database).graded(store_id)
                self._grades[store_id] = {
                    (g.text, g.include_retired): dict(g.grades) for g in found
                }
            self.listed()

        if wanted:
            self._context.keep(work, name="grades")

    def judgments(self, database: AppDatabase) -> Judgments:
        """Return what keeps the grades."""
        assert self._context.own is not None
        return Judgments(database, self._context.own.clock)

    # Grading

    def graded(self) -> tuple[GradedSearch, ...]:
        """Return every graded search of the store in front."""
        found = self._grades.get(self._context.store_id, {})
        return tuple(GradedSearch(*key, grades) for key, grades in found.items() if grades)

    def grades(self) -> Mapping[str, int]:
        """Return the grades of the search on screen by uuid."""
        outcome = self._context.view.outcome
        if outcome is None:
            return {}
        found = [self._grades.get(store_id, {}) for store_id in self._listed_stores()]
        return {u: g for of_one in found for u, g in of_one.get(_key(outcome), {}).items()}

    def grade(self, uuid: str | None, grade: int) -> None:
        """Grade a memory for the search on screen; an earlier grade is replaced."""
        outcome = self._context.view.outcome
        if uuid is None or outcome is None or outcome.query.text is None:
            return
        store_id = self._store_of(uuid, outcome)
        self.keep(GradedSearch(*_key(outcome), {uuid: grade}), store_id)
        self._context.window.hit_view.announce(f"grade {grade}")

    def keep(self, graded: GradedSearch, store_id: str | None = None) -> None:
        """Keep grades of one search of a store, of the one in front if none is named.

        Those of other memories stay.
        """
        store_id = store_id or self._context.store_id
        key = (well_formed(graded.text), graded.include_retired)
        of_store = self._grades.setdefault(store_id, {})
        of_store[key] = {**of_store.get(key, {}), **graded.grades}
        self.listed()

        async def work(database: AppDatabase) -> None:
            await self.judgments(database).give_all(store_id, graded)

        self._context.keep(work, name="grade")

    def withdraw(self, uuid: str | None) -> None:
        """Take a memory's grade back."""
        outcome = self._context.view.outcome
        if uuid is None or outcome is None or uuid not in self.grades():
            return
        text, include_retired = _key(outcome)
        store_id = self._store_of(uuid, outcome)
        self._grades.get(store_id, {}).get((text, include_retired), {}).pop(uuid, None)
        self._context.window.hit_view.announce("no grade")
        self.listed()

        async def work(database: AppDatabase) -> None:
            await self.judgments(database).withdraw(text, include_retired, store_id, uuid)

        self._context.keep(work, name="withdraw grade")

    # What is shown

    def listed(self) -> None:
        """Bring marks and measures in step with the list on screen."""
        unread = set(self._listed_stores()) - self._asked - {""}
        self._asked |= unread
        self._read(unread)
        outcome, grades = self._context.view.outcome, self.grades()
        self._context.window.hit_view.set_grades(grades)
        self._context.window.literal_list.set_grades(grades)
        ranking = [] if outcome is None else [hit.uuid for hit in outcome.hits]
        line = "" if self._context.view.is_refining else metrics_line(grades, ranking)
        if line and outcome is not None and outcome.scope.is_filtered:
            line = f"{line} {_FILTERED}"
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
            gists = gists_of(outcome)
            for listed in self._context.stores_of(outcome) or (store,):
                gists = await self._context.gists(listed, set(grades), gists)
        except GenizahError as error:
            self._context.failed(error)
            return
        ranking = [hit.uuid for hit in outcome.hits]
        numbers = f", ranked with {self._what_if.words}" if self._what_if.is_on else ""
        search = JudgedSearch(outcome.query.text, grades, ranking)
        self._show(quality_page(search, gists, numbers, fragility(outcome).sentences()))


def _key(outcome: SearchOutcome) -> _Search:
    return well_formed(outcome.query.text or ""), outcome.scope.include_retired
