"""Everything a person can look at in one store, done once; nothing may differ afterwards."""

from pathlib import Path

from core.explain.lexical_side import lexical_side
from core.retrieval.eligibility import Scope
from core.retrieval.ladder import eligibility_ladder
from core.store import event_log, health, memories, salvage
from core.store.private_copy import copy_files, open_copy, remove_copy, snapshot_copy
from tests.support.engine import Engine, open_engine


async def browse(engine: Engine) -> int:
    """Read every row the way the lists and the detail do; return how many there are."""
    async with engine.database.browse.snapshot() as connection:
        rowids = await memories.rowids_newest_first(connection)
        heads = await memories.heads_by_rowid(connection, rowids)
        counts = await memories.counts(connection)
        for head in heads[:20]:
            await memories.detail(connection, head.uuid)
            await memories.successors(connection, head.uuid)
            await memories.predecessors(connection, head.uuid)
            await event_log.events_of(connection, head.uuid)
            await memories.resolve_uuid(connection, head.uuid[:8])
            await eligibility_ladder(connection, Scope(), head.uuid)
    assert len(heads) == counts.total
    return counts.total


async def search(engine: Engine, text: str, vector: bytes) -> None:
    """Search in every way there is."""
    for include_retired in (False, True):
        outcome = await engine.by_vector(text, vector, include_retired=include_retired)
        await engine.by_words(text, include_retired=include_retired)
        await engine.literal(text, outcome)
        async with engine.database.search.snapshot() as connection:
            for hit in outcome.hits:
                await lexical_side(connection, outcome, hit.head, True)
    for hit in outcome.hits[:5]:
        await engine.searcher.similar(hit.uuid)


async def check(engine: Engine, work: Path) -> None:
    """Look for problems, on a private copy too."""
    await health.check(engine.database, 32)
    facts, target = engine.database.facts, work / "copy.db"
    await snapshot_copy(facts.location, facts.access, target)
    copy = await open_copy(target)
    try:
        await health.deep_check(copy)
    finally:
        await copy.close()
        remove_copy(target)


async def full_tour(project: Path, work: Path, text: str, vector: bytes) -> None:
    """Open a store and look at everything; `work` is an empty folder of ours."""
    async with open_engine(project) as engine:
        await browse(engine)
        await search(engine, text, vector)
        assert await engine.searcher.refresh_matrix()
        await search(engine, text, vector)
        await check(engine, work)
        location = engine.database.facts.location
    await salvage.save_readable_rows(location, work / "saved.jsonl")
    copy_files(location, work / "private")
