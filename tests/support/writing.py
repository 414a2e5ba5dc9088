"""Our side of a store that is written: a gate with a set clock and set uuids, and all its rows.

The encoder counts with the real tokenizer and hashes words into vectors, as the peer's stub does.
"""

import random
import shutil
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import pysqlite3

from core.commands.gate import Gate, Model, WriteSettings
from core.retrieval.artifacts import EMBEDDED_MODEL
from core.retrieval.encoder import Encoder, EncoderFacts
from core.retrieval.token_counter import TokenCounter
from core.settings_layers import resolve_settings
from core.store.connection import file_uri, vec0_path
from core.store.location import locate
from core.store.opening import inspect
from core.store.writer import Writer
from tests.peer.stub_vectors import stub_vector
from tests.support.stub_encoder import packed

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TICK = timedelta(milliseconds=1)
_NO_FILE = Path("/nonexistent/config.toml")
_TABLES = {
    "memory": "SELECT * FROM memory ORDER BY rowid",
    "memory_chunk": "SELECT * FROM memory_chunk ORDER BY chunk_id",
    "memory_vec": "SELECT rowid, embedding FROM memory_vec ORDER BY rowid",
    "read_receipt": "SELECT * FROM read_receipt "
    "ORDER BY session_id, client_kind, memory_uuid, version",
    "event": "SELECT * FROM event ORDER BY id",
}


class HashedEncoder:
    """The real tokenizer with vectors hashed from words."""

    def __init__(self, counter: TokenCounter, width: int) -> None:
        self._counter = counter
        self._facts: EncoderFacts = replace(counter.facts, width=width)

    @property
    def facts(self) -> EncoderFacts:
        """Describe the tokenizer's artifact with the width of the vectors."""
        return self._facts

    def count(self, text: str) -> int:
        """Count tokens with the real tokenizer."""
        return self._counter.count(text)

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the real tokenizer's spans."""
        return self._counter.spans(text)

    def embed(self, text: str) -> bytes:
        """Hash the words."""
        return packed(stub_vector(text, self._facts.width))


class SetClock:
    """A clock that starts where it is set and ticks at each reading."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the moment and tick."""
        reading = self.at
        self.at = reading + TICK
        return reading


class SetIds:
    """Version-4 uuids that follow from a seed, as those of the peer's harness do."""

    def __init__(self, seed: int = 0) -> None:
        self.source = random.Random(seed)

    def __call__(self) -> str:
        """Return the next one."""
        return str(uuid.UUID(int=self.source.getrandbits(128), version=4))


@dataclass
class Hand:
    """One store open for writing, with its clock and uuids to be set."""

    gate: Gate
    clock: SetClock
    ids: SetIds

    @classmethod
    async def open(
        cls,
        project: Path,
        encoder: Encoder | None,
        session: str = "ours",
        *,
        wait_s: float = 0.2,
    ) -> Self:
        """Open the store under its own settings file alone."""
        location = locate(project)
        facts = await inspect(location)
        settings = WriteSettings.of(resolve_settings(location.config, _NO_FILE))
        clock, ids = SetClock(), SetIds()
        writer = await Writer.open(facts, wait_s=wait_s)
        gate = Gate(writer, session, clock, settings, Model(encoder), ids)
        return cls(gate, clock, ids)

    def set(self, seed: int, session: str) -> None:
        """Begin anew: the clock, the uuids, who writes."""
        self.clock.at = NOON + timedelta(seconds=seed)
        self.ids.source = random.Random(seed)
        self.gate = replace(self.gate, session_id=session)

    async def close(self) -> None:
        """Close the writer."""
        await self.gate.writer.close()


def open_raw(database: Path, mode: str = "ro") -> pysqlite3.Connection:
    """Open a database as any tool could, with the vector extension."""
    raw = pysqlite3.connect(file_uri(database, mode=mode), uri=True, isolation_level=None)
    library = vec0_path()
    assert library is not None
    raw.enable_load_extension(True)
    raw.load_extension(str(library.with_suffix("")))
    raw.enable_load_extension(False)
    return raw


def rows_of(project: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table that a write may touch."""
    with closing(open_raw(project / ".zikaron" / "memory.db")) as raw:
        return {name: raw.execute(sql).fetchall() for name, sql in _TABLES.items()}


def matches_of(project: Path, words: Sequence[str]) -> dict[str, list[tuple[object, ...]]]:
    """Return what the word index finds for each word, with its score."""
    ask = (
        "SELECT rowid, bm25(memory_fts) FROM memory_fts WHERE memory_fts MATCH ? ORDER BY 2, rowid"
    )
    with closing(open_raw(project / ".zikaron" / "memory.db")) as raw:
        return {w: raw.execute(ask, (f'"{w}"',)).fetchall() for w in words}


_UNPAIRED = (
    "SELECT 'chunk', chunk_id FROM memory_chunk WHERE chunk_id NOT IN "
    "(SELECT rowid FROM memory_vec) UNION ALL SELECT 'vector', rowid FROM memory_vec "
    "WHERE rowid NOT IN (SELECT chunk_id FROM memory_chunk) UNION ALL "
    "SELECT 'memory', uuid FROM memory WHERE uuid NOT IN "
    "(SELECT memory_uuid FROM memory_chunk WHERE part_index = 0)"
)


def problems_of(project: Path, scratch: Path) -> list[str]:
    """Check a copy in the empty folder `scratch`: file, foreign keys, word index, parity."""
    copied = shutil.copytree(project / ".zikaron", scratch / ".zikaron")
    with closing(open_raw(copied / "memory.db", "rw")) as raw:
        found = [str(t) for (t,) in raw.execute("PRAGMA integrity_check").fetchall() if t != "ok"]
        found += [str(r) for r in raw.execute("PRAGMA foreign_key_check").fetchall()]
        found += [str(r) for r in raw.execute(_UNPAIRED).fetchall()]
        raw.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)")
    shutil.rmtree(copied)
    return found


def embedded_counter() -> TokenCounter:
    """Return the embedded model's tokenizer."""
    from core.retrieval.token_counter import load_token_counter

    counter = load_token_counter(EMBEDDED_MODEL)
    assert counter is not None
    return counter
