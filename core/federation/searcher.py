"""Searching several open stores: groups of comparable stores, a list for each, the truth of each.

Embedding is the caller's, once for each model and before any snapshot. A store that fails never
takes the search down: it is named, and the others are searched without it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.errors import ErrorCode, GenizahError
from core.federation.copies import Copies
from core.federation.group_search import GroupMember, StoresMovedError, search_group
from core.federation.grouping import Candidate, GroupKey, Plan, PlannedGroup, plan
from core.federation.identity import Identity, read_identity
from core.federation.member import FailedMember, Member, ModelKey, model_key, path_of
from core.federation.outcome import FederatedOutcome, Group
from core.federation.part import PartRequest
from core.federation.patience import StoresFailedError, each, in_time
from core.federation.settings import settings_notice
from core.federation.statuses import all_failed, is_incomplete, notices_of, statuses
from core.retrieval.eligibility import Narrowing, Scope
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import PreparedQuery, lexical_query
from core.retrieval.searcher import MeaningSide, plain_refusal
from core.settings import EMBED_PREFIX, RetrievalSettings
from core.windows.errors import WindowError

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.federation.known_words import KnownWords

#: Seconds that one store may take for one step before the others go on without it.
TIME_LIMIT_S = 10.0
MAX_STORES = 200

type MakeMeaning = Callable[[ModelKey], Awaitable[MeaningSide]]


@dataclass(frozen=True, slots=True)
class _Place:
    """An open store with its place among all."""

    index: int
    member: Member


@dataclass(slots=True)
class _Search:
    """One search while it goes on: what was asked, what is known of the stores, what failed."""

    text: str
    include_retired: bool
    narrowed: Narrowing | None
    given: RetrievalSettings | None
    left_out: frozenset[int] = frozenset()
    sides: dict[int, MeaningSide] = field(default_factory=dict)
    failed: dict[int, GenizahError] = field(default_factory=dict)
    looked_at: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    identities: dict[int, Identity] = field(default_factory=dict)
    copies: Mapping[int, int] = field(default_factory=dict)


class FederatedSearcher:
    """Run searches over the stores given, in their order; one at a time.

    What it remembers of a store between searches belongs to one state of the store.
    """

    def __init__(
        self, members: Sequence[Member | FailedMember], *, time_limit_s: float = TIME_LIMIT_S
    ) -> None:
        self._members = tuple(members)
        self._time_limit_s = time_limit_s
        self._open = {
            at: member
            for at, member in enumerate(self._members)
            if not isinstance(member, FailedMember)
        }
        self._copies = Copies(time_limit_s)
        self._identities: dict[int, Identity] = {}
        self._known: dict[int, KnownWords] = {}

    async def search(
        self,
        text: str,
        meaning: MakeMeaning,
        *,
        include_retired: bool = False,
        settings: RetrievalSettings | None = None,
        narrowed: Narrowing | None = None,
        meaning_asked: bool = True,
        left_out: Collection[int] = (),
    ) -> FederatedOutcome:
        """Search with a text from outside the stores; any text is a safe query.

        `meaning` is awaited once for each model key. `settings` replace those of the first store,
        `narrowed` are the person's filters; `left_out` are the places of stores that they name
        none of, at most all but one: their words count in no statistics. With `meaning_asked`
        False a list without the meaning arm is complete. Raises GenizahError where no store could
        be searched, USAGE where there is none or where there are too many.
        """
        if not 1 <= len(self._members) <= MAX_STORES:
            raise GenizahError(
                ErrorCode.USAGE,
                f"From 1 to {MAX_STORES} stores can be searched at once, not {len(self._members)}.",
            )
        search = _Search(text, include_retired, narrowed, settings, frozenset(left_out))
        for at, member in enumerate(self._members):
            if isinstance(member, FailedMember) and at not in search.left_out:
                search.failed[at] = member.error
        await self._embed(search, meaning)
        groups = await self._until_answered(search)
        alive = [place.member for place in self._alive(search)]
        shared = None if settings else settings_notice(alive)
        return FederatedOutcome(
            statuses(
                self._members,
                search.failed,
                groups,
                search.copies,
                search.identities,
                search.left_out,
            ),
            groups,
            notices_of(self._members, groups, shared),
            is_incomplete(groups, search.failed, meaning_asked=meaning_asked),
        )

    async def _embed(self, search: _Search, meaning: MakeMeaning) -> None:
        """Get the dense side of every store, one call for each model key."""
        places: dict[ModelKey, list[int]] = {}
        for at, member in self._open.items():
            if at in search.left_out:
                continue
            refusal = member.database.facts.dense_refusal
            if refusal is not None:
                search.sides[at] = MeaningSide(None, plain_refusal(refusal))
            else:
                places.setdefault(model_key(member), []).append(at)
        for key, stores in places.items():
            try:
                side = await meaning(key)
            except GenizahError as error:
                search.failed.update(dict.fromkeys(stores, error))
            else:
                search.sides.update(dict.fromkeys(stores, side))

    async def _until_answered(self, search: _Search) -> tuple[Group, ...]:
        """Search, and again without the stores that failed; once more where some have changed."""
        while True:
            alive = self._alive(search)
            if not alive:
                raise all_failed(search.failed, self._members)
            try:
                if len(alive) == 1:
                    return await self._alone(search, alive[0])
                return await self._together(search, alive)
            except StoresFailedError as error:
                search.failed.update(error.errors)
            except StoresMovedError as error:
                self._forget(search, error.places)

    def _alive(self, search: _Search) -> list[_Place]:
        """Return the stores that are searched and have not failed."""
        return [
            _Place(at, member)
            for at, member in self._open.items()
            if at not in search.failed and at not in search.left_out
        ]

    def _forget(self, search: _Search, places: Sequence[int]) -> None:
        """Have the stores looked at again that are in another state than they were grouped by.

        Only where that was found out in this very search does it count as a change during it: a
        second one takes the store out.
        """
        for at in places:
            self._identities.pop(at, None)
            if at in search.moved:
                search.failed[at] = self._keeps_moving(at)
            elif at in search.looked_at:
                search.moved.add(at)

    def _keeps_moving(self, at: int) -> GenizahError:
        path = path_of(self._members[at])
        return GenizahError(
            ErrorCode.STORE_BUSY,
            f"The store {path} is being written all the time; try again in a moment.",
            path=path,
            reason="changed_meanwhile",
        )

    async def _alone(self, search: _Search, place: _Place) -> tuple[Group, ...]:
        """Search the only store there is, exactly as its own searcher does."""
        search.copies = {}
        try:
            outcome = await place.member.searcher.search(
                search.text,
                search.sides[place.index],
                include_retired=search.include_retired,
                settings=search.given,
                narrowed=search.narrowed,
            )
        except GenizahError as error:
            raise StoresFailedError({place.index: error}) from error
        return (Group((place.index,), None, outcome),)

    async def _together(self, search: _Search, alive: Sequence[_Place]) -> tuple[Group, ...]:
        unknown = [place for place in alive if place.index not in self._identities]
        found = await each(unknown, _identity, self._time_limit_s)
        self._identities.update((p.index, i) for p, i in zip(unknown, found, strict=True))
        search.looked_at.update(place.index for place in unknown)
        search.identities = {place.index: self._identities[place.index] for place in alive}
        planned = await self._plan(alive, search.identities)
        search.copies = planned.copies
        settings = search.given or alive[0].member.settings.retrieval
        outcomes = await self._every_group(search, planned.groups, settings)
        self._check_unmoved(search, planned.groups, outcomes)
        pairs = zip(planned.groups, outcomes, strict=True)
        return tuple(Group(group.stores, group.reason, outcome) for group, outcome in pairs)

    async def _plan(self, alive: Sequence[_Place], identities: Mapping[int, Identity]) -> Plan:
        candidates = [_candidate(place, identities[place.index]) for place in alive]
        await self._copies.compare(self._open, candidates)
        return plan(candidates, self._copies.overlap, self._copies.is_copy)

    async def _every_group(
        self, search: _Search, groups: Sequence[PlannedGroup], settings: RetrievalSettings
    ) -> list[SearchOutcome]:
        """Search all groups at once; all have ended when this returns."""
        found: dict[int, SearchOutcome] = {}
        errors: dict[int, GenizahError] = {}
        moved: list[int] = []

        async def one(number: int, group: PlannedGroup) -> None:
            try:
                found[number] = await self._group(search, group, settings)
            except StoresFailedError as error:
                errors.update(error.errors)
            except StoresMovedError as error:
                moved.extend(error.places)

        async with asyncio.TaskGroup() as tasks:
            for number, group in enumerate(groups):
                tasks.create_task(one(number, group))
        if errors:
            raise StoresFailedError(errors)
        if moved:
            raise StoresMovedError(moved)
        return [found[number] for number in range(len(groups))]

    async def _group(
        self, search: _Search, group: PlannedGroup, settings: RetrievalSettings
    ) -> SearchOutcome:
        """Search one group; what is wrong with none of its stores alone is wrong with all."""
        first = self._open[group.stores[0]]
        prefix = first.settings.text(EMBED_PREFIX)
        used = replace(settings, embed_prefix_query=prefix)
        side = search.sides[group.stores[0]]
        try:
            if len(group.stores) == 1:
                return await in_time(
                    first,
                    first.searcher.search(
                        search.text,
                        side,
                        include_retired=search.include_retired,
                        settings=used,
                        narrowed=search.narrowed,
                    ),
                    self._time_limit_s,
                )
            return await self._several(search, group, used)
        except GenizahError as error:
            raise StoresFailedError(dict.fromkeys(group.stores, error)) from error
        except WindowError as error:
            raise StoresFailedError(dict.fromkeys(group.stores, _not_merged(error))) from error

    async def _several(
        self, search: _Search, group: PlannedGroup, used: RetrievalSettings
    ) -> SearchOutcome:
        first = self._open[group.stores[0]]
        side = search.sides[group.stores[0]]
        if side.dense is not None:
            first.searcher.check_width(side.dense.vector)
        query = PreparedQuery(
            text=search.text,
            uuid=None,
            lexical=lexical_query(search.text, used.fts_query_max_terms),
            dense=side.dense,
            dense_reason=(side.reason or "no query vector") if side.dense is None else None,
        )
        scope = Scope(include_retired=search.include_retired, narrowed=search.narrowed)
        members = [
            GroupMember(
                at, self._open[at], search.identities[at].data_version, self._known.get(at)
            )
            for at in group.stores
        ]
        form = search.identities[group.stores[0]].index_form
        request = PartRequest(query, scope, used)
        result = await search_group(members, request, form, self._time_limit_s)
        self._known.update(result.known)
        return result.outcome

    def _check_unmoved(
        self,
        search: _Search,
        groups: Sequence[PlannedGroup],
        outcomes: Sequence[SearchOutcome],
    ) -> None:
        """Make sure that the stores were grouped by what was searched."""
        moved = [
            at
            for group, outcome in zip(groups, outcomes, strict=True)
            for at in group.stores
            if outcome.version_of(search.identities[at].store_id)
            != search.identities[at].data_version
        ]
        if moved:
            raise StoresMovedError(moved)


async def _identity(place: _Place) -> Identity:
    return await read_identity(place.member)


def _candidate(place: _Place, identity: Identity) -> Candidate:
    refusal = place.member.database.facts.dense_refusal
    reason = None if refusal is None else plain_refusal(refusal)
    key = GroupKey(model_key(place.member), reason, identity.index_form)
    return Candidate(place.index, path_of(place.member), identity, key)


def _not_merged(error: WindowError) -> GenizahError:
    return GenizahError(
        ErrorCode.STORE_FAILED,
        f"The lists of the stores could not be merged. {error.message}",
        reason=error.kind.value,
    )
