"""The object genizah.show/1: one memory with its lineage and events."""

from collections.abc import Sequence

from core.errors import JsonValue
from core.readmodels import EventRow, LineageStep, MemoryDetail, MemoryHead

SHOW_SCHEMA = "genizah.show/1"


def _neighbour(uuid: str, head: MemoryHead | None) -> JsonValue:
    return {
        "uuid": uuid,
        "missing": head is None,
        "state": None if head is None else head.state.value,
        "gist": None if head is None else head.gist,
    }


def _event(event: EventRow) -> JsonValue:
    return {
        "id": event.id,
        "at": event.at,
        "session_id": event.session_id,
        "client_kind": event.client_kind,
        "op_id": event.op_id,
        "kind": event.kind,
        "detail": event.detail,
    }


def memory_fields(detail: MemoryDetail) -> dict[str, JsonValue]:
    """Return one whole row, texts as stored."""
    head = detail.head
    return {
        "uuid": head.uuid,
        "state": head.state.value,
        "tier": head.tier,
        "gist": head.gist,
        "content": detail.content,
        "version": head.version,
        "created_at": head.created_at,
        "updated_at": head.updated_at,
        "session_id": head.session_id,
        "token_count": head.token_count,
        "superseded_by": head.superseded_by,
        "damaged_text": detail.is_damaged,
    }


def memory_document(
    detail: MemoryDetail,
    store_id: str,
    successors: Sequence[LineageStep],
    predecessors: Sequence[MemoryHead],
    events: Sequence[EventRow],
) -> dict[str, JsonValue]:
    """Build the object; successors nearest first, events newest first, texts as stored."""
    return {
        "schema": SHOW_SCHEMA,
        "store_id": store_id,
        "memory": memory_fields(detail),
        "lineage": {
            "replaced_by": [_neighbour(s.uuid, s.head) for s in successors],
            "replaces": [_neighbour(p.uuid, p) for p in predecessors],
        },
        "events": [_event(e) for e in events],
    }
