"""The explanation of any memory for one search: in the list, below the cut, outside or ruled out.

Data only. The place in the pool is computed in core/explain/standing, what needs the store is
read by core/explain/reading, the plain sentence is written by core/explain/sentence.
"""

from dataclasses import dataclass
from enum import StrEnum

from core.explain.provenance import Provenance
from core.explain.standing import Standing
from core.readmodels import MemoryHead
from core.retrieval.arms import StopReason
from core.retrieval.bm25 import TermShare
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome


class Verdict(StrEnum):
    """What became of a memory in a search; the first that applies."""

    NO_SUCH_MEMORY = "no_such_memory"
    NOT_ELIGIBLE = "not_eligible"
    OUTSIDE_POOL = "outside_pool"
    BELOW_CUT = "below_cut"
    HIT = "hit"


@dataclass(frozen=True, slots=True)
class ChunkDistance:
    """One chunk of the memory: its L2 distance to the query vector and its span in the content.

    `distance` is None for a vector that holds a NaN or is missing; `start` and `end` (characters)
    are None where no cut of the text agrees with the stored chunk rows.
    """

    part_index: int
    chunk_id: int
    distance: float | None
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class DenseSide:
    """The meaning arm's view of the memory.

    `rank` is the true rank among `ranked` eligible memories that have a distance, also beyond the
    depth; None when the arm did not run, the memory is not eligible or has no distance. `cosine`
    is given only when both vectors have unit length.
    """

    rank: int | None
    ranked: int
    distance: float | None
    cosine: float | None
    stop_reason: StopReason | None
    chunks: tuple[ChunkDistance, ...]


@dataclass(frozen=True, slots=True)
class LexicalSide:
    """The word arm's view of the memory.

    `rank` is the true rank among `ranked` eligible memories that match a term, also beyond the
    depth. `terms` follow the query; their contributions sum to `bm25` (FTS5's sign). None and
    zero contributions when no term occurs in the memory.
    """

    rank: int | None
    ranked: int
    bm25: float | None
    stop_reason: StopReason | None
    terms: tuple[TermShare, ...]


class MarginKind(StrEnum):
    """What is changed to move a memory across the cut."""

    STATE = "state"
    LEXICAL_RANK = "lexical_rank"
    DENSE_RANK = "dense_rank"
    RRF_K = "rrf_k"
    SUPERSESSION_PENALTY = "supersession_penalty"
    RETIRED_PENALTY = "retired_penalty"
    LIMIT = "limit"
    QUERY_TERM = "query_term"


@dataclass(frozen=True, slots=True)
class Margin:
    """The smallest change of one kind that takes the memory across the cut.

    Into the list for a memory outside it, out of it for one inside. `after` and `position` are
    None where no value does; `position` is where the memory then stands. `verified` says that
    fusion and ranking were run again with the change; an advice is not.
    """

    kind: MarginKind
    before: str | int | float | None
    after: str | int | float | None
    position: int | None
    verified: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every step for one memory and one search, from one state of what was searched.

    `store_id` is the memory's own store, None where several were searched and none has it.
    `standing` is None outside the pool; `head` and `provenance` are None when there is no such
    memory. Not `is_whole` is the first look at a hit: what the search itself returned, before the
    counts, the parts and the words, the margins and the past have been read.
    """

    uuid: str
    store_id: str | None
    verdict: Verdict
    head: MemoryHead | None
    outcome: SearchOutcome
    limit: int
    ladder: tuple[Rung, ...]
    dense: DenseSide
    lexical: LexicalSide
    standing: Standing | None
    margins: tuple[Margin, ...]
    provenance: Provenance | None
    is_whole: bool = True

    def __post_init__(self) -> None:
        if (self.standing is None) == (self.verdict in (Verdict.HIT, Verdict.BELOW_CUT)):
            raise ValueError("a memory of the pool has a standing, another has none")
        if (self.head is None) != (self.verdict is Verdict.NO_SUCH_MEMORY):
            raise ValueError("a memory that exists has a head")
