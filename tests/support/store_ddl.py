"""The tables of the store format, as statements; data only."""

SCHEMA_VERSION = 4

TABLES = """
CREATE TABLE memory (
  rowid INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL DEFAULT 'journal' CHECK (tier IN ('journal', 'long_term')),
  gist TEXT NOT NULL, content TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  superseded_by TEXT REFERENCES memory(uuid) ON DELETE RESTRICT,
  version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, session_id TEXT,
  token_count INTEGER NOT NULL DEFAULT 0,
  CHECK (length(trim(gist)) > 0), CHECK (length(trim(content)) > 0),
  CHECK (superseded_by IS NULL OR superseded_by <> uuid),
  CHECK (superseded_by IS NULL OR active = 0));
CREATE INDEX memory_by_state ON memory(active, superseded_by);
CREATE INDEX memory_by_successor ON memory(superseded_by);
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  gist, content, content = 'memory', content_rowid = 'rowid', tokenize = 'unicode61');
CREATE TABLE memory_chunk (
  chunk_id INTEGER PRIMARY KEY,
  memory_uuid TEXT NOT NULL REFERENCES memory(uuid) ON DELETE CASCADE,
  part_index INTEGER NOT NULL, token_count INTEGER NOT NULL,
  truncated INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1)),
  embed_model TEXT NOT NULL, embed_dim INTEGER NOT NULL, UNIQUE (memory_uuid, part_index));
CREATE INDEX chunk_by_memory ON memory_chunk(memory_uuid);
CREATE TABLE event (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, session_id TEXT,
  client_kind TEXT NOT NULL
    CHECK (client_kind IN ('hook', 'mcp', 'consolidator', 'cli', 'indexer')),
  op_id TEXT NOT NULL, kind TEXT NOT NULL, memory_uuid TEXT, detail TEXT);
CREATE TABLE read_receipt (
  session_id TEXT NOT NULL, client_kind TEXT NOT NULL,
  memory_uuid TEXT NOT NULL REFERENCES memory(uuid) ON DELETE CASCADE,
  version INTEGER NOT NULL, at TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('fetch', 'group', 'conflict', 'own_write')),
  PRIMARY KEY (session_id, client_kind, memory_uuid, version)) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

#: Takes the width of the vectors.
VECTORS = "CREATE VIRTUAL TABLE memory_vec USING vec0 (embedding float[{width}])"
