"""Keeping preferences and window geometry. A value that is not understood counts as not set."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from core.appdata.choices import Preferences, ThemeChoice
from core.appdata.database import AppDatabase
from core.store.connection import Row


def _applied(chosen: Preferences, key: str, text: str) -> Preferences:
    """Return the preferences with one stored value, or unchanged where it does not fit."""
    known = {f.name: getattr(chosen, f.name) for f in fields(Preferences)}
    if key not in known:
        return chosen
    try:
        value = json.loads(text)
        if key == "theme":
            return replace(chosen, theme=ThemeChoice(value))
        if type(value) is not type(known[key]):
            return chosen
        return replace(chosen, **{key: value})
    except (ValueError, RecursionError):
        return chosen


def _understood(rows: Iterable[Row]) -> Preferences:
    chosen = Preferences()
    for key, text in rows:
        chosen = _applied(chosen, str(key), str(text))
    return chosen


class PreferenceStore:
    """Read and write preferences and geometry."""

    def __init__(self, database: AppDatabase) -> None:
        self._database = database

    async def load(self) -> Preferences:
        """Return what was chosen, defaults elsewhere."""
        async with self._database.reading() as connection:
            rows = await connection.rows("SELECT key, value FROM preference ORDER BY key")
        return _understood(rows)

    async def save(self, chosen: Preferences) -> None:
        """Keep all preferences."""
        async with self._database.writing() as connection:
            for f in fields(Preferences):
                await connection.rows(
                    "INSERT INTO preference VALUES (?1, ?2) "
                    "ON CONFLICT(key) DO UPDATE SET value = ?2",
                    (f.name, json.dumps(getattr(chosen, f.name))),
                )

    async def geometry(self) -> dict[str, bytes]:
        """Return the saved state of each part of the window."""
        async with self._database.reading() as connection:
            rows = await connection.rows("SELECT part, state FROM geometry")
        return {str(part): state for part, state in rows if isinstance(state, bytes)}

    async def save_geometry(self, parts: Mapping[str, bytes]) -> None:
        """Keep the state of some parts of the window."""
        async with self._database.writing() as connection:
            for part, state in parts.items():
                await connection.rows(
                    "INSERT INTO geometry VALUES (?1, ?2) "
                    "ON CONFLICT(part) DO UPDATE SET state = ?2",
                    (part, state),
                )
