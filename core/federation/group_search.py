"""Several stores searched as one: shared statistics, one window a store and arm, one ranking.

Every store holds one snapshot from the first step to the last; the steps of all stores run at
once. What fails fails as a whole: the caller searches again without the stores that failed.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from core.errors import GenizahError
from core.federation.arm_windows import fingerprint, heads_of, new_budget
from core.federation.group_notices import group_notices
from core.federation.meaning_arm import MeaningArm, find_nearest, merge_meaning, want_heads
from core.federation.member import Member, name_of, path_of
from core.federation.part import KnownWords, Part, PartFacts, PartRequest, index_out_of_step
from core.federation.patience import StoresFailedError, each, in_time
from core.federation.statistics import (
    StatisticsRequest,
    StoreStatistics,
    check,
    shared_statistics,
)
from core.federation.word_arm import WordArm, merge_words
from core.retrieval.outcome import SearchOutcome
from core.retrieval.retrieve import assemble, query_notices
from core.retrieval.union import SharedStatistics, StorePart, Union
from core.windows.contracts import GlobalBranchScope
from core.windows.errors import WindowError


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
    known: KnownWords | None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """The outcome, and the row lengths of each store for the next search."""

    outcome: SearchOutcome
    lengths: Mapping[int, KnownWords]


async def search_group(
    members: Sequence[GroupMember], request: PartRequest, index_form: str, time_limit_s: float
) -> GroupResult:
    """Search stores that may be compared and hold no memory in common; two or more.

    `index_form` is how their word indexes were declared, all alike. Raises StoresFailedError,
    StoresMovedError, WindowError and GenizahError.
    """
    async with _snapshots(members, request, time_limit_s) as parts:
        facts = _all_here(parts, await each(parts, Part.facts, time_limit_s))
        await find_nearest(parts, facts, time_limit_s)
        want_heads(parts, facts)
        shared = shared_statistics(_asked(request), _statistics(parts, facts))
        budget = new_budget(len(parts), request.settings.fusion_depth + 1)
        by_words, by_meaning = _scopes(parts[0], shared, index_form)
        words = await merge_words(parts, facts, shared, by_words, budget, time_limit_s)
        meaning = await merge_meaning(parts, facts, by_meaning, budget, time_limit_s)
        await _stay(parts, facts, time_limit_s)
    outcome = _outcome(parts, facts, shared, words, meaning)
    known = {p.index: f.lengths for p, f in zip(parts, facts, strict=True) if f.lengths}
    return GroupResult(outcome, known)


@asynccontextmanager
async def _snapshots(
    members: Sequence[GroupMember], request: PartRequest, time_limit_s: float
) -> AsyncIterator[list[Part]]:
    """Take every store's connection, always in the order of their paths: two searches of the same
    stores cannot wait for each other.
    """
    taken: dict[int, Part] = {}
    async with AsyncExitStack() as stack:
        for one in sorted(members, key=lambda m: path_of(m.member)):
            snapshot = one.member.database.search.snapshot()
            try:
                connection = await in_time(
                    one.member, stack.enter_async_context(snapshot), time_limit_s
                )
            except GenizahError as error:
                raise StoresFailedError({one.index: error}) from error
            taken[one.index] = Part(
                one.index, one.member, connection, request, one.expected_version, one.known
            )
        yield [taken[one.index] for one in members]


def _all_here(parts: Sequence[Part], facts: Sequence[PartFacts | None]) -> list[PartFacts]:
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
    moved = await each(parts, lambda part: part.has_moved(by_place[part.index]), time_limit_s)
    places = [part.index for part, has_moved in zip(parts, moved, strict=True) if has_moved]
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
    arms = [(name_of(p.member), f.dense) for p, f in zip(parts, facts, strict=True) if f.dense]
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
