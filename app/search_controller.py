"""Live search: words at once, meaning after a pause, the newest text wins.

Owns the search in flight; knows no widget. A late answer or error is never shown: the task that
would bring it has been cancelled, and its statement interrupted, before the next one starts.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.filter_asked import check_size
from app.literal_union import literal_union
from app.meanings import Meanings
from app.model_controller import ModelController
from app.open_store import OpenStore
from app.patience import after_a_while
from app.search_scope import Found, InScope, Query, SearchScope, plain_context
from app.tasks import TaskSet
from app.unforeseen import PutRight
from core.errors import GenizahError
from core.federation.member import ModelKey
from core.federation.outcome import FederatedOutcome
from core.filters.compiling import FilterContext
from core.filters.filter import Filter
from core.filters.parsing import ParsedSearch, parse
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.store.text import is_blank

DEBOUNCE_S = 0.03
PAUSE_S = 0.18

_log = logging.getLogger(__name__)


class SearchStage(StrEnum):
    """What a search says of itself beside its list; QUIET unless it takes long or was cancelled."""

    QUIET = "quiet"
    WORDS = "words"
    MEANING = "meaning"
    CANCELLED = "cancelled"


class SearchView(Protocol):
    """What the controller needs of the window."""

    def show_outcome(self, outcome: SearchOutcome, *, refining: bool) -> None:
        """Show a ranked list; `refining` while the meaning search is still to come."""

    def show_found(self, found: FederatedOutcome, *, refining: bool) -> None:
        """Show what was found in several stores, one group of them at a time."""

    def show_literal(self, matches: LiteralMatches) -> None:
        """Show the rows that contain the text, as far as they are known."""

    def show_searching(self) -> None:
        """Say that a search takes long."""

    def show_search_cancelled(self) -> bool:
        """Keep a list that belongs to the text in the box, else say that there is none.

        Tell whether there is one.
        """

    def show_looking(self) -> None:
        """Say that the rows are being looked through, if that takes long."""

    def show_looking_ended(self) -> None:
        """Say that looking was ended before all rows were seen."""

    def show_browse(self) -> None:
        """Show the list that nothing ranks."""

    def show_search_error(self, error: GenizahError) -> None:
        """Say that the search in the box failed; a list that belongs to its text may stay."""

    def show_search_fault(self, error: GenizahError) -> None:
        """Show an error that nobody foresaw in place of any list."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the person asks for at this moment; `text` with the filters in it."""

    text: str
    include_retired: bool = False


async def _as_it_is(_filters: tuple[Filter, ...]) -> None:
    """List nothing else."""


async def _at_once(text: str) -> ParsedSearch:
    """Read a text here and now."""
    return parse(text)


class SearchController:
    """Turn the text in the box into the list below it."""

    def __init__(self, view: SearchView, model: ModelController) -> None:
        self._view = view
        self._model = model
        self._meanings = Meanings(model)
        self._scope: SearchScope | None = None
        self._tasks: TaskSet | None = None
        self._request = Request("")
        self._running: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._refreshing: dict[str, asyncio.Task[bool]] = {}
        self.shown: Callable[[], None] = lambda: None
        """Called whenever the lists have changed."""
        self.stage = SearchStage.QUIET
        self.stage_changed: Callable[[], None] = lambda: None
        """Called whenever the search may have something else to say beside its list."""
        self.is_cancelled = False
        """Whether the person ended the search for what is asked for; it is not run by itself."""
        self.context_of: Callable[[OpenStore], FilterContext] = plain_context
        """Says what filters depend on in a store."""
        self.narrow_list: Callable[[tuple[Filter, ...]], Awaitable[None]] = _as_it_is
        """Lists what some filters keep, in no rank; waited for before the list is shown."""
        self.read_text: Callable[[str], Awaitable[ParsedSearch]] = _at_once
        """Reads what a text asks for."""

    @property
    def request(self) -> Request:
        """Return what is being asked for."""
        return self._request

    async def settled(self) -> None:
        """Wait until the list belongs to the text and nothing more is coming."""
        while self._running is not None and self.is_busy:
            await asyncio.wait({self._running})

    @property
    def has_store(self) -> bool:
        """Tell whether there is a store to search."""
        return self._scope is not None

    @property
    def is_busy(self) -> bool:
        """Tell whether more is coming."""
        return self._running is not None and not self._running.done()

    def use(self, store: OpenStore, tasks: TaskSet) -> None:
        """Search one store from now on, in tasks of its own."""
        location = store.facts.location
        path = str(location.database)
        alone = InScope(ascii(path), path, location.name, store, None, tasks)
        self.use_scope(SearchScope([alone]), tasks)

    def use_scope(self, scope: SearchScope, tasks: TaskSet) -> None:
        """Search some stores from now on, in tasks of their own; the text in the box at once."""
        is_other = self._scope is not None
        self._scope, self._tasks = scope, tasks
        if is_other and not is_blank(self._request.text):
            self.again()
        else:
            self.ask(self._request)

    def drop(self) -> None:
        """Search nothing from now on; the stores' tasks are ended by their owner."""
        self._cancel()
        self._scope = self._tasks = None
        self._refreshing.clear()
        self._enter(SearchStage.QUIET)

    def ask(self, request: Request) -> None:
        """Search for another text or scope; whatever is under way is dropped."""
        self._start(request, is_refresh=False)

    def again(self) -> None:
        """Run the same search once more, because the store or the model changed.

        The lists on screen stay as they are until the new ones are complete.
        """
        self._start(self._request, is_refresh=True)

    def note_moved(self, store: OpenStore) -> None:
        """Take nothing of before for granted in a store that was written."""
        if self._scope is not None:
            self._scope.note_moved(store)

    def _start(self, request: Request, *, is_refresh: bool) -> None:
        self._cancel()
        self._request = request
        self.is_cancelled = False
        self._enter(SearchStage.QUIET)
        if self._scope is not None and self._tasks is not None:
            search = self._run(self._scope, request, is_refresh=is_refresh)
            self._running = self._tasks.spawn(search, name="search")

    def cancel(self) -> None:
        """End a ranked search that takes long; its statement is interrupted.

        A list by words that belongs to the text stays, and says what it is.
        """
        if self.stage not in (SearchStage.WORDS, SearchStage.MEANING):
            return  # it has ended since the button was seen
        self._cancel()
        self.is_cancelled = True
        has_list = self._view.show_search_cancelled()
        self.shown()
        self._enter(SearchStage.CANCELLED if has_list else SearchStage.QUIET)

    def _enter(self, stage: SearchStage) -> None:
        self.stage = stage
        self.stage_changed()

    @contextmanager
    def _said(self, stage: SearchStage) -> Iterator[None]:
        """Enter a stage where the body takes long; leave it, unless a newer search sees to it."""
        mine = asyncio.current_task()
        try:
            with after_a_while(lambda: self._say(stage)):
                yield
        finally:
            if self._running is mine:
                self._enter(SearchStage.QUIET)

    def _say(self, stage: SearchStage) -> None:
        if stage is SearchStage.WORDS:
            self._view.show_searching()
        self._enter(stage)

    def stop_looking(self) -> None:
        """End the look through the rows; the ranked list is not touched."""
        if self._looking is not None and not self._looking.done():
            self._looking.cancel()

    def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _run(self, scope: SearchScope, request: Request, *, is_refresh: bool) -> None:
        with PutRight(self._clear):
            await self._search(scope, request, is_refresh=is_refresh)

    def _clear(self, error: GenizahError) -> None:
        """Leave no list of another text on screen, unless a newer search sees to that."""
        if self._running is asyncio.current_task():
            self._view.show_search_fault(error)
            self.shown()

    async def _search(self, scope: SearchScope, request: Request, *, is_refresh: bool) -> None:
        parsed = await self.read_text(request.text)
        if not is_refresh and not is_blank(request.text):
            await asyncio.sleep(DEBOUNCE_S)
        try:
            check_size(parsed)
            query = Query(parsed, request.include_retired, self.context_of)
            if parsed.similar_to is not None:
                await self._show_similar(scope, query, parsed.similar_to)
            elif not parsed.has_words:
                await self._list(parsed)
            else:
                scope.check_still_there()
                found = await self._ranked(scope, query)
                await self._look(scope, query, found, is_refresh=is_refresh)
        except GenizahError as error:
            self._view.show_search_error(error)
            self.shown()

    async def _list(self, parsed: ParsedSearch) -> None:
        """Show the memories that the filters keep; nothing ranks them."""
        with self._said(SearchStage.WORDS):
            await self.narrow_list(parsed.filters)
        self._view.show_browse()
        self.shown()

    async def _show_similar(self, scope: SearchScope, query: Query, named: str) -> None:
        with self._said(SearchStage.WORDS):
            self._put(scope, await scope.similar(query, named), refining=False)

    async def _look(
        self, scope: SearchScope, query: Query, found: Found, *, is_refresh: bool
    ) -> None:
        """Look through the rows in a task of its own, which can be ended alone."""
        scan = self._scan(scope, query, found, is_refresh=is_refresh)
        looking = self._looking = asyncio.ensure_future(scan)
        try:
            await asyncio.wait({looking})
        except asyncio.CancelledError:
            looking.cancel()
            await asyncio.wait({looking})
            raise
        if looking.cancelled():
            self._view.show_looking_ended()
        else:
            looking.result()

    async def _scan(
        self, scope: SearchScope, query: Query, found: Found, *, is_refresh: bool
    ) -> None:
        if not is_refresh:
            self._view.show_looking()
        async for matches in literal_union(scope, query, found):
            if is_refresh and not matches.complete:
                continue  # the whole list on screen is better than the beginning of a new one
            self._view.show_literal(matches)
            self.shown()

    async def _ranked(self, scope: SearchScope, query: Query) -> Found:
        """Show the list by words, then the list by both; at once where the vector is known."""
        text = query.parsed.free_text
        known = self._meanings.known(text, scope.keys)
        if known is not None:
            with self._said(SearchStage.WORDS):
                return await self._show(scope, query, known, refining=False)
        words = {key: self._meanings.without(key) for key in scope.keys}
        with self._said(SearchStage.WORDS):
            await self._show(scope, query, words, refining=True)
        await asyncio.sleep(PAUSE_S)
        with self._said(SearchStage.MEANING):
            sides = await self._meanings.sides(text, scope.keys)
            return await self._show(scope, query, sides, refining=False)

    async def _show(
        self,
        scope: SearchScope,
        query: Query,
        sides: Mapping[ModelKey, MeaningSide],
        *,
        refining: bool,
    ) -> Found:
        found = await scope.search(query, sides)
        self._put(scope, found, refining=refining)
        return found

    def _put(self, scope: SearchScope, found: Found, *, refining: bool) -> None:
        if isinstance(found, FederatedOutcome):
            self._view.show_found(found, refining=refining)
        else:
            self._view.show_outcome(found, refining=refining)
        self.shown()
        for store in scope.stale_stores(found):
            self.refresh_matrix(store)

    def refresh_matrix(self, store: OpenStore) -> None:
        """Read a store's vectors into memory in the background, unless that is under way."""
        member = None if self._scope is None else self._scope.member_of(store)
        if member is None:
            return
        reading = self._refreshing.get(member.key)
        if reading is None or reading.done():
            task = member.tasks.spawn(_read_vectors(store), name="vector matrix")
            self._refreshing[member.key] = task


async def _read_vectors(store: OpenStore) -> bool:
    """Read the vectors; without them searches are slower and say themselves what is wrong."""
    try:
        return await store.searcher.refresh_matrix()
    except GenizahError as error:
        _log.info("the vectors were not read: %s", error.code.value)
        return False
