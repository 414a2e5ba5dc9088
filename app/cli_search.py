"""The commands that search: search and similar. Thin: parse, ask the core, write."""

from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack, aclosing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.line_meanings import LineMeanings
from app.named_stores import open_each
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine, parse_line
from app.query_request import QueryRequest, query_request, read_ahead
from app.search_result import Gap, all_literal, as_text, gap_of, literal_gap, refuse
from core.documents.search_document import StoresLiteral, notices_beside, search_document
from core.errors import ErrorCode, GenizahError
from core.federation.member import FailedMember
from core.federation.outcome import FederatedOutcome, Group
from core.federation.searcher import FederatedSearcher
from core.federation.statuses import all_failed, notices_of, statuses
from core.store import memories

_BAD_LINE = 2

type _Members = Sequence[OpenStore | FailedMember]


def _say(
    members: _Members,
    found: FederatedOutcome,
    literal: StoresLiteral,
    limit: int,
    output: Output,
    *,
    incomplete: bool,
) -> None:
    """Write one result: the object, or the words with the notices beside them."""
    if output.as_json:
        settings = _settings_store(members, found).settings
        output.document(search_document(found, settings, literal, limit, incomplete=incomplete))
        return
    output.notices(notices_beside(found, literal))
    output.text(as_text(found, literal, limit))


def _settings_store(members: _Members, found: FederatedOutcome) -> OpenStore:
    """Return the store whose ranking settings held."""
    first = members[found.first.stores[0]]
    assert not isinstance(first, FailedMember)
    return first


@dataclass(frozen=True, slots=True)
class _Searching:
    """What answers the lines of one call."""

    members: _Members
    searcher: FederatedSearcher
    meanings: LineMeanings
    arguments: Namespace
    output: Output

    async def answer(self, line: QueryLine) -> None:
        """Answer one line. Raises GenizahError, INCOMPLETE among them with --strict."""
        asked = not self.arguments.lexical_only
        if len(self.members) == 1:
            asked = asked and line.vector is None
        found = await self.searcher.search(
            line.text,
            self.meanings.of(line),
            include_retired=line.include_retired,
            meaning_asked=asked,
        )
        gap = gap_of(found, meaning_asked=asked)
        self._check(gap)
        literal = await all_literal(self.members, found)
        gap = gap or literal_gap(found, literal)
        self._check(gap)
        incomplete = gap is not None
        _say(self.members, found, literal, line.limit, self.output, incomplete=incomplete)

    def _check(self, gap: Gap | None) -> None:
        if gap is not None and self.arguments.strict:
            raise refuse(gap)

    async def answer_all(self, lines: Sequence[str]) -> int:
        """Answer every line; return 2 where a line was bad, else 3 where one was incomplete."""
        code = 0
        limit, retired = self.arguments.limit, self.arguments.include_retired
        for number, text in enumerate(lines, 1):
            try:
                line = parse_line(text, number, limit, retired_given=retired)
                await self.answer(line)
            except GenizahError as error:
                self.output.error(error)
                refused = error.code is ErrorCode.INCOMPLETE
                code = code or error.exit_code if refused else _BAD_LINE
        return code


def search(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah search`; return the exit code. Raises GenizahError for the run as a whole.

    The input is read here and now, before there is a loop: Ctrl+C must end a wait for it.
    """
    return _search(services, query_request(arguments, several=True), arguments, output)


async def _search(
    services: Services, asked: QueryRequest, arguments: Namespace, output: Output
) -> int:
    named = [Path(name) for name in arguments.store]
    async with AsyncExitStack() as stack:
        members = await open_each(services, named or [None], stack)
        opened = [member for member in members if not isinstance(member, FailedMember)]
        if not opened:
            errors = {at: m.error for at, m in enumerate(members) if isinstance(m, FailedMember)}
            raise all_failed(errors, members)
        meanings = LineMeanings(services.load_encoder, arguments.lexical_only, len(members) > 1)
        searcher = FederatedSearcher(members)
        searching = _Searching(members, searcher, meanings, arguments, output)
        if asked.line is not None:
            await searching.answer(asked.line)
            return 0
        for store in opened:
            with nullcontext() if len(members) == 1 else suppress(GenizahError):
                await read_ahead(store, len(asked.lines))  # what fails will say so in each answer
        return await searching.answer_all(asked.lines)


async def similar(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah similar`; return the exit code."""
    store = await services.open_store(Path(arguments.store))
    async with aclosing(store):
        async with store.database.browse.snapshot() as connection:
            uuid = await memories.resolve_uuid(connection, arguments.uuid)
        groups = (Group((0,), None, await store.searcher.similar(uuid)),)
        lines = statuses([store], {}, groups, {}, {})
        found = FederatedOutcome(lines, groups, notices_of([store], groups, None), False)
        gap = gap_of(found, meaning_asked=True)
        literal = await all_literal([store], found)
        _say([store], found, literal, arguments.limit, output, incomplete=gap is not None)
    return 0
