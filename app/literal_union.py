"""Looking for a text in the rows of every store of a search: one list, newest first, one total."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from app.open_store import OpenStore
from app.search_scope import Found, InScope, Query, SearchScope
from core.errors import GenizahError
from core.federation.outcome import FederatedOutcome, Searched
from core.retrieval.literal import LITERAL_LIMIT, LiteralMatch, LiteralMatches, literal_matches
from core.retrieval.outcome import SearchOutcome
from core.store import facet_rows


@dataclass(frozen=True, slots=True)
class LiteralUnion(LiteralMatches):
    """Matches of several stores; `keys` names the store of each."""

    keys: tuple[str, ...] = ()


async def literal_union(
    scope: SearchScope, query: Query, found: Found
) -> AsyncIterator[LiteralUnion]:
    """Look through one store after another; yield what is known after each page.

    Rows that a ranked list has are left out, those that the filters leave out, and stores that
    another one stands for. Raises GenizahError at the end where one of them could not be looked
    through.
    """
    failed: GenizahError | None = None
    places = [at for at, m in enumerate(scope.members) if m.store is not None]
    wanted = [at for at in places if _is_looked_through(at, found)]
    done: list[tuple[InScope, LiteralMatches]] = []
    for at in wanted:
        member = scope.members[at]
        assert member.store is not None
        last = LiteralMatches((), 0, complete=True)
        reader, pool = member.store.database.browse, _pool(at, found)
        try:
            among = await _passing(member.store, query)
            async for last in literal_matches(reader, query.parsed.free_text, pool, among):
                yield _merged([*done, (member, last)], complete=last.complete and at == wanted[-1])
        except GenizahError as error:
            failed = failed or error
        done.append((member, last))
    if failed is not None or not wanted:
        yield _merged(done, complete=True)
    if failed is not None:
        raise failed


async def _passing(store: OpenStore, query: Query) -> list[int] | None:
    """Return the rows that pass the filters; None where there is no filter."""
    narrowing = query.narrowing(store)
    if narrowing is None:
        return None
    async with store.database.browse.snapshot() as connection:
        return await facet_rows.rowids_of(connection, narrowing.condition)


def _is_looked_through(at: int, found: Found) -> bool:
    if isinstance(found, SearchOutcome):
        return True
    return found.stores[at].searched in (Searched.HYBRID, Searched.LEXICAL)


def _pool(at: int, found: Found) -> set[str]:
    """Return the memories of a store that stand in a ranked list."""
    if isinstance(found, FederatedOutcome):
        groups = [g for g in found.groups if at in g.stores]
        return {h.uuid for g in groups for h in g.outcome.hits if g.store_of(h.uuid) == at}
    return {hit.uuid for hit in found.hits}


def _merged(parts: list[tuple[InScope, LiteralMatches]], *, complete: bool) -> LiteralUnion:
    rows: list[tuple[str, LiteralMatch]] = [
        (member.key, match) for member, found in parts for match in found.matches
    ]
    rows.sort(key=lambda row: row[1].head.uuid)
    rows.sort(key=lambda row: row[1].head.created_at, reverse=True)
    first = rows[:LITERAL_LIMIT]
    total = sum(found.total for _, found in parts)
    return LiteralUnion(
        tuple(match for _, match in first), total, complete, tuple(key for key, _ in first)
    )
