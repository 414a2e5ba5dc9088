"""What changes and two of the refusals leave behind: receipts and events, in their order."""

from collections.abc import Mapping

from core.commands import ladder
from core.commands.failures import Verb
from core.commands.gate import Call
from core.commands.ladder import Admitted, Claim
from core.commands.refusals import Refused
from core.errors import ErrorCode, JsonValue
from core.store import event_rows, receipts
from core.store.event_rows import EventKind
from core.store.receipts import ReceiptSource


async def log(call: Call, kind: EventKind, uuid: str, detail: Mapping[str, JsonValue]) -> None:
    """Append an event of this call."""
    await event_rows.write(
        call.connection, call.author, call.op_id, kind, uuid, detail, at=call.now()
    )


async def receive(call: Call, uuid: str, version: int, source: ReceiptSource) -> None:
    """Write or refresh this author's receipt."""
    at = call.now()
    await receipts.write(call.connection, call.author, uuid, version, source=source, at=at)


async def read_before(call: Call, claim: Claim, admitted: Admitted) -> None:
    """Write down that the version was read, as a fetch would have, where nothing says so yet.

    The person had exactly this version on the screen. A fetch has an op_id of its own.
    """
    if admitted.has_receipt or not call.reads_as_it_goes:
        return
    at = call.now()
    source = ReceiptSource.FETCH
    await receipts.write(
        call.connection, call.author, claim.uuid, claim.version, source=source, at=at
    )
    detail: dict[str, JsonValue] = {"version": claim.version, "found": True}
    fetched, kind = call.new_uuid(), EventKind.FETCH
    await event_rows.write(
        call.connection, call.author, fetched, kind, claim.uuid, detail, at=call.now()
    )


async def changed(call: Call, uuid: str, version: int) -> None:
    """License the author to change its own new version, and nobody else."""
    await receive(call, uuid, version, ReceiptSource.OWN_WRITE)
    await receipts.keep_only(call.connection, call.author, uuid, version)


async def refused(call: Call, verb: Verb, claim: Claim, refusal: Refused) -> None:
    """Write the rows a refusal leaves: a conflict its receipt and event, a missing receipt its
    event, all others nothing.

    The row is read again: a batch that was rolled back may have shown another version.
    """
    detail = await ladder.stored(call.connection, claim.uuid)
    version = None if detail is None else detail.head.version
    if refusal.code is ErrorCode.VERSION_CONFLICT and version not in (None, claim.version):
        assert version is not None
        await receive(call, claim.uuid, version, ReceiptSource.CONFLICT)
        told: dict[str, JsonValue] = {
            "verb": verb.value,
            "expected_version": claim.version,
            "actual_version": version,
        }
        await log(call, EventKind.VERSION_CONFLICT, claim.uuid, told)
    elif refusal.code is ErrorCode.NO_READ_RECEIPT and version == claim.version:
        shown: dict[str, JsonValue] = {
            "verb": verb.value,
            "version_presented": claim.version,
        }
        await log(call, EventKind.NO_RECEIPT, claim.uuid, shown)
