"""What became of memories whenever they were injected, over all sessions. Pure.

A fetch or a change counts as after an injection where the same session was shown the memory before.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from core.audit.payloads import Kind, shown_of
from core.readmodels import EventRow
from core.store.our_sessions import is_ours

#: The kinds of events that `uses_of` is told from.
USE_KINDS: tuple[str, ...] = (Kind.SURFACE, Kind.FETCH, Kind.AMEND, Kind.RETIRE)


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How often a memory was injected and at which ranks (rank to times, None: not said); how
    often agents fetched it at all, and fetched, amended or retired after an injection."""

    uuid: str
    injected: int
    ranks: Mapping[int | None, int]
    fetched: int
    fetched_after: int
    amended_after: int
    retired_after: int
    unreadable: int


@dataclass(slots=True)
class _Tally:
    shown_to: set[str] = field(default_factory=set)
    ranks: Counter[int | None] = field(default_factory=Counter)
    all_times: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0


def uses_of(uuids: Iterable[str], events: Iterable[EventRow]) -> tuple[MemoryUse, ...]:
    """Tally events of the kinds USE_KINDS, in the order of writing, for some memories."""
    tallies = {uuid: _Tally() for uuid in uuids}
    for event in events:
        tally = tallies.get(event.memory_uuid or "")
        if tally is None:
            continue
        session = event.session_id
        if event.kind == Kind.SURFACE:
            shown = shown_of(event)
            tally.ranks[shown.rank] += 1
            tally.unreadable += not shown.is_readable
            if session is not None:
                tally.shown_to.add(session)
            continue
        tally.all_times[event.kind] += event.kind != Kind.FETCH or not is_ours(session)
        if session in tally.shown_to:
            tally.after[event.kind] += 1
    return tuple(_use(uuid, tally) for uuid, tally in tallies.items())


def _use(uuid: str, tally: _Tally) -> MemoryUse:
    ordered = sorted(tally.ranks.items(), key=lambda item: (item[0] is None, item[0] or 0))
    return MemoryUse(
        uuid=uuid,
        injected=tally.ranks.total(),
        ranks=MappingProxyType(dict(ordered)),
        fetched=tally.all_times[Kind.FETCH],
        fetched_after=tally.after[Kind.FETCH],
        amended_after=tally.after[Kind.AMEND],
        retired_after=tally.after[Kind.RETIRE],
        unreadable=tally.unreadable,
    )
