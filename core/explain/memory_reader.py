"""What an explanation asks of the state that was searched, be it one store or several as one.

The shares of the two arms are read by core/explain/dense_side and core/explain/lexical_side for one
store; over several it is core/federation that puts them together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.explain.explanation import DenseSide, LexicalSide
from core.explain.provenance import Provenance
from core.readmodels import MemoryHead
from core.retrieval.ladder import Rung


@dataclass(frozen=True, slots=True)
class SearchedMemory:
    """A memory of a searched store; `place` is that store's among those searched as one."""

    head: MemoryHead
    store_id: str
    place: int = 0


class MemoryReader(Protocol):
    """Reads from the very state that was searched. Every method may raise GenizahError."""

    @property
    def store_id(self) -> str | None:
        """Return the store searched; None for several."""

    async def find(self, uuid: str) -> tuple[SearchedMemory | None, tuple[Rung, ...]]:
        """Return the memory of this uuid, None where there is none, and its eligibility ladder."""

    async def dense(self, memory: SearchedMemory, *, eligible: bool) -> DenseSide:
        """Measure all its chunks and rank it among all eligible memories."""

    async def lexical(self, memory: SearchedMemory, *, eligible: bool) -> LexicalSide:
        """Take its bm25 apart by term and rank it among all eligible rows that match."""

    async def word_rank_if_eligible(self, memory: SearchedMemory, bm25: float) -> int:
        """Return the rank that a row of this score, which the scope leaves out, would have."""

    async def rows_with(self, phrases: Sequence[str]) -> Sequence[int]:
        """Count the rows of any state that match each MATCH expression."""

    async def provenance(self, memory: SearchedMemory) -> Provenance:
        """Return its own events and its injections."""
