"""The models of all open stores: each loaded once, kept, and asked for query vectors by store.

The model of the store in front is the model controller's; the others are loaded here after it,
in the same worker, and searches go by words alone where theirs is still to come.
"""

import asyncio
from collections.abc import Callable, Iterable

from app.tasks import TaskSet
from app.worker import Worker
from core.errors import ErrorCode, GenizahError
from core.federation.member import ModelKey
from core.retrieval.embedder import QueryEmbedder
from core.retrieval.encoder import Encoder
from core.retrieval.searcher import MeaningSide

LOADING = "its model is loading"


class ModelShelf:
    """Keep embedders by the name of their model; load those that are wanted."""

    def __init__(self, load: Callable[[str], Encoder], tasks: TaskSet, worker: Worker) -> None:
        self._load = load
        self._tasks = tasks
        self._worker = worker
        self._ready: dict[str, QueryEmbedder] = {}
        self._failed: dict[str, str] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.changed: Callable[[], None] = lambda: None
        """Called when a model is there, or known to be missing."""

    def embedder(self, model: str, width: int) -> QueryEmbedder | None:
        """Return a model that is loaded and makes vectors of this width."""
        found = self._ready.get(model)
        return found if found is not None and found.facts.width == width else None

    def keep(self, model: str, embedder: QueryEmbedder) -> None:
        """Keep a model that was loaded elsewhere."""
        self._ready[model] = embedder
        self._failed.pop(model, None)

    def want(self, models: Iterable[str]) -> None:
        """Load these models unless they are there; what was missing is looked for again."""
        for model in dict.fromkeys(models):
            if model not in self._ready and model not in self._loading:
                self._failed.pop(model, None)
                task = self._tasks.spawn(self._run(model), name="another model load")
                self._loading[model] = task

    def is_loading(self, model: str) -> bool:
        """Tell whether a model is on its way."""
        return model in self._loading

    def reason(self, key: ModelKey) -> str:
        """Say why there is no vector of a model: it is loading, missing, or of another width."""
        found = self._ready.get(key.model)
        if found is not None and found.facts.width != key.width:
            width = found.facts.width
            return f"the model is {width} wide, the store {key.width} ({width} ≠ {key.width})."
        return self._failed.get(key.model, LOADING)

    async def _run(self, model: str) -> None:
        try:
            self.keep(model, QueryEmbedder(await self._worker.run(self._load, model)))
        except GenizahError as error:
            self._failed[model] = error.message
        finally:
            self._loading.pop(model, None)
        self.changed()

    async def side(self, key: ModelKey, text: str) -> MeaningSide:
        """Embed a text by a model, or say why not.

        Raises GenizahError for a prefix that leaves no room.
        """
        embedder = self.embedder(key.model, key.width)
        if embedder is None:
            return MeaningSide(None, self.reason(key))
        try:
            return MeaningSide(await self._worker.run(embedder.query, text, key.prefix))
        except GenizahError as error:
            if error.code is not ErrorCode.ENCODER_FAILED:
                raise
            return MeaningSide(None, error.message)
