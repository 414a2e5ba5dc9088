"""What a search is about: the checked stores of the window, as one search over all of them.

One store alone is searched by its own searcher, exactly as if no other could be. `store:` says
which of several are searched; every other filter means the same in each of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.named_stores import memory_in
from app.open_store import OpenStore
from app.tasks import TaskSet
from core.errors import ErrorCode, GenizahError
from core.federation.member import FailedMember, ModelKey
from core.federation.outcome import FederatedOutcome, Group, Searched
from core.federation.searcher import FederatedSearcher
from core.federation.statuses import statuses
from core.filters.compiling import FilterContext, narrowing_of
from core.filters.filter import FilterKey
from core.filters.parsing import ParsedSearch
from core.filters.stores import is_named
from core.retrieval.eligibility import Narrowing
from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide
from core.settings import EMBED_PREFIX

type Found = SearchOutcome | FederatedOutcome


def plain_context(store: OpenStore) -> FilterContext:
    """Return what filters depend on in a store that is called by its own name only."""
    return FilterContext(datetime.now(UTC), frozenset({store.facts.location.name}))


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for, and what its filters depend on in each store."""

    parsed: ParsedSearch
    include_retired: bool = False
    context_of: Callable[[OpenStore], FilterContext] = plain_context

    def narrowing(self, store: OpenStore) -> Narrowing | None:
        """Return what the filters leave of a store; None where there is none."""
        if not self.parsed.filters:
            return None
        return narrowing_of(self.parsed.filters, self.context_of(store))


@dataclass(frozen=True, slots=True)
class InScope:
    """A store that is searched: open, or what kept it from being opened.

    `key` tells it apart, `tasks` end before it is closed.
    """

    key: str
    path: str
    name: str
    store: OpenStore | None
    error: GenizahError | None
    tasks: TaskSet


def model_key(store: OpenStore) -> ModelKey:
    """Return by which model a store's queries are embedded, whatever file has it here."""
    meta = store.facts.meta
    return ModelKey(meta.embed_model, meta.embed_dim, None, store.settings.text(EMBED_PREFIX))


class SearchScope:
    """The stores of one search after another, in their order."""

    def __init__(self, members: Sequence[InScope]) -> None:
        self.members = tuple(members)
        open_ones = [(m, m.store) for m in self.members if m.store is not None]
        self.stores = tuple(store for _, store in open_ones)
        self.alone = self.stores[0] if len(self.members) == len(self.stores) == 1 else None
        """The one store, where there is no other and none that failed."""
        self.keys = tuple(dict.fromkeys(model_key(store) for store in self.stores))
        self._several = FederatedSearcher([_member(m) for m in self.members])
        self._found: FederatedOutcome | None = None

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to search."""
        return not self.stores

    def member_of(self, store: OpenStore) -> InScope | None:
        """Return what is known of one of the stores."""
        return next((m for m in self.members if m.store is store), None)

    def check_still_there(self) -> None:
        """Refuse a store searched alone whose file was replaced. Raises GenizahError."""
        if self.alone is not None:
            self.alone.database.check_still_there()

    async def search(self, query: Query, sides: Mapping[ModelKey, MeaningSide]) -> Found:
        """Search. Raises GenizahError, of several stores where every one has failed."""
        text, retired = query.parsed.free_text, query.include_retired
        if self.alone is not None:
            return await self.alone.searcher.search(
                text,
                sides[model_key(self.alone)],
                include_retired=retired,
                narrowed=query.narrowing(self.alone),
            )

        async def meaning(key: ModelKey) -> MeaningSide:
            return sides[replace(key, artifact=None)]

        kept = self._named(query)
        found = self._found = await self._several.search(
            text,
            meaning,
            include_retired=retired,
            narrowed=self._shared_narrowing(query, kept),
            left_out=[at for at in range(len(self.members)) if at not in kept],
        )
        return found

    def _named(self, query: Query) -> Sequence[int]:
        """Return the places of the stores that the filters name; all where they name none.

        Then no row of any store passes.
        """
        filters, everyone = query.parsed.filters, range(len(self.members))
        if all(filter_.key is not FilterKey.STORE for filter_ in filters):
            return everyone
        kept = [at for at, m in enumerate(self.members) if is_named(filters, _names_of(m, query))]
        return kept or everyone

    def _shared_narrowing(self, query: Query, kept: Sequence[int]) -> Narrowing | None:
        """Return the one narrowing of the stores kept: what they are called is settled."""
        stores = [store for at in kept if (store := self.members[at].store) is not None]
        return next((query.narrowing(store) for store in (*stores, *self.stores)), None)

    async def similar(self, query: Query, named: str) -> Found:
        """Search by one memory of one of the stores, in its own store. Raises GenizahError."""
        memory = await memory_in(self.stores, named, skips_unread=True)
        if not memory.places:
            words = f"There is no memory {named} in the stores that are searched."
            raise GenizahError(ErrorCode.NOT_FOUND, words, fields={"uuid": named})
        store = self.stores[memory.places[0]]
        outcome = await store.searcher.similar(memory.uuid, query.narrowing(store))
        return outcome if self.alone is not None else self._in_one_of(store, outcome)

    def _in_one_of(self, store: OpenStore, outcome: SearchOutcome) -> FederatedOutcome:
        """Return the list of one store as that of a search over all."""
        at = next(at for at, m in enumerate(self.members) if m.store is store)
        groups = (Group((at,), None, outcome),)
        others = [place for place in range(len(self.members)) if place != at]
        members = [_member(m) for m in self.members]
        found = FederatedOutcome(
            statuses(members, {}, groups, {}, {}, others), groups, (), incomplete=False
        )
        self._found = found
        return found

    def note_moved(self, store: OpenStore) -> None:
        """Look again whether a store is a copy: it was left out for one, and is another now."""
        if self._found is None:
            return
        lines = zip(self.members, self._found.stores, strict=True)
        if any(m.store is store and line.searched is Searched.COPY_OF for m, line in lines):
            self._several = FederatedSearcher([_member(m) for m in self.members])

    def stale_stores(self, found: Found) -> list[OpenStore]:
        """Return the stores whose vectors in memory are not those of a search."""
        if isinstance(found, SearchOutcome):
            return list(self.stores) if found.matrix_is_stale else []
        places = [at for g in found.groups if g.outcome.matrix_is_stale for at in g.stores]
        return [store for at in places if (store := self.members[at].store) is not None]


def _names_of(member: InScope, query: Query) -> frozenset[str]:
    if member.store is None:
        return frozenset({member.name})
    return query.context_of(member.store).store_names


def _member(member: InScope) -> OpenStore | FailedMember:
    if member.store is not None:
        return member.store
    assert member.error is not None
    return FailedMember(member.path, member.name, member.error)
