"""The object genizah.search/1: one search with its whole pool."""

from dataclasses import dataclass

from core.errors import JsonValue
from core.notices import Notice
from core.retrieval.arms import ArmReport
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import Hit, SearchOutcome
from core.settings import StoreSettings

SEARCH_SCHEMA = "genizah.search/1"


@dataclass(frozen=True, slots=True)
class StoreLine:
    """What the object says of the store that was searched."""

    path: str
    store_id: str
    schema_version: int
    embed_model: str


def notice_documents(notices: tuple[Notice, ...]) -> list[JsonValue]:
    """Return the notices as objects."""
    return [{"code": n.code.value, "text": n.text} for n in notices]


def settings_document(settings: StoreSettings) -> dict[str, JsonValue]:
    """Return the effective settings with their sources."""
    return {k: {"value": s.value, "source": s.source.value} for k, s in settings.items()}


def _arm(report: ArmReport) -> JsonValue:
    return {
        "ran": report.ran,
        "depth_reached": report.depth_reached,
        "stop_reason": None if report.stop_reason is None else report.stop_reason.value,
        "reason": report.reason,
    }


def _arms(outcome: SearchOutcome) -> dict[str, JsonValue]:
    return {"dense": _arm(outcome.dense), "lexical": _arm(outcome.lexical)}


def query_document(outcome: SearchOutcome) -> dict[str, JsonValue]:
    """Return the query of a search and what was made of it."""
    query = outcome.query
    dense = query.dense
    return {
        "text": query.text,
        "uuid": query.uuid,
        "tokens": None if dense is None else dense.tokens,
        "truncated": None if dense is None else dense.truncated,
        "terms": list(query.lexical.terms),
        "dropped_terms": list(query.lexical.dropped),
        "expression": query.lexical.expression,
    }


def _hit(hit: Hit, store_id: str) -> JsonValue:
    dense, lexical = hit.dense, hit.lexical
    return {
        "position": hit.position,
        "uuid": hit.uuid,
        "store": 0,
        "store_id": store_id,
        "group": 0,
        "state": hit.state.value,
        "tier": hit.head.tier,
        "gist": hit.head.gist,
        "superseded_by": hit.head.superseded_by,
        "rrf_score": hit.rrf_score,
        "penalty": hit.penalty,
        "fused_score": hit.fused_score,
        "dense": None if dense is None else {"rank": dense.rank, "distance": dense.distance},
        "lexical": None if lexical is None else {"rank": lexical.rank, "bm25": lexical.bm25},
        "moved_by_repair": hit.moved_by_repair,
    }


def _literal(literal: LiteralMatches, store_id: str) -> list[JsonValue]:
    return [
        {
            "uuid": m.head.uuid,
            "store": 0,
            "store_id": store_id,
            "gist": m.head.gist,
            "where": m.where.value,
        }
        for m in literal.matches
    ]


def _store(outcome: SearchOutcome, store: StoreLine) -> JsonValue:
    return {
        "path": store.path,
        "store_id": store.store_id,
        "schema_version": store.schema_version,
        "memories": outcome.memories,
        "chunks": outcome.chunks,
        "embed_model": store.embed_model,
        "searched": "hybrid" if outcome.dense.ran else "lexical",
        "reason": outcome.dense.reason,
    }


def search_document(
    outcome: SearchOutcome,
    store: StoreLine,
    settings: StoreSettings,
    literal: LiteralMatches,
    limit: int,
    notices: tuple[Notice, ...],
    *,
    incomplete: bool,
) -> dict[str, JsonValue]:
    """Build the object: every key present, the pool uncut, null where not applicable."""
    arms = _arms(outcome)
    return {
        "schema": SEARCH_SCHEMA,
        "query": query_document(outcome),
        "settings": settings_document(settings),
        "stores": [_store(outcome, store)],
        "groups": [{"id": 0, "stores": [0], "reason": None, "arms": arms}],
        "arms": arms,
        "limit": limit,
        "hits": [_hit(h, store.store_id) for h in outcome.hits],
        "literal": _literal(literal, store.store_id),
        "literal_total": literal.total,
        "notices": notice_documents((*notices, *outcome.notices)),
        "incomplete": incomplete,
    }
