"""One store's part of a search over several: its steps inside the snapshot that it holds.

Nothing of another store is known here but the shared statistics and what the others leave room
for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.errors import ErrorCode, GenizahError
from core.federation.dense_reach import probe_sizes
from core.federation.member import Member, path_of
from core.federation.near_scan import NearScan
from core.readmodels import MemoryHead
from core.retrieval import bm25
from core.retrieval.arms import (
    PEER_K_LIMIT,
    DenseArm,
    DenseCandidate,
    Probe,
    ProbeFunction,
    dense_arm,
)
from core.retrieval.eligibility import Scope
from core.retrieval.narrowed_arm import narrowed_arm
from core.retrieval.probes import MatrixProbe, exact_probe, vec0_probe
from core.retrieval.query import LexicalQuery, PreparedQuery
from core.settings import RetrievalSettings
from core.store import fts_statistics, memories
from core.store.conditions import Condition
from core.store.connection import Connection
from core.store.files import Access
from core.store.fts_statistics import RowLengths, StoreCounts

if TYPE_CHECKING:
    from core.federation.word_scores import StoreWords, TermRows
    from core.retrieval.matrix import VectorMatrix


_KEPT_A_ROW = 20


@dataclass(frozen=True, slots=True)
class PartRequest:
    """What every store of a group is asked."""

    query: PreparedQuery
    scope: Scope
    settings: RetrievalSettings


@dataclass(frozen=True, slots=True)
class KnownWords:
    """The row lengths of a store in one state of it, and the rows of terms asked for of late."""

    data_version: int
    lengths: RowLengths
    terms: "dict[str, TermRows]" = field(default_factory=dict)

    def keep(self, terms: Sequence[str], found: "Sequence[TermRows]") -> None:
        """Remember the rows of some terms; the oldest make room."""
        for term, rows in zip(terms, found, strict=True):
            self.terms.pop(term, None)
            self.terms[term] = rows
        room = _KEPT_A_ROW * len(self.lengths.rowids)
        for term in list(self.terms):
            if sum(len(rows.places) for rows in self.terms.values()) <= room:
                break
            del self.terms[term]


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What a store says first: its state and sizes, its words, its nearest memories.

    `dense` is None where the meaning arm does not run. `near` are the distances of the chunks
    met, in order: all that are as near as the last candidate.
    """

    counts: StoreCounts
    words: "StoreWords | None"
    lengths: KnownWords | None
    dense: DenseArm | None
    near: tuple[float, ...]
    is_stale: bool
    scan: "NearScan | None" = None
    """What finds the nearest memories together with the other stores, in place of `dense`."""

    @property
    def candidates(self) -> tuple[DenseCandidate, ...]:
        """Return the nearest memories, the surplus one too."""
        if self.scan is not None:
            return tuple(self.scan.candidates)
        if self.dense is None:
            return ()
        more = self.dense.surplus
        return self.dense.candidates if more is None else (*self.dense.candidates, more)


class _Noting:
    """A probe that notes the distances of its latest answer."""

    def __init__(self, inner: ProbeFunction, noted: list[float]) -> None:
        self._inner = inner
        self._noted = noted

    async def __call__(self, n: int, enough: int) -> Probe:
        found = await self._inner(n, enough)
        self._noted[:] = found.distances.values()
        return found


@dataclass(slots=True)
class Part:
    """One store in one search, on a connection that holds a snapshot."""

    index: int
    member: Member
    connection: Connection
    request: PartRequest
    expected_version: int
    known: KnownWords | None = None
    heads: dict[int, MemoryHead] = field(default_factory=dict)
    """Heads read so far, by rowid."""
    wanted: tuple[int, ...] = ()
    """Rows that the search may return whose heads are still to be read."""

    @property
    def store_id(self) -> str:
        """Return the store's own id."""
        return self.member.database.facts.meta.store_id

    async def facts(self) -> PartFacts | None:
        """Read everything that does not depend on another store; None for another state of it.

        Raises GenizahError.
        """
        counts = await fts_statistics.store_counts(self.connection)
        if counts.data_version != self.expected_version:
            return None
        lengths, words = await self._words(counts)
        near: list[float] = []
        stale = False
        dense = None
        if self.request.query.dense is not None:
            vector = self.request.query.dense.vector
            matrix = self.member.searcher.held_vectors(counts.data_version).matrix
            if matrix is not None and self._scans(matrix, vector, counts.chunks):
                scan = await self.member.searcher.start_scan(matrix, vector)
                near_scan = NearScan(matrix, scan, vector)
                return PartFacts(counts, words, lengths, None, (), False, near_scan)
            dense, stale = await self._dense(vector, counts, near)
        return PartFacts(counts, words, lengths, dense, tuple(sorted(near)), stale)

    async def _words(self, counts: StoreCounts) -> "tuple[KnownWords | None, StoreWords | None]":
        """Return what every term of the query has in this store; known terms are not read again."""
        from core.federation.word_scores import StoreWords

        terms = self.request.query.lexical.terms
        if not terms:
            return self.known, None
        known = self.known
        if known is None or known.data_version != counts.data_version:
            lengths = await fts_statistics.row_lengths(self.connection)
            known = KnownWords(counts.data_version, lengths)
        fresh = [term for term in terms if term not in known.terms]
        read = await self._read_terms(fresh, counts, known.lengths) if fresh else []
        found = {**known.terms, **dict(zip(fresh, read, strict=True))}
        in_order = tuple(found[term] for term in terms)
        known.keep(terms, in_order)
        return known, StoreWords.of(known.lengths, in_order)

    async def _read_terms(
        self, terms: Sequence[str], counts: StoreCounts, lengths: RowLengths
    ) -> "list[TermRows]":
        from core.federation.word_scores import OutOfStepError, term_rows

        phrases = [LexicalQuery((term,), ()).expression or "" for term in terms]
        scored = await fts_statistics.term_scores(self.connection, phrases, bm25.COUNTING_WEIGHT)
        try:
            return term_rows(counts.totals, lengths, scored, len(terms))
        except OutOfStepError as error:
            raise index_out_of_step(self.member) from error

    def _scans(self, matrix: "VectorMatrix", vector: bytes, chunks: int) -> bool:
        """Tell whether the nearest may be found together with those of the other stores.

        Not with filters, and not in a store where the agent's own search may ask for too many.
        """
        settings = self.request.settings
        probes = probe_sizes(settings.fusion_depth, settings.chunk_overfetch)
        is_small = any(chunks <= n <= PEER_K_LIMIT for n in probes)
        return is_small and not self.request.scope.is_filtered and matrix.can_scan(vector)

    async def _dense(
        self, vector: bytes, counts: StoreCounts, near: list[float]
    ) -> tuple[DenseArm, bool]:
        matrix = self.member.searcher.held_vectors(counts.data_version).matrix
        connection, request = self.connection, self.request
        sizes = {
            "depth": request.settings.fusion_depth,
            "overfetch": request.settings.chunk_overfetch,
            "chunks": counts.chunks,
        }

        def probe() -> ProbeFunction:
            if matrix is None or not matrix.can_scan(vector):
                return _Noting(vec0_probe(connection, vector), near)
            scan = self.member.searcher.start_scan(matrix, vector)
            return _Noting(MatrixProbe(connection, vector, matrix, scan), near)

        if request.scope.is_filtered:
            arm = await narrowed_arm(connection, vector, probe, request.scope, **sizes)
        else:
            exact = _Noting(exact_probe(connection, vector), near)
            arm = await dense_arm(connection, probe(), exact, request.scope, **sizes)
        return arm, matrix is None

    async def eligible(self, rowids: Sequence[int]) -> list[MemoryHead]:
        """Return the heads of those of the rows that the search may return; read the wanted ones
        on the way. Raises GenizahError.
        """
        scope = self.request.scope
        condition = Condition(scope.clause, scope.parameters)
        asked = dict.fromkeys((*rowids, *self.wanted))
        found = await memories.heads_where(self.connection, list(asked), condition)
        self.heads.update((head.rowid, head) for head in found)
        self.wanted = ()
        of_rows = frozenset(rowids)
        return [head for head in found if head.rowid in of_rows]

    async def read_wanted(self) -> None:
        """Read the wanted heads that are not known yet. Raises GenizahError."""
        self.wanted = tuple(rowid for rowid in self.wanted if rowid not in self.heads)
        if self.wanted:
            await self.eligible(())

    async def has_moved(self, facts: PartFacts) -> bool:
        """Tell whether the store is not in the state any more that the facts are of.

        A snapshot cannot move; a static view of a file that is written all the same can.
        """
        if self.member.database.facts.access is not Access.IMMUTABLE:
            return False
        return await fts_statistics.store_counts(self.connection) != facts.counts


def index_out_of_step(member: Member) -> GenizahError:
    """Make the error of a word index that contradicts itself."""
    return GenizahError(
        ErrorCode.DAMAGED,
        f"The word index of {path_of(member)} does not agree with itself; nothing was written. "
        "The agent can build it anew.",
        path=path_of(member),
        reason="index_out_of_step",
    )
