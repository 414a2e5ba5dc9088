"""What a search ran on, in words: the store, its model, and every setting with its source."""

from collections.abc import Sequence
from dataclasses import asdict

from app.open_store import OpenStore
from core.explain.steps.explanation import Snapshot
from core.retrieval.outcome import SearchOutcome
from core.settings import RetrievalSettings, SettingSource, StoreSettings

_SOURCES = {
    SettingSource.DEFAULT: "default",
    SettingSource.USER_FILE: "user file",
    SettingSource.STORE_FILE: "store file",
}
_TRIED = "what if"
_OF_ANOTHER = "not this store's own"
_FINGERPRINT = 12


def snapshot_of(
    store: OpenStore,
    outcome: SearchOutcome,
    fingerprint: str | None = None,
    *facts: str,
    is_tried: bool = True,
) -> Snapshot:
    """Return what a search of this store ran on; `facts` come first.

    Ranking settings that are not the store's are `is_tried` by a person, or another store's: those
    of the first one hold for all that are searched together.
    """
    line = store.line
    model = _model(store, fingerprint)
    kept = (*facts, line.path, f"store {line.store_id}, schema {line.schema_version}", model)
    otherwise = _TRIED if is_tried and outcome.union is None else _OF_ANOTHER
    settings = _settings(store.settings, store.settings, outcome.settings, otherwise)
    return Snapshot(kept, settings)


def snapshot_of_several(
    stores: Sequence[OpenStore],
    first: OpenStore,
    outcome: SearchOutcome,
    fingerprint: str | None = None,
    *facts: str,
) -> Snapshot:
    """Return what a search over several stores of one model ran on; `facts` come first.

    The ranking settings are those of `first`, the first of all that were searched.
    """
    lines = [
        f"{line.path}, store {line.store_id}, schema {line.schema_version}"
        for line in (store.line for store in stores)
    ]
    kept = (*facts, *lines, _model(stores[0], fingerprint))
    settings = _settings(stores[0].settings, first.settings, outcome.settings)
    return Snapshot(kept, settings)


def _model(store: OpenStore, fingerprint: str | None) -> str:
    told = "" if fingerprint is None else f", sha256 {fingerprint[:_FINGERPRINT]}…"
    return f"model {store.line.embed_model}{told}"


def _settings(
    own: StoreSettings, ranking: StoreSettings, used: RetrievalSettings, otherwise: str = _TRIED
) -> tuple[tuple[str, str, str], ...]:
    """Return (key, value, source) of every setting; `otherwise` is said of one that is only used.

    How queries are ranked is set in `ranking`, everything else in `own`.
    """
    tried = {f"retrieval.{name}": value for name, value in asdict(used).items()}
    lines = []
    for key, kept in own.items():
        setting = ranking[key] if key in tried else kept
        value = tried.get(key, setting.value)
        source = _SOURCES[setting.source] if value == setting.value else otherwise
        lines.append((key, repr(value), source))
    return tuple(lines)
