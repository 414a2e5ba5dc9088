"""The memories that a search finds, read whole in its order, for an export. Several stores, too."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.bootstrap import Services
from app.line_meanings import LineMeanings
from app.open_store import OpenStore
from app.query_input import QueryLine
from core.documents.export_content import ExportedMemory
from core.federation.outcome import FederatedOutcome
from core.federation.searcher import FederatedSearcher
from core.federation.statuses import failed_notices
from core.notices import Notice
from core.readmodels import MemoryDetail
from core.store import memories
from core.store.whole_rows import read_whole


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Memories in the order of a list, notices, and what else is to be said of reading them."""

    memories: tuple[ExportedMemory, ...]
    notices: tuple[Notice, ...]
    said: tuple[str, ...]


def moved_words(store: OpenStore) -> str:
    """Say that a store was written meanwhile."""
    return f"The store {store.line.path} was written while it was read."


async def searched_memories(
    services: Services, stores: Sequence[OpenStore], line: QueryLine, *, lexical_only: bool
) -> ReadMemories:
    """Search all stores as one and read what is found: the whole pool, group by group."""
    meanings = LineMeanings(services.load_encoder, lexical_only, len(stores) > 1)
    found = await FederatedSearcher(stores).search(
        line.text,
        meanings.of(line),
        include_retired=line.include_retired,
        meaning_asked=not lexical_only,
    )
    details: list[dict[str, MemoryDetail]] = []
    said: list[str] = []
    for place, store in enumerate(stores):
        whole, moved = await _whole(store, _uuids_in(found, place))
        details.append({detail.head.uuid: detail for detail in whole})
        if moved:
            said.append(moved_words(store))
    listed = [
        ExportedMemory(place, details[place][hit.uuid], hit.position, number)
        for number, group in enumerate(found.groups)
        for hit in group.outcome.hits
        for place in (group.store_of(hit.uuid),)
        if hit.uuid in details[place]
    ]
    of_lists = (notice for group in found.groups for notice in group.outcome.notices)
    notices = (*failed_notices(found.stores), *found.notices, *of_lists)
    return ReadMemories(tuple(listed), notices, tuple(said))


def _uuids_in(found: FederatedOutcome, place: int) -> list[str]:
    return [
        hit.uuid
        for group in found.groups
        for hit in group.outcome.hits
        if group.store_of(hit.uuid) == place
    ]


async def _whole(store: OpenStore, uuids: Sequence[str]) -> tuple[list[MemoryDetail], bool]:
    async with store.database.browse.snapshot() as connection:
        heads = await memories.heads_by_uuid(connection, uuids)
    return await read_whole(store.database.browse, [head.rowid for head in heads.values()])
