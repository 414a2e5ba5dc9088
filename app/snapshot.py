"""What a search ran on, in words: the store, its model, and every setting with its source."""

from dataclasses import asdict

from app.open_store import OpenStore
from core.explain.steps.explanation import Snapshot
from core.retrieval.outcome import SearchOutcome
from core.settings import EMBED_PREFIX, RetrievalSettings, SettingSource, StoreSettings

_SOURCES = {
    SettingSource.DEFAULT: "default",
    SettingSource.USER_FILE: "user file",
    SettingSource.STORE_FILE: "store file",
}
_TRIED = "what if"
_FINGERPRINT = 12


def snapshot_of(
    store: OpenStore, outcome: SearchOutcome, fingerprint: str | None = None, *facts: str
) -> Snapshot:
    """Return what a search of this store ran on; `facts` come first."""
    line = store.line
    model = f"model {line.embed_model}"
    if fingerprint is not None:
        model += f", sha256 {fingerprint[:_FINGERPRINT]}…"
    kept = (*facts, line.path, f"store {line.store_id}, schema {line.schema_version}", model)
    return Snapshot(kept, _settings(store.settings, outcome.settings))


def _settings(
    settings: StoreSettings, used: RetrievalSettings
) -> tuple[tuple[str, str, str], ...]:
    """Return (key, value, source) of every setting; one that is only tried says so."""
    tried = {f"retrieval.{name}": value for name, value in asdict(used).items()}
    tried[EMBED_PREFIX] = used.embed_prefix_query
    lines = []
    for key, setting in settings.items():
        value = tried.get(key, setting.value)
        source = _SOURCES[setting.source] if value == setting.value else _TRIED
        lines.append((key, repr(value), source))
    return tuple(lines)
