"""The command that explains one memory of a search: thin, as the searching commands."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from app.bootstrap import Services
from app.meaning import Meaning
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine, parse_line
from app.query_request import QueryRequest, meaning_of, query_request, read_ahead
from app.snapshot import snapshot_of
from core.documents.explanation_document import explanation_document
from core.documents.explanation_markdown import explanation_text
from core.documents.json_text import NOT_FINITE, finite
from core.errors import ErrorCode, GenizahError
from core.explain.explanation import Explanation, Verdict
from core.explain.reading import explain_memory, located
from core.notices import Notice, NoticeCode
from core.readmodels import MemoryDetail
from core.retrieval.outcome import SearchOutcome
from core.retrieval.token_counter import TokenCounter, load_token_counter
from core.retrieval.winning_chunk import chunk_spans
from core.settings import CHUNK_MAX_TOKENS
from core.store import chunks, memories
from core.store.chunks import StoredChunk
from core.store.connection import Connection
from core.store.text import is_damaged

_ATTEMPTS = 3
_MANY_CHUNKS = 20_000
_NO_SUCH_MEMORY = 3
_BAD_LINE = 2


@dataclass(frozen=True, slots=True)
class _Read:
    """What one snapshot told: the explanation, and the text that its chunks were cut from."""

    explanation: Explanation
    detail: MemoryDetail | None
    stored: Sequence[StoredChunk]


class _Explainer:
    """Explain one query line after another on one store."""

    def __init__(self, store: OpenStore, meaning: Meaning, counter: TokenCounter | None) -> None:
        self._store = store
        self._meaning = meaning
        self._counter = counter

    @property
    def fingerprint(self) -> str | None:
        """Return the checksum of the model that the vectors came from, None without one."""
        return self._meaning.fingerprint

    async def explain(self, line: QueryLine, uuid: str) -> Explanation:
        """Search and explain from one state of the store. Raises GenizahError."""
        side = await self._meaning.side(line)
        for _ in range(_ATTEMPTS):
            outcome = await self._store.searcher.search(
                line.text, side, include_retired=line.include_retired
            )
            if outcome.dense.ran and outcome.chunks >= _MANY_CHUNKS:
                # In pages: one pass over as many in the store would hold its snapshot for a second.
                await self._store.searcher.refresh_matrix()
            read = await self._read(outcome, uuid, line.limit)
            if read is not None:
                return await asyncio.to_thread(self._with_spans, read)
        path = self._store.line.path
        raise GenizahError(
            ErrorCode.STORE_BUSY,
            f"The store {path} changed during every search; try again in a moment.",
            path=path,
        )

    async def _read(self, outcome: SearchOutcome, named: str, limit: int) -> _Read | None:
        """Read the explanation; None where the store has moved since the search."""
        store_id = self._store.facts.meta.store_id
        async with self._store.database.search.snapshot() as connection:
            if await connection.data_version() != outcome.data_version:
                return None
            uuid = await _resolved(connection, named)
            held = self._store.searcher.held_vectors(outcome.data_version)
            found = await explain_memory(
                connection, outcome, uuid, limit, store_id=store_id, held=held
            )
            if self._counter is None or found.head is None or is_damaged(uuid):
                return _Read(found, None, ())
            detail = await memories.detail(connection, uuid)
            return _Read(found, detail, await chunks.chunks_of(connection, uuid))

    def _with_spans(self, read: _Read) -> Explanation:
        if read.detail is None or self._counter is None:
            return read.explanation
        meta = self._store.facts.meta.chunk_max_tokens
        sizes = (self._store.settings.integer(CHUNK_MAX_TOKENS), meta)
        return located(
            read.explanation, chunk_spans(read.detail, read.stored, self._counter, sizes)
        )


async def _resolved(connection: Connection, named: str) -> str:
    """Return the uuid that a text begins, or the text itself where there is none."""
    try:
        return await memories.resolve_uuid(connection, named)
    except GenizahError as error:
        if error.code is not ErrorCode.NOT_FOUND:
            raise
        return named


def explain(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah explain`; return the exit code. Raises GenizahError for the run as a whole.

    The input is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    asked = query_request(arguments)
    if asked.line is not None and arguments.uuid is None:
        raise GenizahError(ErrorCode.USAGE, "Name the memory to explain with --uuid U.")
    return _explain(services, asked, arguments, output)


async def _explain(
    services: Services, asked: QueryRequest, arguments: Namespace, output: Output
) -> int:
    store = await services.open_store(asked.named)
    async with aclosing(store):
        counter = await asyncio.to_thread(load_token_counter, store.facts.meta.embed_model)
        meaning = meaning_of(services, store, lexical_only=arguments.lexical_only)
        explainer = _Explainer(store, meaning, counter)
        output.notices(store.notices)
        if asked.line is not None:
            found = await explainer.explain(asked.line, arguments.uuid)
            return _say(store, found, output, explainer.fingerprint)
        await read_ahead(store, len(asked.lines))
        return await _many(store, explainer, asked.lines, arguments, output)


async def _many(
    store: OpenStore,
    explainer: _Explainer,
    lines: Sequence[str],
    arguments: Namespace,
    output: Output,
) -> int:
    """Explain every line; return 2 where a line was bad, else 3 where a memory was not there."""
    code = 0
    for number, text in enumerate(lines, 1):
        try:
            line = _line(text, number, arguments)
            found = await explainer.explain(line, line.uuid or "")
            said = _say(store, found, output, explainer.fingerprint)
            code = code or said
        except GenizahError as error:
            output.error(error)
            code = _BAD_LINE
    return code


def _line(text: str, number: int, arguments: Namespace) -> QueryLine:
    retired = arguments.include_retired
    line = parse_line(text, number, arguments.limit, retired_given=retired, takes_uuid=True)
    uuid = line.uuid if line.uuid is not None else arguments.uuid
    if uuid is None:
        raise GenizahError(
            ErrorCode.USAGE,
            f"Line {number} of the query file names no memory; give it a uuid or give --uuid U.",
            fields={"line": number},
        )
    return QueryLine(line.text, line.include_retired, line.vector, line.limit, uuid)


def _say(store: OpenStore, e: Explanation, output: Output, fingerprint: str | None) -> int:
    """Write one explanation; return 3 where there is no such memory."""
    output.notices(e.outcome.notices)
    if output.as_json:
        document = explanation_document(e)
        if finite(document)[1]:  # the object has no place for a notice of its own
            output.notices((Notice(NoticeCode.NOT_FINITE, NOT_FINITE),))
        output.document(document)
    else:
        output.text(explanation_text(e, snapshot_of(store, e.outcome, fingerprint)))
    return _NO_SUCH_MEMORY if e.verdict is Verdict.NO_SUCH_MEMORY else 0
