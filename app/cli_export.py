"""`genizah export`: whole memories of stores, of a search or by name, as JSON, CSV or Markdown."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.export_search import ReadMemories, moved_words, searched_memories
from app.named_stores import memory_in, open_named
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine, query_text
from core.documents.export_content import (
    Export,
    ExportedMemory,
    ExportedQuery,
    ExportFormat,
)
from core.documents.export_file import check_target, export_bytes, write_export
from core.errors import ErrorCode, GenizahError
from core.readmodels import State
from core.store import memories
from core.store.whole_rows import read_whole
from core.words import counted


@dataclass(frozen=True, slots=True)
class _Request:
    """What the line asks for; `line` is the search, None where there is none."""

    stores: tuple[Path | None, ...]
    line: QueryLine | None
    uuids: tuple[str, ...]
    include_retired: bool
    lexical_only: bool
    form: ExportFormat
    target: Path | None


def export(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah export`; return the exit code. Raises GenizahError.

    The query is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    form = _form(arguments)
    output.as_json = form is ExportFormat.JSON
    return _export(services, _request(arguments, form), output)


def _form(arguments: Namespace) -> ExportFormat:
    """Return the form that is asked for, or else the one that the file's ending says."""
    if arguments.format is not None:
        return ExportFormat(arguments.format)
    return ExportFormat.of_file(Path(arguments.output or ""))


def _request(arguments: Namespace, form: ExportFormat) -> _Request:
    named, retired = arguments.store, arguments.include_retired
    if arguments.query is not None and arguments.uuid:
        raise GenizahError(ErrorCode.USAGE, "Give either --query or --uuid, not both.")
    if arguments.lexical_only and arguments.query is None:
        raise GenizahError(ErrorCode.USAGE, "--lexical-only goes with --query.")
    target = None if arguments.output is None else Path(arguments.output)
    if target is not None:
        check_target(target)
    line = None
    if arguments.query is not None:
        line = QueryLine(query_text(arguments.query), retired, None, 1)
    return _Request(
        stores=tuple(Path(name) for name in named) or (None,),
        line=line,
        uuids=tuple(arguments.uuid),
        include_retired=retired,
        lexical_only=arguments.lexical_only,
        form=form,
        target=target,
    )


async def _export(services: Services, asked: _Request, output: Output) -> int:
    async with AsyncExitStack() as stack:
        stores = await open_named(services, asked.stores, stack)
        if asked.line is not None:
            searched = await searched_memories(
                services, stores, asked.line, lexical_only=asked.lexical_only
            )
            query = ExportedQuery(asked.line.text, asked.include_retired)
        else:
            searched, query = await _listed(stores, asked), None
        content = Export(
            stores=tuple(store.line for store in stores),
            memories=searched.memories,
            query=query,
            notices=tuple(dict.fromkeys(searched.notices)),
        )
        output.notices(content.notices)
        for sentence in searched.said:
            output.notice(sentence)
        await asyncio.to_thread(_write, content, asked, output)
    return 0


async def _listed(stores: Sequence[OpenStore], asked: _Request) -> ReadMemories:
    """Read the memories that are named, or all, store by store."""
    named = await _named_rows(stores, asked.uuids) if asked.uuids else None
    found: list[ExportedMemory] = []
    said: list[str] = []
    for place, store in enumerate(stores):
        rowids = await _newest_first(store) if named is None else named[place]
        details, moved = await read_whole(store.database.browse, rowids)
        everything = named is not None or asked.include_retired
        kept = [d for d in details if everything or d.head.state is not State.RETIRED]
        found += [ExportedMemory(place, detail) for detail in kept]
        if len(kept) < len(details):
            count = counted(len(details) - len(kept), "retired memory", "retired memories")
            said.append(f"Left out: {count} of {store.line.path}; --include-retired adds them.")
        if moved:
            said.append(moved_words(store))
    notices = tuple(notice for store in stores for notice in store.notices)
    return ReadMemories(tuple(found), notices, tuple(said))


async def _newest_first(store: OpenStore) -> list[int]:
    async with store.database.browse.snapshot() as connection:
        return await memories.rowids_newest_first(connection)


async def _named_rows(stores: Sequence[OpenStore], uuids: Sequence[str]) -> list[list[int]]:
    """Return the rowids of named memories in each store, which are in one of them at least."""
    found: list[dict[int, None]] = [{} for _ in stores]
    for uuid in uuids:
        named = await memory_in(stores, uuid)
        if not named.places:
            words = f"There is no memory {uuid} in what was named."
            raise GenizahError(ErrorCode.NOT_FOUND, words, fields={"uuid": uuid})
        for place in named.places:
            async with stores[place].database.browse.snapshot() as connection:
                heads = await memories.heads_by_uuid(connection, (named.uuid,))
            found[place] |= dict.fromkeys(head.rowid for head in heads.values())
    return [list(rows) for rows in found]


def _write(content: Export, asked: _Request, output: Output) -> None:
    """Write to the file, or to standard output as every result there: no mark, plain line ends."""
    if asked.target is None:
        output.pieces(export_bytes(content, asked.form, is_file=False))
        return
    write_export(asked.target, export_bytes(content, asked.form))
    count = counted(len(content.memories), "memory", "memories")
    output.notice(f"{count} written to {asked.target}.")
