"""Superseded memories that a prompt was shown above what replaced them, or without it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.audit.payloads import Demotion, Shown, shown_of
from core.readmodels import EventRow


@dataclass(frozen=True, slots=True)
class ShownAbove:
    """A memory logged as superseded, at `rank`, and the nearest replacement of it that the prompt
    was shown lower, at `by_rank`; both None where it was shown none of them."""

    at: str
    session_id: str | None
    op_id: str
    uuid: str
    rank: int
    by: str | None
    by_rank: int | None


@dataclass(frozen=True, slots=True)
class DemotedShown:
    """What was found, the latest prompt first, and how many payloads could not be read."""

    found: tuple[ShownAbove, ...]
    unreadable: int


@dataclass(frozen=True, slots=True)
class DemotedInPrompt:
    """A memory as a prompt was shown it, logged as superseded."""

    event: EventRow
    shown: Shown


def demoted_in_prompts(events: Iterable[EventRow]) -> tuple[tuple[DemotedInPrompt, ...], int]:
    """Return those of some surface events that say superseded and a rank, and how many payloads
    could not be read."""
    found: list[DemotedInPrompt] = []
    unreadable = 0
    for event in events:
        shown = shown_of(event)
        unreadable += not shown.is_readable
        if shown.demotion is Demotion.SUPERSEDED and shown.rank is not None:
            found.append(DemotedInPrompt(event, shown))
    return tuple(found), unreadable


def shown_above(
    demoted: Iterable[DemotedInPrompt],
    beside: Iterable[EventRow],
    replaced_by: Mapping[str, str],
) -> tuple[ShownAbove, ...]:
    """Return those with no replacement above them, the latest prompt first.

    `beside` are the surface events of replacements in these prompts, `replaced_by` is the lineage
    as it is now.
    """
    ranks: dict[tuple[str, str], int] = {}
    for event in beside:
        rank = shown_of(event).rank
        if rank is not None:
            ranks[event.op_id, event.memory_uuid or ""] = rank
    found: list[ShownAbove] = []
    for one in demoted:
        above = _judged(one, ranks, replaced_by)
        if above is not None:
            found.append(above)
    return tuple(sorted(found, key=lambda a: (a.at, a.op_id, -a.rank), reverse=True))


def _judged(
    one: DemotedInPrompt, ranks: Mapping[tuple[str, str], int], replaced_by: Mapping[str, str]
) -> ShownAbove | None:
    event, uuid, rank = one.event, one.shown.uuid, one.shown.rank
    assert rank is not None, "only those with a rank are judged"
    op = event.op_id
    by: str | None = None
    if uuid in replaced_by:
        after = [one for one in _after(uuid, replaced_by) if (op, one) in ranks]
        if any(ranks[op, one] < rank for one in after):
            return None
        by = after[0] if after else None
    by_rank = None if by is None else ranks[op, by]
    return ShownAbove(event.at, event.session_id, op, uuid, rank, by, by_rank)


def _after(uuid: str, replaced_by: Mapping[str, str]) -> list[str]:
    found: dict[str, None] = {}
    at = replaced_by.get(uuid)
    while at is not None and at != uuid and at not in found:
        found[at] = None
        at = replaced_by.get(at)
    return list(found)
