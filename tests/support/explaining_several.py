"""Explaining memories of a search over several stores, the way the program does it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from core.explain.explanation import Explanation
from core.federation.explaining import explain_searched
from core.federation.member import FailedMember, Member
from core.federation.searcher import FederatedSearcher
from core.retrieval.outcome import SearchOutcome
from tests.support.federating import Asked, open_stores


@asynccontextmanager
async def open_members(folders: Sequence[Path]) -> AsyncIterator[list[Member]]:
    """Open the stores of some project folders, every one of which can be opened."""
    async with open_stores(folders) as stores:
        members = [store for store in stores if not isinstance(store, FailedMember)]
        assert len(members) == len(folders)
        yield members


async def search_members(
    members: Sequence[Member],
    text: str,
    vector: bytes | None = None,
    *,
    include_retired: bool = False,
) -> SearchOutcome:
    """Search stores that are one group; by words alone without a vector."""
    found = await FederatedSearcher(members).search(
        text, Asked(text, vector=vector), include_retired=include_retired
    )
    assert found.first.stores == tuple(range(len(members)))
    return found.first.outcome


async def explained_in(
    members: Sequence[Member], outcome: SearchOutcome, uuid: str, limit: int = 5
) -> Explanation:
    """Explain a memory; no store has moved since the search."""
    found = await explain_searched(members, outcome, uuid, limit)
    assert found is not None
    return found
