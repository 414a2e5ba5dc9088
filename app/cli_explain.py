"""The command that explains one memory of a search: thin, as the searching commands."""

from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from pathlib import Path

from app.bootstrap import Services
from app.explainer import Explained, Explainer
from app.line_meanings import LineMeanings
from app.named_stores import open_each
from app.output import Output
from app.query_input import QueryLine, parse_line
from app.query_request import QueryRequest, query_request, read_ahead
from app.snapshot import snapshot_of, snapshot_of_several
from core.documents.explanation_document import explanation_document
from core.documents.explanation_markdown import explanation_text
from core.documents.json_text import NOT_FINITE, finite
from core.errors import ErrorCode, GenizahError
from core.explain.explanation import Verdict
from core.explain.steps.explanation import Snapshot
from core.federation.outcome import Group
from core.notices import Notice, NoticeCode

_NO_SUCH_MEMORY = 3
_BAD_LINE = 2


def explain(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah explain`; return the exit code. Raises GenizahError for the run as a whole.

    The input is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    asked = query_request(arguments, several=True)
    if asked.line is not None and arguments.uuid is None:
        raise GenizahError(ErrorCode.USAGE, "Name the memory to explain with --uuid U.")
    return _explain(services, asked, arguments, output)


async def _explain(
    services: Services, asked: QueryRequest, arguments: Namespace, output: Output
) -> int:
    named = [Path(name) for name in arguments.store]
    async with AsyncExitStack() as stack:
        members = await open_each(services, named or [None], stack)
        several = len(members) > 1
        meanings = LineMeanings(services.load_encoder, arguments.lexical_only, several)
        explainer = Explainer(members, meanings)
        if not several:
            output.notices(explainer.stores[0].notices)
        if asked.line is not None:
            return _say(await explainer.explain(asked.line, arguments.uuid), output)
        for store in explainer.stores:
            with suppress(GenizahError) if several else nullcontext():
                await read_ahead(store, len(asked.lines))  # what fails will say so in each line
        return await _many(explainer, asked.lines, arguments, output)


async def _many(
    explainer: Explainer, lines: Sequence[str], arguments: Namespace, output: Output
) -> int:
    """Explain every line; return 2 where a line was bad, else 3 where a memory was not there."""
    code = 0
    for number, text in enumerate(lines, 1):
        try:
            line = _line(text, number, arguments)
            said = _say(await explainer.explain(line, line.uuid or ""), output)
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


def _say(found: Explained, output: Output) -> int:
    """Write one explanation; return 3 where there is no such memory."""
    e = found.explanation
    if len(found.search.stores) > 1:
        output.notices(found.search.notices)
    output.notices(e.outcome.notices)
    for sentence in (*_not_searched(found), *map(_elsewhere, found.others)):
        output.notice(sentence)
    if output.as_json:
        document = explanation_document(e)
        if finite(document)[1]:  # the object has no place for a notice of its own
            output.notices((Notice(NoticeCode.NOT_FINITE, NOT_FINITE),))
        output.document(document)
    else:
        output.text(explanation_text(e, _snapshot(found)))
    return _NO_SUCH_MEMORY if e.verdict is Verdict.NO_SUCH_MEMORY else 0


def _snapshot(found: Explained) -> Snapshot:
    outcome = found.explanation.outcome
    if len(found.search.stores) == 1:
        return snapshot_of(found.stores[0], outcome, found.fingerprint)
    apart = () if found.group.reason is None else (f"shown apart: {found.group.reason}",)
    facts = (*apart, *_not_searched(found))
    return snapshot_of_several(found.stores, found.first, outcome, found.fingerprint, *facts)


def _not_searched(found: Explained) -> list[str]:
    return [
        f"not searched: {status.path}: {status.error.message}"
        for status in found.search.stores
        if status.error is not None
    ]


def _elsewhere(group: Group) -> str:
    return f"A memory of this uuid is in another list too. {group.reason or ''}".rstrip()
