"""What the full-text index itself counts: rows, tokens, a row's length, the rows of a phrase.

Plain numbers of one store, so that those of several can be added. FTS5 is asked in its own words:
no text is tokenised here and no table is made, not even a temporary one. The formula is
core/retrieval/bm25.
"""

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from core.store.connection import Connection, Row, SqlValue, Statement

_CONTINUED, _PAYLOAD = 0x80, 0x7F
_LAST_BYTE = 8
_SIGN, _RANGE = 1 << 63, 1 << 64
_AVERAGES = "SELECT block FROM memory_fts_data WHERE id = 1"
_COUNTS = (
    "SELECT (SELECT data_version FROM pragma_data_version), (SELECT count(*) FROM memory), "
    f"(SELECT count(*) FROM memory_chunk), ({_AVERAGES})"
)
_LENGTHS = (
    "SELECT group_concat(id), group_concat(hex(coalesce(sz, x''))) "
    "FROM (SELECT id, sz FROM memory_fts_docsize ORDER BY id)"
)
_SCORES = (
    "WITH found AS MATERIALIZED (SELECT j.key AS term, memory_fts.rowid AS id, "
    "bm25(memory_fts, ?2, ?2) AS score FROM json_each(?1) j CROSS JOIN memory_fts "
    "WHERE memory_fts MATCH j.value) "
    "SELECT group_concat(term), group_concat(id), group_concat(score) FROM found"
)
_BY_TERM = " GROUP BY term"
_MOST_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class IndexTotals:
    """The index's own averages record: rows of any state and their tokens, all columns together."""

    rows: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ColumnScores:
    """FTS5's bm25 of one phrase in one row with a weight on one column alone; None: no number."""

    gist: float | None
    content: float | None


@dataclass(frozen=True, slots=True)
class TermScores:
    """FTS5's bm25 of phrases in the rows that hold them, both columns weighing the same.

    The numbers as texts, joined by commas, in step: thousands of rows come in one step of the
    statement. A term is a place among the phrases.
    """

    terms: str
    rowids: str
    scores: str


@dataclass(frozen=True, slots=True)
class RowLengths:
    """The rows of the index by rowid and each one's tokens, both columns together; in step."""

    rowids: array[int]
    tokens: array[int]


def varints(blob: bytes) -> list[int]:
    """Decode SQLite's variable-length integers; one that is cut off at the end is left out.

    Big-endian groups of seven bits; the ninth byte gives all eight. Nine bytes may be negative.
    """
    found: list[int] = []
    value, length = 0, 0
    for byte in blob:
        if length == _LAST_BYTE:
            value = value << 8 | byte
            found.append(value - _RANGE if value >= _SIGN else value)
        else:
            value, length = value << 7 | byte & _PAYLOAD, length + 1
            if byte & _CONTINUED:
                continue
            found.append(value)
        value, length = 0, 0
    return found


async def index_totals(connection: Connection) -> IndexTotals:
    """Read the averages record; zeros where the index is empty or has none."""
    return _totals(await connection.value(_AVERAGES))


def _totals(block: SqlValue) -> IndexTotals:
    numbers = varints(block) if isinstance(block, bytes) else []
    return IndexTotals(numbers[0] if numbers else 0, sum(numbers[1:]))


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """The state of a store in one snapshot: its data_version, rows, chunks and the index's own."""

    data_version: int
    memories: int
    chunks: int
    totals: IndexTotals


async def store_counts(connection: Connection) -> StoreCounts:
    """Read all of them in one statement: of many stores at once the way there is what takes."""
    return _counts(await connection.row(_COUNTS))


def _counts(row: Row | None) -> StoreCounts:
    version, rows, chunks, block = row or (0, 0, 0, None)
    if not (isinstance(version, int) and isinstance(rows, int) and isinstance(chunks, int)):
        raise TypeError("counts are integers")
    return StoreCounts(version, rows, chunks, _totals(block))


async def row_length(connection: Connection, rowid: int) -> int | None:
    """Return a row's tokens, both columns together, or None where the index has no such row."""
    sizes = await connection.value("SELECT sz FROM memory_fts_docsize WHERE id = ?", (rowid,))
    return sum(varints(sizes)) if isinstance(sizes, bytes) else None


async def row_lengths(connection: Connection) -> RowLengths:
    """Return the length of every row of the index. Rows of equal sizes are decoded once."""
    return _lengths(await connection.row(_LENGTHS))


def _lengths(row: Row | None) -> RowLengths:
    ids, sizes = row or (None, None)
    if not (isinstance(ids, str) and isinstance(sizes, str)):
        return RowLengths(array("q"), array("q"))
    written = sizes.split(",")
    known = {text: sum(varints(bytes.fromhex(text))) for text in set(written)}
    return RowLengths(
        array("q", map(int, ids.split(","))), array("q", map(known.__getitem__, written))
    )


async def term_scores(
    connection: Connection, phrases: Sequence[str], weight: float
) -> list[TermScores]:
    """Score every row by each MATCH expression alone, with `weight` on both columns.

    A phrase that no row holds is left out. One entry a phrase.
    """
    return _term_scores(await connection.rows(*_scoring(phrases, weight, None)))


def _scoring(phrases: Sequence[str], weight: float, rows: int | None) -> Statement:
    """Ask for the scores in one row of the answer where all of them surely fit into one value."""
    at_once = rows is not None and rows * len(phrases) <= _MOST_AT_ONCE
    return _SCORES if at_once else _SCORES + _BY_TERM, (json.dumps(list(phrases)), weight)


def _term_scores(rows: Sequence[Row]) -> list[TermScores]:
    return [
        TermScores(terms, ids, scores)
        for terms, ids, scores in rows
        if isinstance(terms, str) and isinstance(ids, str) and isinstance(scores, str)
    ]


@dataclass(frozen=True, slots=True)
class WordNumbers:
    """A store's counts, the scores of some phrases, and the length of every row, in one snapshot.

    The lengths are empty where they were not asked for.
    """

    counts: StoreCounts
    lengths: RowLengths
    scores: list[TermScores]


async def word_numbers(
    connection: Connection, phrases: Sequence[str], weight: float, rows: int | None
) -> WordNumbers:
    """Read all of them in one visit to the connection; no phrases are scored where none is given.

    As store_counts, row_lengths and term_scores do. `rows` is how many rows the index has, None
    where the lengths are asked for.
    """
    with_lengths = rows is None
    asked: list[Statement] = [(_COUNTS, ())]
    if with_lengths:
        asked.append((_LENGTHS, ()))
    if phrases:
        asked.append(_scoring(phrases, weight, rows))
    found = await connection.rows_of_each(asked)
    counts = _counts(found[0][0])
    lengths = _lengths(found[1][0] if with_lengths else None)
    return WordNumbers(counts, lengths, _term_scores(found[-1]) if phrases else [])


async def index_form(connection: Connection) -> str:
    """Return how the index was declared: tokenizer and columns; white space does not count."""
    sql = await connection.value("SELECT sql FROM sqlite_master WHERE name = 'memory_fts'")
    return " ".join(str(sql).split())


async def rows_with(connection: Connection, phrases: Sequence[str]) -> tuple[int, ...]:
    """Count the rows of any state that match each MATCH expression, in the order given."""
    rows = await connection.rows(
        "SELECT (SELECT count(*) FROM memory_fts WHERE memory_fts MATCH j.value) "
        "FROM json_each(?) j ORDER BY j.key",
        (json.dumps(phrases),),
    )
    return tuple(row[0] for row in rows if isinstance(row[0], int))


async def column_scores(
    connection: Connection, phrases: Sequence[str], rowid: int, weight: float
) -> dict[int, ColumnScores]:
    """Score one row by each MATCH expression alone, with `weight` on one column and 0 elsewhere.

    Keys are positions in `phrases`; an expression that does not match the row is left out. The
    row must be in the index. bm25() is all that FTS5 tells about how often a phrase occurs:
    its vocabulary tables know single tokens only, and how a term splits into tokens is FTS5's own
    affair.
    """
    rows = await connection.rows(
        "SELECT j.key, bm25(memory_fts, ?2, 0.0), bm25(memory_fts, 0.0, ?2) "
        "FROM json_each(?1) j CROSS JOIN memory_fts "
        "WHERE memory_fts MATCH j.value AND memory_fts.rowid = ?3",
        (json.dumps(phrases), weight, rowid),
    )
    return {
        at: ColumnScores(_number(gist), _number(content))
        for at, gist, content in rows
        if isinstance(at, int)
    }


async def own_bm25(connection: Connection, expression: str, rowid: int) -> float | None:
    """Return FTS5's bm25 of one row that is in the index; None where it does not match."""
    return _number(
        await connection.value(
            "SELECT bm25(memory_fts) FROM memory_fts "
            "WHERE memory_fts MATCH ? AND memory_fts.rowid = ?",
            (expression, rowid),
        )
    )


def _number(value: SqlValue) -> float | None:
    return value if isinstance(value, float) else None
