"""Reading a corpus from open stores: short snapshots, digests off the event loop."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.duplicates.corpus import (
    ComparedMemory,
    Corpus,
    Floats,
    Places,
    Unreadable,
    VectorSpace,
)
from core.duplicates.fingerprints import fingerprint
from core.duplicates.keys import MemoryKey
from core.errors import GenizahError
from core.progress import Report, unreported
from core.store import duplicate_rows, memories, whole_rows
from core.store.database import Database, Reader
from core.store.duplicate_rows import OwnedChunk
from core.store.vectors import VectorBlock
from core.store.whole_rows import TextRow


@dataclass(slots=True)
class _Part:
    """Vectors on their way, a block at a time, each with the places of its owners."""

    width: int
    owners: list[Places] = field(default_factory=list)
    vectors: list[Floats] = field(default_factory=list)

    def made(self) -> tuple[Floats, Places]:
        """Return all of them joined."""
        nothing = np.empty((0, self.width), dtype=np.float32)
        none = np.empty(0, dtype=np.intp)
        return np.concatenate([nothing, *self.vectors]), np.concatenate([none, *self.owners])

    def keep_below(self, place: int) -> None:
        """Forget the blocks of memories from a place on."""
        kept = [at for at, owners in enumerate(self.owners) if (owners < place).all()]
        self.owners = [self.owners[at] for at in kept]
        self.vectors = [self.vectors[at] for at in kept]


@dataclass(frozen=True, slots=True)
class _Space:
    """One model's vectors on their way."""

    width: int
    firsts: _Part
    further: _Part

    def add(
        self, block: VectorBlock, chunks: Mapping[int, OwnedChunk], place_of: Mapping[int, int]
    ) -> int:
        """Take the usable vectors of a block; return how many are first ones."""
        rows = np.frombuffer(block.vectors, dtype="<f4").reshape(-1, self.width)
        with np.errstate(all="ignore"):  # odd numbers overflow; they are what is looked for
            squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
        usable: list[bool] = (np.isfinite(squares) & (squares > 0)).tolist()
        owned = [
            (at, chunks[chunk])
            for at, chunk in enumerate(block.chunk_ids)
            if chunk in chunks and usable[at]
        ]
        for part, is_first in ((self.firsts, True), (self.further, False)):
            taken = [(at, place_of[c.rowid]) for at, c in owned if c.is_first is is_first]
            part.vectors.append(rows[np.array([at for at, _ in taken], dtype=np.intp)])
            part.owners.append(np.array([place for _, place in taken], dtype=np.intp))
        return len(self.firsts.owners[-1])

    def made(self, model: str) -> VectorSpace:
        """Return the finished space."""
        return VectorSpace(model, *self.firsts.made(), *self.further.made())


async def read_corpus(
    databases: Sequence[Database], *, live_only: bool = True, report: Report = unreported
) -> Corpus:
    """Read the live memories (or all) of several stores; `report` is told memories read.

    A store that has the id of an earlier one is a copy of it and left out. Vectors of a store
    whose vector table cannot be used are left out too; its equal texts are still told. Raises
    GenizahError where no store can be read.
    """
    reading = _Reading(live_only, report)
    copies: list[int] = []
    unreadable: list[Unreadable] = []
    known: set[str] = set()
    for place, database in enumerate(databases):
        store_id = database.facts.meta.store_id
        if store_id in known:
            copies.append(place)
            continue
        try:
            await reading.add(place, database)
        except GenizahError as error:
            unreadable.append(Unreadable(place, error))
        else:
            known.add(store_id)
    if unreadable and not known:
        raise unreadable[0].error
    return reading.made(tuple(copies), tuple(unreadable))


class _Reading:
    """A corpus on its way, a store after the other."""

    def __init__(self, live_only: bool, report: Report) -> None:
        self._live_only = live_only
        self._report = report
        self._memories: list[ComparedMemory] = []
        self._spaces: dict[tuple[str, int], _Space] = {}
        self._measured = 0
        self._moved = False

    def made(self, copies: tuple[int, ...], unreadable: tuple[Unreadable, ...]) -> Corpus:
        """Return what was read."""
        spaces = tuple(space.made(model) for (model, _), space in self._spaces.items())
        unmeasured = len(self._memories) - self._measured
        return Corpus(tuple(self._memories), spaces, unmeasured, copies, self._moved, unreadable)

    async def add(self, place: int, database: Database) -> None:
        """Read one store. Raises GenizahError; nothing of the store is kept then."""
        count, measured = len(self._memories), self._measured
        try:
            await self._add(place, database)
        except GenizahError:
            del self._memories[count:]
            self._measured = measured
            for space in self._spaces.values():
                for part in (space.firsts, space.further):
                    part.keep_below(count)
            raise

    async def _add(self, place: int, database: Database) -> None:
        meta, reader = database.facts.meta, database.browse
        before = await reader.data_version()
        place_of = await self._texts(reader, place, meta.store_id)
        if database.facts.dense_refusal is None:
            model, width = meta.embed_model, meta.embed_dim
            empty = _Space(width, _Part(width), _Part(width))
            space = self._spaces.setdefault((model, width), empty)
            chunks = await _chunks(reader, model, width, place_of)
            async for block in duplicate_rows.vector_blocks(reader, list(chunks), width):
                self._measured += await asyncio.to_thread(space.add, block, chunks, place_of)
        self._moved = self._moved or await reader.data_version() != before

    async def _texts(self, reader: Reader, place: int, store_id: str) -> dict[int, int]:
        """Append a store's memories; return the place of each row among them."""
        place_of: dict[int, int] = {}
        after, seen = whole_rows.BEFORE_ALL, 0
        async with reader.snapshot() as connection:
            total = (await memories.counts(connection)).total
        while True:
            async with reader.snapshot() as connection:
                page = await whole_rows.text_page(connection, after)
            if not page:
                return place_of
            after, seen = page[-1].rowid, seen + len(page)
            kept = [row for row in page if row.is_live or not self._live_only]
            for memory in await asyncio.to_thread(_compared, kept, place, store_id):
                place_of[memory.rowid] = len(self._memories)
                self._memories.append(memory)
            self._report(seen, total)


def _compared(rows: Sequence[TextRow], place: int, store_id: str) -> list[ComparedMemory]:
    return [
        ComparedMemory(
            place,
            MemoryKey(store_id, row.uuid),
            row.rowid,
            row.created_at,
            fingerprint(row.gist, row.content),
        )
        for row in rows
    ]


async def _chunks(
    reader: Reader, model: str, width: int, place_of: Mapping[int, int]
) -> dict[int, OwnedChunk]:
    found: dict[int, OwnedChunk] = {}
    after = whole_rows.BEFORE_ALL
    while True:
        async with reader.snapshot() as connection:
            page = await duplicate_rows.chunk_page(connection, after, model, width)
        if not page:
            return found
        after = page[-1].chunk_id
        found |= {chunk.chunk_id: chunk for chunk in page if chunk.rowid in place_of}
