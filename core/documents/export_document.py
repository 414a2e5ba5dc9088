"""The object genizah.export/1: whole memories without loss, half surrogates too."""

from core.documents.export_content import Export
from core.documents.memory_document import memory_fields
from core.documents.search_document import notice_documents
from core.errors import JsonValue

EXPORT_SCHEMA = "genizah.export/1"


def export_document(export: Export) -> dict[str, JsonValue]:
    """Build the object; every key present, texts as stored, the order that of the list."""
    query = export.query
    return {
        "schema": EXPORT_SCHEMA,
        "stores": [
            {
                "path": store.path,
                "store_id": store.store_id,
                "schema_version": store.schema_version,
                "embed_model": store.embed_model,
            }
            for store in export.stores
        ],
        "query": None
        if query is None
        else {"text": query.text, "include_retired": query.include_retired},
        "memories": [
            {
                "store": memory.store,
                "store_id": export.stores[memory.store].store_id,
                "position": memory.position,
                "group": memory.group,
                **memory_fields(memory.detail),
            }
            for memory in export.memories
        ],
        "notices": notice_documents(export.notices),
    }
