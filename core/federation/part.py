"""One store's part of a search over several: its steps inside the snapshot that it holds.

Nothing of another store is known here but the shared statistics and what the others leave room
for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.federation.dense_reach import probe_sizes
from core.federation.member import Member
from core.federation.near_scan import NearScan
from core.readmodels import MemoryHead
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
from core.retrieval.query import PreparedQuery
from core.settings import RetrievalSettings
from core.store import fts_statistics, memories
from core.store.conditions import Condition
from core.store.connection import Connection, Row, Statement
from core.store.files import Access
from core.store.fts_statistics import StoreCounts

if TYPE_CHECKING:
    from core.federation.known_words import KnownWords, WordsRead
    from core.federation.word_scores import StoreWords
    from core.retrieval.matrix import VectorMatrix

type Question = tuple[Statement, Callable[[list[Row]], None]]
"""A statement and what takes its rows."""


@dataclass(frozen=True, slots=True)
class PartRequest:
    """What every store of a group is asked."""

    query: PreparedQuery
    scope: Scope
    settings: RetrievalSettings


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What a store says first: its state and sizes, its words, its nearest memories.

    `dense` is None where the meaning arm does not run. `near` are the distances of the chunks
    met, in order: all that are as near as the last candidate.
    """

    counts: StoreCounts
    words: "StoreWords | None"
    known: "KnownWords | None"
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
    known: "KnownWords | None" = None
    heads: dict[int, MemoryHead] = field(default_factory=dict)
    """Heads read so far, by rowid."""
    _asked: list[Question] = field(default_factory=list)

    @property
    def store_id(self) -> str:
        """Return the store's own id."""
        return self.member.database.facts.meta.store_id

    async def read(self) -> "WordsRead":
        """Read the store's counts and words. Raises GenizahError."""
        from core.federation.known_words import read_words

        known = self.known
        if known is not None and known.data_version != self.expected_version:
            known = None
        return await read_words(self.connection, self.request.query.lexical.terms, known)

    async def facts(self, read: "WordsRead") -> PartFacts | None:
        """Find out what does not depend on another store; None for another state of it.

        Raises GenizahError.
        """
        counts = read.numbers.counts
        if counts.data_version != self.expected_version:
            return None
        known, words = read.use(self.member)
        near: list[float] = []
        stale = False
        dense = None
        if self.request.query.dense is not None:
            vector = self.request.query.dense.vector
            matrix = self.member.searcher.held_vectors(counts.data_version).matrix
            if matrix is not None and self._scans(matrix, vector, counts.chunks):
                scan = await self.member.searcher.start_scan(matrix, vector)
                near_scan = NearScan(matrix, scan, vector, self.heads)
                return PartFacts(counts, words, known, None, (), False, near_scan)
            dense, stale = await self._dense(vector, counts, near)
        return PartFacts(counts, words, known, dense, tuple(sorted(near)), stale)

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

    def ask(self, question: Question) -> None:
        """Take a question up that the next `answer` puts to the store."""
        self._asked.append(question)

    def ask_heads(self, rowids: Sequence[int], take: Callable[[list[MemoryHead]], None]) -> None:
        """Ask for the heads of those of the rows that the search may return."""
        scope = self.request.scope

        def keep(rows: list[Row]) -> None:
            found = [memories.head_of(row) for row in rows]
            self.heads.update((head.rowid, head) for head in found)
            take(found)

        condition = Condition(scope.clause, scope.parameters)
        self.ask((memories.heads_where(rowids, condition), keep))

    @property
    def has_questions(self) -> bool:
        """Tell whether something was asked that is not answered."""
        return bool(self._asked)

    async def answer(self) -> None:
        """Answer all that was asked, in one visit to the store. Raises GenizahError."""
        asked, self._asked = self._asked, []
        found = await self.connection.rows_of_each([statement for statement, _ in asked])
        for (_, take), rows in zip(asked, found, strict=True):
            take(rows)

    @property
    def can_move(self) -> bool:
        """Tell whether the state may change under way.

        A snapshot cannot; a static view of a file that is written all the same can.
        """
        return self.member.database.facts.access is Access.IMMUTABLE

    async def has_moved(self, facts: PartFacts) -> bool:
        """Tell whether the store is not in the state any more that the facts are of.

        Raises GenizahError.
        """
        return await fts_statistics.store_counts(self.connection) != facts.counts
