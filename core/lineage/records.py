"""What the graph is built from: rows of memories and the events that ended them, as stored.

Reading them is core/store/lineage_rows; what they mean together is core/lineage/forest.
"""

from dataclasses import dataclass
from enum import StrEnum


class Verb(StrEnum):
    """The kinds of event that can end a memory, with or without a replacement."""

    RETIRE = "retire"
    MERGE = "merge"
    PROMOTE = "promote"
    DISCARD = "discard"


class Role(StrEnum):
    """What a memory was in a merge or a promotion; ABSORBED ones were replaced by the others."""

    TARGET = "target"
    CREATED = "created"
    ABSORBED = "absorbed"
    FLIPPED = "flipped"


@dataclass(frozen=True, slots=True)
class LineageRow:
    """One memory without its content; times and texts as stored."""

    uuid: str
    active: bool
    superseded_by: str | None
    tier: str
    created_at: str
    gist: str
    version: int | None
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class EndEvent:
    """One retire, merge, promote or discard event, filed under `uuid`.

    `role` is None where the event has none that is known; `target` only a retirement names, None
    where it was outright. Events of one operation share `op_id`.
    """

    id: int
    at: str
    session_id: str | None
    op_id: str
    verb: Verb
    uuid: str
    role: Role | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class StoreLineage:
    """All that one store says of its lineage; `moved` where it was written while being read."""

    rows: tuple[LineageRow, ...]
    events: tuple[EndEvent, ...] = ()
    moved: bool = False
