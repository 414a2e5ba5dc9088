"""The object genizah.export/1: whole memories without loss, half surrogates too; memory by memory.

One call for all of a large store would hold every other thread until it is done.
"""

from collections.abc import Iterator

from core.documents.export_content import Export, ExportedMemory
from core.documents.json_text import dump
from core.documents.memory_document import memory_fields
from core.documents.search_document import notice_documents
from core.errors import JsonValue

EXPORT_SCHEMA = "genizah.export/1"


def export_json(export: Export) -> Iterator[str]:
    """Yield the object as one line of ASCII JSON, a memory at a time, without a line end.

    Every key is present, texts are as stored, the order is that of the list.
    """
    yield dump(_head(export)).removesuffix("}") + ', "memories": ['
    for number, memory in enumerate(export.memories):
        yield (", " if number else "") + dump(_memory(export, memory))
    yield "], " + dump({"notices": notice_documents(export.notices)}).removeprefix("{")


def _head(export: Export) -> dict[str, JsonValue]:
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
    }


def _memory(export: Export, memory: ExportedMemory) -> dict[str, JsonValue]:
    return {
        "store": memory.store,
        "store_id": export.stores[memory.store].store_id,
        "position": memory.position,
        "group": memory.group,
        **memory_fields(memory.detail),
    }
