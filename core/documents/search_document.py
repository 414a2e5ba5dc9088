"""The object genizah.search/1: one search of one store or several, with the whole pools."""

from dataclasses import dataclass

from core.errors import JsonValue
from core.federation.outcome import FederatedOutcome, Group, StoreStatus
from core.notices import Notice, NoticeCode
from core.retrieval.arms import ArmReport
from core.retrieval.literal import LiteralMatch
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


@dataclass(frozen=True, slots=True)
class StoreMatch:
    """A row that contains the text, and the place of its store."""

    store: int
    match: LiteralMatch


@dataclass(frozen=True, slots=True)
class StoresLiteral:
    """Rows of all stores that contain the text, newest first, and how many there are in all.

    `unread` names the stores that could not be looked through to their end, each with the reason.
    """

    matches: tuple[StoreMatch, ...]
    total: int
    unread: tuple[str, ...] = ()


def notices_beside(found: FederatedOutcome, literal: StoresLiteral) -> tuple[Notice, ...]:
    """Return all that is said beside the lists: each once."""
    of_lists = dict.fromkeys(n for group in found.groups for n in group.outcome.notices)
    return (*found.notices, *of_lists, *_unread(literal, len(found.stores)))


def _unread(literal: StoresLiteral, stores: int) -> tuple[Notice, ...]:
    if not literal.unread:
        return ()
    text = (
        f"Incomplete: {len(literal.unread)} of {stores} stores could not be looked through for the "
        f"text itself. {'; '.join(literal.unread)}"
    )
    return (Notice(NoticeCode.STORES_FAILED, text),)


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


def _hit(hit: Hit, store: int, store_id: str | None, group: int) -> JsonValue:
    dense, lexical = hit.dense, hit.lexical
    return {
        "position": hit.position,
        "uuid": hit.uuid,
        "store": store,
        "store_id": store_id,
        "group": group,
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


def _hits(found: FederatedOutcome) -> list[JsonValue]:
    """Return the lists of all groups, one after the other."""
    documents: list[JsonValue] = []
    for number, group in enumerate(found.groups):
        for hit in group.outcome.hits:
            store = group.store_of(hit.uuid)
            documents.append(_hit(hit, store, found.stores[store].store_id, number))
    return documents


def _literal(literal: StoresLiteral, found: FederatedOutcome) -> list[JsonValue]:
    return [
        {
            "uuid": m.match.head.uuid,
            "store": m.store,
            "store_id": found.stores[m.store].store_id,
            "gist": m.match.head.gist,
            "where": m.match.where.value,
        }
        for m in literal.matches
    ]


def _store(status: StoreStatus) -> JsonValue:
    return {
        "path": status.path,
        "store_id": status.store_id,
        "schema_version": status.schema_version,
        "memories": status.memories,
        "chunks": status.chunks,
        "embed_model": status.embed_model,
        "searched": status.searched.value,
        "reason": status.reason,
    }


def _group(number: int, group: Group) -> JsonValue:
    return {
        "id": number,
        "stores": list(group.stores),
        "reason": group.reason,
        "arms": _arms(group.outcome),
    }


def search_document(
    found: FederatedOutcome,
    settings: StoreSettings,
    literal: StoresLiteral,
    limit: int,
    *,
    incomplete: bool,
) -> dict[str, JsonValue]:
    """Build the object: every key present, the pools uncut, null where not applicable.

    `settings` are those of the first store that was searched.
    """
    first = found.first.outcome
    return {
        "schema": SEARCH_SCHEMA,
        "query": query_document(first),
        "settings": settings_document(settings),
        "stores": [_store(status) for status in found.stores],
        "groups": [_group(number, group) for number, group in enumerate(found.groups)],
        "arms": _arms(first),
        "limit": limit,
        "hits": _hits(found),
        "literal": _literal(literal, found),
        "literal_total": literal.total,
        "notices": notice_documents(notices_beside(found, literal)),
        "incomplete": incomplete,
    }
