"""The commands that search: search and similar. Thin: parse, ask the core, write."""

from argparse import Namespace
from collections.abc import Awaitable
from contextlib import aclosing
from pathlib import Path

from app.bootstrap import Services
from app.meaning import Meaning
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine, decode_vector, parse_line, query_text, read_lines
from core.documents.search_document import search_document
from core.errors import ErrorCode, GenizahError, JsonValue
from core.readmodels import State
from core.retrieval.literal import LiteralMatches, literal_matches
from core.retrieval.outcome import Hit, SearchOutcome
from core.settings import EMBED_PREFIX
from core.store import memories

_MATRIX_PAYS_FROM = 4


async def all_literal(store: OpenStore, outcome: SearchOutcome) -> LiteralMatches:
    """Look the whole store through for the query's own text; a search by a memory has none."""
    nothing = LiteralMatches((), 0, True)
    if outcome.query.text is None:
        return nothing
    pool = {h.uuid for h in outcome.hits}
    reports = literal_matches(store.database.browse, outcome.query.text, pool)
    return [nothing, *[report async for report in reports]][-1]


def _mark(hit: Hit) -> str:
    match hit.state:
        case State.LIVE:
            return "live"
        case State.SUPERSEDED:
            return f"replaced by {(hit.head.superseded_by or '')[:8]}"
        case State.RETIRED:
            return "retired"


def _ranks(hit: Hit) -> str:
    words = f"words #{hit.lexical.rank}" if hit.lexical else "words -"
    meaning = f"meaning #{hit.dense.rank}" if hit.dense else "meaning -"
    return f"{words} · {meaning}"


def as_text(outcome: SearchOutcome, literal: LiteralMatches, limit: int) -> str:
    """Return the result in words, cut at `limit`."""
    shown = outcome.hits[:limit]
    lines = [f"{len(shown)} of {len(outcome.hits)} found in {outcome.memories} memories"]
    for hit in shown:
        gist = " ".join(hit.head.gist.split()) or "(blank)"
        lines.append(f"{hit.position:3}. {gist}")
        lines.append(f"     {hit.uuid}  {_mark(hit)}  {_ranks(hit)}")
    if literal.total:
        lines.append(
            f"Contains this text - not ranked by the agent's search: {literal.total} more"
        )
        lines += [
            f"     {m.head.uuid}  {' '.join(m.head.gist.split())}" for m in literal.matches[:5]
        ]
    return "\n".join(lines)


async def _answer(
    store: OpenStore, meaning: Meaning, line: QueryLine, output: Output
) -> dict[str, JsonValue] | str:
    side = await meaning.side(line)
    outcome = await store.searcher.search(line.text, side, include_retired=line.include_retired)
    literal = await all_literal(store, outcome)
    if output.as_json:
        return search_document(
            outcome, store.line, store.settings, literal, line.limit, store.notices
        )
    for notice in (*store.notices, *outcome.notices):
        output.notice(f"{notice.code.value}: {notice.text}")
    return as_text(outcome, literal, line.limit)


def _write(output: Output, answer: dict[str, JsonValue] | str) -> None:
    if isinstance(answer, str):
        output.text(answer)
    else:
        output.document(answer)


def one_store(services: Services, named: list[str]) -> Path | None:
    """Return the one store named, or None for the current folder's. Raises USAGE for several."""
    if len(named) > 1:
        raise GenizahError(
            ErrorCode.USAGE, f"One store at a time for now; {len(named)} were named."
        )
    return Path(named[0]) if named else None


def _single(arguments: Namespace) -> QueryLine:
    vector = None if arguments.vector is None else decode_vector(arguments.vector)
    text = query_text(arguments.query)
    return QueryLine(text, arguments.include_retired, vector, arguments.limit)


def search(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah search`; return the exit code. Raises GenizahError for the run as a whole.

    The input is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    if (arguments.query is None) == (arguments.queries is None):
        raise GenizahError(ErrorCode.USAGE, "Give either --query TEXT or --queries FILE.")
    if arguments.queries is not None and arguments.vector is not None:
        raise GenizahError(
            ErrorCode.USAGE, "--vector goes with --query; in a file each line has its own."
        )
    named = one_store(services, arguments.store)
    line = None if arguments.query is None else _single(arguments)
    lines = [] if arguments.queries is None else read_lines(Path(arguments.queries))
    return _search(services, named, line, lines, arguments.lexical_only, output)


async def _search(
    services: Services,
    named: Path | None,
    line: QueryLine | None,
    lines: list[str],
    lexical_only: bool,
    output: Output,
) -> int:
    store = await services.open_store(named)
    async with aclosing(store):
        meaning = Meaning(
            store.facts.meta.embed_model,
            store.facts.meta.embed_dim,
            store.settings.text(EMBED_PREFIX),
            services.load_encoder,
            lexical_only=lexical_only,
        )
        if line is not None:
            _write(output, await _answer(store, meaning, line, output))
            return 0
        if len(lines) >= _MATRIX_PAYS_FROM and store.facts.dense_refusal is None:
            await store.searcher.refresh_matrix()
        return await _many(store, meaning, lines, output)


async def _many(store: OpenStore, meaning: Meaning, lines: list[str], output: Output) -> int:
    code = 0
    for number, text in enumerate(lines, 1):
        try:
            _write(output, await _answer(store, meaning, parse_line(text, number), output))
        except GenizahError as error:
            output.error(error)
            code = 2
    return code


async def similar(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah similar`; return the exit code."""
    store = await services.open_store(Path(arguments.store))
    async with aclosing(store):
        async with store.database.browse.snapshot() as connection:
            uuid = await memories.resolve_uuid(connection, arguments.uuid)
        outcome = await store.searcher.similar(uuid)
        literal = await all_literal(store, outcome)
        if output.as_json:
            output.document(
                search_document(
                    outcome, store.line, store.settings, literal, arguments.limit, store.notices
                )
            )
        else:
            output.text(as_text(outcome, literal, arguments.limit))
    return 0
