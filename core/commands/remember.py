"""remember: write a new memory with its indexes, then say which live ones are near it."""

from core.commands import audit
from core.commands.amend import counts_of, prepared
from core.commands.failures import Verb, busy_in_words, writing_indexes
from core.commands.gate import Call, Gate
from core.commands.near_duplicates import near_duplicates
from core.commands.outcome import Written
from core.commands.preparation import Prepared
from core.commands.refusals import Refused
from core.errors import JsonValue
from core.store import chunk_rows, memory_rows, word_index
from core.store.event_rows import EventKind
from core.store.memory_rows import NewRow
from core.store.receipts import ReceiptSource


async def remember_within_transaction(call: Call, text: Prepared) -> Written:
    """Insert a prepared text as a new live memory of the journal tier and offer what is near."""
    uuid = call.new_uuid()
    with writing_indexes():
        await _insert(call, uuid, text)
        near = await near_duplicates(call.connection, uuid, text, call.settings)
        for one in near.found:
            offered: dict[str, JsonValue] = {
                "created_uuid": uuid,
                "cosine": one.cosine,
                "rank": one.rank,
            }
            await audit.log(call, EventKind.DEDUP_OFFERED, one.uuid, offered)
    return Written(uuid, 1, near_duplicates=near.found, notices=near.notices)


async def _insert(call: Call, uuid: str, text: Prepared) -> None:
    connection, meta = call.connection, call.meta
    session, at = call.author.session_id, call.now()
    row = NewRow(uuid, text.gist, text.content, at, session, text.token_count)
    await memory_rows.insert(connection, row)
    await word_index.add(connection, uuid)
    await chunk_rows.add(
        connection, uuid, text.chunks, model=meta.embed_model, width=meta.embed_dim
    )
    await audit.receive(call, uuid, 1, ReceiptSource.OWN_WRITE)
    first: dict[str, JsonValue] = {"version": 1}
    await audit.log(call, EventKind.REMEMBER, uuid, first | counts_of(text))


async def remember(gate: Gate, gist: str, content: str) -> Written | Refused:
    """Remember in a transaction of its own.

    Raises GenizahError: STORE_BUSY, NO_ARTIFACT, INDEX_FAILED among others.
    """
    op_id = gate.new_uuid()
    text = await prepared(gate, gist, content)
    if isinstance(text, Refused):
        return text
    with busy_in_words(Verb.REMEMBER):
        async with gate.writer.transaction() as connection:
            return await remember_within_transaction(gate.call(connection, op_id), text)
