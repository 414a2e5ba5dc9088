"""Many memories at once, through the peer's own row-and-index code; no near-duplicates are sought.

The peer's code awaits every statement; here a batch runs inside the connection's own thread, where
a statement is answered at once: a store of 100,000 takes minutes otherwise.
"""

import base64
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from tests.peer.child.stores import OpenStore
from tests.peer.child.worlds import peer_module

type Item = Mapping[str, Any]


class _DirectConnection:
    """The part of the peer's connection that inserting needs, without leaving the thread."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def execute(self, sql: str, parameters: Sequence[object] = ()) -> Any:
        return self._connection.execute(sql, parameters)

    async def execute_fetchall(self, sql: str, parameters: Sequence[object] = ()) -> Any:
        return self._connection.execute(sql, parameters).fetchall()


async def remember_all(opened: OpenStore, items: Sequence[Item]) -> list[str]:
    """Write the items in one transaction and return their uuids in order."""
    writes = peer_module("core.indexing.writes")
    rewrite = peer_module("core.records.memory").Rewrite
    prepared = []
    for item in items:
        with opened.given([base64.b64decode(vector) for vector in item["vectors"]]):
            text = rewrite(gist=item["gist"], content=item["content"])
            prepared.append(await writes.prepare(text, index=opened.index))
    tiers = [str(item["tier"]) for item in items]

    async def work(db: Any) -> list[str]:
        direct = _DirectConnection(db._conn)
        inserting = _insert_all(opened, direct, prepared, tiers)
        written: list[str] = await db._execute(_driven, inserting)
        return written

    transactions = peer_module("core.store.transactions")
    uuids: list[str] = await transactions.in_one_transaction(
        opened.store.connection, work, failure=transactions.propagate
    )
    return uuids


def _driven[T](coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never really waits to its end."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("the peer's insertion waited for something")


async def _insert_all(
    opened: OpenStore, db: _DirectConnection, prepared: Sequence[Any], tiers: Sequence[str]
) -> list[str]:
    pairs = zip(prepared, tiers, strict=True)
    return [await _insert(opened, db, one, tier) for one, tier in pairs]


async def _insert(opened: OpenStore, db: _DirectConnection, prepared: Any, tier: str) -> str:
    memory, writes = peer_module("core.records.memory"), peer_module("core.indexing.writes")
    call = opened.indexed_call()
    row = await writes.insert_row_and_indexes(
        db, prepared=prepared, call=call, tier=memory.Tier(tier)
    )
    plan = prepared.plan
    detail = peer_module("core.events").RememberDetail(
        version=row.version,
        token_count=plan.content_tokens,
        gist_tokens=plan.gist_tokens,
        n_chunks=plan.n_chunks,
        truncated=plan.truncated,
    )
    await memory.log_event(db, ctx=call.ctx, detail=detail, memory_uuid=row.uuid)
    return str(row.uuid)
