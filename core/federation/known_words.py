"""What is remembered of a store's words between searches, for as long as the store stays the same.

Imports numpy; import it off the first paint.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.federation.member import Member, index_out_of_step
from core.federation.word_scores import (
    IndexedRows,
    OutOfStepError,
    StoreWords,
    TermRows,
    term_rows,
)
from core.retrieval import bm25
from core.retrieval.query import LexicalQuery
from core.store import fts_statistics
from core.store.connection import Connection
from core.store.fts_statistics import WordNumbers

_KEPT_A_ROW = 20


class KnownWords:
    """The row lengths of a store in one state of it, and the rows of terms asked for of late."""

    def __init__(self, data_version: int, rows: IndexedRows) -> None:
        self.data_version = data_version
        self.rows = rows
        self._terms: dict[str, TermRows] = {}
        self._held = 0

    def missing(self, terms: Sequence[str]) -> list[str]:
        """Return the terms whose rows are not remembered, in order."""
        return [term for term in terms if term not in self._terms]

    def use(self, terms: Sequence[str], fresh: dict[str, TermRows]) -> StoreWords:
        """Return what the store has of a query's terms and remember it; the oldest make room."""
        found = tuple(fresh[t] if t in fresh else self._terms[t] for t in terms)
        for term, rows in zip(terms, found, strict=True):
            self._drop(term)
            self._terms[term] = rows
            self._held += len(rows.places)
        room = _KEPT_A_ROW * len(self.rows.rowids)
        for term in list(self._terms):
            if self._held <= room:
                break
            self._drop(term)
        return StoreWords(self.rows, found)

    def _drop(self, term: str) -> None:
        rows = self._terms.pop(term, None)
        self._held -= 0 if rows is None else len(rows.places)


@dataclass(frozen=True, slots=True)
class WordsRead:
    """What was read for the words of one search: of which terms, beside what was known before."""

    terms: tuple[str, ...]
    known: KnownWords | None
    fresh: list[str]
    numbers: WordNumbers

    def use(self, member: Member) -> tuple[KnownWords | None, StoreWords | None]:
        """Return what is known now, and the store's words: None for a query without terms.

        Raises GenizahError for an index that contradicts itself.
        """
        if not self.terms:
            return self.known, None
        counts, lengths = self.numbers.counts, self.numbers.lengths
        known = self.known or KnownWords(counts.data_version, IndexedRows.of(lengths))
        try:
            found = term_rows(counts.totals, known.rows, self.numbers.scores, len(self.fresh))
        except OutOfStepError as error:
            raise index_out_of_step(member) from error
        return known, known.use(self.terms, dict(zip(self.fresh, found, strict=True)))


async def read_words(
    connection: Connection, terms: tuple[str, ...], known: KnownWords | None
) -> WordsRead:
    """Read a store's counts and what it has of a query's terms; known terms are not read again.

    Raises GenizahError.
    """
    fresh = list(terms) if known is None else known.missing(terms)
    phrases = [LexicalQuery((term,), ()).expression or "" for term in fresh]
    rows = len(known.rows.rowids) if known else None if terms else 0
    numbers = await fts_statistics.word_numbers(connection, phrases, bm25.COUNTING_WEIGHT, rows)
    return WordsRead(terms, known, fresh, numbers)
