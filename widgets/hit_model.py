"""The model of the ranked list: the whole pool of one search, and where the agent's list is cut.

Rows of the same text may stand folded into one; their positions and the cut stay what they are.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import override

from PySide6.QtCore import QObject

from core.notices import NoticeCode
from core.retrieval.eligibility import Consumer
from core.retrieval.folding import numbered, runs
from core.retrieval.outcome import Hit, SearchOutcome
from widgets.row_content import Fold, RowContent, folded, hit_rows, in_store
from widgets.row_model import FixedRows, MemoryKey
from widgets.store_labels import StoreLabel

_PEER_FAILS = frozenset(
    {
        NoticeCode.PEER_FAILS_K_LIMIT,
        NoticeCode.PEER_FAILS_VECTOR,
        NoticeCode.PEER_FAILS_CYCLE,
    }
)


class Whose(StrEnum):
    """Whether a ranked list is the one that the agent's own search gives, or why not."""

    AGENTS = "agents"
    REFINING = "refining"
    WITH_RETIRED = "with_retired"
    AGENT_FAILS = "agent_fails"
    WORDS_ONLY = "words_only"
    WHAT_IF = "what_if"
    SEVERAL_STORES = "several_stores"
    BORROWED = "borrowed"
    BY_LIKENESS = "by_likeness"
    FILTERED = "filtered"


def whose(outcome: SearchOutcome, refining: bool) -> Whose:
    """Tell whose list an outcome is; while `refining` that is not known yet."""
    if refining:
        return Whose.REFINING
    if outcome.union is not None:
        return Whose.SEVERAL_STORES
    if outcome.scope.include_retired:
        return Whose.WITH_RETIRED
    if any(notice.code in _PEER_FAILS for notice in outcome.notices):
        return Whose.AGENT_FAILS
    if outcome.scope.consumer is Consumer.SIMILAR:
        return Whose.BY_LIKENESS
    if not outcome.dense.ran:
        return Whose.WORDS_ONLY
    return Whose.FILTERED if outcome.scope.is_filtered else Whose.AGENTS


def _versions(outcome: SearchOutcome) -> tuple[int, ...]:
    """Return which states of which stores a list describes."""
    if outcome.union is None:
        return (outcome.data_version,)
    return tuple(part.data_version for part in outcome.union.parts)


class HitModel(FixedRows):
    """The hits of one outcome in final order; never cut, never sorted here."""

    limit = 0
    """How many rows the agent sees; the cut is below that row."""
    whose = Whose.REFINING
    """Whether this is the agent's list."""
    labels: Mapping[str, StoreLabel] = MappingProxyType({})
    """The store of each memory of the next list, by uuid; empty where lists know of only one."""
    is_what_if = False
    """Whether the next list shown is ranked with other numbers than the agent's."""
    is_borrowed = False
    """Whether the next list shown is ranked by the settings of another store."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[Hit, ...] = ()
        self._pool: list[RowContent] = []
        self._row_of_place: list[int] = []
        self._equal: frozenset[tuple[int, int]] = frozenset()
        self._version: tuple[int, ...] = ()
        self._open: set[str] = set()

    def show_outcome(
        self,
        outcome: SearchOutcome,
        limit: int,
        pinned: MemoryKey | None = None,
        *,
        refining: bool = False,
    ) -> None:
        """Show the pool of `outcome`; the pinned memory is never hidden in a fold."""
        self.limit = limit
        self.whose = Whose.WHAT_IF if self.is_what_if else whose(outcome, refining)
        if self.is_borrowed and self.whose is Whose.AGENTS:
            self.whose = Whose.BORROWED
        version = _versions(outcome)
        if version != self._version:
            self._equal = frozenset()  # texts may have changed
        self._version = version
        self._hits = numbered(outcome)
        rows = hit_rows(outcome, limit, is_agents=self.whose is Whose.AGENTS)
        self._pool = [in_store(row, self.labels.get(row.uuid)) for row in rows]
        self._rebuild(pinned)

    def clear(self) -> None:
        """Show nothing."""
        self.limit = 0
        self._hits, self._pool, self._equal = (), [], frozenset()
        self._open.clear()
        self._rebuild(None)

    def fold_equal(self, equal: Collection[tuple[int, int]], pinned: MemoryKey | None) -> None:
        """Fold adjacent rows by the pairs of numbers that are known to have equal texts."""
        if frozenset(equal) != self._equal:
            self._equal = frozenset(equal)
            self._rebuild(pinned)

    def set_open(self, uuid: str, is_open: bool) -> str | None:
        """Open or close the fold a memory is in; return its first memory, None where no change."""
        run = self._run_of(uuid)
        if run is None or self._is_open(*run, None) == is_open:
            return None
        self._open -= {row.uuid for row in self._pool[run[0] : run[1] + 1]}
        first = self._pool[run[0]].uuid
        if is_open:
            self._open.add(first)
        self._rebuild(None)
        return first

    def reveal(self, uuid: str) -> None:
        """Open the fold that hides a memory, if one does."""
        if self.row_of(uuid) is None:
            self.set_open(uuid, True)

    def is_in_fold(self, row: int) -> bool:
        """Tell whether a row stands below the first one of an open fold."""
        return self._rows[row].is_in_fold

    def position_at(self, row: int) -> int:
        """Return the position (from 1) of a row, of the first one where it is folded."""
        return self._rows[row].position or 0

    @override
    def uuids_at(self, row: int) -> list[str]:
        fold = self._rows[row].fold
        if fold is None or fold.is_open:
            return super().uuids_at(row)
        return [content.uuid for content in self._pool[fold.first - 1 : fold.last]]

    @property
    def cut_row(self) -> int | None:
        """Return the last row inside the cut, or None where nothing is cut off."""
        if not 0 < self.limit < len(self._pool):
            return None
        return self._row_of_place[self.limit - 1]

    @property
    def cut_is_in_fold(self) -> bool:
        """Tell whether the cut goes through rows that stand folded into one."""
        row = self.cut_row
        after = self._row_of_place[self.limit : self.limit + 1]
        return row is not None and after == [row]

    def _run_of(self, uuid: str) -> tuple[int, int] | None:
        for first, last in runs(self._hits, self._equal):
            if any(row.uuid == uuid for row in self._pool[first : last + 1]):
                return first, last
        return None

    def _is_open(self, first: int, last: int, pinned: MemoryKey | None) -> bool:
        run = self._pool[first : last + 1]
        is_pinned = any((row.uuid, row.store) == pinned for row in run[1:])
        return is_pinned or not self._open.isdisjoint(row.uuid for row in run)

    def _rebuild(self, pinned: MemoryKey | None) -> None:
        rows: list[RowContent] = []
        places: list[int] = []
        folds = dict(runs(self._hits, self._equal))
        at = 0
        while at < len(self._pool):
            last = folds.get(at, at)
            if last == at:
                rows.append(self._pool[at])
                places.append(len(rows) - 1)
            else:
                shown = self._folded(at, last, self._is_open(at, last, pinned))
                rows += shown
                above = len(rows) - len(shown)
                places += [above + min(i, len(shown) - 1) for i in range(last - at + 1)]
            at = last + 1
        self._row_of_place = places
        self.set_rows(rows)

    def _folded(self, first: int, last: int, is_open: bool) -> list[RowContent]:
        run = self._pool[first : last + 1]
        fold = Fold(len(run), first + 1, last + 1, is_open)
        head = folded(run[0], fold)
        if not is_open:
            return [head]
        self._open.add(head.uuid)
        return [head, *(replace(row, is_in_fold=True) for row in run[1:])]
