"""Which rows a search may return; the only place that writes a WHERE about row state."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.readmodels import State
from core.store.conditions import Condition
from core.store.connection import SqlValue

#: The rows of each state, over alias `m`.
STATE_CONDITIONS: Mapping[State, Condition] = MappingProxyType(
    {
        State.LIVE: Condition("(m.active = 1)"),
        State.SUPERSEDED: Condition("(m.active <> 1 AND m.superseded_by IS NOT NULL)"),
        State.RETIRED: Condition("(m.active <> 1 AND m.superseded_by IS NULL)"),
    }
)


class Consumer(StrEnum):
    """Who asks: the agent's search, or a search by a memory of the store itself."""

    SEARCH = "search"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the person's filters leave, and how it is said in words.

    `asks_for_retired` where a filter names rows that the agent's search leaves out: they are let
    in then, or the filter could never match. A search by a memory looks for live ones all the same.
    """

    condition: Condition
    description: str
    asks_for_retired: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may return. `exclude_uuid` belongs to SIMILAR and is required there.

    A narrowed search is the person's own: its list is not the agent's.
    """

    consumer: Consumer = Consumer.SEARCH
    include_retired: bool = False
    exclude_uuid: str | None = None
    narrowed: Narrowing | None = None

    def __post_init__(self) -> None:
        if (self.consumer is Consumer.SIMILAR) != (self.exclude_uuid is not None):
            raise ValueError("a search by a memory excludes that memory, and only that search does")

    @property
    def is_filtered(self) -> bool:
        """Tell whether filters of the person's narrow the search."""
        return self.narrowed is not None

    @property
    def lets_retired_in(self) -> bool:
        """Tell whether retired rows may be returned: the person's switch, or a filter by name."""
        asked = self.narrowed is not None and self.narrowed.asks_for_retired
        return self.consumer is Consumer.SEARCH and (self.include_retired or asked)

    @property
    def by_state(self) -> Condition:
        """Return the condition about the rows' state alone."""
        if self.exclude_uuid is not None:
            return Condition("(m.active = 1 AND m.uuid <> ?)", (self.exclude_uuid,))
        if self.lets_retired_in:
            return Condition("1")
        return Condition("(m.active = 1 OR m.superseded_by IS NOT NULL)")

    @property
    def clause(self) -> str:
        """Return the SQL condition over alias `m`; its parameters are `parameters`."""
        if self.narrowed is None:
            return self.by_state.clause
        return f"({self.by_state.clause} AND {self.narrowed.condition.clause})"

    @property
    def parameters(self) -> tuple[SqlValue, ...]:
        """Return the parameters of the clause, in order."""
        if self.narrowed is None:
            return self.by_state.parameters
        return (*self.by_state.parameters, *self.narrowed.condition.parameters)
