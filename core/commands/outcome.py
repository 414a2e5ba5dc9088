"""What a change did: the row and its version, the new row, what is near it."""

from dataclasses import dataclass

from core.notices import Notice


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A live memory near a new one; `cosine` of their nearest vectors, `rank` counted from 1."""

    uuid: str
    gist: str
    cosine: float
    rank: int


@dataclass(frozen=True, slots=True)
class Written:
    """A change that was made. `new_uuid` is the new row of a supersession with a new text."""

    uuid: str
    version: int
    new_uuid: str | None = None
    near_duplicates: tuple[NearDuplicate, ...] = ()
    notices: tuple[Notice, ...] = ()
