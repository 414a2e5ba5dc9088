"""One search of one store: both arms in one snapshot, fusion, ranking, invariants.

The stages live in their own modules; embedding happened before, in core/retrieval/encoder.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from core.notices import Notice, NoticeCode
from core.readmodels import MemoryHead
from core.retrieval import fusion, ranking
from core.retrieval.arms import (
    PEER_K_LIMIT,
    ArmReport,
    DenseArm,
    LexicalArm,
    ProbeFunction,
    dense_arm,
    lexical_arm,
)
from core.retrieval.branches import dense_branch, lexical_branch
from core.retrieval.eligibility import Scope
from core.retrieval.narrowed_arm import narrowed_arm
from core.retrieval.outcome import DenseEvidence, Hit, LexicalEvidence, SearchOutcome
from core.retrieval.probes import MatrixProbe, exact_probe, vec0_probe
from core.retrieval.query import PreparedQuery
from core.settings import RetrievalSettings
from core.store import memories
from core.store.connection import Connection
from core.words import vectors_left_out

if TYPE_CHECKING:
    from core.retrieval.matrix import Scan, VectorMatrix

type StartScan = Callable[["VectorMatrix", bytes], Awaitable["Scan"]]


def _rankable(row: fusion.FusedRow, head: MemoryHead) -> ranking.Rankable:
    return ranking.Rankable(
        uuid=row.uuid,
        rrf_score=row.rrf_score,
        best_rank=row.best_rank,
        state=head.state,
        tier=head.tier,
        created_at=head.created_at,
        superseded_by=head.superseded_by,
    )


def assemble(
    dense: DenseArm,
    lexical: LexicalArm,
    heads: dict[str, MemoryHead],
    settings: RetrievalSettings,
) -> tuple[Hit, ...]:
    """Fuse and rank what the arms returned into hits in final order. Pure.

    Both arms go through the window kernel. Raises GenizahError where one is not in its order.
    """
    meaning = {
        c.uuid: DenseEvidence(i, c.distance, c.part_index, c.chunk_id)
        for i, c in enumerate(dense_branch(dense.candidates), 1)
    }
    words = {
        c.uuid: LexicalEvidence(i, c.bm25)
        for i, c in enumerate(lexical_branch(lexical.candidates), 1)
    }
    fused = fusion.fuse(
        {u: e.rank for u, e in meaning.items()},
        {u: e.rank for u, e in words.items()},
        settings.rrf_k,
    )
    placed = ranking.rank([_rankable(r, heads[u]) for u, r in fused.items()], settings)
    return tuple(
        Hit(
            head=heads[p.uuid],
            dense=meaning.get(p.uuid),
            lexical=words.get(p.uuid),
            rrf_score=fused[p.uuid].rrf_score,
            penalty=p.penalty,
            fused_score=p.fused_score,
            position=p.position,
            position_before_repair=p.position_before_repair,
            on_cycle=p.on_cycle,
        )
        for p in placed
    )


def _peer_notices(dense: DenseArm, hits: tuple[Hit, ...], scope: Scope) -> list[Notice]:
    found: list[Notice] = []
    if dense.probes and max(dense.probes) > PEER_K_LIMIT and not scope.is_filtered:
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_K_LIMIT,
                f"The agent's own search fails here: it would ask the vector index for "
                f"{max(dense.probes)} neighbours, and that refuses more than {PEER_K_LIMIT}.",
            )
        )
    if dense.not_ranked:
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_VECTOR,
                f"The agent's own search fails here: {vectors_left_out(dense.not_ranked)}",
            )
        )
    stuck = sum(1 for h in hits if h.on_cycle)
    if stuck:
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_CYCLE,
                f"The agent's own search fails here: {stuck} result(s) replace each other in a "
                "circle or wait on one. They keep the order of their scores.",
            )
        )
    return found


def query_notices(query: PreparedQuery, lexical: ArmReport, dense: ArmReport) -> list[Notice]:
    """Say what became of the query: an arm that did not run, words or tokens left out."""
    found: list[Notice] = []
    if not lexical.ran:
        found.append(Notice(NoticeCode.LEXICAL_ARM_SKIPPED, lexical.reason or ""))
    if not dense.ran:
        found.append(Notice(NoticeCode.DENSE_ARM_OFF, f"Meaning search off: {dense.reason}"))
    if query.dense is not None and query.dense.truncated:
        found.append(
            Notice(
                NoticeCode.QUERY_TRUNCATED,
                "The query was shortened for the meaning search: it is longer than the model's "
                "window. The word search sees all of it.",
            )
        )
    if query.lexical.dropped:
        found.append(
            Notice(
                NoticeCode.TERMS_DROPPED,
                f"The query was shortened for the word search: {len(query.lexical.dropped)} of "
                f"{len(query.lexical.terms) + len(query.lexical.dropped)} words were left out.",
            )
        )
    return found


def _probe(
    connection: Connection, query: bytes, matrix: "VectorMatrix | None", start: StartScan | None
) -> ProbeFunction:
    if matrix is None or start is None or not matrix.can_scan(query):
        return vec0_probe(connection, query)
    scan = asyncio.ensure_future(start(matrix, query))
    return MatrixProbe(connection, query, matrix, scan)


async def _heads(
    connection: Connection, dense: DenseArm, lexical: LexicalArm
) -> dict[str, MemoryHead]:
    """Read the pool's rows, by rowid: an odd uuid (a blob, broken text) does not survive JSON."""
    found = (*(c.rowid for c in dense.candidates), *(c.rowid for c in lexical.candidates))
    heads = await memories.heads_by_rowid(connection, list(dict.fromkeys(found)))
    return {head.uuid: head for head in heads}


async def retrieve(
    connection: Connection,
    query: PreparedQuery,
    scope: Scope,
    settings: RetrievalSettings,
    *,
    matrix: "VectorMatrix | None" = None,
    start_scan: StartScan | None = None,
) -> SearchOutcome:
    """Search inside the caller's read transaction and return the whole ranked pool.

    `matrix`, if given, is used only when it belongs to this very snapshot; `start_scan` runs its
    scan, beside the lexical arm where it can. Raises GenizahError.
    """
    version = await connection.data_version()
    fresh = matrix if matrix is not None and matrix.data_version == version else None
    vector = None if query.dense is None else query.dense.vector
    make_probe = partial(_probe, connection, vector or b"", fresh, start_scan)
    probe = None if vector is None or scope.is_filtered else make_probe()
    depth, expression = settings.fusion_depth, query.lexical.expression
    lexical = await lexical_arm(connection, expression, scope, depth)
    chunks, rows = await memories.index_sizes(connection)
    sizes = {"depth": depth, "overfetch": settings.chunk_overfetch, "chunks": chunks}
    if vector is None:
        dense = DenseArm((), ArmReport(ran=False, reason=query.dense_reason))
    elif probe is None:
        dense = await narrowed_arm(connection, vector, make_probe, scope, **sizes)
    else:
        dense = await dense_arm(connection, probe, exact_probe(connection, vector), scope, **sizes)
    hits = assemble(dense, lexical, await _heads(connection, dense, lexical), settings)
    asked = query_notices(query, lexical.report, dense.report)
    return SearchOutcome(
        query=query,
        scope=scope,
        settings=settings,
        dense=dense.report,
        lexical=lexical.report,
        doublings=dense.doublings,
        hits=hits,
        memories=rows,
        chunks=chunks,
        data_version=version,
        notices=(*asked, *_peer_notices(dense, hits, scope)),
        matrix_is_stale=query.dense is not None and fresh is None,
    )
