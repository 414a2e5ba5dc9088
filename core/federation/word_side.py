"""The word arm's view of one memory among several stores: shares and ranks by shared numbers."""

from collections.abc import Sequence

from core.explain.explanation import LexicalSide
from core.explain.memory_reader import SearchedMemory
from core.federation.searched_stores import SearchedStores
from core.federation.word_place import Scored, rows_before
from core.retrieval.arms import StopReason
from core.retrieval.bm25 import TermShare
from core.retrieval.lexical_rank import count_matching
from core.retrieval.outcome import SearchOutcome
from core.retrieval.term_counts import term_counts
from core.retrieval.union import SharedStatistics
from core.store.fts_statistics import IndexTotals


class WordSide:
    """Asks the stores of one search about the words of a memory."""

    def __init__(
        self, stores: SearchedStores, outcome: SearchOutcome, shared: SharedStatistics
    ) -> None:
        self._stores = stores
        self._outcome = outcome
        self._shared = shared

    async def side(self, memory: SearchedMemory, *, eligible: bool) -> LexicalSide:
        """Take a memory's bm25 apart by term and rank it among the eligible rows of all stores.

        A memory that the arm returned keeps the arm's rank. Raises as core/explain/lexical_side.
        """
        outcome, query = self._outcome, self._outcome.query.lexical
        if query.expression is None or not outcome.lexical.ran:
            return LexicalSide(rank=None, ranked=0, bm25=None, stop_reason=None, terms=())
        counts = await self._stores.ask(
            memory.place, lambda v: term_counts(v.connection, query.terms, memory.head.rowid)
        )
        totals = IndexTotals(self._shared.rows, self._shared.tokens)
        shares = counts.among(totals, self._shared.dfs).shares()
        rank = score = None
        hit = outcome.hit(memory.head.uuid)
        if hit is not None and hit.lexical is not None:
            rank, score = hit.lexical.rank, hit.lexical.bm25
        elif counts.matches:
            score = _summed(shares)
            rank = await self.rank(memory.head.uuid, score) if eligible else None
        ranked = await self._ranked(query.expression)
        return LexicalSide(rank, ranked, score, outcome.lexical.stop_reason, shares)

    async def rank(self, uuid: str, bm25: float) -> int:
        """Return the rank that a row of this score has, or would have, among all eligible rows."""
        query, scope, row = self._outcome.query.lexical, self._outcome.scope, Scored(uuid, bm25)
        before = await self._stores.ask_all(
            lambda v: rows_before(v, query, scope, self._shared, row)
        )
        return 1 + sum(before)

    async def _ranked(self, expression: str) -> int:
        """Count the eligible rows that match; the arm has done so where it read them all."""
        lexical, scope = self._outcome.lexical, self._outcome.scope
        if lexical.depth_reached is not None and lexical.stop_reason is StopReason.INDEX_EXHAUSTED:
            return lexical.depth_reached
        counts = await self._stores.ask_all(
            lambda v: count_matching(v.connection, expression, scope)
        )
        return sum(counts)


def _summed(shares: Sequence[TermShare]) -> float:
    """Add the shares up as FTS5 does: one after another, in query order."""
    total = 0.0
    for share in shares:
        total += share.contribution
    return total
