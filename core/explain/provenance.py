"""Where a memory comes from and what the agent has done with it, told from the event log. Pure."""

from dataclasses import dataclass

from core.readmodels import EventRow


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
