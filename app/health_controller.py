"""The health of the checked stores: looked through on demand and kept in step, deeply when asked.

Nothing is repaired here, and nothing written to a store.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import override

from app.long_work import WorkWords
from app.page_host import PageHost
from app.page_scope import PageScope, PageStore, Unread, incomplete, read_placed
from app.whole_look import LookWords, WholeLook
from core.errors import ErrorCode, GenizahError
from core.health.codes import Severity
from core.health.deep import deep_problems
from core.health.rows import CheckedStore, HealthRow, health_rows, in_order, rows_of_problems
from core.progress import Progress
from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection
from core.store.health import ProblemCode
from widgets.health_content import (
    MOST_SHOWN,
    Checked,
    advice_of,
    finding_row,
    numbers,
    summary,
)
from widgets.health_page import HealthPage
from widgets.row_model import MemoryKey
from widgets.texts import grouped

_KEY = "health"
_CHECKING = WorkWords(
    _KEY,
    "Looking through the memories",
    lambda done, total: f"{grouped(done)} of {grouped(total)}",
)
_COPYING = WorkWords(
    _KEY, "Checking a private copy", lambda done, total: f"{100 * done // max(1, total)} %"
)
_WORDS = LookWords(
    _KEY,
    looking="Looking through the memories…",
    cancelled="The check was cancelled; “Check again” starts it anew.",
    failed="The stores could not be checked ({}).",
)
_OUT_OF_DATE = "The stores have changed since: “Check again” brings this up to date. "
_CHECKED_AT_ONCE = 5000
"""Memories that are looked through again by themselves once a store moves."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found in some stores, and which could not be read, for it or for the list of it."""

    scope: PageScope
    rows: tuple[HealthRow, ...]
    numbers: Mapping[Severity, int]
    is_deep: bool
    memories: int
    unread: tuple[Unread, ...]
    unlisted: tuple[Unread, ...] = ()

    @property
    def checked(self) -> Checked:
        """Return what was looked at."""
        where = self.scope.words or f"in {self.scope.stores[0].store.facts.location.name}"
        return Checked(where, self.is_deep, incomplete((*self.unread, *self.unlisted)))


class HealthController(WholeLook):
    """Serve the page of one window."""

    def __init__(self, host: PageHost) -> None:
        self.page = page = HealthPage()
        super().__init__(page, host, _WORDS, _CHECKED_AT_ONCE)
        self._found: _Found | None = None
        self._listed: tuple[HealthRow, ...] = ()
        self._heads: Mapping[tuple[int, str | None], MemoryHead] = {}
        self._chosen: HealthRow | None = None
        self._is_deep = False
        page.became_visible.connect(self._follow)
        page.check_wanted.connect(self._look_again)
        page.deep_wanted.connect(self._look_deeply)
        page.severities_wanted.connect(self._list)
        page.memory_chosen.connect(self._choose)
        page.memory_opened.connect(lambda _key: host.read_memory())
        page.finding_chosen.connect(self._advise)

    @override
    def _forget(self) -> None:
        self._running.end("list")
        self._found, self._listed, self._chosen = None, (), None

    @override
    def _rename(self) -> None:
        if self._found is not None:
            self._found = replace(self._found, scope=self._scope)
            self._list()

    def close(self) -> None:
        """End nothing: everything here ends with the tasks."""

    # Checking

    def _look_deeply(self) -> None:
        """Check deeply, in place of a plain check that is under way."""
        self._start(self._find_deeply, anew=not self._is_deep)

    @override
    async def _find(self, scope: PageScope) -> int:
        return await self._check(scope, is_deep=False)

    async def _find_deeply(self, scope: PageScope) -> int:
        self._is_deep = True
        try:
            return await self._check(scope, is_deep=True)
        finally:
            self._is_deep = False

    async def _check(self, scope: PageScope, *, is_deep: bool) -> int:
        self._found = await self._read(scope, is_deep)
        await self._show_list()
        return self._found.memories

    async def _read(self, scope: PageScope, is_deep: bool) -> _Found:
        """Check one store after another; a damaged file is a finding of its own.

        Raises GenizahError where every one fails and that is all there is to say.
        """
        number, unread, rows = 0, list[Unread](), list[HealthRow]()
        for place, one in enumerate(scope.stores):
            try:
                async with one.reader.snapshot() as connection:
                    count = (await memories.counts(connection)).total
                rows += await self._rows_of(one, place, is_deep)
            except GenizahError as error:
                unread.append(Unread(one, error))
                if error.code is ErrorCode.DAMAGED:
                    damaged = ProblemCode.DATABASE_DAMAGED
                    rows.append(HealthRow(place, damaged, None, error.message))
            else:
                number += count
        if len(unread) == len(scope.stores) and not rows:
            raise unread[0].error
        ordered = await asyncio.to_thread(in_order, rows)
        numbers_of = await asyncio.to_thread(numbers, ordered)
        return _Found(scope, ordered, numbers_of, is_deep, number, tuple(unread))

    async def _rows_of(self, one: PageStore, place: int, is_deep: bool) -> list[HealthRow]:
        store, work = one.store, self._host.work
        checked = CheckedStore(store.database, store.settings.retrieval.supersession_max_depth)

        async def look(progress: Progress) -> tuple[HealthRow, ...]:
            return await health_rows([checked], progress.report)

        async def look_deeply(progress: Progress) -> list[HealthRow]:
            folder = self._host.copies
            return rows_of_problems(0, await deep_problems(store.database, folder, progress.report))

        found = [*await work.run(_CHECKING, look)]
        if is_deep:
            found += await work.run(_COPYING, look_deeply)
        return await asyncio.to_thread(_placed, found, place)

    # The list

    def _list(self) -> None:
        if self._found is not None:
            self._running.start("list", self._list_told)

    async def _list_told(self) -> None:
        try:
            await self._show_list()
        except GenizahError as error:
            self._host.work.messages.show_error(_KEY, error)

    async def _show_list(self) -> None:
        """List what is wanted of the findings; the one that was selected stays so."""
        found = self._found
        if found is None:
            return
        wanted = self.page.severities()
        rows = list(islice((row for row in found.rows if row.severity in wanted), MOST_SHOWN))
        heads, unread = await _heads(found.scope, rows)
        if found is not self._found:
            return
        self._found = replace(found, unlisted=unread)
        labels, chosen = found.scope.labels, self._chosen
        self._listed = tuple(rows)
        at = rows.index(chosen) if chosen in rows else None
        contents = [
            finding_row(row, heads.get((row.store, row.uuid)), labels[row.store]) for row in rows
        ]
        self._heads = heads
        self.page.show_numbers({s: found.numbers.get(s, 0) for s in self.page.buttons})
        self._chosen = None
        self.page.show_advice("")
        self.page.show_findings(contents, at)
        self._say()

    @override
    def _say(self) -> None:
        if self._found is not None:
            late = _OUT_OF_DATE if self._is_stale else ""
            found = self._found
            self.page.say(late + summary(len(found.rows), len(self._listed), found.checked))

    def _advise(self, row: int) -> None:
        if 0 <= row < len(self._listed):
            one = self._chosen = self._listed[row]
            self.page.show_advice(advice_of(one, self._heads.get((one.store, one.uuid))))

    def _choose(self, key: MemoryKey | None) -> None:
        if key is not None and key.uuid:
            self._host.show_memory(key.store, key.uuid)


def _placed(rows: Sequence[HealthRow], place: int) -> list[HealthRow]:
    """Return rows of the first of some stores as those of the store at a place."""
    return [replace(row, store=place) for row in rows] if place else list(rows)


async def _heads(
    scope: PageScope, rows: Sequence[HealthRow]
) -> tuple[dict[tuple[int, str | None], MemoryHead], tuple[Unread, ...]]:
    """Return the heads of the memories of findings by the place of their store and uuid, and the
    stores that could not be read for them."""
    uuids: dict[int, dict[str, None]] = {}
    for row in rows:
        if row.uuid is not None:
            uuids.setdefault(row.store, {})[row.uuid] = None

    async def read(place: int, connection: Connection) -> dict[str, MemoryHead]:
        return await memories.heads_by_uuid(connection, uuids[place])

    found, unread = await read_placed(scope.stores, uuids, read)
    return {(place, uuid): h for place, heads in found.items() for uuid, h in heads.items()}, unread
