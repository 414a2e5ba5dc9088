"""The commands that read one store: show and check."""

import asyncio
from argparse import Namespace
from contextlib import aclosing
from pathlib import Path

from app.bootstrap import Services
from app.open_store import OpenStore
from app.output import Output
from core.documents.check_document import CheckReport, ModelLine, check_document
from core.documents.memory_document import memory_document
from core.errors import ErrorCode, GenizahError
from core.health.deep import deep_problems
from core.readmodels import EventRow, LineageStep, MemoryDetail, MemoryHead
from core.store import event_log, health, memories, vectors

_PROBLEMS_FOUND = 1


def _chain(successors: list[LineageStep]) -> list[str]:
    return [
        f"replaced by {s.uuid}  {s.head.state.value}: {' '.join(s.head.gist.split())}"
        if s.head is not None
        else f"replaced by {s.uuid}, which is missing"
        for s in successors
    ]


def _as_text(
    detail: MemoryDetail,
    successors: list[LineageStep],
    predecessors: list[MemoryHead],
    events: list[EventRow],
) -> str:
    head = detail.head
    lines = [
        head.gist,
        f"{head.uuid}  {head.state.value}  {head.tier}  version {head.version}",
        f"created {head.created_at}  updated {head.updated_at}  session {head.session_id or '-'}",
        *_chain(successors),
        *(f"replaces {p.uuid}: {' '.join(p.gist.split())}" for p in predecessors),
        "",
        detail.content,
        "",
        *(f"{e.at}  {e.kind}  {e.detail or ''}" for e in events),
    ]
    return "\n".join(lines).rstrip("\n")


async def show(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah show`; return the exit code. Raises GenizahError."""
    store = await services.open_store(Path(arguments.store))
    async with aclosing(store), store.database.browse.snapshot() as connection:
        found = await memories.resolve_uuid(connection, arguments.uuid)
        detail = await memories.detail(connection, found)
        if detail is None:
            raise GenizahError(ErrorCode.NOT_FOUND, f"There is no memory {found}.")
        after = await memories.successors(connection, found)
        before = await memories.predecessors(connection, found)
        events = await event_log.events_of(connection, found)
    if output.as_json:
        store_id = store.facts.meta.store_id
        output.document(memory_document(detail, store_id, after, before, events))
    else:
        output.text(_as_text(detail, after, before, events))
    return 0


async def _model(services: Services, store: OpenStore) -> ModelLine:
    meta = store.facts.meta
    try:
        encoder = await asyncio.to_thread(services.load_encoder, meta.embed_model)
    except GenizahError as error:
        return ModelLine(meta.embed_model, meta.embed_dim, False, error.message, None)
    fingerprint = encoder.facts.fingerprint
    if encoder.facts.width != meta.embed_dim:
        reason = f"meaning search off: {encoder.facts.width} ≠ {meta.embed_dim}"
        return ModelLine(meta.embed_model, meta.embed_dim, False, reason, fingerprint)
    return ModelLine(meta.embed_model, meta.embed_dim, True, None, fingerprint)


async def check(services: Services, arguments: Namespace, output: Output) -> int:
    """Run `genizah check`; return 0, or 1 where a problem was found. Raises GenizahError."""
    store = await services.open_store(Path(arguments.store) if arguments.store else None)
    async with aclosing(store):
        depth_cap = store.searcher.settings.supersession_max_depth
        problems = await health.check(store.database, depth_cap)
        if arguments.deep:
            problems += await deep_problems(store.database, services.data_dir / "copies")
        model = await _model(services, store)  # may take a second: before the snapshot
        async with store.database.browse.snapshot() as connection:
            chunks, _ = await memories.index_sizes(connection)
            report = CheckReport(
                counts=await memories.counts(connection),
                chunks=chunks,
                vectors=await vectors.count(connection),
                model=model,
                problems=tuple(problems),
                deep=arguments.deep,
            )
    if output.as_json:
        output.document(check_document(report, store.line, store.settings, store.notices))
    else:
        output.notices(store.notices)
        output.text(_report(report, store))
    return _PROBLEMS_FOUND if problems else 0


def _report(report: CheckReport, store: OpenStore) -> str:
    counts, model = report.counts, report.model
    lines = [
        f"{store.line.path}",
        f"schema {store.line.schema_version}, store {store.line.store_id}",
        f"{counts.total} memories: {counts.live} live, {counts.superseded} replaced, "
        f"{counts.retired} retired; {report.chunks} chunks, {report.vectors} vectors",
        f"model {model.name}, {model.width} wide: "
        + ("ready" if model.available else f"not available ({model.reason})"),
        *(f"{key} = {s.value!r} ({s.source.value})" for key, s in store.settings.items()),
        *(f"{p.code.value}: {p.text} [{p.uuid or 'store'}]" for p in report.problems),
    ]
    lines.append(f"{len(report.problems)} problem(s) found" if report.problems else "no problems")
    return "\n".join(lines)
