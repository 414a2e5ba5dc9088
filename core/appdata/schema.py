"""Tables of the program's own file, one step a version; a file is only ever stepped forwards.

`id` counts upwards with every note, so that the order survives a clock that is set back.
"""

STEPS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE recent (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, "
        "store_id TEXT NOT NULL, name TEXT NOT NULL, opened_at TEXT NOT NULL)",
        "CREATE TABLE query (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, at TEXT NOT NULL)",
        "CREATE TABLE saved_search (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
        "text TEXT NOT NULL, include_retired INTEGER NOT NULL, at TEXT NOT NULL)",
        "CREATE TABLE preference (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE geometry (part TEXT PRIMARY KEY, state BLOB NOT NULL)",
    ),
    (
        "CREATE TABLE grade (id INTEGER PRIMARY KEY, text TEXT NOT NULL, "
        "include_retired INTEGER NOT NULL, store_id TEXT NOT NULL, uuid BLOB NOT NULL, "
        "grade INTEGER NOT NULL, at TEXT NOT NULL, UNIQUE (store_id, text, include_retired, uuid))",
        "CREATE TABLE baseline (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
        "text TEXT NOT NULL, include_retired INTEGER NOT NULL, settings TEXT NOT NULL, "
        "store_id TEXT NOT NULL, data_version INTEGER NOT NULL, pool TEXT NOT NULL, "
        "at TEXT NOT NULL)",
    ),
)
VERSION = len(STEPS)
TABLES = frozenset(
    {"recent", "query", "saved_search", "preference", "geometry", "grade", "baseline"}
)
