"""`genizah lineage`: what replaced what, as JSON, DOT or SVG, and what is wrong with it."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.named_stores import NamedMemory, memory_in, open_named
from app.open_store import OpenStore
from app.output import Output
from core.documents.stored_line import stored_line
from core.errors import ErrorCode, GenizahError
from core.lineage.building import forest_of
from core.lineage.exports.document import lineage_document
from core.lineage.exports.dot import dot_text
from core.lineage.exports.stores import NamedStore, StoreMarks
from core.lineage.exports.svg import svg_text
from core.lineage.folding import View
from core.lineage.forest import Forest
from core.lineage.layout import Picture, arrange
from core.lineage.problems import LineageProblem, problems_of, problems_within
from core.lineage.records import StoreLineage
from core.lineage.words import problem_sentence
from core.store import lineage_rows

_PROBLEMS_FOUND = 1
_JSON = "json"
_WHOLE = View(folds=False)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was asked for: all of the stores, or the trees of one memory; nothing folded."""

    forest: Forest
    picture: Picture
    problems: Sequence[LineageProblem]
    marks: StoreMarks


async def lineage(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah lineage`; with --problems return 1 where there are any. Raises GenizahError."""
    output.as_json = arguments.format == _JSON
    async with AsyncExitStack() as stack:
        named = [Path(name) for name in arguments.store]
        stores = await open_named(services, named or [None], stack)
        memory = None
        if arguments.uuid is not None:
            memory = await _named(stores, arguments.uuid)
        read = [await lineage_rows.read_lineage(store.database.browse) for store in stores]
        for store in stores:
            output.notices(store.notices)
        drawn = await asyncio.to_thread(_drawn, read, memory, stores)
        _write(drawn, arguments, output)
        for store, lineage_read in zip(stores, read, strict=True):
            if lineage_read.moved:
                output.notice(f"The store {store.line.path} was written while it was read.")
    return _PROBLEMS_FOUND if arguments.problems and drawn.problems else 0


async def _named(stores: Sequence[OpenStore], uuid: str) -> NamedMemory:
    """Find a memory in any of the stores. Raises GenizahError where none has it."""
    memory = await memory_in(stores, uuid)
    if not memory.places:
        raise _not_found(stores, uuid)
    return memory


def _not_found(stores: Sequence[OpenStore], uuid: str) -> GenizahError:
    path = stores[0].line.path if len(stores) == 1 else None
    where = path or f"any of the {len(stores)} stores"
    return GenizahError(
        ErrorCode.NOT_FOUND,
        f"There is no memory {uuid} in {where}.",
        path=path,
        fields={"uuid": uuid},
    )


def _drawn(
    read: Sequence[StoreLineage], memory: NamedMemory | None, stores: Sequence[OpenStore]
) -> _Drawn:
    forest = forest_of(read)
    caps = [store.settings.retrieval.supersession_max_depth for store in stores]
    problems = problems_of(forest, *caps)
    marks = StoreMarks(tuple(map(_store, stores)))
    if memory is None:
        return _Drawn(forest, arrange(forest, view=_WHOLE), problems, marks)
    nodes = [forest.find(memory.uuid, place) for place in memory.places]
    numbers = sorted({forest.component[node] for node in nodes if node is not None})
    if not numbers:  # deleted since it was resolved
        raise _not_found(stores, memory.uuid)
    picture = arrange(forest, [forest.components[number] for number in numbers], view=_WHOLE)
    return _Drawn(forest, picture, problems_within(problems, forest, *numbers), marks)


def _store(store: OpenStore) -> NamedStore:
    location = store.facts.location
    return NamedStore(location.name, str(location.database), store.facts.meta.store_id)


def _write(drawn: _Drawn, arguments: Namespace, output: Output) -> None:
    shown = (drawn.forest, drawn.picture, drawn.problems, drawn.marks)
    if arguments.format == _JSON:
        output.document(lineage_document(*shown))
        return
    output.text(dot_text(*shown) if arguments.format == "dot" else svg_text(*shown))
    if arguments.problems:  # neither format has a list of them
        for problem in drawn.problems:
            output.notice(stored_line(f"{problem.kind}: {problem_sentence(problem, drawn.forest)}"))
