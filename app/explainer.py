"""Explaining memories of searches over the stores of a command line, each in its group's list."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.line_meanings import LineMeanings
from app.named_stores import NamedMemory, memory_in
from app.open_store import OpenStore
from app.query_input import QueryLine
from core.errors import ErrorCode, GenizahError
from core.explain.explanation import Explanation
from core.explain.reading import located
from core.federation.explaining import explain_searched
from core.federation.member import FailedMember, model_key
from core.federation.outcome import FederatedOutcome, Group
from core.federation.searcher import FederatedSearcher
from core.retrieval.outcome import SearchOutcome
from core.retrieval.token_counter import TokenCounter, load_token_counter
from core.retrieval.winning_chunk import chunk_spans
from core.settings import CHUNK_MAX_TOKENS
from core.store import chunks, memories
from core.store.text import is_damaged

_ATTEMPTS = 3
_MANY_CHUNKS = 20_000


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation with the search that it belongs to.

    `stores` are those of the memory's group, in order; the ranking settings are those of `first`.
    `fingerprint` is the checksum of the model that the vectors came from, None without one.
    `others` are the groups, if any, that hold a memory of the same uuid and are not explained.
    """

    explanation: Explanation
    search: FederatedOutcome
    group: Group
    stores: tuple[OpenStore, ...]
    first: OpenStore
    fingerprint: str | None
    others: tuple[Group, ...] = ()


@dataclass
class Explainer:
    """Explain one query line after another on the same stores."""

    members: Sequence[OpenStore | FailedMember]
    meanings: LineMeanings
    _counters: dict[str, TokenCounter | None] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._searcher = FederatedSearcher(self.members)
        self._open = {
            at: member
            for at, member in enumerate(self.members)
            if not isinstance(member, FailedMember)
        }

    @property
    def stores(self) -> list[OpenStore]:
        """Return those that could be opened."""
        return list(self._open.values())

    async def explain(self, line: QueryLine, named: str) -> Explained:
        """Search and explain from one state of every store. Raises GenizahError."""
        for _ in range(_ATTEMPTS):
            found = await self._searcher.search(
                line.text, self.meanings.of(line), include_retired=line.include_retired
            )
            memory = await memory_in(self.stores, named)
            groups = self._groups_with(found, memory)
            group = groups[0]
            stores = tuple(self._open[at] for at in group.stores)
            await _read_many_vectors(stores, group.outcome)
            e = await explain_searched(stores, group.outcome, memory.uuid, line.limit)
            whole = None if e is None else await self._with_spans(stores, e)
            if whole is not None:
                first = next(self._open[at] for at in self._open if found.stores[at].error is None)
                fingerprint = self.meanings.fingerprint(model_key(stores[0]))
                return Explained(whole, found, group, stores, first, fingerprint, groups[1:])
        raise self._restless()

    def _restless(self) -> GenizahError:
        several = len(self._open) > 1
        path = None if several else self.stores[0].line.path
        return GenizahError(
            ErrorCode.STORE_BUSY,
            f"{'A store' if several else f'The store {path}'} changed during every search; "
            "try again in a moment.",
            path=path,
        )

    def _groups_with(self, found: FederatedOutcome, memory: NamedMemory) -> tuple[Group, ...]:
        """Return the groups that hold a memory; the first group where no store has it.

        Raises the error of a store that has it and could not be searched.
        """
        order = list(self._open)
        places = {order[at] for at in memory.places}
        same = {found.stores[at].copy_of for at in places}
        groups = tuple(g for g in found.groups if not (places | same).isdisjoint(g.stores))
        if groups or not places:
            return groups or (found.first,)
        error = found.stores[min(places)].error
        assert error is not None, "a store in no group is a copy or has failed"
        raise error

    async def _with_spans(self, stores: Sequence[OpenStore], e: Explanation) -> Explanation | None:
        """Put the places of the chunks in; None where the memory's store has moved meanwhile."""
        if e.head is None or e.store_id is None or is_damaged(e.uuid):
            return e
        store = next(s for s in stores if s.facts.meta.store_id == e.store_id)
        counter = await self._counter(store.facts.meta.embed_model)
        if counter is None:
            return e
        async with store.database.search.snapshot() as connection:
            if await connection.data_version() != e.outcome.version_of(e.store_id):
                return None
            detail = await memories.detail(connection, e.uuid)
            stored = await chunks.chunks_of(connection, e.uuid)
        if detail is None:
            return e
        sizes = (store.settings.integer(CHUNK_MAX_TOKENS), store.facts.meta.chunk_max_tokens)
        return located(e, await asyncio.to_thread(chunk_spans, detail, stored, counter, sizes))

    async def _counter(self, model: str) -> TokenCounter | None:
        if model not in self._counters:
            self._counters[model] = await asyncio.to_thread(load_token_counter, model)
        return self._counters[model]


async def _read_many_vectors(stores: Sequence[OpenStore], outcome: SearchOutcome) -> None:
    """Read the vectors in pages where they are many: one pass over as many in a store would hold
    its snapshot for a second.
    """
    if outcome.dense.ran and outcome.chunks >= _MANY_CHUNKS:
        for store in stores:
            await store.searcher.refresh_matrix()
