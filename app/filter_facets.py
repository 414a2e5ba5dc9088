"""Facets beside the list: counted once the list stands, ended by the next key.

What the event log and the lineage mark is kept for one state of each store.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.filter_asked import can_be_asked
from app.filter_contexts import FilterContexts
from app.newest_tasks import NewestTasks
from app.open_store import OpenStore
from app.open_stores import OpenStores
from app.tasks import TaskSet
from app.window_view import WindowView
from core.errors import GenizahError
from core.filters.alternatives import with_alternatives
from core.filters.compiling import condition_of
from core.filters.facets import (
    FacetCounts,
    MarkedRows,
    count_facets,
    facet_groups,
    merge_facets,
    read_marks,
)
from core.filters.filter import Filter, FilterKey, StateWord, Word
from core.filters.parsing import ParsedSearch
from core.readmodels import State, StateCounts
from core.retrieval.outcome import SearchOutcome
from core.store import facet_rows
from core.store.conditions import EVERY_ROW, Condition
from core.store.connection import Connection
from core.store.filter_conditions import among
from widgets.main_window import MainWindow

AFTER_S = 0.12
_WORK = "facets"
_log = logging.getLogger(__name__)


_WORDS = {
    State.LIVE: StateWord.LIVE,
    State.SUPERSEDED: StateWord.SUPERSEDED,
    State.RETIRED: StateWord.RETIRED,
}


def _is(word: StateWord) -> Filter:
    return Filter(FilterKey.IS, (Word(word.value),))


@dataclass(slots=True)
class _Marks:
    """The marked rows of a store in one state of it, and its facets once they were wanted."""

    data_version: int
    rows: MarkedRows
    whole: FacetCounts | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """What is counted of one store: the rows of the list, and for a ranked one what passes."""

    store: OpenStore
    where: Condition
    passing: Condition | None


@dataclass(frozen=True, slots=True)
class _Counted:
    """The facets of one store, and how many of its memories pass the filters of a ranked list."""

    facets: FacetCounts
    passing: int | None
    whole: FacetCounts | None
    """Those of all rows, where they are asked for."""


class FacetController:
    """Count the facets of what is on screen. `passed` hears how many memories pass the filters."""

    def __init__(
        self,
        window: MainWindow,
        view: WindowView,
        stores: OpenStores,
        contexts: FilterContexts,
        stores_of: Callable[[SearchOutcome], Sequence[OpenStore]],
    ) -> None:
        self._window = window
        self._view = view
        self._stores = stores
        self._contexts = contexts
        self._stores_of = stores_of
        self._work = NewestTasks()
        self._marks: dict[OpenStore, _Marks] = {}
        self._checked: list[OpenStore] = []
        self.parsed: Callable[[], ParsedSearch]
        """Returns what the text in the box asks for."""
        self.passed: Callable[[int, int], None] = lambda _passing, _total: None

    def use(self, tasks: TaskSet) -> None:
        """Count in these tasks from now on."""
        self._work.use(tasks)
        is_open = {entry.store for entry in self._stores.open}
        self._marks = {store: marks for store, marks in self._marks.items() if store in is_open}
        checked = self._searched()
        if checked != self._checked:  # the numbers on screen are those of other stores
            self._checked = checked
            self._window.sidebar.facets.forget_counts()
        self.lists_shown()

    def stop(self) -> None:
        """Count no further: another list is asked for."""
        self._work.end(_WORK)

    @property
    def is_busy(self) -> bool:
        """Tell whether counts are coming."""
        return self._work.is_busy

    async def settled(self) -> None:
        """Wait until the counts are those of the list."""
        await self._work.settled()

    def lists_shown(self) -> None:
        """Count anew, a moment after the list: what is in view is read first."""
        if self._view.outcome is not None and self._view.is_refining:
            return
        if self._stores.open_and_checked and can_be_asked(self.parsed()):
            self._work.start(_WORK, self._count)
        else:
            self.stop()
            self._window.sidebar.show_facets(())

    async def _count(self) -> None:
        await asyncio.sleep(AFTER_S)
        parts, searched = self._parts(), self._searched()
        if any(part.store not in searched for part in parts):
            return  # a list of other stores: the one of these is on its way
        found: list[_Counted] = []
        for part in parts:
            try:
                async with part.store.database.browse.snapshot() as connection:
                    found.append(await self._count_part(connection, part))
            except GenizahError as error:
                _log.info("facets were not counted: %s", error.code.value)
        self._show(found, len(parts) - len(found) + self._unopened())
        passing = [one.passing for one in found if one.passing is not None]
        if parts and len(passing) == len(parts):
            self.passed(sum(passing), self._total([part.store for part in parts]).total)

    async def _count_part(self, connection: Connection, part: _Part) -> _Counted:
        context, marks = self._contexts.of(part.store), await self._marks_in(connection, part)
        facets = await count_facets(connection, part.where, context, marks.rows)
        passing = None
        if part.passing is not None:
            passing = await facet_rows.count_rows(connection, part.passing)
        if any(not filter_.negated for filter_ in self.parsed().filters) and marks.whole is None:
            marks.whole = await count_facets(connection, EVERY_ROW, context, marks.rows)
        return _Counted(facets, passing, marks.whole)

    async def _marks_in(self, connection: Connection, part: _Part) -> _Marks:
        version, marks = await connection.data_version(), self._marks.get(part.store)
        if marks is None or marks.data_version != version:
            context = self._contexts.of(part.store)
            marks = _Marks(version, await read_marks(connection, context))
            self._marks[part.store] = marks
        return marks

    def _parts(self) -> list[_Part]:
        """Return what is counted: the rows of the ranked list, or what the filters keep."""
        outcome, filters = self._view.outcome, self.parsed().filters
        if outcome is None:
            stores = self._searched()
            return [_Part(s, condition_of(filters, self._contexts.of(s)), None) for s in stores]
        stores = list(self._stores_of(outcome))
        rows: list[list[int]] = [[] for _ in stores]
        for hit in outcome.hits if stores else ():
            home = 0 if outcome.union is None else outcome.union.home[hit.uuid]
            rows[home].append(hit.head.rowid)
        return [
            _Part(store, among(rowids), self._passing(store, filters))
            for store, rowids in zip(stores, rows, strict=True)
        ]

    def _searched(self) -> list[OpenStore]:
        return [e.store for e in self._stores.open_and_checked if e.store is not None]

    def _unopened(self) -> int:
        """Count the stores that the list that nothing ranks lacks, for they could not be opened."""
        if self._view.outcome is not None:
            return 0
        return len(self._stores.searched) - len(self._stores.open_and_checked)

    def _passing(self, store: OpenStore, filters: Sequence[Filter]) -> Condition | None:
        return condition_of(filters, self._contexts.of(store)) if filters else None

    def _total(self, stores: Sequence[OpenStore]) -> StateCounts:
        entries = [entry for entry in self._stores.open if entry.store in stores]
        counts = [entry.counts for entry in entries if entry.counts is not None]
        return StateCounts(
            sum(c.live for c in counts),
            sum(c.superseded for c in counts),
            sum(c.retired for c in counts),
        )

    def _show(self, found: Sequence[_Counted], missing: int) -> None:
        counts = merge_facets([one.facets for one in found])
        total = self._total(self._searched())
        totals = {
            _is(StateWord.LIVE): total.live,
            _is(StateWord.SUPERSEDED): total.superseded,
            _is(StateWord.RETIRED): total.retired,
        }
        active = self.parsed().filters
        if active and self._view.outcome is None:
            shown = {state: counts.known.get(_is(word), 0) for state, word in _WORDS.items()}
            self._window.sidebar.show_shown(shown)
        whole = merge_facets([one.whole for one in found if one.whole is not None])
        groups = with_alternatives(facet_groups(counts), facet_groups(whole), active)
        self._window.sidebar.show_facets(groups, active, totals, missing)
