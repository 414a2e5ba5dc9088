"""From many chunks to the memories they are of, without looking every one of them up.

Most memories have one chunk: only those of several, and those a search leaves out, are read.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from core.retrieval.eligibility import Scope
from core.store.connection import Connection
from core.store.memories import text_of


@dataclass(frozen=True, slots=True)
class ChunkOwners:
    """Which chunks a search leaves out, and the memory of every chunk that is not its only one."""

    left_out: frozenset[int]
    shared: Mapping[int, str]

    def count(self, chunk_ids: Iterable[int]) -> int:
        """Count the memories that searched chunks belong to."""
        ids = [c for c in chunk_ids if c not in self.left_out]
        several = [self.shared[c] for c in ids if c in self.shared]
        return len(ids) - len(several) + len(set(several))

    def first_only(self, chunk_ids: Iterable[int], before: Collection[int]) -> list[int]:
        """Return the searched chunks whose memories have none in `before`."""
        taken = {self.shared[c] for c in before if c in self.shared}
        ids = (c for c in chunk_ids if c not in self.left_out)
        return [c for c in ids if self.shared.get(c) not in taken]

    async def uuids(self, connection: Connection, chunk_ids: Iterable[int]) -> set[str]:
        """Look the memories of a few chunks up."""
        rows = await connection.rows(
            "SELECT DISTINCT memory_uuid FROM memory_chunk "
            "WHERE chunk_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(chunk_ids)),),
        )
        return {text_of(row[0]) for row in rows}


async def chunk_owners(connection: Connection, scope: Scope) -> ChunkOwners:
    """Read what a scope leaves out, vectors of no chunk among it. Runs in the caller's snapshot."""
    out = await connection.rows(
        "SELECT c.chunk_id FROM memory m JOIN memory_chunk c ON c.memory_uuid = m.uuid "
        f"WHERE {scope.clause} IS NOT TRUE UNION ALL "
        "SELECT r.rowid FROM memory_vec_rowids r LEFT JOIN memory_chunk c "
        "ON c.chunk_id = r.rowid WHERE c.chunk_id IS NULL",
        scope.parameters,
    )
    shared = await connection.rows(
        "SELECT c.chunk_id, c.memory_uuid FROM memory_chunk c WHERE c.memory_uuid IN "
        "(SELECT memory_uuid FROM memory_chunk GROUP BY memory_uuid HAVING count(*) > 1)"
    )
    return ChunkOwners(
        frozenset(row[0] for row in out if isinstance(row[0], int)),
        {chunk: text_of(uuid) for chunk, uuid in shared if isinstance(chunk, int)},
    )
