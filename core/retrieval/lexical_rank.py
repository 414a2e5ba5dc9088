"""Where a row stands among all eligible rows that match a word query, at any depth.

The order is the lexical arm's own (core/retrieval/arms): bm25, then uuid.
"""

import json
from collections.abc import Sequence

from core.retrieval.eligibility import Scope
from core.store.connection import Connection

_MATCHING = (
    "FROM memory_fts JOIN memory m ON m.rowid = memory_fts.rowid WHERE memory_fts MATCH ? AND "
)


async def count_matching(connection: Connection, expression: str, scope: Scope) -> int:
    """Count the eligible rows that match."""
    return await connection.count(
        f"SELECT count(*) {_MATCHING} {scope.clause}", (expression, *scope.parameters)
    )


async def rank_matching(
    connection: Connection, expression: str, scope: Scope, rowid: int
) -> tuple[int | None, int, float | None]:
    """Return (rank from 1, rows that match, FTS5's bm25) of one row; one pass over all that match.

    Rank and score are None where the row is not eligible, does not match or has no score.
    """
    row = await connection.row(
        f"WITH found(id, uuid, score) AS MATERIALIZED (SELECT m.rowid, m.uuid, bm25(memory_fts) "
        f"{_MATCHING} {scope.clause}), mine AS (SELECT uuid, score FROM found WHERE id = ?) "
        "SELECT (SELECT score FROM mine), (SELECT count(*) FROM found), "
        "(SELECT count(*) FROM mine CROSS JOIN found WHERE found.score < mine.score "
        "OR (found.score = mine.score AND found.uuid < mine.uuid))",
        (expression, *scope.parameters, rowid),
    )
    score, ranked, before = row or (None, 0, 0)
    if not (isinstance(ranked, int) and isinstance(before, int)):
        raise TypeError("counts are integers")
    if not isinstance(score, float):
        return None, ranked, None
    return before + 1, ranked, score


async def rank_if_searched(
    connection: Connection, expression: str, scope: Scope, uuid: str, bm25: float
) -> int:
    """Return the rank that a row of this score, which the scope leaves out, would have in it."""
    before = await connection.count(
        f"SELECT count(*) FROM (SELECT bm25(memory_fts) AS score, m.uuid AS uuid {_MATCHING} "
        f"{scope.clause}) WHERE score < ? OR (score = ? AND uuid < ?)",
        (expression, *scope.parameters, bm25, bm25, uuid),
    )
    return before + 1


async def count_eligible(
    connection: Connection, scope: Scope, rowids: Sequence[int], before: str | None = None
) -> int:
    """Count the eligible ones of some rows, only those with a smaller uuid where one is given."""
    if not rowids:
        return 0
    smaller = "" if before is None else " AND m.uuid < ?"
    return await connection.count(
        "SELECT count(*) FROM json_each(?) j CROSS JOIN memory m ON m.rowid = j.value "
        f"WHERE {scope.clause}{smaller}",
        (json.dumps(list(rowids)), *scope.parameters, *(() if before is None else (before,))),
    )
