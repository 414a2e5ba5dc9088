"""What an export holds, whatever the form: stores, whole memories in the order of a list."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from core.documents.search_document import StoreLine
from core.notices import Notice
from core.readmodels import MemoryDetail


class ExportFormat(StrEnum):
    """The forms; the value is what follows --format and the file's ending."""

    JSON = "json"
    CSV = "csv"
    MARKDOWN = "md"

    @classmethod
    def of_file(cls, path: PurePath) -> "ExportFormat":
        """Return the form that a file's ending says, JSON where it says none."""
        ending = path.suffix.removeprefix(".").lower()
        return cls(ending) if ending in set(cls) else cls.JSON


@dataclass(frozen=True, slots=True)
class ExportedMemory:
    """One memory: the place of its store in the list; its position in a search (from 1) and the
    number of the group of stores in which that counts, both None where the list is no search's."""

    store: int
    detail: MemoryDetail
    position: int | None = None
    group: int | None = None


@dataclass(frozen=True, slots=True)
class ExportedQuery:
    """The search that gave the list."""

    text: str
    include_retired: bool


@dataclass(frozen=True, slots=True)
class Export:
    """Everything to be written; `query` is None where the list is no search's."""

    stores: tuple[StoreLine, ...]
    memories: tuple[ExportedMemory, ...]
    query: ExportedQuery | None = None
    notices: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if any(not 0 <= m.store < len(self.stores) for m in self.memories):
            raise ValueError("every memory names one of the stores")
