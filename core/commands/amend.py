"""amend: put a new text into a live row, with new chunks and vectors; the same text is no less."""

from core.commands import audit, ladder
from core.commands.failures import Verb, busy_in_words, writing_indexes
from core.commands.gate import Call, Gate
from core.commands.ladder import Admitted, Claim
from core.commands.outcome import Written
from core.commands.preparation import Prepared, check_texts, prepare
from core.commands.refusals import Refused
from core.commands.retire import rules_of
from core.commands.unexpected import vanished
from core.errors import JsonValue
from core.store import chunk_rows, memory_rows, word_index
from core.store.event_rows import EventKind


async def amend_within_transaction(
    call: Call, claim: Claim, text: Prepared
) -> Written | Refused:
    """Rewrite the claimed row with a prepared text; a refusal has written nothing."""
    admitted = await ladder.climb(call.connection, claim, rules_of(call))
    if isinstance(admitted, Refused):
        return admitted
    with writing_indexes():
        return await _rewrite(call, claim, admitted, text)


async def _rewrite(call: Call, claim: Claim, admitted: Admitted, text: Prepared) -> Written:
    connection, uuid, meta = call.connection, claim.uuid, call.meta
    await audit.read_before(call, claim, admitted)
    await word_index.remove(connection, uuid)
    if not await memory_rows.rewrite(
        connection,
        uuid,
        claim.version,
        gist=text.gist,
        content=text.content,
        token_count=text.token_count,
        at=call.now(),
    ):
        raise vanished(call, claim)
    await word_index.add(connection, uuid)
    await chunk_rows.remove(connection, uuid)
    await chunk_rows.add(
        connection, uuid, text.chunks, model=meta.embed_model, width=meta.embed_dim
    )
    version = claim.version + 1
    await audit.changed(call, uuid, version)
    detail: dict[str, JsonValue] = {"from_version": claim.version, "to_version": version}
    await audit.log(call, EventKind.AMEND, uuid, detail | counts_of(text))
    return Written(uuid, version)


def counts_of(text: Prepared) -> dict[str, JsonValue]:
    """Return what the events of amend and remember tell of a text, in the log's order."""
    return {
        "token_count": text.token_count,
        "gist_tokens": text.gist_tokens,
        "n_chunks": len(text.chunks),
        "truncated": text.truncated,
    }


async def prepared(gate: Gate, gist: str, content: str) -> Prepared | Refused:
    """Make a text ready off the event loop.

    Raises GenizahError: NO_ARTIFACT without the store's model, INDEX_FAILED.
    """
    refused = check_texts(gist, content)
    if refused is not None:
        return refused
    encoder, settings = gate.model.required(gate.meta), gate.settings
    return await gate.model.run(lambda: prepare(gist, content, encoder, settings))


async def amend(gate: Gate, claim: Claim, gist: str, content: str) -> Written | Refused:
    """Rewrite in a transaction of its own, leaving what a refusal leaves.

    Raises GenizahError: STORE_BUSY, NO_ARTIFACT, INDEX_FAILED among others.
    """
    op_id = gate.new_uuid()
    text = await prepared(gate, gist, content)
    if isinstance(text, Refused):
        return text
    with busy_in_words(Verb.AMEND):
        async with gate.writer.transaction() as connection:
            call = gate.call(connection, op_id)
            done = await amend_within_transaction(call, claim, text)
            if isinstance(done, Refused):
                await audit.refused(call, Verb.AMEND, claim, done)
            return done
