"""What a search over several stores found: every store's line, and a list for each group."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import GenizahError
from core.notices import Notice
from core.retrieval.outcome import SearchOutcome


class Searched(StrEnum):
    """How a store was searched, or that it was not."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    FAILED = "failed"
    COPY_OF = "copy_of"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """One store of the search, in the order in which they were opened.

    Numbers and ids are None where the store was not read; `reason` says in words why it was
    not searched, or by words only. `error` is what failed. `copy_of` is the index of the store
    that stands for an equal copy.
    """

    path: str
    name: str
    store_id: str | None
    schema_version: int | None
    memories: int | None
    chunks: int | None
    embed_model: str | None
    searched: Searched
    reason: str | None = None
    error: GenizahError | None = None
    copy_of: int | None = None

    def __post_init__(self) -> None:
        if (self.searched is Searched.FAILED) != (self.error is not None):
            raise ValueError("a store that failed has an error, another has none")
        if (self.searched is Searched.COPY_OF) != (self.copy_of is not None):
            raise ValueError("a copy names the store that stands for it")


@dataclass(frozen=True, slots=True)
class Group:
    """Stores that were searched as one: one list with ranks of its own.

    `stores` are indexes of statuses, in order. `reason` says in words why the group is shown apart
    from the first one; None for the first. `outcome.union` is None where the group is one store.
    """

    stores: tuple[int, ...]
    reason: str | None
    outcome: SearchOutcome

    def store_of(self, uuid: str) -> int:
        """Return the index of the store that a hit of this group comes from."""
        union = self.outcome.union
        return self.stores[0 if union is None else union.home[uuid]]


@dataclass(frozen=True, slots=True)
class FederatedOutcome:
    """A whole search: the lists of the groups, never merged with each other.

    `incomplete`: a store failed, or an arm that was asked for did not run or stopped at its cap.
    """

    stores: tuple[StoreStatus, ...]
    groups: tuple[Group, ...]
    notices: tuple[Notice, ...]
    incomplete: bool

    @property
    def first(self) -> Group:
        """Return the first group: that of the store named first that could be searched."""
        return self.groups[0]
