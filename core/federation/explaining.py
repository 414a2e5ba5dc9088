"""The explanation of any memory of a search over several stores as one.

The same steps as for one store (core/explain/reading); what is counted here is counted in all of
them: true ranks, the eligibility ladder, the words of an advice. The memory's own chunks, words and
past come from its own store.
"""

from collections.abc import Sequence

from core.explain.dense_side import OwnChunks, dense_place, own_chunks, put_together
from core.explain.explanation import DenseSide, Explanation, LexicalSide
from core.explain.memory_reader import SearchedMemory
from core.explain.one_store import head_of, ladder_of, provenance_of
from core.explain.provenance import Provenance
from core.explain.reading import explain_memory, explain_with
from core.federation.member import Member
from core.federation.searched_stores import PartView, SearchedStores, StoreMovedError
from core.federation.word_side import WordSide
from core.readmodels import MemoryHead
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from core.retrieval.union import Union
from core.store import fts_statistics


async def explain_searched(
    members: Sequence[Member], outcome: SearchOutcome, uuid: str, limit: int
) -> Explanation | None:
    """Explain what became of a memory in a search of one store or of several as one.

    `members` are the open stores that were searched, in order. None where one has moved since.
    Raises GenizahError.
    """
    if outcome.union is not None:
        return await explain_in_union(members, outcome, uuid, limit)
    (member,) = members
    held = member.searcher.held_vectors(outcome.data_version)
    store_id = member.database.facts.meta.store_id
    async with member.database.search.snapshot() as connection:
        if await connection.data_version() != outcome.data_version:
            return None
        return await explain_memory(connection, outcome, uuid, limit, store_id=store_id, held=held)


async def explain_in_union(
    members: Sequence[Member], outcome: SearchOutcome, uuid: str, limit: int
) -> Explanation | None:
    """Explain what became of a memory in a search over several stores, cut at `limit`.

    `members` are the open stores of `outcome.union`, in its order. Any text is a safe `uuid`. None
    where a store has moved since the search. Raises GenizahError.
    """
    union = _union_of(outcome)
    stores = SearchedStores(members, union)
    executor = members[0].searcher.held_vectors(union.parts[0].data_version).executor
    try:
        return await explain_with(_UnionReader(stores, outcome), outcome, uuid, limit, executor)
    except StoreMovedError:
        return None


async def ladder_in_union(
    members: Sequence[Member], outcome: SearchOutcome, uuid: str | None
) -> tuple[Rung, ...] | None:
    """Count the rows of all stores that each stage of eligibility leaves.

    None where a store has moved since the search. Raises GenizahError.
    """
    stores = SearchedStores(members, _union_of(outcome))
    try:
        return _added(await stores.ask_all(lambda v: ladder_of(v.connection, outcome, uuid)))
    except StoreMovedError:
        return None


def _union_of(outcome: SearchOutcome) -> Union:
    if outcome.union is None:
        raise ValueError("a search of one store has no union")
    return outcome.union


def _added(ladders: Sequence[Sequence[Rung]]) -> tuple[Rung, ...]:
    return tuple(
        Rung(rungs[0].stage, sum(r.remaining for r in rungs), any(r.holds for r in rungs))
        for rungs in zip(*ladders, strict=True)
    )


class _UnionReader:
    """Reads what explains one memory of a union; see core/explain/memory_reader."""

    store_id = None

    def __init__(self, stores: SearchedStores, outcome: SearchOutcome) -> None:
        self._stores = stores
        self._outcome = outcome
        self._union = _union_of(outcome)
        self._words = WordSide(stores, outcome, self._union.statistics)

    async def find(self, uuid: str) -> tuple[SearchedMemory | None, tuple[Rung, ...]]:
        """Return the memory and its ladder over all stores."""
        hit = self._outcome.hit(uuid)

        async def look(view: PartView) -> tuple[MemoryHead | None, tuple[Rung, ...]]:
            head = await head_of(view.connection, uuid) if hit is None else None
            return head, await ladder_of(view.connection, self._outcome, uuid)

        looked = await self._stores.ask_all(look)
        ladder = _added([rungs for _, rungs in looked])
        if hit is not None:
            return self._memory(hit.head, self._union.home[uuid]), ladder
        there = [(head, place) for place, (head, _) in enumerate(looked) if head is not None]
        return (self._memory(*there[0]) if there else None), ladder

    def _memory(self, head: MemoryHead, place: int) -> SearchedMemory:
        return SearchedMemory(head, self._union.parts[place].store_id, place)

    async def dense(self, memory: SearchedMemory, *, eligible: bool) -> DenseSide:
        """Measure its chunks in its own store and count who is before it in all."""
        outcome, head = self._outcome, memory.head
        own: OwnChunks = await self._stores.ask(
            memory.place, lambda v: own_chunks(v.connection, outcome, head)
        )
        places = []
        if outcome.query.dense is not None and outcome.dense.ran:
            places = await self._stores.ask_all(
                lambda v: dense_place(v.connection, outcome, head.uuid, own.distance, v.held)
            )
        return put_together(outcome, head.uuid, own, places, eligible=eligible)

    async def lexical(self, memory: SearchedMemory, *, eligible: bool) -> LexicalSide:
        """Take its bm25 apart by the shared numbers and count who is before it in all stores."""
        return await self._words.side(memory, eligible=eligible)

    async def word_rank_if_eligible(self, memory: SearchedMemory, bm25: float) -> int:
        """Return the rank that a row of this score would have among those of all stores."""
        return await self._words.rank(memory.head.uuid, bm25)

    async def rows_with(self, phrases: Sequence[str]) -> Sequence[int]:
        """Count the rows that match each MATCH expression in all stores."""
        counts = await self._stores.ask_all(
            lambda v: fts_statistics.rows_with(v.connection, phrases)
        )
        return [sum(of_one) for of_one in zip(*counts, strict=True)]

    async def provenance(self, memory: SearchedMemory) -> Provenance:
        """Return what its own store's log tells of it."""
        uuid = memory.head.uuid
        return await self._stores.ask(memory.place, lambda v: provenance_of(v.connection, uuid))
