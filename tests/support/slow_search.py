"""Searches that go on until they are interrupted: a statement that never ends runs before them."""

import asyncio
from typing import Any

import pytest

from core.retrieval.outcome import SearchOutcome
from core.retrieval.searcher import MeaningSide, Searcher

_LONG_SQL = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"


class SlowSearches:
    """Hold back the searches for which `texts` has the text; `with_meaning` alone, or all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: set[str] = set()
        self.with_meaning = False
        self.started: list[str] = []
        self.interrupted = asyncio.Event()
        plain = Searcher.search

        async def search(
            searcher: Searcher, text: str, side: MeaningSide, **more: Any
        ) -> SearchOutcome:
            if text in self.texts and (side.dense is not None or not self.with_meaning):
                await self._hang(searcher, text)
            return await plain(searcher, text, side, **more)

        monkeypatch.setattr(Searcher, "search", search)

    async def _hang(self, searcher: Searcher, text: str) -> None:
        self.started.append(text)
        try:
            async with searcher._database.search.snapshot() as connection:
                await connection.rows(_LONG_SQL)
        finally:
            self.interrupted.set()
