"""One store's search through the kernel: nothing is copied, nothing changes, disorder fails."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.retrieval.arms import (
    ArmReport,
    DenseArm,
    DenseCandidate,
    LexicalArm,
    LexicalCandidate,
    StopReason,
    dense_arm,
    lexical_arm,
)
from core.retrieval.branches import dense_branch, lexical_branch
from core.retrieval.eligibility import Scope
from core.retrieval.probes import exact_probe, vec0_probe
from core.retrieval.retrieve import assemble
from core.settings import RetrievalSettings
from tests.peer.stub_vectors import stub_vector
from tests.support.engine import open_engine
from tests.support.pools import head_of
from tests.support.stores import (
    WIDTH,
    Memory,
    build_store,
    distractors,
    uuid_of,
    vectors_of,
    writing,
)
from tests.support.stub_encoder import axis, packed

_NEAR = packed(stub_vector("zarquon", WIDTH))
_A, _B = uuid_of("far"), uuid_of("near")
_LOW, _HIGH = sorted((_A, _B))
_RAN = ArmReport(True, 2, StopReason.INDEX_EXHAUSTED)


def _dense(*rows: tuple[str, float]) -> tuple[DenseCandidate, ...]:
    return tuple(DenseCandidate(uuid, far, at, 0, at) for at, (uuid, far) in enumerate(rows, 1))


def _lexical(*rows: tuple[str, float]) -> tuple[LexicalCandidate, ...]:
    return tuple(LexicalCandidate(uuid, bm25, at) for at, (uuid, bm25) in enumerate(rows, 1))


def _twins(vector: bytes = _NEAR) -> list[Memory]:
    """Return two rows that only their uuids tell apart."""
    return [Memory(name, "zarquon", vectors=(vector,)) for name in ("far", "near")]


async def test_both_arms_of_a_real_store_get_their_own_tuples_back(tmp_path: Path) -> None:
    build_store(tmp_path, [*_twins(), *distractors(100)])
    async with open_engine(tmp_path) as engine, engine.database.search.snapshot() as connection:
        words = await lexical_arm(connection, '"zarquon" OR "remark"', Scope(), 50)
        probes = vec0_probe(connection, _NEAR), exact_probe(connection, _NEAR)
        meaning = await dense_arm(connection, *probes, Scope(), depth=50, overfetch=4, chunks=102)
    assert len(words.candidates) == len(meaning.candidates) == 50
    assert lexical_branch(words.candidates) is words.candidates
    assert dense_branch(meaning.candidates) is meaning.candidates


@pytest.mark.parametrize(
    ("stored", "by_words", "by_meaning"),
    [
        pytest.param((_LOW, _HIGH), (_LOW, _HIGH), (_LOW, _HIGH), id="plain"),
        pytest.param((_LOW.encode(), _HIGH), (_HIGH, _LOW), (_LOW, _HIGH), id="blob"),
        pytest.param(
            ("\U0001f600", "\uff5e"),
            ("\uff5e", "\U0001f600"),
            ("\uff5e", "\U0001f600"),
            id="astral",
        ),
        pytest.param(
            ("broken", "\U0001f600"),
            ("\U0001f600", "\udcff"),
            ("\udcff", "\U0001f600"),
            id="broken",
        ),
        pytest.param(("É", "z"), ("z", "É"), ("z", "É"), id="beyond-ascii"),
        pytest.param(("b", "B"), ("B", "b"), ("B", "b"), id="case"),
    ],
)
async def test_equal_rows_keep_the_order_of_sqlite_and_of_code_points_whatever_their_uuids(
    tmp_path: Path,
    stored: tuple[str | bytes, str],
    by_words: tuple[str, str],
    by_meaning: tuple[str, str],
) -> None:
    build_store(tmp_path, [*_twins(), *distractors(20)])
    with writing(tmp_path) as raw:
        for name, value in zip(("far", "near"), stored, strict=True):
            cell = "CAST(x'ff' AS TEXT)" if value == "broken" else "?"
            given = () if value == "broken" else (value,)
            for table, column in (("memory", "uuid"), ("memory_chunk", "memory_uuid")):
                raw.execute(
                    f"UPDATE {table} SET {column} = {cell} WHERE {column} = ?",
                    (*given, uuid_of(name)),
                )
    async with open_engine(tmp_path) as engine:
        outcome = await engine.by_vector("zarquon", _NEAR)
    twins = [h for h in outcome.hits if h.head.gist == "zarquon"]
    words = {h.lexical.rank: h.uuid for h in twins if h.lexical}
    meaning = {h.dense.rank: h.uuid for h in twins if h.dense}
    assert (words[1], words[2]) == by_words
    assert (meaning[1], meaning[2]) == by_meaning


@pytest.mark.parametrize("matrix", [False, True], ids=["vec0", "matrix"])
async def test_infinite_vectors_come_last_and_among_each_other_by_uuid(
    tmp_path: Path, matrix: bool
) -> None:
    others = distractors(20)
    build_store(tmp_path, [*_twins(axis(WIDTH, 0, math.inf)), *others])
    query = vectors_of(others[7], WIDTH)[0]
    async with open_engine(tmp_path) as engine:
        if matrix:
            assert await engine.searcher.refresh_matrix()
        outcome = await engine.by_vector("zarquon", query)
    ranked = {h.dense.rank: (h.uuid, h.dense.distance) for h in outcome.hits if h.dense}
    assert len(ranked) == 22
    assert ranked[1] == (others[7].uuid, 0.0)
    assert (ranked[21], ranked[22]) == ((_LOW, math.inf), (_HIGH, math.inf))


@pytest.mark.parametrize(
    "candidates",
    [
        (),
        _dense((_HIGH, 0.1)),
        _dense((_LOW, 0.1), (_HIGH, 0.1), (_LOW, 3.0)),
        _dense((_HIGH, 0.0), (_LOW, 1e300), (_LOW, math.inf), (_HIGH, math.inf)),
    ],
)
def test_candidates_in_order_pass_the_meaning_branch(
    candidates: Sequence[DenseCandidate],
) -> None:
    assert dense_branch(candidates) is candidates


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([(_LOW, 0.2), (_HIGH, 0.1)], id="nearer below"),
        pytest.param([(_HIGH, 0.1), (_LOW, 0.1)], id="equal and turned"),
        pytest.param([(_LOW, math.inf), (_HIGH, 0.1)], id="infinite first"),
        pytest.param([(_LOW, 0.1), (_HIGH, math.nan)], id="no number"),
        pytest.param([(_HIGH, math.inf), (_LOW, math.inf)], id="infinite and turned"),
    ],
)
def test_an_arm_out_of_order_is_an_error_not_a_ranking(rows: list[tuple[str, float]]) -> None:
    heads = {uuid: head_of(uuid) for uuid, _ in rows}
    silent = ArmReport(ran=False, reason="not asked")
    meaning = DenseArm(_dense(*rows), _RAN), LexicalArm((), silent)
    words = DenseArm((), silent), LexicalArm(_lexical(*rows), _RAN)
    for arms, name in ((meaning, "meaning"), (words, "word")):
        with pytest.raises(GenizahError, match=f"The {name} search of the store") as caught:
            assemble(*arms, heads, RetrievalSettings())
        assert (caught.value.code, caught.value.reason) == (
            ErrorCode.STORE_FAILED,
            "branch_order",
        )


def test_a_blob_after_a_text_is_where_sqlite_sorts_it() -> None:
    text, blob = LexicalCandidate(_HIGH, -1.0, 1), LexicalCandidate(_LOW, -1.0, 2, False)
    both = (text, blob)
    assert lexical_branch(both) is both
