"""Query vectors with a small cache: the same text is embedded once. Blocks; runs off the loop."""

import threading
from collections import OrderedDict

from core.retrieval.encoder import Encoder, EncoderFacts, dense_query
from core.retrieval.query import DenseQuery

_CACHED_QUERIES = 64


class QueryEmbedder:
    """Embed query texts through one encoder, remembering the last 64."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._cache: OrderedDict[tuple[str, str], DenseQuery] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def facts(self) -> EncoderFacts:
        """Describe the artifact behind the vectors."""
        return self._encoder.facts

    @property
    def counter(self) -> Encoder:
        """Return the encoder for counting tokens; its calls block too."""
        return self._encoder

    def cached(self, text: str, prefix: str) -> DenseQuery | None:
        """Return the query of a text embedded before, or None; never blocks on the model."""
        with self._lock:
            found = self._cache.get((text, prefix))
            if found is not None:
                self._cache.move_to_end((text, prefix))
            return found

    def query(self, text: str, prefix: str) -> DenseQuery:
        """Embed a text, or take it from the cache. Raises GenizahError."""
        found = self.cached(text, prefix)
        if found is None:
            found = dense_query(text, self._encoder, prefix)
            with self._lock:
                self._cache[(text, prefix)] = found
                while len(self._cache) > _CACHED_QUERIES:
                    self._cache.popitem(last=False)
        return found
