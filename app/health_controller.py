"""The health of the checked stores: looked through on demand and kept in step, deeply when asked.

Nothing is repaired here, and nothing written to a store.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.long_work import WorkWords
from app.newest_tasks import NewestTasks
from app.page_host import PageHost
from app.page_scope import PageScope, PageStore, Unread, incomplete, read_placed
from app.tasks import TaskSet
from core.errors import GenizahError
from core.health.deep import deep_problems
from core.health.rows import CheckedStore, HealthRow, health_rows, in_order, rows_of_problems
from core.progress import Progress, WorkCancelledError
from core.readmodels import MemoryHead
from core.store import memories
from core.store.connection import Connection
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
_LOOKING = "Looking through the memories…"
_CANCELLED = "The check was cancelled; “Check again” starts it anew."
_NO_STORE = "No store is open and checked: check one in the list at the left."
_OUT_OF_DATE = "The stores have changed since: “Check again” brings this up to date. "
_CHECKED_AT_ONCE = 5000
"""Memories that are looked through again by themselves once a store moves."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found in some stores, and which could not be read, for it or for the list of it."""

    scope: PageScope
    rows: tuple[HealthRow, ...]
    is_deep: bool
    memories: int
    unread: tuple[Unread, ...]
    unlisted: tuple[Unread, ...] = ()

    @property
    def checked(self) -> Checked:
        """Return what was looked at."""
        where = self.scope.words or f"in {self.scope.stores[0].store.facts.location.name}"
        return Checked(where, self.is_deep, incomplete((*self.unread, *self.unlisted)))


class HealthController:
    """Serve the page of one window."""

    def __init__(self, host: PageHost) -> None:
        self.page = HealthPage()
        self._host = host
        self._running = NewestTasks()
        self._scope = PageScope()
        self._found: _Found | None = None
        self._listed: tuple[HealthRow, ...] = ()
        self._chosen: HealthRow | None = None
        self._is_stale = True
        page = self.page
        page.became_visible.connect(self._follow)
        page.check_wanted.connect(lambda: self._check_again(is_deep=False))
        page.deep_wanted.connect(lambda: self._check_again(is_deep=True))
        page.severities_wanted.connect(self._list)
        page.memory_chosen.connect(self._choose)
        page.memory_opened.connect(lambda _key: host.read_memory())
        page.finding_chosen.connect(self._advise)

    # Which stores

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Check these stores from now on."""
        is_same, has_ended = scope.has_same_stores(self._scope), self._running.use(tasks)
        self._scope = scope
        if is_same and not has_ended:
            return
        self._is_stale = True
        if not is_same:
            self._running.end("check", "list")
            self._found, self._listed, self._chosen = None, (), None
            self.page.show_state("" if scope.stores else _NO_STORE)
        self._follow()

    def moved(self) -> None:
        """Check again where that is done at once, else say that the stores have moved on."""
        self._is_stale = True
        self._follow()

    @property
    def is_busy(self) -> bool:
        """Tell whether findings are coming."""
        return self._running.is_busy

    async def settled(self) -> None:
        """Wait until nothing more is coming."""
        await self._running.settled()

    def close(self) -> None:
        """End nothing: everything here ends with the tasks."""

    # Checking

    def _follow(self) -> None:
        if not self._is_stale or not self.page.isVisible() or self._running.is_running("check"):
            return
        if self._found is not None and self._found.memories > _CHECKED_AT_ONCE:
            self._say()
        else:
            self._check_again(is_deep=False)

    def _check_again(self, *, is_deep: bool) -> None:
        if not self._scope.stores:
            self.page.show_state(_NO_STORE)
        elif not self._running.is_running("check"):
            self._running.start("check", lambda: self._check(self._scope, is_deep))

    async def _check(self, scope: PageScope, is_deep: bool) -> None:
        if self._found is None:
            self.page.show_state(_LOOKING)
        self._is_stale = False
        messages = self._host.work.messages
        try:
            self._found = await self._read(scope, is_deep)
            await self._show_list()
        except WorkCancelledError:
            self._failed(_CANCELLED)
        except GenizahError as error:
            self._failed(f"The stores could not be checked ({error.code.value}).")
            messages.show_error(_KEY, error)
        else:
            messages.end(_KEY)
            if self._is_stale and self._found.memories <= _CHECKED_AT_ONCE:
                await self._check(scope, False)

    def _failed(self, words: str) -> None:
        self._is_stale = True  # another try is a person's
        if self._found is None:
            self.page.show_state(words)
        else:
            self.page.say(words)

    async def _read(self, scope: PageScope, is_deep: bool) -> _Found:
        """Check one store after another. Raises GenizahError where every one fails."""
        number, unread, rows = 0, list[Unread](), list[HealthRow]()
        for place, one in enumerate(scope.stores):
            try:
                async with one.reader.snapshot() as connection:
                    count = (await memories.counts(connection)).total
                rows += await self._rows_of(one, place, is_deep)
            except GenizahError as error:
                unread.append(Unread(one, error))
            else:
                number += count
        if unread and len(unread) == len(scope.stores):
            raise unread[0].error
        return _Found(scope, in_order(rows), is_deep, number, tuple(unread))

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
        return [replace(row, store=place) for row in found]

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
        rows = [row for row in found.rows if row.severity in wanted][:MOST_SHOWN]
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
        self.page.show_numbers({s: numbers(found.rows).get(s, 0) for s in self.page.buttons})
        self._chosen = None
        self.page.show_advice("")
        self.page.show_findings(contents, at)
        self._say()

    def _say(self) -> None:
        if self._found is not None:
            late = _OUT_OF_DATE if self._is_stale else ""
            found = self._found
            self.page.say(late + summary(len(found.rows), len(self._listed), found.checked))

    def _advise(self, row: int) -> None:
        if 0 <= row < len(self._listed):
            self._chosen = self._listed[row]
            self.page.show_advice(advice_of(self._chosen))

    def _choose(self, key: MemoryKey | None) -> None:
        if key is not None and key.uuid:
            self._host.show_memory(key.store, key.uuid)


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
