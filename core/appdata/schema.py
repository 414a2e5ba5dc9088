"""Tables of the program's own file, one step a version; a file is only ever stepped forwards.

`id` counts upwards with every note, so that the order survives a clock that is set back.
"""

#: The path that a store of this id was opened by, empty where that was none or several.
_ONLY_PATH = (
    "coalesce((SELECT max(path) FROM recent WHERE recent.store_id = {}.store_id "
    "GROUP BY recent.store_id HAVING count(*) = 1), x'')"
)

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
    (
        "CREATE TABLE text_history (id INTEGER PRIMARY KEY, store_id TEXT NOT NULL, "
        "uuid BLOB NOT NULL, version INTEGER NOT NULL, gist BLOB NOT NULL, content BLOB NOT NULL, "
        "digest BLOB NOT NULL, size INTEGER NOT NULL, at TEXT NOT NULL, how TEXT NOT NULL, "
        "UNIQUE (store_id, uuid, version, digest))",
        "CREATE INDEX text_history_by_size ON text_history(size)",
        "CREATE TABLE draft (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, "
        "store_id TEXT NOT NULL, number INTEGER, entry TEXT NOT NULL, at TEXT NOT NULL)",
        "CREATE TABLE pending (id INTEGER PRIMARY KEY, store_id TEXT NOT NULL, "
        "owner TEXT NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL, "
        "entry TEXT NOT NULL, at TEXT NOT NULL, UNIQUE (store_id, owner, number))",
        "CREATE TABLE inbox_mark (store_id TEXT PRIMARY KEY, event_id INTEGER NOT NULL)",
    ),
    (
        "CREATE TABLE not_duplicate (id INTEGER PRIMARY KEY, store_id TEXT NOT NULL, "
        "uuid BLOB NOT NULL, other_store_id TEXT NOT NULL, other_uuid BLOB NOT NULL, "
        "at TEXT NOT NULL, UNIQUE (store_id, uuid, other_store_id, other_uuid))",
    ),
    (
        "CREATE TABLE pending_by_place (id INTEGER PRIMARY KEY, store_id TEXT NOT NULL, "
        "path BLOB NOT NULL, owner TEXT NOT NULL, number INTEGER NOT NULL, "
        "place INTEGER NOT NULL, entry TEXT NOT NULL, at TEXT NOT NULL, "
        "UNIQUE (store_id, path, owner, number))",
        f"INSERT INTO pending_by_place SELECT id, store_id, {_ONLY_PATH.format('pending')}, owner, "
        "number, place, entry, at FROM pending",
        "DROP TABLE pending",
        "ALTER TABLE pending_by_place RENAME TO pending",
        "ALTER TABLE draft ADD COLUMN path BLOB NOT NULL DEFAULT x''",
        f"UPDATE draft SET path = {_ONLY_PATH.format('draft')}",
        "CREATE TABLE inbox_mark_by_place (store_id TEXT NOT NULL, path BLOB NOT NULL, "
        "event_id INTEGER NOT NULL, PRIMARY KEY (store_id, path))",
        "INSERT INTO inbox_mark_by_place "
        f"SELECT store_id, {_ONLY_PATH.format('inbox_mark')}, event_id FROM inbox_mark",
        "DROP TABLE inbox_mark",
        "ALTER TABLE inbox_mark_by_place RENAME TO inbox_mark",
    ),
)
VERSION = len(STEPS)
TABLES = frozenset(
    {
        *("recent", "query", "saved_search", "preference", "geometry", "grade", "baseline"),
        *("text_history", "draft", "pending", "inbox_mark", "not_duplicate"),
    }
)
