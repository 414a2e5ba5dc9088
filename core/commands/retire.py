"""retire and supersede: make a live row inactive, outright or for another row. No index changes."""

from core.commands import audit, ladder
from core.commands.failures import Verb, busy_in_words
from core.commands.gate import Call, Gate
from core.commands.ladder import Claim, Rules
from core.commands.outcome import Written
from core.commands.refusals import Refused
from core.commands.unexpected import vanished
from core.errors import JsonValue
from core.store import memory_rows
from core.store.event_rows import EventKind


def rules_of(call: Call) -> Rules:
    """Return the rules a call climbs the ladder by."""
    return Rules(call.author, call.settings.max_depth, call.reads_as_it_goes)


async def retire_within_transaction(call: Call, claim: Claim) -> Written | Refused:
    """Retire the claimed row, for `claim.by` where there is one; a refusal has written nothing."""
    admitted = await ladder.climb(call.connection, claim, rules_of(call))
    if isinstance(admitted, Refused):
        return admitted
    await audit.read_before(call, claim, admitted)
    if not await memory_rows.make_inactive(
        call.connection, claim.uuid, claim.version, superseded_by=claim.by, at=call.now()
    ):
        raise vanished(call, claim)
    version = claim.version + 1
    await audit.changed(call, claim.uuid, version)
    detail: dict[str, JsonValue] = {
        "from_version": claim.version,
        "to_version": version,
        "superseded_by": claim.by,
    }
    await audit.log(call, EventKind.RETIRE, claim.uuid, detail)
    return Written(claim.uuid, version)


async def retire(gate: Gate, claim: Claim) -> Written | Refused:
    """Retire in a transaction of its own, leaving what a refusal leaves.

    Raises GenizahError, STORE_BUSY among them.
    """
    op_id = gate.new_uuid()
    with busy_in_words(Verb.RETIRE):
        async with gate.writer.transaction() as connection:
            call = gate.call(connection, op_id)
            done = await retire_within_transaction(call, claim)
            if isinstance(done, Refused):
                await audit.refused(call, Verb.RETIRE, claim, done)
            return done


async def supersede(gate: Gate, uuid: str, version: int, by: str) -> Written | Refused:
    """Replace one memory by another that exists; the log calls it a retirement."""
    return await retire(gate, Claim(uuid, version, by))
