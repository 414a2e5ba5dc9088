"""What changed while a person was away: the writes of others since an event, with earlier texts.

The log holds no text: what a memory said before is known where core/appdata/text_history has it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from core.appdata.text_history import TextHistory, TextVersion
from core.readmodels import EventRow, MemoryDetail, MemoryHead
from core.store import event_log, memories
from core.store.connection import Connection
from core.store.our_sessions import OUR_SESSIONS

#: The kinds of events that change a memory.
WRITES = ("remember", "amend", "retire", "merge", "promote", "discard")
SHOWN = 500


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One write: `event.kind` says which. Versions are as logged, None where the log has none.

    `replaced_by` is the uuid that a retirement names; `head` the memory as it is now, None where
    it is missing.
    """

    event: EventRow
    uuid: str
    from_version: int | None
    to_version: int | None
    replaced_by: str | None
    head: MemoryHead | None


@dataclass(frozen=True, slots=True)
class Inbox:
    """The writes of others, newest first, at most 500 of `total`.

    `last_event_id` is to be remembered once they were looked at.
    """

    items: tuple[InboxItem, ...]
    total: int
    last_event_id: int


@dataclass(frozen=True, slots=True)
class BeforeAndNow:
    """The texts around one write: before it where the history has it, and as stored now.

    `is_after` tells that the stored text is the one this write made, not a later one's.
    """

    before: TextVersion | None
    now: MemoryDetail | None
    is_after: bool


async def inbox(connection: Connection, since: int | None) -> Inbox:
    """Read the writes after an event, in the caller's snapshot; ours of any run are left out.

    `since` None is a store never looked at: nothing in it is new.
    """
    last = await event_log.last_event_id(connection)
    if since is None:
        return Inbox((), 0, last)
    events, total = await event_log.events_after(
        connection, since, WRITES, except_sessions=OUR_SESSIONS, limit=SHOWN
    )
    heads = await memories.heads_by_uuid(connection, {e.memory_uuid or "" for e in events})
    return Inbox(tuple(_item(e, heads) for e in events), total, last)


async def before_and_now(
    connection: Connection, history: TextHistory, store_id: str, item: InboxItem
) -> BeforeAndNow:
    """Read the texts around one write."""
    before = None
    if item.from_version is not None:
        before = await history.text_at(store_id, item.uuid, item.from_version)
    now = await memories.detail(connection, item.uuid)
    is_after = now is not None and now.head.version == item.to_version
    return BeforeAndNow(before, now, is_after)


def _item(event: EventRow, heads: Mapping[str, MemoryHead]) -> InboxItem:
    told = _told(event.detail)
    uuid = event.memory_uuid or ""
    by = told.get("superseded_by")
    return InboxItem(
        event=event,
        uuid=uuid,
        from_version=_version(told.get("from_version")),
        to_version=_version(told.get("to_version", told.get("version"))),
        replaced_by=by if isinstance(by, str) else None,
        head=heads.get(uuid),
    )


def _told(detail: str | None) -> Mapping[str, object]:
    try:
        found = json.loads(detail or "")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _version(value: object) -> int | None:
    return value if type(value) is int and value >= 1 else None
