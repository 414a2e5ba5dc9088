"""Near-duplicates of a new memory: live rows that its own text and vector find, near enough."""

from dataclasses import dataclass

from core.commands.gate import WriteSettings
from core.commands.outcome import NearDuplicate
from core.commands.preparation import Prepared
from core.notices import Notice, NoticeCode
from core.retrieval.eligibility import Consumer, Scope
from core.retrieval.outcome import Hit
from core.retrieval.query import DenseQuery, PreparedQuery, lexical_query
from core.retrieval.retrieve import retrieve
from core.store import chunk_rows
from core.store.connection import Connection

_PEER_FAILS = frozenset(
    {
        NoticeCode.PEER_FAILS_K_LIMIT,
        NoticeCode.PEER_FAILS_VECTOR,
        NoticeCode.PEER_FAILS_CYCLE,
    }
)


@dataclass(frozen=True, slots=True)
class Nearness:
    """What is near a new memory, nearest pool place first; notices where the agent's own search
    fails."""

    found: tuple[NearDuplicate, ...] = ()
    notices: tuple[Notice, ...] = ()


def cosine_of(distance: float) -> float:
    """Return the cosine of two unit vectors from their L2 distance."""
    return 1.0 - (distance * distance) / 2.0


async def near_duplicates(
    connection: Connection, uuid: str, text: Prepared, settings: WriteSettings
) -> Nearness:
    """Search with the new memory `uuid`, which need not be stored; runs in the caller's snapshot.

    The candidates are the fused pool in its order, kept from the threshold on, at most dedup_max.
    """
    if settings.dedup_max == 0 or not text.chunks:
        return Nearness()
    query, vector = settings.retrieval, text.chunks[0].vector
    words = lexical_query(f"{text.gist}\n{text.content}", query.fts_query_max_terms)
    prepared = PreparedQuery(None, uuid, words, DenseQuery(vector))
    scope = Scope(Consumer.SIMILAR, exclude_uuid=uuid)
    outcome = await retrieve(connection, prepared, scope, query)
    found: list[NearDuplicate] = []
    for hit in outcome.hits:
        distance = await _distance(connection, hit, vector)
        if distance is None or cosine_of(distance) < settings.dedup_threshold:
            continue
        rank = len(found) + 1
        found.append(NearDuplicate(hit.uuid, hit.head.gist, cosine_of(distance), rank))
        if rank == settings.dedup_max:
            break
    told = tuple(n for n in outcome.notices if n.code in _PEER_FAILS)
    return Nearness(tuple(found), told)


async def _distance(connection: Connection, hit: Hit, vector: bytes) -> float | None:
    if hit.dense is not None:
        return hit.dense.distance
    return await chunk_rows.smallest_distance(connection, hit.uuid, vector)
