"""What pages share that look at all memories of their stores: when they look, and how it ends.

What is looked for, and what is said of it, is theirs.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from app.newest_tasks import NewestTasks
from app.page_host import PageHost
from app.page_scope import PageScope
from app.tasks import TaskSet
from core.errors import GenizahError
from core.progress import WorkCancelledError

_LOOK = "look"
_NO_STORE = "No store is open and checked: check one in the list at the left."

type Find = Callable[[PageScope], Awaitable[int]]
"""Finds and shows what there is in some stores; returns how many memories were looked at."""


@dataclass(frozen=True, slots=True)
class LookWords:
    """What is said of a look: `key` of its messages; `failed` has a place for the reason's code."""

    key: str
    looking: str
    cancelled: str
    failed: str


class LookPage(Protocol):
    """What a look needs of its page."""

    def isVisible(self) -> bool:
        """Tell whether it is on screen."""

    def show_state(self, words: str) -> None:
        """Say what there is in place of what is found."""

    def say(self, words: str) -> None:
        """Say what was found, or what became of it."""


class WholeLook(ABC):
    """Look when the page is first seen, follow the stores while that is quick, else on demand.

    A look that a person cancelled begins again only when they ask for it.
    """

    def __init__(
        self, look_page: LookPage, host: PageHost, words: LookWords, most_at_once: int
    ) -> None:
        """Looks at more memories than `most_at_once` do not begin again by themselves."""
        self._look_page = look_page
        self._host = host
        self._look_words = words
        self._most_at_once = most_at_once
        self._running = NewestTasks()
        self._scope = PageScope()
        self._is_stale = True
        self._is_cancelled = False
        self._looked_at: int | None = None
        """Memories of the look that is on screen, None while there is none."""

    @abstractmethod
    async def _find(self, scope: PageScope) -> int:
        """Find and show what there is; return how many memories were looked at."""

    @abstractmethod
    def _forget(self) -> None:
        """Drop what was found: the stores are others."""

    @abstractmethod
    def _rename(self) -> None:
        """Show what was found anew: the stores are the same, but called otherwise."""

    @abstractmethod
    def _say(self) -> None:
        """Say what was found, and that it is out of date where it is stale."""

    def use(self, scope: PageScope, tasks: TaskSet) -> None:
        """Look at the memories of these stores from now on."""
        before, has_ended = self._scope, self._running.use(tasks)
        self._scope = scope
        if not scope.has_same_stores(before):
            self._running.end(_LOOK)
            self._looked_at, self._is_cancelled = None, False
            self._forget()
            self._look_page.show_state("" if scope.stores else _NO_STORE)
        elif not has_ended:
            if scope != before:
                self._rename()
            return
        self.moved()

    def moved(self) -> None:
        """Look again where that is done at once, else say that the stores have moved on."""
        self._is_stale = True
        self._follow()

    @property
    def is_busy(self) -> bool:
        """Tell whether something is coming."""
        return self._running.is_busy

    async def settled(self) -> None:
        """Wait until nothing more is coming."""
        await self._running.settled()

    @property
    def _is_looking(self) -> bool:
        return self._running.is_running(_LOOK)

    def _follow(self) -> None:
        """Look at what is stale while anybody can see it, and it does not take long."""
        if not self._is_stale or not self._look_page.isVisible() or self._is_looking:
            return
        if self._is_cancelled or (self._looked_at or 0) > self._most_at_once:
            self._say()
        else:
            self._look_again()

    def _look_again(self) -> None:
        """Look, unless a look is under way."""
        self._start(self._find)

    def _start(self, find: Find, *, anew: bool = False) -> None:
        """Look in this way; `anew` ends a look that is under way."""
        if not self._scope.stores:
            self._look_page.show_state(_NO_STORE)
        elif anew or not self._is_looking:
            self._is_stale, self._is_cancelled = True, False
            scope = self._scope
            self._running.start(_LOOK, lambda: self._look(scope, find))

    async def _look(self, scope: PageScope, find: Find) -> None:
        if self._looked_at is None:
            self._look_page.show_state(self._look_words.looking)
        messages, key = self._host.work.messages, self._look_words.key
        while self._is_stale:
            self._is_stale = False
            try:
                self._looked_at = await find(scope)
            except WorkCancelledError:
                self._is_cancelled = True
                self._failed(self._look_words.cancelled)
                return
            except GenizahError as error:
                self._failed(self._look_words.failed.format(error.code.value))
                messages.show_error(key, error)
                return
            messages.end(key)
            if self._looked_at > self._most_at_once:
                return  # it has moved meanwhile: said, not begun again and again
            find = self._find

    def _failed(self, words: str) -> None:
        self._is_stale = True
        if self._looked_at is None:
            self._look_page.show_state(words)
        else:
            self._look_page.say(words)
