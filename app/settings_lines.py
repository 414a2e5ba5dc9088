"""The settings a list was ranked with, each with where it comes from, for the Why panel."""

from dataclasses import asdict

from core.settings import EMBED_PREFIX, RetrievalSettings, SettingSource, StoreSettings

_SOURCES = {
    SettingSource.DEFAULT: "default",
    SettingSource.USER_FILE: "user file",
    SettingSource.STORE_FILE: "store file",
}
_TRIED = "what if"


def settings_lines(
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
