"""`genizah lineage`: what replaced what, as JSON, DOT or SVG, and what is wrong with it."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from app.bootstrap import Services
from app.open_store import OpenStore
from app.output import Output
from app.query_request import one_store
from core.documents.stored_line import stored_line
from core.errors import ErrorCode, GenizahError
from core.lineage.building import forest_of
from core.lineage.exports.document import lineage_document
from core.lineage.exports.dot import dot_text
from core.lineage.exports.svg import svg_text
from core.lineage.folding import View
from core.lineage.forest import Forest
from core.lineage.layout import Picture, arrange
from core.lineage.problems import LineageProblem, problems_of, problems_within
from core.lineage.records import StoreLineage
from core.lineage.words import problem_sentence
from core.store import lineage_rows, memories

_PROBLEMS_FOUND = 1
_JSON = "json"
_WHOLE = View(folds=False)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was asked for: a whole store, or the tree of one memory; nothing folded."""

    forest: Forest
    picture: Picture
    problems: Sequence[LineageProblem]


async def lineage(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah lineage`; with --problems return 1 where there are any. Raises GenizahError."""
    output.as_json = arguments.format == _JSON
    store = await services.open_store(one_store(arguments.store))
    async with aclosing(store):
        uuid = None
        if arguments.uuid is not None:
            async with store.database.browse.snapshot() as connection:
                uuid = await memories.resolve_uuid(connection, arguments.uuid)
        read = await lineage_rows.read_lineage(store.database.browse)
        output.notices(store.notices)
        depth_cap = store.settings.retrieval.supersession_max_depth
        drawn = await asyncio.to_thread(_drawn, read, uuid, depth_cap, store)
        _write(drawn, arguments, output)
        if read.moved:
            output.notice(f"The store {store.line.path} was written while it was read.")
    return _PROBLEMS_FOUND if arguments.problems and drawn.problems else 0


def _drawn(read: StoreLineage, uuid: str | None, depth_cap: int, store: OpenStore) -> _Drawn:
    forest = forest_of([read])
    problems = problems_of(forest, depth_cap)
    if uuid is None:
        return _Drawn(forest, arrange(forest, view=_WHOLE), problems)
    node = forest.find(uuid)
    if node is None:  # deleted since it was resolved
        raise GenizahError(
            ErrorCode.NOT_FOUND,
            f"There is no memory {uuid} in {store.line.path}.",
            path=store.line.path,
            fields={"uuid": uuid},
        )
    number = forest.component[node]
    picture = arrange(forest, [forest.components[number]], view=_WHOLE)
    return _Drawn(forest, picture, problems_within(problems, forest, number))


def _write(drawn: _Drawn, arguments: Namespace, output: Output) -> None:
    shown = (drawn.forest, drawn.picture, drawn.problems)
    if arguments.format == _JSON:
        output.document(lineage_document(*shown))
        return
    output.text(dot_text(*shown) if arguments.format == "dot" else svg_text(*shown))
    if arguments.problems:  # neither format has a list of them
        for problem in drawn.problems:
            output.notice(stored_line(f"{problem.kind}: {problem_sentence(problem, drawn.forest)}"))
