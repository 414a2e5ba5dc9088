"""Big stores for benchmarks, made row by row with the format's own tables; no model, no peer.

Words follow a Zipf distribution, vectors lie in clusters: sizes and skew as in real stores.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import numpy as np
import pysqlite3

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
    raw = pysqlite3.connect(f"file:{_TEMPLATE}?mode=ro&immutable=1", uri=True)
    rows = raw.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    raw.close()
    return [sql for name, sql in rows if not name.startswith(_SHADOWS)]


def _new_database(path: Path) -> pysqlite3.Connection:
    raw = pysqlite3.connect(str(path), isolation_level=None)
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


def _texts(rng: random.Random, words: list[str], weights: list[float]) -> tuple[str, str]:
    text = rng.choices(words, weights, k=12 + rng.randint(10, 60))
    return " ".join(text[:12]), " ".join(text[12:])


def _insert(raw: pysqlite3.Connection, row: tuple[object, ...], vector: bytes) -> None:
    number, uuid, _, gist, content, *_ = row
    raw.execute("INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'bench', 60)", row)
    raw.execute(
        "INSERT INTO memory_fts(rowid, gist, content) VALUES (?, ?, ?)", (number, gist, content)
    )
    raw.execute(
        "INSERT INTO memory_chunk VALUES (?, ?, 0, 60, 0, ?, ?)",
        (number, uuid, "genizah/all-minilm-l6-v2-int8", WIDTH),
    )
    raw.execute("INSERT INTO memory_vec VALUES (?, ?)", (number, vector))


def _row(
    n: int, uuids: list[str], texts: tuple[str, str], rng: random.Random
) -> tuple[object, ...]:
    """Make one row of memory: a fifth superseded by the row before, a twentieth retired."""
    state = rng.random()
    by = uuids[n - 1] if n and state < 0.2 else None
    at = (_START + timedelta(minutes=n)).isoformat()
    tier = "long_term" if rng.random() < 0.3 else "journal"
    return (n + 1, uuids[n], tier, *texts, int(state >= 0.25), by, 1, at, at)


def generate(folder: Path, count: int, seed: int = 1) -> list[str]:
    """Make folder/.zikaron with `count` memories of one chunk each; return sample query texts."""
    target = folder / ".zikaron"
    target.mkdir(parents=True)
    (target / "config.toml").write_text(
        '[embedding]\nembed_model = "genizah/all-minilm-l6-v2-int8"\nembed_prefix_query = ""\n'
    )
    rng = random.Random(seed)
    words = _vocabulary(rng, 30_000)
    weights = [1 / (i + 5) for i in range(len(words))]
    raw = _new_database(target / "memory.db")
    uuids = [str(UUID(int=rng.getrandbits(128), version=4)) for _ in range(count)]
    raw.execute("BEGIN")
    for n, vector in enumerate(_unit_vectors(count, seed)):
        _insert(raw, _row(n, uuids, _texts(rng, words, weights), rng), vector)
    raw.execute("COMMIT")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return [
        " ".join(rng.choices(words, weights, k=rng.choice([2, 3, 5, 8, 12]))) for _ in range(40)
    ]


def _unit_vectors(count: int, seed: int) -> Iterator[bytes]:
    """Yield unit vectors around 200 centres that are the same for every seed."""
    centres = np.random.default_rng(1).standard_normal((200, WIDTH))
    rng = np.random.default_rng(seed)
    for start in range(0, count, 5000):
        size = min(5000, count - start)
        raw = centres[rng.integers(0, 200, size)] + 0.8 * rng.standard_normal((size, WIDTH))
        unit = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype("<f4")
        yield from (v.tobytes() for v in unit)


def query_vectors(count: int, seed: int = 2) -> list[bytes]:
    """Return unit query vectors near the stored clusters."""
    return list(_unit_vectors(count, seed))
