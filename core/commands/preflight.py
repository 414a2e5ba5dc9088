"""Trying a change without making it: the same ladder on a reader, so that nothing is logged.

Never "try and see": a refused call leaves rows.
"""

from core.commands import ladder
from core.commands.changes import Change, claim_of, text_of
from core.commands.gate import Model, WriteSettings
from core.commands.ladder import Rules
from core.commands.preparation import Prepared, check_texts, prepare
from core.commands.refusals import Refused
from core.store.connection import Connection
from core.store.opening import StoreMeta
from core.store.receipts import Author


async def try_text(
    change: Change, settings: WriteSettings, model: Model, meta: StoreMeta
) -> Prepared | Refused | None:
    """Check, cut and embed the text a change would write; None where it writes none.

    Call it before a snapshot is taken: it may take a second. Raises GenizahError as
    `commit_batch` does.
    """
    texts = text_of(change)
    if texts is None:
        return None
    refused = check_texts(*texts)
    if refused is not None:
        return refused
    encoder = model.required(meta)
    return await model.run(lambda: prepare(*texts, encoder, settings))


async def try_change(
    connection: Connection, change: Change, author: Author, settings: WriteSettings
) -> Refused | None:
    """Climb the ladder for one change in the caller's snapshot; None where it would be made.

    Each change is tried by itself, as if the others of a batch were not there.
    """
    claim = claim_of(change)
    if claim is None:
        return None
    rules = Rules(author, settings.max_depth, reads_as_it_goes=True)
    found = await ladder.climb(connection, claim, rules)
    return found if isinstance(found, Refused) else None


