"""Small valid stores of the format, made by the tests themselves; every vector is the test's.

A store is a project folder with .zikaron/memory.db, closed and checkpointed, in WAL mode.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pysqlite3

from core.appdata.places import StorePlace
from core.store.connection import vec0_path
from tests.peer.stub_vectors import stub_vector
from tests.support.store_ddl import SCHEMA_VERSION, TABLES, VECTORS
from tests.support.stub_encoder import packed

STUB_MODEL = "stub/words"
WIDTH = 16
STORE_ID = "7b1c8f2e-93d4-4c55-a6b7-0d1e2f3a4b5c"
_NAMES = uuid.UUID("0b8e6b2a-4a70-4e0c-9d8e-1f2a3b4c5d6e")


def uuid_of(name: object) -> str:
    """Return the version-4 shaped uuid that a test calls by a name of its own."""
    made = uuid.uuid5(_NAMES, str(name))
    return str(uuid.UUID(bytes=made.bytes, version=4))


@dataclass(frozen=True, slots=True)
class Memory:
    """One row to be made. `by` names the row that replaces it; `vectors` one a chunk.

    Without vectors it gets one, hashed from its words; `vectors=()` makes a row without a chunk.
    """

    name: str
    gist: str
    content: str = "nothing else"
    tier: str = "journal"
    active: bool = True
    by: str | None = None
    created_at: str = "2026-03-01T12:00:00+00:00"
    version: int = 1
    session_id: str | None = None
    vectors: Sequence[bytes] | None = None

    @property
    def uuid(self) -> str:
        """Return the row's uuid."""
        return uuid_of(self.name)


def place_of(project: Path) -> StorePlace:
    """Return under what the program keeps what belongs to a store made here."""
    return StorePlace(STORE_ID, str((project / ".zikaron" / "memory.db").resolve()))


def _vec0() -> Path:
    path = vec0_path()
    assert path is not None, "the vector extension is a dependency"
    return path


@contextmanager
def writing(project: Path) -> Iterator[pysqlite3.Connection]:
    """Open a project's database for writing as any tool could; commit and checkpoint at the end."""
    raw = pysqlite3.connect(str(project / ".zikaron" / "memory.db"), isolation_level=None)
    try:
        raw.enable_load_extension(True)
        raw.load_extension(str(_vec0().with_suffix("")))
        raw.enable_load_extension(False)
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("BEGIN")
        yield raw
        raw.execute("COMMIT")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        raw.close()


def _meta(model: str, width: int, other: Mapping[str, str | None]) -> dict[str, str]:
    values: dict[str, str | None] = {
        "schema_version": str(SCHEMA_VERSION),
        "store_id": STORE_ID,
        "embed_model": model,
        "embed_dim": str(width),
        "chunk_max_tokens": "450",
        **other,
    }
    return {k: v for k, v in values.items() if v is not None}


def vectors_of(memory: Memory, width: int) -> Sequence[bytes]:
    """Return the vectors a row gets, one a chunk."""
    if memory.vectors is not None:
        return memory.vectors
    return [packed(stub_vector(f"{memory.gist}\n{memory.content}", width))]


def insert(raw: pysqlite3.Connection, memories: Iterable[Memory], model: str, width: int) -> None:
    """Insert rows with their words and vectors."""
    rows, chunks, numbers = [], [], []
    for m in memories:
        by = None if m.by is None else uuid_of(m.by)
        times = (m.created_at, m.created_at)
        state = (int(m.active and by is None), by, m.version)
        rows.append((m.uuid, m.tier, m.gist, m.content, *state, *times, m.session_id, 5))
        for part, vector in enumerate(vectors_of(m, width)):
            chunks.append((m.uuid, part, 5, model, width))
            numbers.append(vector)
    first = (raw.execute("SELECT max(chunk_id) FROM memory_chunk").fetchone() or (0,))[0] or 0
    known = (raw.execute("SELECT max(rowid) FROM memory").fetchone() or (0,))[0] or 0
    raw.executemany(
        "INSERT INTO memory (uuid, tier, gist, content, active, superseded_by, version, "
        "created_at, updated_at, session_id, token_count) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        rows,
    )
    raw.execute(
        "INSERT INTO memory_fts(rowid, gist, content) "
        "SELECT rowid, gist, content FROM memory WHERE rowid > ?",
        (known,),
    )
    raw.executemany(
        "INSERT INTO memory_chunk (memory_uuid, part_index, token_count, embed_model, embed_dim) "
        "VALUES (?,?,?,?,?)",
        chunks,
    )
    raw.executemany(
        "INSERT INTO memory_vec(rowid, embedding) VALUES (?,?)", enumerate(numbers, first + 1)
    )


def build_store(
    project: Path,
    memories: Iterable[Memory],
    *,
    width: int = WIDTH,
    table_width: int | None = None,
    model: str = STUB_MODEL,
    meta: Mapping[str, str | None] | None = None,
    config: str | None = None,
) -> Path:
    """Make a store in `project`/.zikaron and return `project`.

    `meta` overrides or (None) leaves out keys; `table_width` is the vector table's where it is to
    differ; `config` is the text of the settings file, by default model, width and no prefix.
    """
    folder = project / ".zikaron"
    folder.mkdir(parents=True, mode=0o700)
    database = folder / "memory.db"
    database.touch(mode=0o600)
    raw = pysqlite3.connect(str(database), isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.close()
    with writing(project) as raw:
        for statement in TABLES.strip().split(";\n"):
            raw.execute(statement)
        raw.execute(VECTORS.format(width=table_width or width))
        values = _meta(model, width, meta or {})
        raw.executemany("INSERT INTO meta VALUES (?, ?)", list(values.items()))
        insert(raw, memories, model, table_width or width)
    text = config
    if text is None:
        text = (
            f'[embedding]\nembed_model = "{model}"\nembed_dim = {width}\nembed_prefix_query = ""\n'
        )
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return project


def distractors(count: int, *, tier: str = "journal") -> list[Memory]:
    """Return unrelated rows with texts and vectors of their own."""
    return [
        Memory(
            f"distractor {n}",
            f"unrelated remark {n}",
            f"filler text about matter {n * 7919 % 1009} and topic {n * 104729 % 997}",
            tier=tier,
            created_at=f"2026-01-{n % 28 + 1:02}T08:{n % 60:02}:00+00:00",
        )
        for n in range(count)
    ]
