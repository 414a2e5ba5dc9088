"""Where a score stands among the rows of one store of several, by the statistics of them all."""

import asyncio
from dataclasses import dataclass

from core.federation.member import index_out_of_step
from core.federation.searched_stores import PartView
from core.retrieval import bm25
from core.retrieval.eligibility import Scope
from core.retrieval.lexical_rank import count_eligible
from core.retrieval.query import LexicalQuery
from core.retrieval.union import SharedStatistics
from core.store import fts_statistics


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of any of the stores: its uuid, and its bm25 by the shared statistics."""

    uuid: str
    bm25: float


async def rows_before(
    view: PartView, query: LexicalQuery, scope: Scope, shared: SharedStatistics, row: Scored
) -> int:
    """Count the eligible rows of this store that come before a row of any, by bm25, then uuid.

    Every row that matches is scored. Raises GenizahError, also for an index that contradicts
    itself.
    """
    better, equal = await _scored(view, query, shared, row.bm25)
    before = await count_eligible(view.connection, scope, better)
    return before + await count_eligible(view.connection, scope, equal, row.uuid)


async def _scored(
    view: PartView, query: LexicalQuery, shared: SharedStatistics, score: float
) -> tuple[list[int], list[int]]:
    """Return the rowids of the rows that score better, and of those that score the same."""
    connection = view.connection
    phrases = [LexicalQuery((term,), ()).expression or "" for term in query.terms]
    totals = await fts_statistics.index_totals(connection)
    lengths = await fts_statistics.row_lengths(connection)
    scores = await fts_statistics.term_scores(connection, phrases, bm25.COUNTING_WEIGHT)

    def score_all() -> tuple[list[int], list[int]]:
        from core.federation.word_scores import OutOfStepError, score_rows, store_words

        try:
            found = score_rows(store_words(totals, lengths, scores, len(phrases)), shared)
        except OutOfStepError as error:
            raise index_out_of_step(view.member) from error
        better = found.rowids[found.scores < score].tolist()
        return better, found.rowids[found.scores == score].tolist()

    return await asyncio.to_thread(score_all)
