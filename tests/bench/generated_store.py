"""Big stores for benchmarks, made row by row with the format's own tables; no model, no peer.

Words follow a Zipf distribution, vectors lie in clusters: sizes and skew as in real stores.
"""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import numpy as np
import sqlean

from core.store.connection import vec0_path
from resources import RESOURCES

WIDTH = 384
_TEMPLATE = RESOURCES / "demo" / ".zikaron" / "memory.db"
_SHADOWS = ("memory_fts_", "memory_vec_", "sqlite_")
_START = datetime(2026, 1, 5, 8, tzinfo=UTC)


def _vocabulary(rng: random.Random, size: int) -> list[str]:
    letters = "etaoinshrdlcumwfgypbvk"
    return ["".join(rng.choices(letters, k=rng.randint(2, 10))) for _ in range(size)]


def _schema() -> list[str]:
    raw = sqlean.connect(f"file:{_TEMPLATE}?mode=ro&immutable=1", uri=True)
    rows = raw.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    raw.close()
    return [sql for name, sql in rows if not name.startswith(_SHADOWS)]


def _new_database(path: Path) -> sqlean.Connection:
    raw = sqlean.connect(str(path), isolation_level=None)
    raw.enable_load_extension(True)
    raw.load_extension(str(vec0_path()))
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = OFF")
    for statement in _schema():
        raw.execute(statement)
    meta = {
        "schema_version": "4",
        "store_id": "7f3c2a51-0b4e-4c58-9a35-5a1f0c9f2e11",
        "embed_model": "genizah/all-minilm-l6-v2-int8",
        "embed_dim": str(WIDTH),
        "chunk_max_tokens": "450",
    }
    raw.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    return raw


def generate(folder: Path, count: int, seed: int = 1) -> list[str]:
    """Make folder/.zikaron with `count` memories of one chunk each; return sample query texts."""
    target = folder / ".zikaron"
    target.mkdir(parents=True)
    (target / "config.toml").write_text(
        '[embedding]\nembed_model = "genizah/all-minilm-l6-v2-int8"\nembed_prefix_query = ""\n'
    )
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    words = _vocabulary(rng, 30_000)
    weights = [1 / (i + 5) for i in range(len(words))]
    centres = numbers.standard_normal((200, WIDTH))
    raw = _new_database(target / "memory.db")
    uuids = [str(UUID(int=rng.getrandbits(128), version=4)) for _ in range(count)]
    for start in range(0, count, 5000):
        size = min(5000, count - start)
        vectors = centres[numbers.integers(0, 200, size)] + 0.8 * numbers.standard_normal(
            (size, WIDTH)
        )
        vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")
        raw.execute("BEGIN")
        for i in range(size):
            n = start + i
            text = rng.choices(words, weights, k=12 + rng.randint(10, 60))
            gist, content = " ".join(text[:12]), " ".join(text[12:])
            state = rng.random()
            by = uuids[n - 1] if n and state < 0.2 else None
            at = (_START + timedelta(minutes=n)).isoformat()
            tier = "long_term" if rng.random() < 0.3 else "journal"
            row = (n + 1, uuids[n], tier, gist, content, int(state >= 0.25), by, 1, at, at)
            raw.execute(
                "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'bench', 60)", row
            )
            raw.execute(
                "INSERT INTO memory_fts(rowid, gist, content) VALUES (?, ?, ?)",
                (n + 1, gist, content),
            )
            raw.execute(
                "INSERT INTO memory_chunk VALUES (?, ?, 0, 60, 0, ?, ?)",
                (n + 1, uuids[n], "genizah/all-minilm-l6-v2-int8", WIDTH),
            )
            raw.execute("INSERT INTO memory_vec VALUES (?, ?)", (n + 1, vectors[i].tobytes()))
        raw.execute("COMMIT")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return [
        " ".join(rng.choices(words, weights, k=rng.choice([2, 3, 5, 8, 12]))) for _ in range(40)
    ]


def query_vectors(count: int, seed: int = 2) -> list[bytes]:
    """Return unit query vectors near the stored clusters."""
    numbers = np.random.default_rng(1)
    centres = numbers.standard_normal((200, WIDTH))
    rng = np.random.default_rng(seed)
    raw = centres[rng.integers(0, 200, count)] + 0.8 * rng.standard_normal((count, WIDTH))
    unit = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype("<f4")
    return [v.tobytes() for v in unit]
