"""The object genizah.check/1: counts, settings with sources, model, problems."""

from dataclasses import dataclass

from core.documents.search_document import StoreLine, notice_documents, settings_document
from core.errors import JsonValue
from core.notices import Notice
from core.readmodels import StateCounts
from core.settings import StoreSettings
from core.store.health import Problem

CHECK_SCHEMA = "genizah.check/1"


@dataclass(frozen=True, slots=True)
class ModelLine:
    """The store's model and whether it can be used here; `reason` says why not."""

    name: str
    width: int
    available: bool
    reason: str | None
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What one check found. `deep` tells whether the indexes were checked on a private copy."""

    counts: StateCounts
    chunks: int
    vectors: int
    model: ModelLine
    problems: tuple[Problem, ...]
    deep: bool


def _model(model: ModelLine) -> JsonValue:
    return {
        "name": model.name,
        "width": model.width,
        "available": model.available,
        "reason": model.reason,
        "fingerprint": model.fingerprint,
    }


def check_document(
    report: CheckReport, store: StoreLine, settings: StoreSettings, notices: tuple[Notice, ...]
) -> dict[str, JsonValue]:
    """Build the object; every key present."""
    counts = report.counts
    return {
        "schema": CHECK_SCHEMA,
        "path": store.path,
        "store_id": store.store_id,
        "schema_version": store.schema_version,
        "counts": {
            "memories": counts.total,
            "live": counts.live,
            "superseded": counts.superseded,
            "retired": counts.retired,
            "chunks": report.chunks,
            "vectors": report.vectors,
        },
        "settings": settings_document(settings),
        "model": _model(report.model),
        "deep": report.deep,
        "problems": [
            {"code": p.code.value, "text": p.text, "uuid": p.uuid} for p in report.problems
        ],
        "notices": notice_documents(notices),
    }
