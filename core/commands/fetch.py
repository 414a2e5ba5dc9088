"""fetch: read memories in full, which licenses this session to change those versions.

Looking at a memory in the window is not this: it writes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.commands import audit, ladder, supersession
from core.commands.failures import Verb, busy_in_words
from core.commands.gate import Call, Gate
from core.commands.refusals import Refused, StoredMemory
from core.errors import JsonValue
from core.store.event_rows import EventKind
from core.store.receipts import ReceiptSource
from core.store.text import is_damaged
from core.store.transactions import savepoint


@dataclass(frozen=True, slots=True)
class Fetched:
    """The memories found, in the order asked for, and the uuids that name none."""

    records: tuple[StoredMemory, ...]
    missing: tuple[str, ...]


async def fetch_within_transaction(call: Call, uuids: Sequence[str]) -> Fetched | Refused:
    """Fetch each distinct uuid in the order of its first occurrence: receipt, then event.

    A refusal may have written rows; the caller rolls them back.
    """
    records: list[StoredMemory] = []
    missing: list[str] = []
    for uuid in dict.fromkeys(uuids):
        found = await _one(call, uuid)
        if isinstance(found, Refused):
            return found
        if found is None:
            missing.append(uuid)
        else:
            records.append(found)
    return Fetched(tuple(records), tuple(missing))


async def _one(call: Call, uuid: str) -> StoredMemory | Refused | None:
    detail = await ladder.stored(call.connection, uuid)
    if detail is None:
        nothing: dict[str, JsonValue] = {"version": None, "found": False}
        if not is_damaged(uuid):
            await audit.log(call, EventKind.FETCH, uuid, nothing)
        return None
    end = await supersession.latest(call.connection, detail.head, call.settings.max_depth)
    if isinstance(end, Refused):
        return end
    version = detail.head.version
    if version is not None:
        await audit.receive(call, uuid, version, ReceiptSource.FETCH)
    await audit.log(call, EventKind.FETCH, uuid, {"version": version, "found": True})
    return StoredMemory(detail, end)


async def fetch(gate: Gate, uuids: Sequence[str]) -> Fetched | Refused:
    """Fetch in a transaction of its own. Raises GenizahError, STORE_BUSY among them."""
    op_id = gate.new_uuid()
    with busy_in_words(Verb.FETCH):
        async with gate.writer.transaction() as connection, savepoint(connection) as start:
            found = await fetch_within_transaction(gate.call(connection, op_id), uuids)
            if isinstance(found, Refused):
                await start.undo()
            return found
