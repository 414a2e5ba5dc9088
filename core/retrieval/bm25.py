"""The bm25 formula of FTS5, taken apart by term. Pure; counts come from core/store/fts_statistics.

Okapi BM25 (Robertson and Zaragoza 2009) as SQLite's fts5_aux.c computes it: k1 = 1.2, b = 0.75,
idf = ln((N - n + 0.5) / (n + 0.5)), at least 1e-6, all columns weighing 1, the sum negated.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    import numpy as np
    import numpy.typing as npt

    type Numbers = npt.NDArray[np.float64]

_K1 = 1.2
_B = 0.75
_LEAST_IDF = 1e-6

#: With this column weight a score is as good as linear in the number of occurrences, so that
#: these can be told from it to the last one; a power of two, so that it rounds nothing.
COUNTING_WEIGHT = 2.0**-30


@dataclass(frozen=True, slots=True)
class TermShare:
    """One query term's share of a row's bm25.

    `df` of `rows` rows hold the term; `tf_gist` and `tf_content` count it in this row, whose
    length is `length` tokens against an average of `average_length`. `contribution` has FTS5's
    sign (negative is better), 0.0 where the term does not occur. `is_clamped`: so common that its
    idf was raised to 1e-6.
    """

    term: str
    idf: float
    df: int
    rows: int
    tf_gist: int
    tf_content: int
    length: int
    average_length: float
    contribution: float
    is_clamped: bool


def term_share(
    term: str, *, rows: int, tokens: int, df: int, tf_gist: int, tf_content: int, length: int
) -> TermShare:
    """Compute one term's share; `rows` and `tokens` are totals of the index (or of several).

    Operation for operation as FTS5 does, so that shares add up to its own score.
    """
    average = average_length(rows, tokens)
    idf, is_clamped = idf_of(rows, df)
    return TermShare(
        term=term,
        idf=idf,
        df=df,
        rows=rows,
        tf_gist=tf_gist,
        tf_content=tf_content,
        length=length,
        average_length=average,
        contribution=_score(idf, float(tf_gist + tf_content), _damping_of(length, average)),
        is_clamped=is_clamped,
    )


def occurrences(score: float | None, *, rows: int, tokens: int, df: int, length: int) -> int:
    """Tell how often a phrase occurs in a column from its bm25 with COUNTING_WEIGHT on that column.

    The other numbers are those of the index that gave the score. 0 for a score that is no number.
    """
    if not score or not math.isfinite(score):
        return 0
    top = most(idf_of(rows, df)[0])
    if top + score == 0.0:
        return 0
    count = counted(score, top, _damping_of(length, average_length(rows, tokens)))
    return max(0, round(count)) if math.isfinite(count) else 0


def most(idf: float) -> float:
    """Return what a term's share of a score stays below, however often it occurs."""
    return idf * (_K1 + 1.0)


def counted[N: (float, "Numbers")](score: N, top: N, damping: N) -> N:
    """Turn scores with COUNTING_WEIGHT back into numbers of occurrences, yet to be rounded."""
    return -score * damping / (top + score) / COUNTING_WEIGHT


def average_length(rows: int, tokens: int) -> float:
    """Return the tokens of an average row; 0 where there is none."""
    return tokens / rows if rows > 0 else 0.0


def idf_of(rows: int, df: int) -> tuple[float, bool]:
    """Return the idf and whether it was raised; an index out of step may count df > rows."""
    odds = (rows - df + 0.5) / (df + 0.5)
    return (_LEAST_IDF, True) if odds <= 1.0 else (math.log(odds), False)


def damping[N: (float, "Numbers")](length: N, average: float) -> N:
    """Return what the row's length adds to the denominator; `average` is above 0."""
    return _K1 * (1 - _B + _B * length / average)


def weighed[N: (float, "Numbers")](idf: float, frequency: N, damping: N) -> N:
    """Return a term's share of a score, higher is better, for a frequency above 0."""
    return idf * ((frequency * (_K1 + 1.0)) / (frequency + damping))


def _damping_of(length: int, average: float) -> float:
    return damping(float(length), average) if average else math.inf


def _score(idf: float, frequency: float, damping: float) -> float:
    if not frequency or not frequency + damping:
        return 0.0
    return -weighed(idf, frequency, damping)
