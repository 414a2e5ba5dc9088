"""`genizah judge run`: search a store with the queries of a file and measure the lists by grades.

The settings are the store's own, as in search, so that a change of settings can be checked.
"""

from argparse import Namespace
from collections.abc import Awaitable, Sequence
from contextlib import aclosing
from pathlib import Path

from app.arguments import DEFAULT_LIMIT
from app.bootstrap import Services
from app.meaning import Meaning
from app.open_store import OpenStore
from app.output import Output
from app.query_input import QueryLine
from core.documents.judge_document import JudgeReport, QueryResult, Values, judge_document
from core.documents.judgments_file import JudgedQuery, read_judgments
from core.explain.judging import Check, Floor, MeasureAt, means_of, measures_for, values_of
from core.explain.metrics import DEFINITIONS
from core.notices import Notice
from core.settings import EMBED_PREFIX
from core.store import memories

_MATRIX_PAYS_FROM = 4
_BELOW = 1
_SHORT = 60


def run(services: Services, arguments: Namespace, output: Output) -> Awaitable[int]:
    """Run `genizah judge run`; return 1 where a mean is below its floor. Raises GenizahError.

    The file is read here and now, before there is a loop.
    """
    queries = read_judgments(Path(arguments.file))
    return _run(services, queries, arguments, output)


async def _run(
    services: Services, queries: tuple[JudgedQuery, ...], arguments: Namespace, output: Output
) -> int:
    store = await services.open_store(Path(arguments.store) if arguments.store else None)
    async with aclosing(store):
        report = await _judged(services, store, queries, arguments)
        if output.as_json:
            output.document(judge_document(report, store.line, store.settings))
        else:
            output.notices(report.notices)
            output.text(as_text(report))
    return 0 if report.passed else _BELOW


async def _judged(
    services: Services,
    store: OpenStore,
    queries: Sequence[JudgedQuery],
    arguments: Namespace,
) -> JudgeReport:
    meaning = Meaning(
        store.facts.meta.embed_model,
        store.facts.meta.embed_dim,
        store.settings.text(EMBED_PREFIX),
        services.load_encoder,
        lexical_only=arguments.lexical_only,
    )
    if len(queries) >= _MATRIX_PAYS_FROM and store.facts.dense_refusal is None:
        await store.searcher.refresh_matrix()
    floors: list[Floor] = arguments.fail_under
    measures = measures_for(floors)
    told = list(store.notices)
    results = [await _result(store, meaning, query, measures, told) for query in queries]
    means = means_of([r.values for r in results], measures)
    return JudgeReport(
        file=arguments.file,
        results=tuple(results),
        means=means,
        checks=tuple(Check(floor, means[floor.measure]) for floor in floors),
        notices=tuple(dict.fromkeys(told)),
    )


async def _result(
    store: OpenStore,
    meaning: Meaning,
    query: JudgedQuery,
    measures: Sequence[MeasureAt],
    told: list[Notice],
) -> QueryResult:
    """Search once; what the search had to say is added to `told`."""
    line = QueryLine(query.text, query.include_retired, query.vector, DEFAULT_LIMIT)
    side = await meaning.side(line)
    outcome = await store.searcher.search(
        query.text, side, include_retired=query.include_retired
    )
    told += outcome.notices
    async with store.database.browse.snapshot() as connection:
        held = await memories.heads_by_uuid(connection, query.grades)
    return QueryResult(
        query=query,
        values=values_of(query.grades, [h.uuid for h in outcome.hits], measures),
        unknown=tuple(uuid for uuid in query.grades if uuid not in held),
        dense_reason=None if outcome.dense.ran else outcome.dense.reason,
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _line(values: Values) -> str:
    return " · ".join(f"{measure.name} {_number(value)}" for measure, value in values.items())


def _query_lines(number: int, result: QueryResult) -> list[str]:
    words = " ".join((result.query.name or result.query.text).split()) or "(a vector)"
    short = words if len(words) <= _SHORT else words[: _SHORT - 1] + "…"
    lines = [f"{number:3}. {short}", f"     {_line(result.values)}"]
    if not result.relevant:
        lines.append("     no memory is graded 1 or higher: nothing to find")
    if result.unknown:
        which = ", ".join(" ".join(uuid[:8].split()) for uuid in result.unknown)
        lines.append(f"     graded, but not in this store: {which}")
    return lines


def _check_line(check: Check) -> str:
    name, floor = check.floor.measure.name, check.floor.at_least
    if check.value is None:
        return f"{name} has no value, {floor!r} was asked for: nothing to find"
    verb = "reaches" if check.passed else "is below"
    return f"{name} {_number(check.value)} {verb} {floor!r}"


def as_text(report: JudgeReport) -> str:
    """Return the report in words: each query, the means, the floors, the definitions."""
    judged = sum(1 for result in report.results if result.relevant)
    lines = [f"{judged} of {len(report.results)} queries have a memory to find"]
    for number, result in enumerate(report.results, 1):
        lines += _query_lines(number, result)
    lines.append(f"mean {_line(report.means)}")
    lines += [_check_line(check) for check in report.checks]
    return "\n".join([*lines, *DEFINITIONS.values()])
