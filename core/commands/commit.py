"""Committing a person's changes to one store: all of them, or none and the first refusal.

The version that was on the screen counts as read: a fetch is written with each change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.commands import audit
from core.commands.amend import amend_within_transaction, prepared
from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
    claim_of,
    text_of,
)
from core.commands.failures import Verb, busy_in_words
from core.commands.gate import Gate
from core.commands.ladder import Claim
from core.commands.outcome import Written
from core.commands.preparation import Prepared
from core.commands.refusals import Refused
from core.commands.remember import remember_within_transaction
from core.commands.retire import retire_within_transaction
from core.store.connection import Connection
from core.store.transactions import savepoint


@dataclass(frozen=True, slots=True)
class Committed:
    """What each change did, in the order they were given."""

    written: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class BatchRefused:
    """The first change that was refused, and why; nothing of the batch was written."""

    index: int
    refused: Refused


async def commit_batch(gate: Gate, changes: Sequence[Change]) -> Committed | BatchRefused:
    """Write all changes in one transaction, or none.

    Texts are made ready before it, so nothing is embedded while the lock is held. The first
    refusal rolls the batch back; then only that refusal's own receipt and events are written.
    Raises GenizahError, and then nothing was written: STORE_BUSY, NO_ARTIFACT, INDEX_FAILED ...
    """
    texts: list[Prepared | None] = []
    for index, change in enumerate(changes):
        text = await _text(gate, change)
        if isinstance(text, Refused):
            return BatchRefused(index, text)
        texts.append(text)
    with busy_in_words(_verb(changes[0]) if len(changes) == 1 else Verb.COMMIT):
        async with gate.writer.transaction() as connection:
            return await _commit_within_transaction(gate, connection, changes, texts)


def _verb(change: Change) -> Verb:
    """Return what the log calls the change of a stored row."""
    match change:
        case Remember():
            return Verb.REMEMBER
        case Amend():
            return Verb.AMEND
        case _:
            return Verb.RETIRE


async def _text(gate: Gate, change: Change) -> Prepared | Refused | None:
    texts = text_of(change)
    return None if texts is None else await prepared(gate, *texts)


async def _commit_within_transaction(
    gate: Gate, connection: Connection, changes: Sequence[Change], texts: Sequence[Prepared | None]
) -> Committed | BatchRefused:
    written: list[Written] = []
    failed: BatchRefused | None = None
    async with savepoint(connection) as start:
        for index, (change, text) in enumerate(zip(changes, texts, strict=True)):
            done = await _apply(gate, connection, change, text)
            if isinstance(done, Refused):
                await start.undo()
                failed = BatchRefused(index, done)
                break
            written.append(done)
    if failed is None:
        return Committed(tuple(written))
    await _leave_audit(gate, connection, changes[failed.index], failed.refused)
    return failed


async def _apply(
    gate: Gate, connection: Connection, change: Change, text: Prepared | None
) -> Written | Refused:
    call = gate.call(connection, reads_as_it_goes=True)
    match change, text:
        case Retire(uuid, version), None:
            return await retire_within_transaction(call, Claim(uuid, version))
        case Supersede(uuid, version, by), None:
            return await retire_within_transaction(call, Claim(uuid, version, by))
        case Amend(uuid, version), Prepared():
            return await amend_within_transaction(call, Claim(uuid, version), text)
        case Remember(), Prepared():
            return await remember_within_transaction(call, text)
        case SupersedeWithText(uuid, version), Prepared():
            new = await remember_within_transaction(call, text)
            old = gate.call(connection, reads_as_it_goes=True)
            done = await retire_within_transaction(old, Claim(uuid, version, new.uuid))
            if isinstance(done, Refused):
                return done
            return replace(
                done,
                new_uuid=new.uuid,
                near_duplicates=new.near_duplicates,
                notices=new.notices,
            )
        case _:
            raise TypeError(f"a change without its text: {change!r}")


async def _leave_audit(
    gate: Gate, connection: Connection, change: Change, refused: Refused
) -> None:
    claim = claim_of(change)
    if claim is None:
        return
    await audit.refused(gate.call(connection), _verb(change), claim, refused)


async def supersede_with_text(
    gate: Gate, uuid: str, version: int, gist: str, content: str
) -> Written | Refused:
    """Write a new memory and replace an old one by it: the everyday "this fact changed"."""
    return await commit_one(gate, SupersedeWithText(uuid, version, gist, content))


async def commit_one(gate: Gate, change: Change) -> Written | Refused:
    """Commit a single change. Raises as `commit_batch` does."""
    done = await commit_batch(gate, [change])
    return done.refused if isinstance(done, BatchRefused) else done.written[0]
