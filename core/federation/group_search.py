"""Several stores searched as one: shared statistics, one window a store and arm, one ranking.

Every store holds one snapshot from the first step to the last; the steps of all stores run at
once. What fails fails as a whole: the caller searches again without the stores that failed.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import GenizahError
from core.federation.arm_windows import fingerprint, heads_of, new_budget
from core.federation.group_notices import group_notices
from core.federation.meaning_arm import MeaningArm, NearestSearch, ask_heads, merge_meaning
from core.federation.member import Member, index_out_of_step, names_of, path_of
from core.federation.part import Part, PartFacts, PartRequest
from core.federation.patience import StoresFailedError, each, in_time
from core.federation.statistics import (
    StatisticsRequest,
    StoreStatistics,
    check,
    shared_statistics,
)
from core.federation.word_arm import WordArm, WordSearch
from core.retrieval.outcome import SearchOutcome
from core.retrieval.retrieve import assemble, query_notices
from core.retrieval.union import SharedStatistics, StorePart, Union
from core.store.transactions import to_its_end
from core.windows.contracts import GlobalBranchScope
from core.windows.errors import WindowError

if TYPE_CHECKING:  # numpy is imported only after the first paint, in a worker
    from core.federation.known_words import KnownWords


class StoresMovedError(Exception):
    """Some stores are not in the state any more that was searched: their places."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__(f"{len(places)} stores changed meanwhile")
        self.places = tuple(places)


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A store of the group with its place among all, the state it was put into the group in, and
    its row lengths if they are known.
    """

    index: int
    member: Member
    expected_version: int
    known: "KnownWords | None"


@dataclass(frozen=True, slots=True)
class GroupResult:
    """The outcome, and what is known of each store's words for the next search."""

    outcome: SearchOutcome
    known: "Mapping[int, KnownWords]"


async def search_group(
    members: Sequence[GroupMember], request: PartRequest, index_form: str, time_limit_s: float
) -> GroupResult:
    """Search stores that may be compared and hold no memory in common; two or more.

    `index_form` is how their word indexes were declared, all alike. Raises StoresFailedError,
    StoresMovedError, WindowError and GenizahError.
    """
    async with _snapshots(members, request, time_limit_s) as parts:
        facts = await _all_facts(parts, time_limit_s)
        shared = shared_statistics(_asked(request), _statistics(parts, facts))
        budget = new_budget(len(parts), request.settings.fusion_depth + 1)
        by_words, by_meaning = _scopes(parts[0], shared, index_form)
        search = WordSearch(parts, facts, shared)
        await _look_up(parts, facts, search, time_limit_s)
        words = search.merge(by_words, budget)
        meaning = merge_meaning(parts, facts, by_meaning, budget)
        await _stay(parts, facts, time_limit_s)
    outcome = _outcome(parts, facts, shared, words, meaning)
    known = {p.index: f.known for p, f in zip(parts, facts, strict=True) if f.known}
    return GroupResult(outcome, known)


async def _look_up(
    parts: Sequence[Part],
    facts: Sequence[PartFacts],
    words: WordSearch,
    time_limit_s: float,
) -> None:
    """Have the stores answer what both arms ask until they know enough: each visit serves both."""
    nearest = NearestSearch(parts, facts)
    while True:
        words.ask()
        nearest.ask()
        asked = [part for part in parts if part.has_questions]
        if not asked:
            break
        await each(asked, Part.answer, time_limit_s)
    ask_heads(parts, facts)
    await each([part for part in parts if part.has_questions], Part.answer, time_limit_s)


@asynccontextmanager
async def _snapshots(
    members: Sequence[GroupMember], request: PartRequest, time_limit_s: float
) -> AsyncIterator[list[Part]]:
    """Take every store's connection, always in the order of their paths: two searches of the same
    stores cannot wait for each other.
    """
    taken: dict[int, Part] = {}
    stacks: list[AsyncExitStack] = []
    try:
        for one in sorted(members, key=lambda m: path_of(m.member)):
            stacks.append(AsyncExitStack())
            entering = stacks[-1].enter_async_context(one.member.database.search.snapshot())
            try:
                connection = await in_time(one.member, entering, time_limit_s)
            except GenizahError as error:
                raise StoresFailedError({one.index: error}) from error
            taken[one.index] = Part(
                one.index, one.member, connection, request, one.expected_version, one.known
            )
        yield [taken[one.index] for one in members]
    finally:
        await _leave(stacks)


async def _leave(stacks: Sequence[AsyncExitStack]) -> None:
    """Give all connections back at once; all are when this returns, also when it is cancelled."""
    # Not a plain await: a cancellation would reach what is given back before it has begun.
    leaving = asyncio.gather(*(s.aclose() for s in stacks), return_exceptions=True)
    ended = await to_its_end(leaving)
    for error in ended:
        if error is not None:
            raise error


async def _all_facts(parts: Sequence[Part], time_limit_s: float) -> list[PartFacts]:
    """Read first, then count: many threads and this one would wait for each other all the time."""
    read = await each(parts, Part.read, time_limit_s)
    by_place = {part.index: words for part, words in zip(parts, read, strict=True)}
    facts = await each(parts, lambda part: part.facts(by_place[part.index]), time_limit_s)
    moved = [part.index for part, fact in zip(parts, facts, strict=True) if fact is None]
    if moved:
        raise StoresMovedError(moved)
    return [fact for fact in facts if fact is not None]


def _asked(request: PartRequest) -> StatisticsRequest:
    scope = request.scope
    return StatisticsRequest(request.query.lexical.terms, f"{scope.clause} {scope.parameters!r}")


def _statistics(parts: Sequence[Part], facts: Sequence[PartFacts]) -> list[StoreStatistics]:
    """Return every store's numbers; raises StoresFailedError for those that cannot be."""
    terms = parts[0].request.query.lexical.terms
    found: list[StoreStatistics] = []
    failed: dict[int, GenizahError] = {}
    for part, fact in zip(parts, facts, strict=True):
        dfs = () if fact.words is None else fact.words.dfs
        numbers = StoreStatistics(
            part.store_id, fact.counts.totals.rows, fact.counts.totals.tokens, terms, dfs
        )
        try:
            check(numbers, terms)
        except WindowError:
            failed[part.index] = index_out_of_step(part.member)
        found.append(numbers)
    if failed:
        raise StoresFailedError(failed)
    return found


def _scopes(
    part: Part, shared: SharedStatistics, index_form: str
) -> tuple[GlobalBranchScope, GlobalBranchScope]:
    """Return what makes the scores of the two arms comparable."""
    corpus = "memory " + fingerprint(_asked(part.request).scope)
    meta = part.member.database.facts.meta
    by_words = f"bm25 k1=1.2 b=0.75 index {fingerprint(index_form)}"
    by_meaning = f"L2 {meta.embed_dim} {fingerprint(meta.embed_model)}"
    return (
        GlobalBranchScope(by_words, corpus, shared.epoch),
        GlobalBranchScope(by_meaning, corpus, shared.epoch),
    )


async def _stay(parts: Sequence[Part], facts: Sequence[PartFacts], time_limit_s: float) -> None:
    """Make sure that every store is still in the state that was counted."""
    by_place = {p.index: f for p, f in zip(parts, facts, strict=True)}
    unsure = [part for part in parts if part.can_move]
    moved = await each(unsure, lambda part: part.has_moved(by_place[part.index]), time_limit_s)
    places = [part.index for part, has_moved in zip(unsure, moved, strict=True) if has_moved]
    if places:
        raise StoresMovedError(places)


def _outcome(
    parts: Sequence[Part],
    facts: Sequence[PartFacts],
    shared: SharedStatistics,
    words: WordArm,
    meaning: MeaningArm,
) -> SearchOutcome:
    request = parts[0].request
    query, dense, lexical = request.query, meaning.arm, words.arm
    hits = assemble(dense, lexical, heads_of([p.heads for p in parts]), request.settings)
    names = names_of([p.member for p in parts])
    arms = [(name, f.dense) for name, f in zip(names, facts, strict=True) if f.dense]
    notices = [
        *query_notices(query, lexical.report, dense.report),
        *group_notices(arms, hits, is_filtered=request.scope.is_filtered),
    ]
    return SearchOutcome(
        query=query,
        scope=request.scope,
        settings=request.settings,
        dense=dense.report,
        lexical=lexical.report,
        doublings=meaning.doublings,
        hits=hits,
        memories=sum(f.counts.memories for f in facts),
        chunks=sum(f.counts.chunks for f in facts),
        data_version=sum(f.counts.data_version for f in facts),
        notices=tuple(notices),
        matrix_is_stale=any(f.is_stale for f in facts),
        union=_union(parts, facts, shared, words, meaning),
    )


def _union(
    parts: Sequence[Part],
    facts: Sequence[PartFacts],
    shared: SharedStatistics,
    words: WordArm,
    meaning: MeaningArm,
) -> Union:
    home = {
        **{c.uuid: at for c, at in zip(words.arm.candidates, words.home, strict=True)},
        **{c.uuid: at for c, at in zip(meaning.arm.candidates, meaning.home, strict=True)},
    }
    none = (0,) * len(parts)
    handed_in = zip(words.handed_in or none, meaning.handed_in or none, strict=True)
    rows = zip(parts, facts, handed_in, strict=True)
    return Union(
        tuple(_store_part(part, fact, *counts) for part, fact, counts in rows),
        home,
        shared,
        words.flags,
        meaning.flags,
    )


def _store_part(part: Part, fact: PartFacts, words: int, meaning: int) -> StorePart:
    return StorePart(
        store_id=part.store_id,
        path=path_of(part.member),
        memories=fact.counts.memories,
        chunks=fact.counts.chunks,
        data_version=fact.counts.data_version,
        rows=fact.counts.totals.rows,
        tokens=fact.counts.totals.tokens,
        dfs=() if fact.words is None else fact.words.dfs,
        words=words,
        meaning=meaning,
    )
