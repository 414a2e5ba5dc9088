"""The object genizah.explanation/1: what became of one memory in one search, step by step."""

from core.documents.search_document import query_document
from core.errors import JsonValue
from core.explain.explanation import DenseSide, Explanation, LexicalSide, Margin
from core.explain.sentence import sentence_of
from core.explain.standing import Neighbour, Standing
from core.retrieval.arms import StopReason
from core.retrieval.ranking import penalty_of

EXPLANATION_SCHEMA = "genizah.explanation/1"


def _stop(reason: StopReason | None) -> JsonValue:
    return None if reason is None else reason.value


def _dense(side: DenseSide) -> JsonValue:
    return {
        "rank": side.rank,
        "distance": side.distance,
        "stop_reason": _stop(side.stop_reason),
        "chunks": [
            {
                "part_index": chunk.part_index,
                "distance": chunk.distance,
                "start": chunk.start,
                "end": chunk.end,
            }
            for chunk in side.chunks
        ],
    }


def _lexical(side: LexicalSide) -> JsonValue:
    return {
        "rank": side.rank,
        "bm25": side.bm25,
        "terms": [
            {
                "term": share.term,
                "idf": share.idf,
                "df": share.df,
                "rows": share.rows,
                "tf_gist": share.tf_gist,
                "tf_content": share.tf_content,
                "contribution": share.contribution,
            }
            for share in side.terms
        ],
    }


def _fusion(e: Explanation) -> JsonValue:
    terms = () if e.standing is None else e.standing.terms
    return {
        "rrf_k": e.outcome.settings.rrf_k,
        "terms": [{"arm": t.arm, "rank": t.rank, "value": t.value} for t in terms],
        "rrf_score": None if e.standing is None else e.standing.rrf_score,
    }


def _penalty(e: Explanation) -> JsonValue:
    if e.head is None:
        return None
    state = e.head.state
    return {"state": state.value, "factor": penalty_of(state, e.outcome.settings)}


def _neighbour(neighbour: Neighbour | None) -> JsonValue:
    if neighbour is None:
        return None
    return {"uuid": neighbour.uuid, "key": neighbour.key.value}


def _order(standing: Standing) -> JsonValue:
    return {
        "position": standing.position,
        "position_before_repair": standing.position_before_repair,
        "above": _neighbour(standing.above),
        "below": _neighbour(standing.below),
    }


def _repair(standing: Standing) -> JsonValue:
    return {"moved": standing.repair.moved, "because_of": standing.repair.because_of}


def _margin(margin: Margin) -> JsonValue:
    return {
        "kind": margin.kind.value,
        "from": margin.before,
        "to": margin.after,
        "position": margin.position,
        "verified": margin.verified,
    }


def explanation_document(e: Explanation) -> dict[str, JsonValue]:
    """Build the object: every key present, null where not applicable."""
    standing = e.standing
    return {
        "schema": EXPLANATION_SCHEMA,
        "uuid": e.uuid,
        "store_id": e.store_id,
        "outcome": e.verdict.value,
        "sentence": sentence_of(e),
        "query": query_document(e.outcome),
        "eligibility": [{"stage": r.stage, "remaining": r.remaining} for r in e.ladder],
        "dense": _dense(e.dense),
        "lexical": _lexical(e.lexical),
        "fusion": _fusion(e),
        "penalty": _penalty(e),
        "fused_score": None if standing is None else standing.fused_score,
        "order": None if standing is None else _order(standing),
        "repair": None if standing is None else _repair(standing),
        "cut": {"limit": e.limit, "inside": standing is not None and standing.cut.inside},
        "margins": [_margin(m) for m in e.margins],
    }
