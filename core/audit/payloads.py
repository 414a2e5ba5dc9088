"""What the details of surface events say; every field is checked, none is trusted. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.readmodels import EventRow
from core.store.event_log import payload_of


class Kind(StrEnum):
    """The kinds of event that a replay is made of."""

    SURFACE_CALL = "surface_call"
    SURFACE = "surface"
    FETCH = "fetch"
    SEARCH = "search"
    REMEMBER = "remember"
    AMEND = "amend"
    RETIRE = "retire"
    MERGE = "merge"
    PROMOTE = "promote"
    DISCARD = "discard"


class Demotion(StrEnum):
    """Why a memory was ranked lower when it was shown."""

    SUPERSEDED = "superseded"
    RETIRED = "retired"


_DEMOTIONS: Mapping[str, Demotion] = MappingProxyType({one.value: one for one in Demotion})


@dataclass(frozen=True, slots=True)
class Shown:
    """One memory as it was injected: its rank from 1, score and demotion as logged.

    None is what the log does not say; with `is_readable` false its payload was no such payload.
    """

    event_id: int
    uuid: str
    rank: int | None
    score: float | None
    demotion: Demotion | None
    is_demoted: bool
    is_readable: bool


def shown_of(event: EventRow) -> Shown:
    """Read a surface event."""
    told = payload_of(event.detail)
    fields = told or {}
    rank, score = whole(fields, "rank"), _number(fields.get("fused_score"))
    demoted, demotion = fields.get("demoted"), fields.get("demotion")
    why = _DEMOTIONS.get(demotion) if isinstance(demotion, str) else None
    known = demotion is None or why is not None
    is_rank = rank is not None and rank >= 1
    return Shown(
        event_id=event.id,
        uuid=event.memory_uuid or "",
        rank=rank if is_rank else None,
        score=score,
        demotion=why,
        is_demoted=demoted is True or (known and demotion is not None),
        is_readable=is_rank and score is not None and known and isinstance(demoted, bool),
    )


def whole(fields: Mapping[str, object], key: str) -> int | None:
    """Return a whole number of at least 0, None for anything else."""
    value = fields.get(key)
    return value if type(value) is int and value >= 0 else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
