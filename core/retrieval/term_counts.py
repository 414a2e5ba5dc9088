"""How often each query term occurs in one row and in how many rows: plain counts of one store.

They come from FTS5 itself: case, accents and the splitting of a term into a phrase of several
tokens are as in its own ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.retrieval import bm25
from core.retrieval.query import LexicalQuery
from core.store import fts_statistics
from core.store.connection import Connection
from core.store.fts_statistics import ColumnScores, IndexTotals


@dataclass(frozen=True, slots=True)
class TermCount:
    """One term: rows that hold it (any state), and its occurrences in each column of the row."""

    term: str
    df: int
    tf_gist: int
    tf_content: int


@dataclass(frozen=True, slots=True)
class RowCounts:
    """The counts behind one row's bm25, terms in query order; `matches` tells if any occurs.

    `length` is in tokens, None for a row that the index does not have.
    """

    totals: IndexTotals
    length: int | None
    terms: tuple[TermCount, ...]
    matches: bool

    def among(self, totals: IndexTotals, dfs: Sequence[int]) -> "RowCounts":
        """Return the same row seen in a larger index: its totals, and its rows of each term."""
        terms = tuple(replace(t, df=df) for t, df in zip(self.terms, dfs, strict=True))
        return replace(self, totals=totals, terms=terms)

    def shares(self) -> tuple[bm25.TermShare, ...]:
        """Return every term's share of the row's bm25, in query order."""
        return tuple(
            bm25.term_share(
                t.term,
                rows=self.totals.rows,
                tokens=self.totals.tokens,
                df=t.df,
                tf_gist=t.tf_gist,
                tf_content=t.tf_content,
                length=self.length or 0,
            )
            for t in self.terms
        )


async def term_counts(connection: Connection, terms: Sequence[str], rowid: int) -> RowCounts:
    """Count the terms of a query for one row, inside the caller's snapshot. Raises GenizahError.

    Also for an index that is out of step with the rows: it is read as it is.
    """
    phrases = [LexicalQuery((term,), ()).expression or "" for term in terms]
    totals = await fts_statistics.index_totals(connection)
    length = await fts_statistics.row_length(connection, rowid)
    dfs = await fts_statistics.rows_with(connection, phrases)
    scores: dict[int, ColumnScores] = {}
    if length is not None and totals.rows > 0:  # FTS5 calls any other index corrupt
        weight = bm25.COUNTING_WEIGHT
        scores = await fts_statistics.column_scores(connection, phrases, rowid, weight)

    def times(score: float | None, df: int) -> int:
        return bm25.occurrences(
            score, rows=totals.rows, tokens=totals.tokens, df=df, length=length or 0
        )

    nowhere = ColumnScores(None, None)
    counted = tuple(
        TermCount(term, df, times(score.gist, df), times(score.content, df))
        for term, df, score in (
            (term, dfs[at], scores.get(at, nowhere)) for at, term in enumerate(terms)
        )
    )
    return RowCounts(totals, length, counted, bool(scores))
