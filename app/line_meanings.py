"""The dense side of query lines for stores of several models, each of them loaded on first need."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.meaning import Meaning
from app.query_input import QueryLine
from core.federation.member import ModelKey
from core.federation.searcher import MakeMeaning
from core.retrieval.encoder import Encoder
from core.retrieval.searcher import MeaningSide

_FLOAT_BYTES = 4


@dataclass
class LineMeanings:
    """Make the dense side of one line after another for every model that it is asked for.

    With `several` stores a given vector of another width than a model's leaves that model's stores
    to the words; for one store it is the store's to refuse.
    """

    load: Callable[[str], Encoder]
    lexical_only: bool
    several: bool
    _known: dict[ModelKey, Meaning] = field(default_factory=dict, init=False)

    def of(self, line: QueryLine) -> MakeMeaning:
        """Return what makes the sides of one line."""

        async def side(key: ModelKey) -> MeaningSide:
            found = 0 if line.vector is None else len(line.vector) // _FLOAT_BYTES
            if self.several and not self.lexical_only and found not in (0, key.width):
                reason = (
                    f"the query vector has {found} numbers, the store's vectors have {key.width} "
                    f"({found} ≠ {key.width})"
                )
                return MeaningSide(None, reason)
            return await self._of(key).side(line)

        return side

    def fingerprint(self, key: ModelKey) -> str | None:
        """Return the checksum of a model that has been loaded, None where it was not needed."""
        return self._of(key).fingerprint

    def _of(self, key: ModelKey) -> Meaning:
        if key not in self._known:
            self._known[key] = Meaning(
                key.model, key.width, key.prefix, self.load, lexical_only=self.lexical_only
            )
        return self._known[key]
