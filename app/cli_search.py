"""The commands that search: search and similar. Thin: parse, ask the core, write."""

from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.meaning import Meaning
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine, parse_line
from app.query_request import QueryRequest, meaning_of, query_request, read_ahead
from core.documents.search_document import search_document
from core.errors import ErrorCode, GenizahError
from core.readmodels import State
from core.retrieval.arms import StopReason
from core.retrieval.literal import LiteralMatches, literal_matches
from core.retrieval.outcome import Hit, SearchOutcome
from core.store import memories

_BAD_LINE = 2


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


@dataclass(frozen=True, slots=True)
class _Gap:
    """What keeps a result from being complete: a word for machines and one for people."""

    reason: str
    text: str


def _gap(outcome: SearchOutcome, *, meaning_asked: bool) -> _Gap | None:
    """Return what is missing: the meaning arm where it was asked for, or the depth it owed."""
    if meaning_asked and not outcome.dense.ran:
        why = (outcome.dense.reason or "").rstrip(".")
        return _Gap("dense_arm_off", f"the meaning search did not run ({why})")
    if outcome.dense.stop_reason is StopReason.PROBE_CAP_HIT:
        return _Gap(
            StopReason.PROBE_CAP_HIT.value,
            "the meaning search stopped at its widest probe, before it had enough memories",
        )
    return None


def _refuse(gap: _Gap) -> GenizahError:
    return GenizahError(
        ErrorCode.INCOMPLETE,
        f"The result is incomplete: {gap.text}; leave --strict out to take it as it is.",
        reason=gap.reason,
    )


async def _say(
    store: OpenStore, outcome: SearchOutcome, gap: _Gap | None, limit: int, output: Output
) -> None:
    """Write one result: the object, or the words with the notices beside them."""
    literal = await all_literal(store, outcome)
    if output.as_json:
        facts = (store.line, store.settings, literal, limit, store.notices)
        output.document(search_document(outcome, *facts, incomplete=gap is not None))
    else:
        output.notices((*store.notices, *outcome.notices))
        output.text(as_text(outcome, literal, limit))


async def _answer(
    store: OpenStore, meaning: Meaning, line: QueryLine, arguments: Namespace, output: Output
) -> None:
    side = await meaning.side(line)
    outcome = await store.searcher.search(line.text, side, include_retired=line.include_retired)
    asked = not meaning.lexical_only and line.vector is None
    gap = _gap(outcome, meaning_asked=asked)
    if gap is not None and arguments.strict:
        raise _refuse(gap)
    await _say(store, outcome, gap, line.limit, output)


def search(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah search`; return the exit code. Raises GenizahError for the run as a whole.

    The input is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    return _search(services, query_request(arguments), arguments, output)


async def _search(
    services: Services, asked: QueryRequest, arguments: Namespace, output: Output
) -> int:
    store = await services.open_store(asked.named)
    async with aclosing(store):
        meaning = meaning_of(services, store, lexical_only=arguments.lexical_only)
        if asked.line is not None:
            await _answer(store, meaning, asked.line, arguments, output)
            return 0
        await read_ahead(store, len(asked.lines))
        return await _many(store, meaning, asked.lines, arguments, output)


async def _many(
    store: OpenStore,
    meaning: Meaning,
    lines: Sequence[str],
    arguments: Namespace,
    output: Output,
) -> int:
    """Answer every line; return 2 where a line was bad, else 3 where one was incomplete."""
    code = 0
    limit, retired = arguments.limit, arguments.include_retired
    for number, text in enumerate(lines, 1):
        try:
            line = parse_line(text, number, limit, retired_given=retired)
            await _answer(store, meaning, line, arguments, output)
        except GenizahError as error:
            output.error(error)
            refused = error.code is ErrorCode.INCOMPLETE
            code = code or error.exit_code if refused else _BAD_LINE
    return code


async def similar(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah similar`; return the exit code."""
    store = await services.open_store(Path(arguments.store))
    async with aclosing(store):
        async with store.database.browse.snapshot() as connection:
            uuid = await memories.resolve_uuid(connection, arguments.uuid)
        outcome = await store.searcher.similar(uuid)
        gap = _gap(outcome, meaning_asked=True)
        await _say(store, outcome, gap, arguments.limit, output)
    return 0
