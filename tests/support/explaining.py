"""Explaining one memory the way the program does: in a snapshot of the search's own state."""

from core.explain.explanation import Explanation
from core.explain.reading import explain_memory
from core.retrieval.outcome import SearchOutcome
from tests.support.engine import Engine
from tests.support.stores import STORE_ID


async def explained(
    engine: Engine, outcome: SearchOutcome, uuid: str, limit: int = 5
) -> Explanation:
    """Explain a memory; the store has not moved since the search."""
    async with engine.database.search.snapshot() as connection:
        assert await connection.data_version() == outcome.data_version
        held = engine.searcher.held_vectors(outcome.data_version)
        return await explain_memory(
            connection, outcome, uuid, limit, store_id=STORE_ID, held=held
        )
