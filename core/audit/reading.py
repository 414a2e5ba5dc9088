"""Audits over the open stores: each list is read store by store and joined, with its place."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from core.audit.demoted import DemotedShown, demoted_in_prompts, shown_above
from core.audit.replay import REPLAY_KINDS, Replay, replay_of
from core.audit.timeline import BinSize, Timeline, timeline_of
from core.audit.uses import USE_KINDS, MemoryUse, uses_of
from core.store import audit_rows, timeline_rows
from core.store.audit_rows import ChangedAfterRow, InjectedRow, SessionRow
from core.store.connection import Connection
from core.store.database import Reader
from core.store.timeline_rows import Span

ALL_TIME = Span()
OFTEN = 3
"""How many injections without a fetch are called often, unless another number is given."""


@dataclass(frozen=True, slots=True)
class Of[T]:
    """A row and the place of its store in the list of readers."""

    store: int
    row: T


async def session_list(readers: Sequence[Reader]) -> list[Of[SessionRow]]:
    """Return the sessions of all stores, the one with the latest event first."""
    found = await _joined(readers, audit_rows.sessions)
    return sorted(found, key=lambda of: of.row.last_at, reverse=True)


async def session_replay(reader: Reader, session_id: str) -> Replay:
    """Play one session of one store again."""
    async with reader.snapshot() as connection:
        events = await audit_rows.events_of_session(connection, session_id, REPLAY_KINDS)
    return replay_of(events)


async def often_ignored(readers: Sequence[Reader], at_least: int = OFTEN) -> list[Of[InjectedRow]]:
    """Return the memories injected often and never fetched, most often first."""
    found = await _joined(readers, lambda c: audit_rows.injected_never_fetched(c, at_least))
    return sorted(found, key=lambda of: of.row.injected, reverse=True)


async def misleading(readers: Sequence[Reader]) -> list[Of[ChangedAfterRow]]:
    """Return what was amended or retired by a session that was shown it, the latest first."""
    found = await _joined(readers, audit_rows.changed_after_injection)
    return sorted(found, key=lambda of: of.row.changed_at, reverse=True)


async def never_injected(readers: Sequence[Reader]) -> list[Of[int]]:
    """Return the rowids of live memories that no prompt was ever shown; store by store, oldest
    first."""
    return await _joined(readers, audit_rows.never_injected)


async def above_replacement(reader: Reader) -> DemotedShown:
    """Return the superseded memories of one store shown above what replaced them."""
    async with reader.snapshot() as connection:
        events = await audit_rows.maybe_superseded(connection)
        demoted, unreadable = demoted_in_prompts(events)
        uuids = list(dict.fromkeys(one.shown.uuid for one in demoted))
        after = await audit_rows.replacements(connection, uuids)
        prompts = list(dict.fromkeys(d.event.op_id for d in demoted if d.shown.uuid in after))
        beside = await audit_rows.shown_beside(connection, prompts, list({*after.values()}))
    return DemotedShown(shown_above(demoted, beside, after), unreadable)


async def uses(reader: Reader, uuids: Sequence[str]) -> tuple[MemoryUse, ...]:
    """Return what became of some memories whenever they were injected."""
    async with reader.snapshot() as connection:
        events = await audit_rows.traces(connection, uuids, USE_KINDS)
    return uses_of(uuids, events)


async def memory_timeline(
    readers: Sequence[Reader], span: Span = ALL_TIME, size: BinSize | None = None
) -> Timeline:
    """Return when the memories of all stores were created, by state."""
    hours = await _joined(readers, lambda c: timeline_rows.memories_by_hour(c, span))
    return timeline_of((of.row for of in hours), size)


async def event_timeline(
    readers: Sequence[Reader],
    span: Span = ALL_TIME,
    size: BinSize | None = None,
    *,
    kinds: Sequence[str] | None = None,
) -> Timeline:
    """Return when the events of all stores were written, of some kinds or all, by kind."""
    hours = await _joined(readers, lambda c: timeline_rows.events_by_hour(c, span, kinds))
    return timeline_of((of.row for of in hours), size)


async def _joined[T](
    readers: Sequence[Reader], read: Callable[[Connection], Awaitable[list[T]]]
) -> list[Of[T]]:
    found: list[Of[T]] = []
    for place, reader in enumerate(readers):
        async with reader.snapshot() as connection:
            found += [Of(place, row) for row in await read(connection)]
    return found
