"""The commands that change one store: retire, supersede, amend, remember. Thin: parse, ask the
core, write. The readers are closed before the writer is opened, so it leaves no log behind.
"""

import asyncio
import sys
from argparse import Namespace
from contextlib import aclosing
from pathlib import Path

from app.bootstrap import Services
from app.open_store import OpenStore
from app.output import Output
from core.commands import refusals
from core.commands.changes import (
    Amend,
    Change,
    Remember,
    Retire,
    Supersede,
    SupersedeWithText,
    text_of,
)
from core.commands.commit import commit_one
from core.commands.gate import Gate, Model, WriteSettings, run_session
from core.commands.ladder import stored
from core.commands.near_duplicates import near_duplicates
from core.commands.outcome import Written
from core.commands.preflight import try_change, try_text
from core.commands.preparation import Prepared
from core.commands.refusals import Refused
from core.documents.write_document import write_document
from core.errors import ErrorCode, GenizahError
from core.readmodels import MemoryDetail
from core.store.receipts import Author
from core.store.writer import Writer, check_writable

_NOT_STORED_YET = ""  # no memory has this uuid


def _usage(sentence: str) -> GenizahError:
    return GenizahError(ErrorCode.USAGE, sentence)


def _content(given: str | None) -> str | None:
    """Return the content given, read from standard input for `-`."""
    if given != "-":
        return given
    if sys.stdin is None:
        raise _usage("Standard input is closed; give the text after --content.")
    raw = sys.stdin.buffer.read()
    return raw.decode("utf-8", "surrogateescape").removesuffix("\n")


def _check_usage(arguments: Namespace) -> None:
    if arguments.command == "amend" and arguments.gist is None and arguments.content is None:
        raise _usage("Give the new text: --gist T, --content T, or both.")
    if arguments.command == "supersede":
        texts = (arguments.gist is not None, arguments.content is not None)
        if any(texts) if arguments.by is not None else not all(texts):
            raise _usage("Give either --by U2, or the new text with --gist T and --content T.")


async def _seen(store: OpenStore, uuid: str) -> MemoryDetail:
    """Return the row that is to be changed. Raises GenizahError(NOT_FOUND)."""
    async with store.database.browse.snapshot() as connection:
        found = await stored(connection, uuid)
    if found is None:
        raise refusals.not_found(uuid).error(str(store.facts.location.database))
    return found


async def _change(store: OpenStore, arguments: Namespace, content: str | None) -> Change:
    """Return the change that the line asks for."""
    if arguments.command == "remember":
        return Remember(arguments.gist, content or "")
    uuid = arguments.uuid
    seen = await _seen(store, uuid)
    version = arguments.version or seen.head.version
    if version is None:
        raise refusals.odd_version(uuid).error(str(store.facts.location.database))
    if arguments.command == "retire":
        return Retire(uuid, version)
    if arguments.command == "amend":
        gist = seen.head.gist if arguments.gist is None else arguments.gist
        return Amend(uuid, version, gist, seen.content if content is None else content)
    if arguments.by is not None:
        return Supersede(uuid, version, arguments.by)
    return SupersedeWithText(uuid, version, arguments.gist, content or "")


async def _model(services: Services, name: str, change: Change) -> Model:
    """Load the model where the change writes a text; a missing one is refused with its reason."""
    if text_of(change) is None:
        return Model(None)
    try:
        return Model(await asyncio.to_thread(services.load_encoder, name))
    except GenizahError as error:
        if error.code is not ErrorCode.NO_ARTIFACT:
            raise
        return Model(None, error.message.rstrip("."))


async def _dry_run(
    services: Services, store: OpenStore, change: Change
) -> Written | Refused:
    """Try the change on a reader; nothing is written, not even the log of a refusal."""
    check_writable(store.facts)
    settings, meta = WriteSettings.of(store.settings), store.facts.meta
    model = await _model(services, meta.embed_model, change)
    text = await try_text(change, settings, model, meta)
    if isinstance(text, Refused):
        return text
    author = Author(run_session(), "cli")
    async with store.database.search.snapshot() as connection:
        refused = await try_change(connection, change, author, settings)
        if refused is not None:
            return refused
        near = None
        if isinstance(text, Prepared) and not isinstance(change, Amend):
            near = await near_duplicates(connection, _NOT_STORED_YET, text, settings)
    uuid, version = (
        (_NOT_STORED_YET, 1)
        if isinstance(change, Remember)
        else (change.uuid, change.version + 1)
    )
    if near is None:
        return Written(uuid, version)
    return Written(uuid, version, near_duplicates=near.found, notices=near.notices)


async def _commit(services: Services, store: OpenStore, change: Change) -> Written | Refused:
    """Make the change with a writer of its own; the store's readers are closed by now."""
    facts = store.facts
    model = await _model(services, facts.meta.embed_model, change)
    settings = WriteSettings.of(store.settings)
    writer = await Writer.open(facts)
    try:
        gate = Gate(writer, run_session(), services.clock, settings, model)
        return await commit_one(gate, change)
    finally:
        await writer.close()


def _as_text(change: Change, written: Written, *, dry_run: bool) -> str:
    would = "would be " if dry_run else ""
    match change:
        case Remember():
            first = f"{would}remembered" + ("" if dry_run else f" as {written.uuid}")
        case Amend():
            first = f"{written.uuid} {would}amended, version {written.version}"
        case Retire():
            first = f"{written.uuid} {would}retired, version {written.version}"
        case Supersede():
            first = f"{written.uuid} {would}replaced by {change.by}, version {written.version}"
        case SupersedeWithText():
            new = written.new_uuid or "a new memory"
            first = f"{written.uuid} {would}replaced by {new}, version {written.version}"
    near = [
        f"near it: {n.uuid}  {n.cosine:.3f}  {' '.join(n.gist.split())}"
        for n in written.near_duplicates
    ]
    return "\n".join([first, *near])


async def write(services: Services, arguments: Namespace, output: Output) -> int:
    """Run one of the four commands; return the exit code. Raises GenizahError."""
    _check_usage(arguments)
    content = _content(getattr(arguments, "content", None))
    store = await services.open_store(Path(arguments.store))
    async with aclosing(store):
        change = await _change(store, arguments, content)
        done = await _dry_run(services, store, change) if arguments.dry_run else None
    if done is None:
        done = await _commit(services, store, change)
    if isinstance(done, Refused):
        raise done.error(str(store.facts.location.database))
    output.notices(done.notices if output.as_json else (*store.notices, *done.notices))
    if output.as_json:
        is_new, dry_run = isinstance(change, Remember), arguments.dry_run
        output.document(write_document(done, is_new=is_new, dry_run=dry_run))
    else:
        output.text(_as_text(change, done, dry_run=arguments.dry_run))
    return 0
