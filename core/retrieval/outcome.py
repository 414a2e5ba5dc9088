"""What one search found: the whole pool with ranks and scores, the arms, the numbers behind it."""

from dataclasses import dataclass

from core.notices import Notice
from core.readmodels import MemoryHead, State
from core.retrieval.arms import ArmReport
from core.retrieval.eligibility import Scope
from core.retrieval.query import PreparedQuery
from core.retrieval.union import Union
from core.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class DenseEvidence:
    """How the dense arm found a row: rank (1-based), L2 distance and the chunk that won."""

    rank: int
    distance: float
    part_index: int
    chunk_id: int


@dataclass(frozen=True, slots=True)
class LexicalEvidence:
    """How the lexical arm found a row: rank (1-based) and FTS5's bm25 (smaller is better)."""

    rank: int
    bm25: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One row of the pool in its final place (1-based, after repair, never cut).

    `fused_score` = `rrf_score` * `penalty`.
    """

    head: MemoryHead
    dense: DenseEvidence | None
    lexical: LexicalEvidence | None
    rrf_score: float
    penalty: float
    fused_score: float
    position: int
    position_before_repair: int
    on_cycle: bool

    def __post_init__(self) -> None:
        if self.dense is None and self.lexical is None:
            raise ValueError("a hit was returned by at least one arm")
        if self.position < 1 or self.position_before_repair < 1:
            raise ValueError("positions count from 1")

    @property
    def uuid(self) -> str:
        """Return the memory's uuid."""
        return self.head.uuid

    @property
    def state(self) -> State:
        """Return the memory's state at the snapshot."""
        return self.head.state

    @property
    def best_rank(self) -> int:
        """Return the better rank of the two arms."""
        return min(e.rank for e in (self.dense, self.lexical) if e is not None)

    @property
    def moved_by_repair(self) -> int:
        """Return the places moved by the repair: positive is towards the top."""
        return self.position_before_repair - self.position


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """One search of one store, all of it from one snapshot; or of several as one (`union`).

    `data_version` is comparable on the search connection only, over several stores with another
    search of the same stores; `version_of` is one store's. `doublings` says how often the dense
    probe was widened.
    """

    query: PreparedQuery
    scope: Scope
    settings: RetrievalSettings
    dense: ArmReport
    lexical: ArmReport
    doublings: int
    hits: tuple[Hit, ...]
    memories: int
    chunks: int
    data_version: int
    notices: tuple[Notice, ...]
    matrix_is_stale: bool = False
    union: Union | None = None

    def __post_init__(self) -> None:
        if [h.position for h in self.hits] != list(range(1, len(self.hits) + 1)):
            raise ValueError("the pool is in final order without gaps")

    def hit(self, uuid: str) -> Hit | None:
        """Return the hit with this uuid, or None."""
        return next((h for h in self.hits if h.uuid == uuid), None)

    def version_of(self, store_id: str) -> int | None:
        """Return the state of a store that was searched; None where it had no part in it."""
        if self.union is None:
            return self.data_version
        part = self.union.part_of(store_id)
        return None if part is None else part.data_version
