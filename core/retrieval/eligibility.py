"""Which rows a search may return; the only place that writes a WHERE about row state."""

from dataclasses import dataclass
from enum import StrEnum

from core.store.connection import SqlValue


class Consumer(StrEnum):
    """Who asks: the agent's search, or a search by a memory of the store itself."""

    SEARCH = "search"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may return. `exclude_uuid` belongs to SIMILAR and is required there."""

    consumer: Consumer = Consumer.SEARCH
    include_retired: bool = False
    exclude_uuid: str | None = None

    def __post_init__(self) -> None:
        if (self.consumer is Consumer.SIMILAR) != (self.exclude_uuid is not None):
            raise ValueError("a search by a memory excludes that memory, and only that search does")

    @property
    def clause(self) -> str:
        """Return the SQL condition over alias `m`, with one parameter where one is needed."""
        if self.consumer is Consumer.SIMILAR:
            return "(m.active = 1 AND m.uuid <> ?)"
        if self.include_retired:
            return "1"
        return "(m.active = 1 OR m.superseded_by IS NOT NULL)"

    @property
    def parameters(self) -> tuple[SqlValue, ...]:
        """Return the parameters of the clause, in order."""
        return () if self.exclude_uuid is None else (self.exclude_uuid,)
