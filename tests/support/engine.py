"""A store opened the way the program opens it: database, settings, searcher; no program."""

import os
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.retrieval.encoder import Encoder, dense_query
from core.retrieval.literal import LiteralMatches, literal_matches
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide, Searcher
from core.settings import EMBED_PREFIX, StoreSettings
from core.settings_layers import resolve_settings, user_config_path
from core.store.database import Database
from core.store.location import locate


@dataclass(frozen=True, slots=True)
class Engine:
    """An open store and the ways to search it."""

    database: Database
    settings: StoreSettings
    searcher: Searcher

    async def by_vector(
        self, text: str, vector: bytes, *, include_retired: bool = False
    ) -> SearchOutcome:
        """Search with a given query vector."""
        side = MeaningSide(DenseQuery(vector))
        return await self.searcher.search(text, side, include_retired=include_retired)

    async def by_encoder(
        self, text: str, encoder: Encoder, *, include_retired: bool = False
    ) -> SearchOutcome:
        """Search with a vector that the encoder makes, prefix and cutting included."""
        dense = dense_query(text, encoder, self.settings.text(EMBED_PREFIX))
        side = MeaningSide(dense)
        return await self.searcher.search(text, side, include_retired=include_retired)

    async def by_words(self, text: str, *, include_retired: bool = False) -> SearchOutcome:
        """Search with the word arm alone."""
        side = MeaningSide(None, "words only")
        return await self.searcher.search(text, side, include_retired=include_retired)

    async def literal(self, text: str, outcome: SearchOutcome | None = None) -> LiteralMatches:
        """Find the text literally outside the pool of `outcome`; the finished report."""
        pool = set() if outcome is None else {h.uuid for h in outcome.hits}
        reports = [r async for r in literal_matches(self.database.browse, text, pool)]
        return reports[-1]


@asynccontextmanager
async def open_engine(
    folder: Path, executor: Executor | None = None
) -> AsyncIterator[Engine]:
    """Open the store of a project folder; close it at the end. Matrix work runs in `executor`."""
    location = locate(folder)
    database = await Database.open(location)
    try:
        settings = resolve_settings(location.config, user_config_path(os.environ))
        yield Engine(database, settings, Searcher(database, settings.retrieval, executor))
    finally:
        await database.close()
