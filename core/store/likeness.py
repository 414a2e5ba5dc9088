"""Facts about several rows at once that lists show: equal texts, chains that end in a retired row.

Texts are compared inside SQLite: no content is read for a list.
"""

import json
from collections.abc import Sequence

from core.store.connection import Connection
from core.store.filter_conditions import leads_to_dead_head


async def equal_pairs(
    connection: Connection, pairs: Sequence[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return those pairs of rowids whose gist and content are byte for byte equal."""
    if not pairs:
        return set()
    rows = await connection.rows(
        "SELECT a.rowid, b.rowid FROM json_each(?) j "
        "JOIN memory a ON a.rowid = json_extract(j.value, '$[0]') "
        "JOIN memory b ON b.rowid = json_extract(j.value, '$[1]') "
        "WHERE a.gist = b.gist AND a.content = b.content",
        (json.dumps(pairs),),
    )
    return {(a, b) for a, b in rows if isinstance(a, int) and isinstance(b, int)}


async def dead_ends(connection: Connection) -> frozenset[str]:
    """Return the uuids of retired rows that replaced others, and of all rows they replaced.

    A reader who follows any of these ends at a memory that counts no more. A cycle has no end and
    is not among them.
    """
    rows = await connection.rows(f"SELECT m.uuid FROM memory m WHERE {leads_to_dead_head().clause}")
    return frozenset(str(row[0]) for row in rows)
