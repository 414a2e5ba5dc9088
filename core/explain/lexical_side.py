"""The word arm's view of one memory: every term's share of its bm25, and its true rank.

The scores that rank and are shown are FTS5's own; the shares take them apart.
"""

from core.explain.explanation import LexicalSide
from core.readmodels import MemoryHead
from core.retrieval.arms import StopReason
from core.retrieval.lexical_rank import count_matching, rank_matching
from core.retrieval.outcome import SearchOutcome
from core.retrieval.term_counts import RowCounts, term_counts
from core.store import fts_statistics
from core.store.connection import Connection


async def lexical_side(
    connection: Connection, outcome: SearchOutcome, head: MemoryHead, eligible: bool
) -> LexicalSide:
    """Take a memory's bm25 apart by term and rank it among all eligible rows that match.

    Runs in a snapshot of the outcome's own state. A memory that the arm returned keeps the arm's
    rank; any other eligible one that matches costs one pass over all rows that do. Without an
    arm that ran there is nothing to say: no rank, no score, no term. Raises GenizahError.
    """
    query = outcome.query.lexical
    if query.expression is None or not outcome.lexical.ran:
        return LexicalSide(rank=None, ranked=0, bm25=None, stop_reason=None, terms=())
    counts = await term_counts(connection, query.terms, head.rowid)
    rank, ranked, bm25 = await _place(connection, outcome, query.expression, head, counts, eligible)
    return LexicalSide(rank, ranked, bm25, outcome.lexical.stop_reason, counts.shares())


async def _place(
    connection: Connection,
    outcome: SearchOutcome,
    expression: str,
    head: MemoryHead,
    counts: RowCounts,
    eligible: bool,
) -> tuple[int | None, int, float | None]:
    """Return (rank, rows ranked, FTS5's bm25) at the least cost."""
    hit = outcome.hit(head.uuid)
    if hit is not None and hit.lexical is not None:
        ranked = await _count_ranked(connection, outcome, expression)
        return hit.lexical.rank, ranked, hit.lexical.bm25
    if counts.matches and eligible:
        return await rank_matching(connection, expression, outcome.scope, head.rowid)
    score = None
    if counts.matches:
        score = await fts_statistics.own_bm25(connection, expression, head.rowid)
    return None, await _count_ranked(connection, outcome, expression), score


async def _count_ranked(connection: Connection, outcome: SearchOutcome, expression: str) -> int:
    """Count the eligible rows that match; the arm has done so where it read them all."""
    depth = outcome.lexical.depth_reached
    if depth is not None and outcome.lexical.stop_reason is StopReason.INDEX_EXHAUSTED:
        return depth
    return await count_matching(connection, expression, outcome.scope)
