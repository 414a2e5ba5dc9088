"""Exact text scores of every matching row of several stores, by the statistics of them all.

Operation for operation as FTS5's bm25() does it in one index of all rows; equal to the last bit.
Imports numpy; import it off the first paint.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.retrieval import bm25
from core.retrieval.union import SharedStatistics
from core.store.fts_statistics import IndexTotals, RowLengths, TermScores

type Floats = npt.NDArray[np.float64]
type Places = npt.NDArray[np.int64]


class OutOfStepError(Exception):
    """The word index holds a row without a length, or scored rows without a number."""


@dataclass(frozen=True, slots=True)
class TermRows:
    """One term's rows in a store, as places in its list of lengths, and how often it occurs."""

    places: Places
    times: Floats


@dataclass(frozen=True, slots=True)
class IndexedRows:
    """The rows of a store's index by rowid and each one's tokens; in step."""

    rowids: Places
    lengths: Floats

    @classmethod
    def of(cls, lengths: RowLengths) -> "IndexedRows":
        """Take over what was read."""
        tokens = np.frombuffer(lengths.tokens, dtype=np.int64).astype(np.float64)
        return cls(np.frombuffer(lengths.rowids, dtype=np.int64), tokens)


@dataclass(frozen=True, slots=True)
class StoreWords:
    """What one store knows of the query's terms; `terms` holds one entry a term, in query order."""

    rows: IndexedRows
    terms: tuple[TermRows, ...]

    @property
    def dfs(self) -> tuple[int, ...]:
        """Return in how many rows each term occurs."""
        return tuple(len(t.places) for t in self.terms)


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """The rows of one store that match, best first (equals by rowid), with FTS5's own sign."""

    rowids: Places
    scores: Floats

    def until(self, bar: float) -> int:
        """Return how many rows score at least as well as `bar`."""
        return int(np.searchsorted(self.scores, bar, side="right"))


_NONE = TermRows(np.empty(0, np.int64), np.empty(0, np.float64))


def term_rows(
    totals: IndexTotals, rows: IndexedRows, scored: Sequence[TermScores], terms: int
) -> list[TermRows]:
    """Count every term's occurrences from FTS5's scores with COUNTING_WEIGHT on both columns.

    The terms of a store go through the arrays together: of many small stores it is the number of
    steps that takes. Raises OutOfStepError for an index that has no length for a row it holds.
    """
    at = _joined([one.terms for one in scored])
    ids = _joined([one.rowids for one in scored])
    scores = np.fromstring(",".join([one.scores for one in scored]), dtype=np.float64, sep=",")
    average = bm25.average_length(totals.rows, totals.tokens)
    if not len(at):
        return [_NONE] * terms
    if not average or not len(at) == len(ids) == len(scores):
        raise OutOfStepError
    places = np.searchsorted(rows.rowids, ids)
    if (places == len(rows.rowids)).any() or (rows.rowids[places] != ids).any():
        raise OutOfStepError
    order = np.argsort(at, kind="stable")
    at, places, scores = at[order], places[order], scores[order]
    dfs = np.bincount(at, minlength=terms).tolist()
    tops = np.repeat([bm25.most(bm25.idf_of(totals.rows, df)[0]) for df in dfs], dfs)
    times = np.rint(bm25.counted(scores, tops, bm25.damping(rows.lengths[places], average)))
    ends = np.cumsum(dfs).tolist()
    # Copies: a term that is remembered does not keep the others of its query.
    return [
        TermRows(places[end - df : end].copy(), times[end - df : end].copy())
        for df, end in zip(dfs, ends, strict=True)
    ]


def _joined(texts: Sequence[str]) -> Places:
    return np.fromstring(",".join(texts), dtype=np.int64, sep=",")


def store_words(
    totals: IndexTotals, lengths: RowLengths, scored: Sequence[TermScores], terms: int
) -> StoreWords:
    """Return all that a store knows of a query's terms. Raises OutOfStepError."""
    rows = IndexedRows.of(lengths)
    return StoreWords(rows, tuple(term_rows(totals, rows, scored, terms)))


def score_rows(words: StoreWords, shared: SharedStatistics) -> ScoredRows:
    """Score the rows of one store by the statistics of all: terms in query order, from 0.0."""
    total = np.zeros(len(words.rows.rowids))
    matched = np.zeros(len(words.rows.rowids), dtype=np.bool_)
    damping = bm25.damping(words.rows.lengths, bm25.average_length(shared.rows, shared.tokens))
    for term, df in zip(words.terms, shared.dfs, strict=True):
        if len(term.places):
            idf = bm25.idf_of(shared.rows, df)[0]
            total[term.places] += bm25.weighed(idf, term.times, damping[term.places])
            matched[term.places] = True
    rows = np.flatnonzero(matched)
    scores = -total[rows]
    order = np.argsort(scores, kind="stable")
    return ScoredRows(words.rows.rowids[rows[order]], scores[order])


def bar_of(stores: Sequence[ScoredRows], wanted: int) -> float:
    """Return the score of the `wanted`-th best row of all; infinite where there are fewer."""
    scores = np.concatenate([s.scores for s in stores])
    return float(np.partition(scores, wanted - 1)[wanted - 1]) if wanted <= len(scores) else np.inf
