"""The bm25 formula by hand, and the integers that FTS5 keeps its counts in."""

import math
import random

import pysqlite3
import pytest

from core.retrieval.bm25 import COUNTING_WEIGHT, TermShare, occurrences, term_share
from core.store.fts_statistics import varints


def _share(*, rows: int = 9, df: int = 2, tf: tuple[int, int] = (1, 2), length: int = 30) -> (
    TermShare
):
    return term_share(
        "lamp", rows=rows, tokens=rows * 20, df=df, tf_gist=tf[0], tf_content=tf[1], length=length
    )


def test_a_share_is_the_formula_with_numbers_put_in() -> None:
    """idf = ln(7.5/2.5); row half as long again as the average: 1.2 * (0.25 + 0.75 * 1.5)."""
    share = _share()
    assert share.idf == math.log(3)
    assert share.average_length == 20
    assert share.contribution == pytest.approx(-math.log(3) * 3 * 2.2 / (3 + 1.65), rel=1e-15)
    assert not share.is_clamped


def test_a_term_that_does_not_occur_contributes_nothing() -> None:
    assert _share(tf=(0, 0)).contribution == 0.0
    assert _share(df=0, tf=(0, 0)).idf == math.log(9.5 / 0.5)


@pytest.mark.parametrize(("df", "clamped"), [(4, False), (5, True), (6, True), (10, True)])
def test_a_term_in_half_the_rows_or_more_counts_next_to_nothing(df: int, clamped: bool) -> None:
    share = _share(rows=10, df=df, length=20)
    assert share.is_clamped is clamped
    if clamped:
        assert share.idf == 1e-6
        assert share.contribution == pytest.approx(-1e-6 * 3 * 2.2 / 4.2)


@pytest.mark.parametrize(
    ("rows", "df", "length"), [(0, 0, 0), (0, 3, 5), (4, 9, 20), (4, 1, 0), (-2, 1, 3)]
)
def test_counts_of_an_index_out_of_step_still_give_numbers(
    rows: int, df: int, length: int
) -> None:
    share = _share(rows=rows, df=df, length=length)
    assert share.contribution <= 0
    assert math.isfinite(share.contribution)
    assert share.idf > 0


@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000, 123_457, 2_000_000])
@pytest.mark.parametrize(("rows", "df"), [(3, 1), (11, 5), (10, 5), (100_000, 49_999)])
def test_occurrences_are_told_from_a_score_to_the_last_one(
    count: int, rows: int, df: int
) -> None:
    length, average = count + 12, 40.0
    idf = max(math.log((rows - df + 0.5) / (df + 0.5)), 1e-6)
    frequency = count * COUNTING_WEIGHT
    damping = 1.2 * (0.25 + 0.75 * length / average)
    score = -idf * frequency * 2.2 / (frequency + damping)
    found = occurrences(score, rows=rows, tokens=rows * 40, df=df, length=length)
    assert found == count


@pytest.mark.parametrize("score", [None, 0.0, -0.0, math.inf, -math.inf, math.nan])
def test_a_score_that_is_no_number_means_no_occurrence(score: float | None) -> None:
    assert occurrences(score, rows=9, tokens=180, df=2, length=30) == 0


def test_variable_length_integers_are_read_as_sqlite_writes_them() -> None:
    assert varints(b"") == []
    assert varints(b"\x00\x7f\x81\x00") == [0, 127, 128]
    assert varints(b"\x05\x81") == [5], "cut off"
    assert varints(b"\xff" * 9 + b"\x03") == [-1, 3]
    assert varints(b"\x80" * 8 + b"\x07") == [7]


def test_the_averages_record_counts_rows_and_tokens_of_a_table_of_any_size() -> None:
    dice = random.Random(4)
    raw = pysqlite3.connect(":memory:", isolation_level=None)
    raw.execute("CREATE VIRTUAL TABLE f USING fts5(gist, content)")
    rows = [("one two", " ".join(["word"] * dice.randint(1, 300))) for _ in range(200)]
    raw.execute("BEGIN")
    raw.executemany("INSERT INTO f VALUES (?, ?)", rows)
    raw.execute("COMMIT")
    (block,) = raw.execute("SELECT block FROM f_data WHERE id = 1").fetchone() or ()
    raw.close()
    assert varints(block) == [200, 400, sum(len(c.split()) for _, c in rows)]
