"""A store of 100,000 memories of 200 bytes and 200 of 20 kB, made inside SQLite in seconds.

No vectors: it is for lists and words.
"""

from pathlib import Path

from tests.support.stores import build_store, writing

SMALL, LARGE = 100_000, 200
_LARGE_BYTES = 20_000


def big_store(folder: Path) -> Path:
    """Make the store; row n was created n seconds after the first, the large ones last."""
    project = build_store(folder, [])
    with writing(project) as raw:
        raw.execute(
            """
            INSERT INTO memory (uuid, tier, gist, content, active, superseded_by, version,
                                created_at, updated_at, session_id, token_count)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2)
            SELECT format('%08x-0000-4000-8000-%012x', i, i), 'journal',
                   format('memory number %d of the harbour', i),
                   CASE WHEN i <= ?1 THEN format('%-200s', 'small text ' || i)
                        ELSE replace(hex(zeroblob(?3 / 4)), '00', 'big ') || i END,
                   1, NULL, 1,
                   strftime('%Y-%m-%dT%H:%M:%S+00:00', 1760000000 + i, 'unixepoch'),
                   strftime('%Y-%m-%dT%H:%M:%S+00:00', 1760000000 + i, 'unixepoch'), 's', 50
            FROM n
            """,
            (SMALL, LARGE, _LARGE_BYTES),
        )
        raw.execute(
            "INSERT INTO memory_fts(rowid, gist, content) SELECT rowid, gist, content FROM memory"
        )
    return project
