"""The dense side of a search over one store or several: a query vector for each of their models."""

from collections.abc import Iterable, Mapping

from app.model_controller import SWITCHED_OFF, ModelController
from core.federation.member import ModelKey
from core.retrieval.searcher import MeaningSide


class Meanings:
    """Ask the model of the store in front for its own, and the shelf for the others."""

    def __init__(self, model: ModelController) -> None:
        self._model = model

    def known(self, text: str, keys: Iterable[ModelKey]) -> dict[ModelKey, MeaningSide] | None:
        """Return what is known at once of every key; None where a vector is still to be made."""
        found: dict[ModelKey, MeaningSide] = {}
        for key in keys:
            side = self._known(text, key)
            if side is None:
                return None
            found[key] = side
        return found

    def _known(self, text: str, key: ModelKey) -> MeaningSide | None:
        model = self._model
        is_main = model.serves(key.model, key.width)
        embedder = model.embedder if is_main else model.shelf.embedder(key.model, key.width)
        if embedder is not None and (is_main or model.is_allowed):
            vector = embedder.cached(text, key.prefix)
            return None if vector is None else MeaningSide(vector)
        if is_main and model.may_come:
            return None
        return self.without(key)

    def without(self, key: ModelKey) -> MeaningSide:
        """Return that there is no vector, with the reason as it is now."""
        model = self._model
        if model.serves(key.model, key.width):
            return MeaningSide(None, model.reason)
        if not model.is_allowed:
            return MeaningSide(None, SWITCHED_OFF)
        return MeaningSide(None, model.shelf.reason(key))

    async def sides(self, text: str, keys: Iterable[ModelKey]) -> Mapping[ModelKey, MeaningSide]:
        """Embed a text by each model, once; wait only for that of the store in front.

        Raises GenizahError for a prefix that leaves no room.
        """
        await self._model.settled()
        return {key: await self._side(text, key) for key in keys}

    async def _side(self, text: str, key: ModelKey) -> MeaningSide:
        model = self._model
        if model.serves(key.model, key.width):
            return await model.side(text, key.prefix)
        return await model.shelf.side(key, text) if model.is_allowed else self.without(key)
