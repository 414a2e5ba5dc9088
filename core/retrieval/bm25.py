"""The bm25 formula of FTS5, taken apart by term. Pure; counts come from core/store/fts_statistics.

Okapi BM25 (Robertson and Zaragoza 2009) as SQLite's fts5_aux.c computes it: k1 = 1.2, b = 0.75,
idf = ln((N - n + 0.5) / (n + 0.5)), at least 1e-6, all columns weighing 1, the sum negated.
"""

from dataclasses import dataclass


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
