"""What a store holds, as far as it decides with which others it may be searched.

Read once for each state of the store; a digest of all rows only where two stores may be copies.
"""

import asyncio
import hashlib
from dataclasses import dataclass

from core.federation.member import Member
from core.store import fts_statistics, memories
from core.store.connection import Row
from core.store.whole_rows import page_by_uuid


@dataclass(frozen=True, slots=True)
class Identity:
    """A store in one state: which memories it has, how many, and the form of its word index."""

    data_version: int
    store_id: str
    uuids: frozenset[str]
    memories: int
    chunks: int
    index_form: str

    def overlaps(self, other: "Identity") -> bool:
        """Tell whether both hold a memory in common, or are one store by their id."""
        return self.store_id == other.store_id or self.shares_with(other)

    def shares_with(self, other: "Identity") -> bool:
        """Tell whether both hold a memory in common."""
        return not self.uuids.isdisjoint(other.uuids)


async def read_identity(member: Member) -> Identity:
    """Return what a store holds now. Raises GenizahError."""
    async with member.database.search.snapshot() as connection:
        counts = await fts_statistics.store_counts(connection)
        uuids = await memories.every_uuid(connection)
        form = await fts_statistics.index_form(connection)
    store_id = member.database.facts.meta.store_id
    return Identity(counts.data_version, store_id, uuids, counts.memories, counts.chunks, form)


async def rows_digest(member: Member) -> str:
    """Return a digest of all rows of `memory`, equal for equal rows whatever their rowids."""
    digest = hashlib.sha256()
    async with member.database.search.snapshot() as connection:
        page = await page_by_uuid(connection, None)
        while page:
            await asyncio.to_thread(_add, digest, page)
            page = await page_by_uuid(connection, page[-1])
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", page: list[Row]) -> None:
    for row in page:
        digest.update(repr(row[1:]).encode("utf-8", "surrogatepass"))
