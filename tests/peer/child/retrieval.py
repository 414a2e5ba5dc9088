"""The peer's retrieve() for texts and for rows, told in full, and timed."""

import time
from collections.abc import Sequence
from typing import Any

from tests.peer.child.answers import plain
from tests.peer.child.stores import OpenStore
from tests.peer.child.worlds import peer_module


async def retrieve_external(
    opened: OpenStore, query: str, *, include_retired: bool, vector: bytes | None
) -> dict[str, object]:
    """Retrieve for a text: what it was turned into, how far each arm got, the whole pool."""
    with opened.given(None if vector is None else [vector]):
        external = _external_query(opened, query)
    scope = _search_scope(include_retired=include_retired)
    retrieved = await _in_transaction(opened, external.prepared, scope)
    return {
        "query": query,
        "include_retired": include_retired,
        "vector": plain(external.prepared.vector),
        "query_tokens": external.query_tokens,
        "query_truncated": external.query_truncated,
        "terms": list(external.prepared.lexical.terms),
        "expression": external.prepared.lexical.expression,
        "dense": _arm(retrieved.dense),
        "lexical": _arm(retrieved.lexical),
        "pool": [_ranked(row) for row in retrieved.pool],
    }


async def retrieve_internal(opened: OpenStore, uuid: str) -> dict[str, object]:
    """Retrieve what is near one row: live rows only, itself left out."""
    eligibility = peer_module("core.retrieval.eligibility")
    scope = eligibility.Scope(eligibility.Consumer.DEDUP, exclude_uuid=uuid)
    queries = peer_module("core.retrieval.query")
    retrieve = peer_module("core.retrieval.retrieve").retrieve

    async def work(db: Any) -> Any:
        prepared = await queries.internal_query(
            db, memory_uuid=uuid, max_terms=opened.retrieval.fts_query_max_terms
        )
        return prepared, await retrieve(
            db, query=prepared, scope=scope, settings=opened.retrieval
        )

    prepared, retrieved = await _read(opened, work)
    return {
        "uuid": uuid,
        "vector": plain(prepared.vector),
        "expression": prepared.lexical.expression,
        "dense": _arm(retrieved.dense),
        "lexical": _arm(retrieved.lexical),
        "pool": [_ranked(row) for row in retrieved.pool],
    }


async def time_retrieve(
    opened: OpenStore, query: str, *, vector: bytes | None, repeat: int
) -> list[float]:
    """Time retrieve() alone, in seconds per call: query made before, transaction already open."""
    retrieve = peer_module("core.retrieval.retrieve").retrieve
    with opened.given(None if vector is None else [vector]):
        prepared = _external_query(opened, query).prepared
    scope = _search_scope(include_retired=False)
    seconds: list[float] = []

    async def work(db: Any) -> None:
        begun = time.perf_counter()
        await retrieve(db, query=prepared, scope=scope, settings=opened.retrieval)
        seconds.append(time.perf_counter() - begun)

    for _ in range(repeat):
        await _read(opened, work)
    return seconds


def _external_query(opened: OpenStore, text: str) -> Any:
    return peer_module("core.retrieval.query").external_query(
        text,
        encoder=opened.encoder,
        prefix=opened.retrieval.embed_prefix_query,
        max_terms=opened.retrieval.fts_query_max_terms,
    )


def _search_scope(*, include_retired: bool) -> Any:
    eligibility = peer_module("core.retrieval.eligibility")
    return eligibility.Scope(eligibility.Consumer.SEARCH, include_retired=include_retired)


async def _in_transaction(opened: OpenStore, prepared: Any, scope: Any) -> Any:
    retrieve = peer_module("core.retrieval.retrieve").retrieve

    async def work(db: Any) -> Any:
        return await retrieve(db, query=prepared, scope=scope, settings=opened.retrieval)

    return await _read(opened, work)


async def _read(opened: OpenStore, work: Any) -> Any:
    transactions = peer_module("core.store.transactions")
    return await transactions.in_one_transaction(
        opened.store.connection, work, failure=transactions.propagate, immediate=False
    )


def _arm(outcome: Any) -> dict[str, object]:
    return {
        "depth_reached": outcome.depth_reached,
        "stop_reason": plain(outcome.stop_reason),
    }


def _ranked(row: Any) -> dict[str, object]:
    names: Sequence[str] = ("fused_score", "dense_rank", "lexical_rank", "best_distance")
    facts = {name: getattr(row, name) for name in names}
    return {"uuid": row.row.uuid, **facts, "state": plain(row.row.state)}
