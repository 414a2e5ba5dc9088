"""The dense side of a command-line search: a given vector, the loaded model, or the reason why not.

The model is loaded once, on first need, off the event loop.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from app.query_input import QueryLine
from core.errors import ErrorCode, GenizahError
from core.retrieval.embedder import QueryEmbedder
from core.retrieval.encoder import Encoder, fit_query
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from core.retrieval.token_counter import load_token_counter
from core.store.text import well_formed

LEXICAL_ONLY = "only the word search was asked for"
_DEGRADES = (ErrorCode.NO_ARTIFACT, ErrorCode.ARTIFACT_DAMAGED, ErrorCode.ENCODER_FAILED)


def vector_query(text: str, vector: bytes, counter: Encoder | None, prefix: str) -> DenseQuery:
    """Return a dense query with a given vector; token facts where the tokenizer is at hand."""
    if counter is None:
        return DenseQuery(vector)
    safe = well_formed(text)
    kept, tokens = fit_query(safe, counter, prefix)
    return DenseQuery(vector, tokens, text if kept == safe else kept, kept != safe, prefix)


@dataclass
class Meaning:
    """Make the dense side of one query after another for one store."""

    model: str
    width: int
    prefix: str
    load: Callable[[str], Encoder]
    lexical_only: bool = False
    _embedder: QueryEmbedder | None = field(default=None, init=False)
    _missing: str | None = field(default=None, init=False)
    _counter: Encoder | None = field(default=None, init=False)

    @property
    def fingerprint(self) -> str | None:
        """Return the checksum of the model that has been loaded, None where none was needed."""
        return None if self._embedder is None else self._embedder.facts.fingerprint

    async def side(self, line: QueryLine) -> MeaningSide:
        """Return vector or reason. Raises GenizahError where the prefix setting leaves no room."""
        if self.lexical_only:
            return MeaningSide(None, LEXICAL_ONLY)
        if line.vector is not None:
            if self._counter is None:
                self._counter = await asyncio.to_thread(load_token_counter, self.model)
            return MeaningSide(vector_query(line.text, line.vector, self._counter, self.prefix))
        if self._missing is not None:
            return MeaningSide(None, self._missing)
        try:
            return MeaningSide(await asyncio.to_thread(self._embed, line.text))
        except GenizahError as error:
            if error.code not in _DEGRADES:
                raise
            self._missing = error.message
            return MeaningSide(None, error.message)

    def _embed(self, text: str) -> DenseQuery:
        if self._embedder is None:
            encoder = self.load(self.model)
            found = encoder.facts.width
            if found != self.width:
                raise GenizahError(
                    ErrorCode.ENCODER_FAILED,
                    f"the model is {found} wide, the store {self.width} ({found} ≠ {self.width})",
                )
            self._embedder = QueryEmbedder(encoder)
        return self._embedder.query(text, self.prefix)
