"""Where a memory comes from and what the agent has done with it, told from the event log. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.readmodels import EventRow
from core.store.event_log import payload_of

_SURFACE, _FETCH = "surface", "fetch"
_CHANGES = ("amend", "retire")
#: The kinds of events that `injections_of` tells from.
TRACES = (_SURFACE, _FETCH, *_CHANGES)


@dataclass(frozen=True, slots=True)
class Injection:
    """One time the memory was shown to the agent unasked: when, to which session, at which rank.

    `fused_score` is as logged. `fetched_after` and `changed_after` tell whether the same session
    fetched, or amended or retired, the memory later.
    """

    at: str
    session_id: str | None
    rank: int | None
    fused_score: float | None
    fetched_after: bool
    changed_after: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """The memory's own events (newest first, at most the newest 500) and its injections."""

    events: tuple[EventRow, ...]
    injections: tuple[Injection, ...]


def injections_of(events: Sequence[EventRow]) -> tuple[Injection, ...]:
    """Return the times one memory was injected, newest first, from its events newest first.

    A later event counts where it has the same session; an injection without a session has none.
    """
    fetched: set[str] = set()
    changed: set[str] = set()
    found: list[Injection] = []
    for event in events:
        session = event.session_id
        if event.kind == _SURFACE:
            rank, score = _as_logged(event.detail)
            found.append(
                Injection(event.at, session, rank, score, session in fetched, session in changed)
            )
        elif session is not None and event.kind == _FETCH:
            fetched.add(session)
        elif session is not None and event.kind in _CHANGES:
            changed.add(session)
    return tuple(found)


def _as_logged(detail: str | None) -> tuple[int | None, float | None]:
    """Return rank and fused_score of a surface event; None for what is not as it should be."""
    told = payload_of(detail) or {}
    rank, score = told.get("rank"), told.get("fused_score")
    return (
        rank if type(rank) is int and rank >= 1 else None,
        score if isinstance(score, float) else None,
    )
