"""Reading what explains a memory of a search of one store, inside the caller's snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.explain.dense_side import dense_side
from core.explain.explanation import DenseSide, LexicalSide
from core.explain.lexical_side import lexical_side
from core.explain.memory_reader import SearchedMemory
from core.explain.provenance import TRACES, Provenance, injections_of
from core.readmodels import MemoryHead
from core.retrieval.ladder import Rung, eligibility_ladder
from core.retrieval.lexical_rank import rank_if_searched
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import HeldVectors
from core.store import event_log, fts_statistics, memories
from core.store.connection import Connection
from core.store.text import is_damaged


@dataclass(frozen=True, slots=True)
class OneStore:
    """A snapshot of the one store that was searched, in the state that the outcome describes."""

    connection: Connection
    outcome: SearchOutcome
    store_id: str
    held: HeldVectors

    async def find(self, uuid: str) -> tuple[SearchedMemory | None, tuple[Rung, ...]]:
        """Return the memory of this uuid, None where there is none, and its eligibility ladder."""
        hit = self.outcome.hit(uuid)
        head = await head_of(self.connection, uuid) if hit is None else hit.head
        ladder = await ladder_of(self.connection, self.outcome, uuid)
        return None if head is None else SearchedMemory(head, self.store_id), ladder

    async def dense(self, memory: SearchedMemory, *, eligible: bool) -> DenseSide:
        """Measure all its chunks and rank it among all eligible memories."""
        return await dense_side(
            self.connection, self.outcome, memory.head, eligible=eligible, held=self.held
        )

    async def lexical(self, memory: SearchedMemory, *, eligible: bool) -> LexicalSide:
        """Take its bm25 apart by term and rank it among all eligible rows that match."""
        return await lexical_side(self.connection, self.outcome, memory.head, eligible)

    async def word_rank_if_eligible(self, memory: SearchedMemory, bm25: float) -> int:
        """Return the rank that a row of this score, which the scope leaves out, would have."""
        expression = self.outcome.query.lexical.expression or ""
        uuid = memory.head.uuid
        return await rank_if_searched(self.connection, expression, self.outcome.scope, uuid, bm25)

    async def rows_with(self, phrases: Sequence[str]) -> Sequence[int]:
        """Count the rows of any state that match each MATCH expression."""
        return await fts_statistics.rows_with(self.connection, phrases)

    async def provenance(self, memory: SearchedMemory) -> Provenance:
        """Return its own events and its injections."""
        return await provenance_of(self.connection, memory.head.uuid)


async def head_of(connection: Connection, uuid: str) -> MemoryHead | None:
    """Return the row of a uuid, any text; None where there is none."""
    if is_damaged(uuid):  # no text of SQLite's can be equal to it
        return None
    return (await memories.heads_by_uuid(connection, (uuid,))).get(uuid)


async def ladder_of(
    connection: Connection, outcome: SearchOutcome, uuid: str | None
) -> tuple[Rung, ...]:
    """Count the rows of this store that each stage leaves; a hit of it is among all of them."""
    known = uuid if uuid is not None and not is_damaged(uuid) else None
    rungs = await eligibility_ladder(connection, outcome.scope, known)
    if uuid is None or outcome.hit(uuid) is None:
        return rungs
    return tuple(replace(rung, holds=True) for rung in rungs)  # also one that no text can name


async def provenance_of(connection: Connection, uuid: str) -> Provenance:
    """Return the events and the injections of a memory of this store."""
    if is_damaged(uuid):
        return Provenance((), ())
    events = await event_log.events_of(connection, uuid)
    traces = await event_log.events_of_kinds(connection, uuid, TRACES)
    return Provenance(tuple(events), injections_of(traces))
