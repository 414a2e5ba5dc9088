"""Pairs that a person called no duplicates in one window: kept in the program's own file, undone.

Without that file they count until the window is closed.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from app.page_host import PageHost
from core.appdata.database import AppDatabase
from core.appdata.duplicate_marks import DuplicateMarks
from core.duplicates.keys import KeyPair, MemoryKey, pair_of
from widgets.texts import grouped, memories

_MOST_PAIRS = 50_000
_TOO_MANY = (
    "{} pairs would have to be remembered, at most {} are at once: raise the threshold, or select "
    "fewer and take those out."
)


class DuplicatePairs:
    """Know the pairs; each step that adds some can be undone."""

    def __init__(self, host: PageHost) -> None:
        self._host = host
        self._steps: list[frozenset[KeyPair]] = []
        self.apart: frozenset[KeyPair] = frozenset()
        """All pairs that are no duplicates."""

    async def read(self) -> None:
        """Read what is kept, for another window may have added to it."""
        own = self._host.own
        if own is None:
            return

        async def work(database: AppDatabase) -> None:
            self.apart = await DuplicateMarks(database, own.clock).all()

        await asyncio.wait({own.do(work, name="no duplicates")})

    @property
    def can_undo(self) -> bool:
        """Tell whether there is a step to undo."""
        return bool(self._steps)

    def none_of(self, keys: Sequence[MemoryKey]) -> str:
        """Remember that no two of these are duplicates; return what is to be said of it."""
        number = len(keys) * (len(keys) - 1) // 2
        pairs = (pair_of(one, other) for one, other in combinations(keys, 2))
        return self._mark(pairs, number, f"{memories(len(keys))}: no duplicates of each other")

    def between(self, some: Sequence[MemoryKey], others: Sequence[MemoryKey]) -> str:
        """Remember that some are no duplicates of others; return what is to be said of it."""
        number = len(some) * len(others)
        pairs = (pair_of(one, other) for one, other in product(some, others))
        return self._mark(pairs, number, f"{memories(len(some))} taken out")

    def _mark(self, pairs: Iterable[KeyPair], number: int, done: str) -> str:
        if number > _MOST_PAIRS:
            return _TOO_MANY.format(grouped(number), grouped(_MOST_PAIRS))
        new = frozenset(pairs) - self.apart
        if not new:
            return ""
        self.apart |= new
        self._steps.append(new)
        self._keep(new, is_apart=True)
        own = self._host.own
        kept = own is not None and own.remembers
        return f"{done}; {'remembered' if kept else 'until the window is closed'}."

    def undo(self) -> str:
        """Take the last step back; return what is to be said of it."""
        if not self._steps:
            return ""
        step = self._steps.pop()
        self.apart -= step
        self._keep(step, is_apart=False)
        return "Taken back: they may be duplicates again."

    def _keep(self, pairs: frozenset[KeyPair], *, is_apart: bool) -> None:
        own = self._host.own
        if own is None:
            return

        async def work(database: AppDatabase) -> None:
            marks = DuplicateMarks(database, own.clock)
            await (marks.mark(pairs) if is_apart else marks.withdraw(pairs))

        own.do(work, name="no duplicates")
